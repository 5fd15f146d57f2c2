# SPDX-License-Identifier: Apache-2.0
"""The experiment `deadlock` on RTL: program and definition agree, exact cycles, and what its page
says of the three ways of detection."""

from __future__ import annotations

import re

import pytest

from melanion import paths
from melanion.claims import load
from melanion.claims.execute import outcome
from melanion.docs.pages import deadlock
from tests.common import exact_cycles

ROOT = paths.data_root()
DEFINITION = load("deadlock")
PROGRAM = ROOT / "apps" / "benchmarks" / "deadlock"
ROWS = exact_cycles.recorded_rows("deadlock")


def test_program_and_definition_use_the_same_numbers() -> None:
    files = (PROGRAM / "deadlock.h", PROGRAM.parent / "stage" / "stage.h")
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    constants = {name: int(value) for name, value in re.findall(r"\b([A-Z_]+) = (\d+)", text)}
    for prefix, numbers in (
        ("MARK", DEFINITION.marks),
        ("PHASE", DEFINITION.phases),
        ("TRACEPOINT", DEFINITION.tracepoints),
    ):
        assert {f"{prefix}_{name.upper()}": number for name, number in numbers.items()} == {
            name: number for name, number in constants.items() if name.startswith(f"{prefix}_")
        }
    words = DEFINITION.metrics["unit"].parameters["shape"]
    assert [constants[f"SHAPE_{str(word).upper()}"] for word in words] == [0, 1, 2]


@pytest.mark.parametrize(
    "kernel", ["sw-deadlock", pytest.param("banked-deadlock", marks=pytest.mark.soak)]
)
def test_exact_cycles(kernel: str) -> None:
    measured = [each.row for each in outcome("deadlock", kernel, lambda _: None).measurements]
    exact_cycles.check("deadlock", [kernel], measured)


def test_the_unit_takes_a_cycle_for_each_step() -> None:
    """A tail of n processes and resources takes the most: 2 · n - 3 steps."""
    for rows in ROWS.values():
        tail = {
            row.parameters["processes"]: row.max
            for row in rows
            if row.metric == "unit" and row.parameters["shape"] == "tail"
        }
        assert tail[16] - tail[8] == 16
        assert tail[8] - tail[4] == 8


def test_the_unit_is_faster_than_both_ways_in_c() -> None:
    for rows in ROWS.values():
        found = {(row.metric, str(row.parameters)): row.max for row in rows}
        for (metric, label), cycles in found.items():
            if metric != "unit":
                assert cycles > found["unit", label]


def test_the_page_shows_all_rows() -> None:
    lines = deadlock.cycles().splitlines()[2:]
    assert len(lines) == sum(len(rows) for rows in ROWS.values()) // len(deadlock.HEADS)
