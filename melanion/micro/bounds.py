# SPDX-License-Identifier: Apache-2.0
"""Bounds of the microprogrammed unit: U of every request, and the length of its step, at most.

Cycle 1 is that of the `idle` word that chooses the request. `answer` is the number of the cycle in
which it is answered, which is U (tests/random/cycles.py); `step`: cycles from a choice to the next
possible one; `after`: those behind the answer in which nothing is chosen. Contents of all lists and
of the state store are free; loops add cycles for each round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from melanion.micro.bound_tables import MEASURES, OPERATIONS, BoundTables, CaseRow
from melanion.micro.errors import MicroError
from melanion.micro.graph import Node
from melanion.micro.longest import Longest, LoopError, Search
from melanion.micro.paths import Paths
from melanion.micro.program import Program
from melanion.micro.tables import FOLDER

BEGIN = 2  # cycles before the first word of an entry: the choice, and the word behind `idle`
REFUSED = 3  # … of a refusal: the first word of the entry is annulled, too
REFUSALS = ("refuse", "refuse_other")
LATER = (1, 2, 3)  # rounds of a loop that show what one more takes

Rounds = tuple[int, ...]


class Formula(NamedTuple):
    """Cycles: base + cycles of each round of a loop, by its count."""

    base: int
    rounds: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        return " + ".join([str(self.base), *(f"{cycles} {name}" for name, cycles in self.rounds)])

    def at(self, counts: Mapping[str, int]) -> int:
        """Cycles with these numbers of rounds."""
        return self.base + sum(cycles * counts[name] for name, cycles in self.rounds)

    @property
    def once(self) -> int:
        """Cycles with one round of each loop."""
        return self.base + sum(cycles for _, cycles in self.rounds)


def formula(text: str) -> Formula:
    """The inverse of str()."""
    base, *rounds = text.split(" + ")
    parts = [part.split(" ") for part in rounds]
    return Formula(int(base), tuple((name, int(cycles)) for cycles, name in parts))


class Bound(NamedTuple):
    """A row. `way`: the label that its paths go through, of a request that is told apart by that.
    `outcome`: empty, and no `answer`, for a step without one."""

    request: str
    way: str
    outcome: str
    answer: Formula | None
    step: Formula
    after: Formula | None


class Filter(NamedTuple):
    """Paths that go through all these labels and operations, and through none of those."""

    through: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()

    def passes(self, marks: frozenset[str]) -> bool:
        return self.through <= marks and not self.without & marks


class Verdict(NamedTuple):
    """A case and what was found."""

    case: CaseRow
    found: int


@dataclass(frozen=True)
class Bounds:
    """All bounds of a program."""

    program: Program
    tables: BoundTables

    @cached_property
    def rows(self) -> list[Bound]:
        """A row for each request and kind of answer."""
        return [
            row
            for request in self._requests
            for way in self.tables.ways.get(request, [""])
            for row in self._rows(request, way)
        ]

    @cached_property
    def verdicts(self) -> list[Verdict]:
        return [Verdict(case, self._found(case)) for case in self.tables.cases]

    # ---- paths -----------------------------------------------------------------------------------

    @property
    def _requests(self) -> Iterable[str]:
        return (name for name in self.program.graph.entries if name != "irq_end")

    @cached_property
    def _counted(self) -> dict[int, str]:
        """Counts, by the word that each round executes."""
        return {self.program.symbols[label]: n for label, n in self.tables.loops.items()}

    @cached_property
    def _searches(self) -> dict[bool, Search]:
        """Whether an interrupt is served: its search."""
        symbols, marks = self.program.symbols, self.tables.marks
        labels = {symbols[name]: name for name in marks if name not in OPERATIONS}
        removes = frozenset(marks & set(OPERATIONS))
        graph, counted = self.program.graph, tuple(self._counted)
        return {
            irq: Search(Paths(graph, counted, irq=irq), labels, removes) for irq in (False, True)
        }

    def _longest(self, request: str, rounds: Mapping[str, int], only: Filter) -> dict[str, Longest]:
        """By answer, of the paths that pass, with at most these rounds of loops."""
        left = tuple(rounds.get(name, 0) for name in self._counted.values())
        search, address = self._searches[request == "irq"], self.program.graph.entries[request]
        begin = REFUSED if request in REFUSALS else BEGIN
        found: dict[str, Longest] = {}
        try:
            paths = search.longest(address, left)
        except LoopError as error:
            word = self.program.words[error.address]
            raise MicroError(
                f"{word.place}: `{word.text}` is in a loop whose rounds nothing counts; give a word"
                " of the loop a label, and name it in `loops` of hw/micro/bounds.yaml."
            ) from None
        for (answer, marks), longest in paths.items():
            if not only.passes(marks):
                continue
            times = Longest(longest.answer + begin, longest.step + begin, longest.after)
            if request in self.tables.at_once:
                times = Longest(1, times.step, times.step - 1)
                answer = "ok"
            other = found.get(answer or "", times)
            found[answer or ""] = Longest(*map(max, times, other))
        return found

    # ---- formulas --------------------------------------------------------------------------------

    def _rows(self, request: str, way: str) -> Iterator[Bound]:
        through = Filter(frozenset({way} if way else ()))
        for outcome, times in self._formulas(request, through):
            answer, after = (times[m] if outcome else None for m in ("answer", "after"))
            yield Bound(request, way, outcome, answer, times["step"], after)

    def _grid(self, request: str, only: Filter) -> dict[str, dict[Rounds, Longest]]:
        """By answer: longest paths with some numbers of rounds."""
        names = self._loops[request]
        points = {tuple([n] * len(names)) for n in (0, *LATER)}
        for index, number in product(range(len(names)), range(LATER[-1] + 1)):
            points.add(tuple(number if i == index else 1 for i in range(len(names))))
        found: dict[str, dict[Rounds, Longest]] = {}
        for point in sorted(points):
            rounds = dict(zip(names, point, strict=True))
            for answer, longest in self._longest(request, rounds, only).items():
                found.setdefault(answer, {})[point] = longest
        return found

    @cached_property
    def _loops(self) -> dict[str, list[str]]:
        """Counts that a request may need."""
        found = {}
        for name, address in self.program.graph.entries.items():
            irq = name == "irq"
            reached = self.program.graph.reached([Node(address)], irq=irq)
            addresses = {node.address for node in reached if not node.annulled}
            counts = {count for at, count in self._counted.items() if at in addresses}
            found[name] = sorted(counts)
        return found

    def _formulas(self, request: str, only: Filter) -> Iterator[tuple[str, dict[str, Formula]]]:
        """By answer: cycles by measure."""
        for answer, points in sorted(self._grid(request, only).items()):
            found = {}
            for index, measure in enumerate(MEASURES):
                cycles = {point: longest[index] for point, longest in points.items()}
                found[measure] = _linear(self._loops[request], cycles)
            yield answer, found

    # ---- cases -----------------------------------------------------------------------------------

    def _found(self, case: CaseRow) -> int:
        if not case.requests:
            return max(self._of_case(name, case) for name in self._requests if name != "init")
        return sum(self._of_case(name, case) for name in case.requests)

    def _of_case(self, request: str, case: CaseRow) -> int:
        """Cycles of the longest path of a case; 0 when there is none."""
        found = [0]
        for way in self.tables.ways.get(request, [""]):
            through = frozenset({*case.through, way} - {""})
            only = Filter(through, frozenset(case.without))
            for answer, formulas in self._formulas(request, only):
                if case.answer not in (None, answer):
                    continue
                if case.cycles in MEASURES:
                    found.append(formulas[case.cycles].once)
                else:
                    found.append(dict(formulas["step"].rounds).get(case.cycles, 0))
        return max(found)


def _linear(names: list[str], cycles: Mapping[Rounds, int]) -> Formula:
    """The least formula that no point is above, once each loop has taken two rounds."""
    rounds = []
    for index, name in enumerate(names):
        axis = [tuple(n if i == index else 1 for i in range(len(names))) for n in LATER]
        first, second, third = (cycles[point] for point in axis)
        if third - second != second - first:
            raise MicroError(
                f"{FOLDER}/bounds.yaml: rounds of {name} take {second - first}, then"
                f" {third - second} cycles; count each path of the loop by a word of its own."
            )
        if third != second:
            rounds.append((name, third - second))
    slopes = dict(rounds)
    base = max(
        number - sum(slopes.get(name, 0) * n for name, n in zip(names, point, strict=True))
        for point, number in cycles.items()
    )
    return Formula(base, tuple(rounds))
