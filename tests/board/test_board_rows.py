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
    assert [(row["board"], row["system"]) for row in ROWS] == list(boards.SYSTEMS)


def test_other_rows_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ROWS[0]
    slow = {**first, "closes": "1.5"}
    assert boards.missed([slow]) == [
        f"tests/asserted/boards.csv: {first['system']} on ulx3s_85f closes at 1.5 MHz; asked were"
        f" {first['asked']}; ask for less in the board file."
    ]
    assert len(boards.stale(ROWS[1:])) == 1
    made = Design.compiled
    for text, moved in ((b"// other words\n", 0), (b"logic more;\n", len(ROWS))):
        monkeypatch.setattr(
            Design,
            "compiled",
            lambda self, new=text: [
                (n, new + c if n == "mel_pll.sv" else c) for n, c in made(self)
            ],
        )
        assert len(boards.stale(ROWS)) == moved
