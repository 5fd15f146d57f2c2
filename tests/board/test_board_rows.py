# SPDX-License-Identifier: Apache-2.0
"""Figures of systems on boards: the recorded rows close, and are those of the present sources."""

from __future__ import annotations

import pytest

from melanion.board.design import Design
from melanion.docs import boards

ROWS = boards.recorded()


def test_rows_are_those_of_these_sources() -> None:
    assert boards.stale(ROWS) == []


def test_rows_close() -> None:
    assert boards.missed(ROWS) == []
    assert list(boards.best(ROWS)) == list(boards.SYSTEMS)


def test_a_table_shows_the_best_seed_and_times_at_its_clock() -> None:
    fast = {**ROWS[0], "seed": "9", "closes": "99.5"}
    assert boards.best([ROWS[0], fast]) == {(fast["board"], fast["system"]): fast}
    cycles = boards.worst_cases()
    assert cycles["hwrtos"] < cycles["sw"] < cycles["freertos"]
    clock = float(boards.best(ROWS)["ulx3s_85f", "hwrtos"]["closes"])
    assert f" | {cycles['hwrtos'] / clock * 1000:.0f} | " in boards.in_nanoseconds()


def test_other_rows_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ROWS[0]
    slow = {**first, "closes": "1.5"}
    assert boards.missed([slow]) == [
        f"tests/asserted/boards.csv: {first['system']} on ulx3s_85f closes at 1.5 MHz; asked were"
        f" {first['asked']}; ask for less in the board file."
    ]
    assert boards.stale(ROWS[1:])[0] == (
        f"tests/asserted/boards.csv has no rows of the present sources for {first['system']} on"
        f" {first['board']}; run `python -m melanion.docs boards` and commit the file."
    )
    made = Design.compiled
    for text, moved in ((b"// other words\n", 0), (b"logic more;\n", len(boards.SYSTEMS))):
        monkeypatch.setattr(
            Design,
            "compiled",
            lambda self, new=text: [
                (n, new + c if n == "mel_pll.sv" else c) for n, c in made(self)
            ],
        )
        assert len(boards.stale(ROWS)) == moved
