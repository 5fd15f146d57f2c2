# SPDX-License-Identifier: Apache-2.0
"""tests/asserted/injection.csv: of the sources as they are, and consistent; in long campaigns the
classes of 2000 flips on each system again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from melanion import build, config, paths
from melanion.docs import injection
from melanion.docs.rows import Line
from melanion.inject import CLASSES, SILENT, Campaign, prepared, run
from melanion.inject.bound import upper
from melanion.results import Store
from melanion.run import Settings

AGAIN = "`python -m tests.inject.measure` measures again"
LONG = 2000  # flips of a long campaign


def moved(rows: Sequence[Line]) -> list[str]:
    """Systems whose sources moved since their rows were measured."""
    return [
        name
        for name in injection.SYSTEMS
        if {row["digest"] for row in rows if row["system"] == name} != {injection.digest(name)}
    ]


def test_rows_are_of_the_sources_as_they_are() -> None:
    assert moved(injection.recorded()) == [], AGAIN


def test_moved_sources_are_noticed() -> None:
    first, *others = injection.recorded()
    assert moved([{**first, "digest": "0"}, *others]) == [first["system"]]


def test_rows_add_up() -> None:
    rows = injection.recorded()
    assert list(dict.fromkeys(row["system"] for row in rows)) == list(injection.SYSTEMS)
    for row in rows:
        counts = {name: int(row[name]) for name in CLASSES}
        flips, silent = int(row["flips"]), sum(counts[name] for name in SILENT)
        assert sum(counts.values()) == flips
        assert float(row["at_most"]) == pytest.approx(upper(silent, flips), abs=1e-6)
        assert counts["corrected"] == 0  # nothing could correct
    assert {row["seed"] for row in rows} == {str(injection.SEED)}


@pytest.mark.soak
@pytest.mark.parametrize("system", injection.SYSTEMS)
def test_long_campaign(system: str, tmp_path: Path) -> None:
    """As many flips as the file has of the system, and on to LONG: the first give its rows."""
    app = build.application(str(paths.data_root() / injection.APP))
    campaign = Campaign(config.find(system), app, injection.SEED, LONG)
    with prepared(campaign, Settings(), lambda _: None) as (ready, harness):
        records = run(ready, harness, Store(tmp_path / "results.sqlite"), "test", 2)
    assert len(records) == LONG
    for row in (row for row in injection.recorded() if row["system"] == system):
        hits = [each for each in records if each.kind == row["kind"] and each.hit != "nothing"]
        counted = Counter(each.name for each in hits[: int(row["flips"])])
        assert {name: counted[name] for name in CLASSES} == {
            name: int(row[name]) for name in CLASSES
        }
