# SPDX-License-Identifier: Apache-2.0
"""`sw` is not slower than FreeRTOS in any row that both have, but for those with a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from melanion.docs.pages import baseline
from melanion.docs.pages.baseline import KNOWN, Pair, reason, recorded, unlisted

SHARED = 350  # rows of asserted files that both kernels have, counts and gains left out


def test_no_shared_row_is_slower_without_a_reason() -> None:
    compared = recorded()
    assert len(compared) == SHARED
    assert [(*pair.name, pair.slower) for pair in unlisted(compared)] == []


def test_each_reason_has_its_slower_row() -> None:
    slower = {pair.name for pair in recorded() if pair.slower and reason(pair) != baseline.CACHE}
    assert slower == set(KNOWN)


def test_each_reason_holds() -> None:
    """Twice as many spans, the longest shorter; a lock less than a refill of a few lines later; a
    switch of fewer cycles."""
    compared = recorded()
    fewer = {pair.name for pair in compared if not pair.slower}
    for pair in compared:
        if reason(pair) == baseline.MANY:
            assert pair.ours.max < pair.theirs.max
            assert pair.ours.n * 2 < pair.theirs.n
        if reason(pair) == baseline.LOOKS:
            experiment, kernel, _, parameters = pair.name
            assert (experiment, kernel, "average", parameters) in fewer
        if reason(pair) == baseline.CACHE:
            assert pair.ours.max - pair.theirs.max < max(64, pair.theirs.max / 100)


@pytest.mark.parametrize("statistic", ["median", "max"])
def test_a_planted_row_that_is_slower_fails(statistic: str) -> None:
    compared = recorded()
    place = next(i for i, pair in enumerate(compared) if not pair.slower)
    pair = compared[place]
    worse = replace(pair.ours, **{statistic: getattr(pair.theirs, statistic) + 1})
    compared[place] = Pair(worse, pair.theirs)
    assert [found.name for found in unlisted(compared)] == [pair.name]


def test_another_core_another_kernel_and_a_count_do_not_compare() -> None:
    pair = recorded()[0]
    ours, theirs = pair.ours, pair.theirs
    assert list(baseline.pairs([ours, theirs])) == [pair]
    for other in (
        replace(theirs, kernel="freertos-vexriscv" if ours.kernel == "sw" else "freertos"),
        replace(theirs, kernel="hwrtos"),
        replace(theirs, unit="switches"),
        replace(theirs, experiment="another"),
        replace(theirs, parameters={"n": 0}),
    ):
        assert not list(baseline.pairs([ours, other]))


@pytest.mark.parametrize(("experiment", "metric"), sorted(baseline.GAINS))
def test_shares_of_which_more_is_better_do_not_compare(experiment: str, metric: str) -> None:
    pair = recorded()[0]
    rows = [replace(row, experiment=experiment) for row in (pair.ours, pair.theirs)]
    assert len(list(baseline.pairs(rows))) == 1
    assert not list(baseline.pairs(replace(row, metric=metric) for row in rows))


def test_the_table_names_every_slower_row() -> None:
    lines = baseline.slower().splitlines()[2:]
    assert len(lines) == sum(bool(pair.slower) for pair in recorded())
    assert all(text in "\n".join(lines) for text in KNOWN.values())
