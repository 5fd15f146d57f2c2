# SPDX-License-Identifier: Apache-2.0
"""The microprogrammed unit at twice the clock of its cores, beside the unit of hw/rtl: the rows of
the experiments `cores` and `calls` that are later than the goal, by medians.

tests/asserted/engine_late.csv lists those of `calls` with the cycles by which they are later today:
none may be later than that, and none that is not listed. `python -m tests.lab.test_engine_late`
writes it anew. `latency`: tests/system/test_unit_clock.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from melanion.claims.execute import outcome
from melanion.docs import rows
from melanion.measure import Row
from tests.common import exact_cycles

GOALS = {"cores": 3, "calls": 2}  # cycles of the core
FILE = rows.ASSERTED / "engine_late.csv"
CALLS = ("hwrtos-micro-double", "hwrtos")  # measured, and recorded
LATER = pytest.mark.soak

Late = dict[str, int]  # label of a row → cycles


def measured(experiment: str, kernel: str) -> list[Row]:
    return [each.row for each in outcome(experiment, kernel, lambda _: None).measurements]


def old(experiment: str, kernel: str) -> list[Row]:
    """The rows of a system with the unit of hw/rtl: recorded ones where there are some."""
    return exact_cycles.recorded_rows(experiment).get(kernel) or measured(experiment, kernel)


def late(new: Sequence[Row], before: Sequence[Row], goal: int) -> Late:
    """The rows whose median is later by more than the goal, and by how much."""
    medians = {row.label: row.median for row in before}
    assert [row.label for row in new] == list(medians)
    by = {row.label: int(row.median - medians[row.label]) for row in new}
    return {label: cycles for label, cycles in by.items() if cycles > goal}


def listed() -> Late:
    return {line["row"]: int(line["later"]) for line in rows.lines(FILE)}


def worse(found: Mapping[str, int], known: Mapping[str, int]) -> list[str]:
    """A sentence for each row that is later than it is known to be."""
    return [
        f"{label} is later than with the unit of hw/rtl by {cycles} cycles; {FILE.name} says"
        f" {known.get(label, 'nothing of it')}"
        for label, cycles in found.items()
        if cycles > known.get(label, 0)
    ]


@pytest.mark.parametrize(
    ("kernel", "before"),
    [
        ("banked-micro-double-2", "banked-2"),
        pytest.param("hwrtos-micro-double-2", "hwrtos-2", marks=LATER),
        pytest.param("port-micro-double-2", "port-2", marks=LATER),
        pytest.param("hwrtos-micro-double-4", "hwrtos-4", marks=LATER),
        pytest.param("banked-micro-double-4", "banked-4", marks=LATER),
    ],
)
@exact_cycles.pinned
def test_no_wake_up_across_cores_is_later_than_the_goal(kernel: str, before: str) -> None:
    assert late(measured("cores", kernel), old("cores", before), GOALS["cores"]) == {}


@LATER
@exact_cycles.pinned
def test_no_call_is_later_than_it_was() -> None:
    kernel, before = CALLS
    found = late(measured("calls", kernel), old("calls", before), GOALS["calls"])
    assert worse(found, listed()) == []


def test_a_row_that_is_later_is_named() -> None:
    before = old("cores", "banked-2")
    goal = GOALS["cores"]
    in_time = [replace(row, median=row.median + goal) for row in before]
    assert late(in_time, before, goal) == {}
    slow = [replace(before[0], median=before[0].median + goal + 1), *before[1:]]
    assert late(slow, before, goal) == {before[0].label: goal + 1}
    assert worse({"x": 5}, {"x": 5, "y": 3}) == []
    words = f"x is later than with the unit of hw/rtl by 5 cycles; {FILE.name} says"
    assert worse({"x": 5}, {"x": 4}) == [f"{words} 4"]
    assert worse({"x": 5}, {}) == [f"{words} nothing of it"]


def main() -> None:
    kernel, before = CALLS
    found = late(measured("calls", kernel), old("calls", before), GOALS["calls"])
    lines = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    text = rows.text_of([{"row": label, "later": str(cycles)} for label, cycles in lines])
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
