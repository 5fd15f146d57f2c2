# SPDX-License-Identifier: Apache-2.0
"""Cells and clock of the protected unit: rows of the present sources, within their limits."""

from __future__ import annotations

import pytest

from melanion.docs import engine_area, protection
from melanion.docs.rows import Line

ROWS = protection.recorded()


def test_rows_are_of_the_present_sources_and_within_their_limits() -> None:
    assert protection.complaints(ROWS) == []


def test_parity_costs_what_was_wanted() -> None:
    plain = int(engine_area.recorded()[0]["comb"])
    assert int(ROWS["memories"]["comb"]) <= 1.15 * plain


def moved(name: str, **values: str) -> dict[str, Line]:
    return {**ROWS, name: {**ROWS[name], **values}}


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (
            moved("all", digest="0"),
            "tests/asserted/protection_area.csv has no row of the present sources for all; run"
            " `python -m melanion.docs area protection` and commit the file.",
        ),
        (
            moved("memories", comb="3819"),
            "tests/asserted/protection_area.csv: memories: comb is 3819; its limit is 3818.",
        ),
        (
            moved("memories", fmax="60"),
            "tests/asserted/protection_area.csv: memories: fmax is 60; its limit is 75.",
        ),
    ],
)
def test_what_is_wrong_is_said(rows: dict[str, Line], says: str) -> None:
    assert protection.complaints(rows) == [says]


def test_a_row_that_is_missing_is_said() -> None:
    rest = {name: row for name, row in ROWS.items() if name != "guard"}
    (said,) = protection.complaints(rest)
    assert "no row of the present sources for guard" in said
