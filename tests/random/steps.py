# SPDX-License-Identifier: Apache-2.0
"""Steps of the microprogrammed unit, measured in the RTL (steps.sv), against their bounds.

Every step of a run is held against the row of tests/asserted/engine_bounds.csv that is about it,
with the rounds that its loops took; tests/micro/test_bounds.py makes sure that these rows are those
of the program.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import NamedTuple

from melanion import paths
from melanion.micro import Program, assemble, bound_files, bound_tables
from melanion.micro.bound_tables import BoundTables
from melanion.micro.bounds import Bound, Formula
from melanion.micro.paths import SETTLES
from melanion.micro.tables import FOLDER, TABLE
from melanion.model import Limits
from tests.common.verilated import ROOT
from tests.random.records import RejectedError

RECORD = struct.Struct("<HBBIII8HI4xQQ")
OUTCOMES = ("", "ok", "waits", "refused")
ADDRESS = 11  # bits
ROUNDS = 8  # words that the bench counts

Key = tuple[str, str, str]  # request, way, outcome
Table = Mapping[Key, Bound]


class Step(NamedTuple):
    """The longest of the steps that did the same. `rounds`: by count."""

    key: Key
    answer: int
    step: int
    after: int
    steps: int
    rounds: Mapping[str, int]
    longest_at: int
    latest_at: int


@dataclass(frozen=True)
class Names:
    """Names of the program that records of steps are about."""

    program: Program
    tables: BoundTables

    def counted(self) -> list[tuple[int, str]]:
        """Addresses of the words that the bench counts, and their counts."""
        loops = {
            label: n
            for label, n in self.tables.loops.items()
            if n not in ("messages", "more_cores")
        }
        if len(loops) > ROUNDS:
            raise ValueError(f"steps.sv counts {ROUNDS} words, and there are {len(loops)} loops")
        return [(self.program.symbols[label], count) for label, count in loops.items()]

    @cached_property
    def requests(self) -> dict[int, str]:
        """By the address of the entry."""
        return {at: name for name, at in self.program.graph.entries.items()}

    def way(self, request: str, action: int) -> str:
        """The label that a served interrupt goes through, by the number of its action."""
        if request not in self.tables.ways:
            return ""
        address = self.program.symbols["irq_action"] + action % TABLE
        target = self.program.words[address].get("next")
        labels = self.tables.ways[request]
        return next(label for label in labels if self.program.symbols[label] == target)


def features(limits: Limits) -> frozenset[str]:
    """Those of a unit that have words of their own."""
    return frozenset({"flag_lanes"} if limits.flag_lanes else ())


@cache
def names(of: frozenset[str] = frozenset()) -> Names:
    program = assemble(features=of)
    return Names(program, bound_tables.load(paths.data_root() / FOLDER, program))


@cache
def asserted(of: frozenset[str] = frozenset()) -> Table:
    """The rows of bounds, of units with these features."""
    found: dict[Key, Bound] = {}
    for name in [bound_files.BOUNDS, *(bound_files.bounds_with(each) for each in sorted(of))]:
        text = (ROOT / "tests/asserted" / name).read_text(encoding="utf-8")
        found |= {row[:3]: row for row in bound_files.read_table(text)}
    return found


def parameter(limits: Limits) -> str:
    """Addresses for the bench: its parameter Rounds."""
    counted = names(features(limits)).counted()
    packed = sum(at << ADDRESS * i for i, (at, _) in enumerate(counted))
    return f"{ADDRESS * ROUNDS}'h{packed:x}"


def parse(limits: Limits, data: bytes) -> list[Step]:
    """The bench's file of steps."""
    known = names(features(limits))
    return [_step(known, record) for record in RECORD.iter_unpack(data)]


def _step(known: Names, record: tuple[int, ...]) -> Step:
    entry, outcome, action, answer, length, after, *visits, steps, longest_at, latest_at = record
    request = known.requests[entry]
    rounds: dict[str, int] = {}
    for (_, count), visited in zip(known.counted(), visits, strict=False):
        rounds[count] = max(rounds.get(count, 0), visited)
    key = request, known.way(request, action), OUTCOMES[outcome]
    return Step(key, answer, length, after, steps, rounds, longest_at, latest_at)


def check(limits: Limits, steps: Iterable[Step], table: Table | None = None) -> None:
    """Raises RejectedError: a step took longer than its bound."""
    table = asserted(features(limits)) if table is None else table
    for step in steps:
        name = " ".join(part for part in step.key if part)
        if step.key not in table:
            raise RejectedError(f"cycle {step.longest_at}: a step that has no bound: {name}")
        for measure, bound in measures(limits, step, table[step.key]):
            if getattr(step, measure) > bound:
                at = step.latest_at if measure == "answer" else step.longest_at
                raise RejectedError(
                    f"cycle {at}: {name}: {measure} takes {getattr(step, measure)} cycles, its"
                    f" bound is {bound}"
                )


def longest(limits: Limits) -> int:
    """Cycles of the longest step at these sizes, once the unit is ready."""
    of = features(limits)
    found = dict.fromkeys(names(of).tables.counts, limits.tasks)
    found |= {"more_cores": limits.cores - 1, "owners": min(limits.tasks, limits.mutexes)}
    rows = (row for row in asserted(of).values() if row.request != "init")
    return max(row.step.at(found) for row in rows) + (SETTLES if limits.cores > 1 else 0)


def measures(limits: Limits, step: Step, bound: Bound) -> Iterable[tuple[str, int]]:
    """Cycles that a step may take."""
    counts = {**step.rounds, "more_cores": limits.cores - 1, "messages": limits.messages}
    settles = SETTLES if limits.cores > 1 else 0
    found = {
        "answer": (bound.answer, 0),
        "step": (bound.step, settles),
        "after": (bound.after, settles),
    }
    return [(name, way.at(counts) + more) for name, (way, more) in found.items() if way]


@dataclass
class Reached:
    """Least distances to the bounds, over many runs."""

    least: dict[tuple[Key, str], int] = field(default_factory=dict)
    steps: dict[Key, int] = field(default_factory=dict)

    def add(self, limits: Limits, steps: Iterable[Step]) -> None:
        for step in steps:
            self.steps[step.key] = self.steps.get(step.key, 0) + step.steps
            row = asserted(features(limits))[step.key]
            for measure, bound in measures(limits, step, row):
                place, gap = (step.key, measure), bound - getattr(step, measure)
                self.least[place] = min(self.least.get(place, gap), gap)


def lowered(key: Key, measure: str, of: frozenset[str] = frozenset()) -> Table:
    """The rows with one bound lower by a cycle."""
    row = asserted(of)[key]
    formula: Formula | None = getattr(row, measure)
    if formula is None:
        raise ValueError(f"{key} has no {measure}")
    less = {measure: formula._replace(base=formula.base - 1)}
    return {**asserted(of), key: Bound(**(row._asdict() | less))}
