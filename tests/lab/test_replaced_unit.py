# SPDX-License-Identifier: Apache-2.0
"""The unit beside the one that it replaced (docs/decisions/0034): the rows of the experiments
`cores` and `calls` that are later than the goal, by medians.

Of the replaced unit there are recorded rows (tests/asserted/replaced_unit.csv). engine_late.csv
lists those of `calls` with the cycles by which they are later today: none may be later than that,
and none that is not listed. `python -m tests.lab.test_replaced_unit` writes it anew. `latency`:
tests/system/test_unit_clock.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from melanion.docs import rows
from melanion.measure import Row
from tests.common import exact_cycles

GOALS = {"cores": 3, "calls": 2}  # cycles of the core
FILE = rows.ASSERTED / "engine_late.csv"
CALLS = "hwrtos"
CORES = ("hwrtos-2", "hwrtos-4", "port-2", "banked-2", "banked-4")

Late = dict[str, int]  # label of a row → cycles


def now(experiment: str, kernel: str) -> list[Row]:
    return exact_cycles.recorded_rows(experiment)[kernel]


def before(experiment: str, kernel: str) -> list[Row]:
    """The rows on the replaced unit."""
    recorded = rows.read(rows.REPLACED)
    return [row for row in recorded if (row.experiment, row.kernel) == (experiment, kernel)]


def late(new: Sequence[Row], old: Sequence[Row], goal: int) -> Late:
    """The rows whose median is later by more than the goal, and by how much."""
    medians = {row.label: row.median for row in old}
    assert [row.label for row in new] == list(medians)
    by = {row.label: int(row.median - medians[row.label]) for row in new}
    return {label: cycles for label, cycles in by.items() if cycles > goal}


def listed() -> Late:
    return {line["row"]: int(line["later"]) for line in rows.lines(FILE)}


def worse(found: Mapping[str, int], known: Mapping[str, int]) -> list[str]:
    """A sentence for each row that is later than it is known to be."""
    return [
        f"{label} is later than with the unit before by {cycles} cycles; {FILE.name} says"
        f" {known.get(label, 'nothing of it')}"
        for label, cycles in found.items()
        if cycles > known.get(label, 0)
    ]


@pytest.mark.parametrize("kernel", CORES)
def test_no_wake_up_across_cores_is_later_than_the_goal(kernel: str) -> None:
    assert late(now("cores", kernel), before("cores", kernel), GOALS["cores"]) == {}


def test_no_call_is_later_than_it_was() -> None:
    found = late(now("calls", CALLS), before("calls", CALLS), GOALS["calls"])
    assert worse(found, listed()) == []


def test_a_row_that_is_later_is_named() -> None:
    old = before("cores", "banked-2")
    goal = GOALS["cores"]
    in_time = [replace(row, median=row.median + goal) for row in old]
    assert late(in_time, old, goal) == {}
    slow = [replace(old[0], median=old[0].median + goal + 1), *old[1:]]
    assert late(slow, old, goal) == {old[0].label: goal + 1}
    assert worse({"x": 5}, {"x": 5, "y": 3}) == []
    words = f"x is later than with the unit before by 5 cycles; {FILE.name} says"
    assert worse({"x": 5}, {"x": 4}) == [f"{words} 4"]
    assert worse({"x": 5}, {}) == [f"{words} nothing of it"]


def main() -> None:
    found = late(now("calls", CALLS), before("calls", CALLS), GOALS["calls"])
    lines = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    text = rows.text_of([{"row": label, "later": str(cycles)} for label, cycles in lines])
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
