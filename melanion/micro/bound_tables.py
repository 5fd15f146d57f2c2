# SPDX-License-Identifier: Apache-2.0
"""`hw/micro/bounds.yaml`: how loops are counted, and cases that have a limit; beside it
`bounds_flag_lanes.yaml`, for units with lanes for event flags."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field

from melanion.micro.errors import MicroError
from melanion.micro.program import Program
from melanion.micro.tables import FOLDER
from melanion.spec.check import check, sentence
from melanion.spec.schema import Name, Row, Text
from melanion.spec.yaml_file import KeyPath, read

FILE = "bounds.yaml"
MEASURES = ("answer", "step", "after")
OPERATIONS = ("ready.remove", "due.remove", "waits.remove")  # that rows may distinguish


class CaseRow(Row):
    """`requests`: those whose cycles are added; none: the longest of all."""

    name: Text
    requests: list[Text] = Field(default_factory=list)
    answer: Literal["ok", "waits", "refused"] | None = None
    through: list[Text] = Field(default_factory=list)
    without: list[Text] = Field(default_factory=list)
    cycles: Text
    limit: int = Field(ge=1)


class BoundTables(Row):
    counts: dict[Name, Text]
    loops: dict[Name, Name]
    at_once: list[Text]
    ways: dict[Text, list[Text]]
    cases: list[CaseRow]

    @property
    def marks(self) -> set[str]:
        """Labels and operations that rows and cases distinguish."""
        ways = {name for names in self.ways.values() for name in names}
        return ways | {name for case in self.cases for name in (*case.through, *case.without)}


class FeatureTables(Row):
    """`lacks`: counts, loops and cases of `bounds.yaml` that units with the feature do not have;
    `cases`: their own."""

    lacks: list[Text]
    cases: list[CaseRow]


def load(folder: Path, program: Program) -> BoundTables:
    """Read `bounds.yaml` beside a program, and what belongs to its features. Raises MicroError."""
    file = read(folder / FILE, f"{FOLDER}/{FILE}")
    tables, problems = check(BoundTables, file)
    for feature in sorted(program.features) if tables else ():
        name = f"bounds_{feature}.yaml"
        more, found = check(FeatureTables, read(folder / name, f"{FOLDER}/{name}"))
        problems += found
        tables = _with(tables, more) if tables and more else tables
    if tables:
        problems += [sentence(file, path, rest) for path, rest in _wrong(tables, program)]
    if problems or not tables:
        raise MicroError("\n".join(problems))
    return tables


def _with(tables: BoundTables, feature: FeatureTables) -> BoundTables:
    kept = [case for case in tables.cases if case.name not in feature.lacks]
    return tables.model_copy(
        update={
            "counts": {n: text for n, text in tables.counts.items() if n not in feature.lacks},
            "loops": {n: c for n, c in tables.loops.items() if n not in feature.lacks},
            "cases": [*kept, *feature.cases],
        }
    )


def _wrong(tables: BoundTables, program: Program) -> Iterator[tuple[KeyPath, str]]:
    labels = {name for name, at in program.symbols.items() if at in program.words}
    for label, count in tables.loops.items():
        if label not in labels:
            yield ("loops", label), "is no label of the program; correct the name"
        if count not in tables.counts:
            yield ("loops", label), f"is {count!r}, which is no name of `counts`; add it there"
    for name in set(tables.counts) - set(tables.loops.values()):
        yield ("counts", name), "counts no loop; remove it"
    for index, name in enumerate(tables.at_once):
        if name not in program.graph.entries:
            yield ("at_once", index), f"is {name!r}, which is no entry; correct the name"
    for request, names in tables.ways.items():
        if request not in program.graph.entries:
            yield ("ways", request), "is no entry; correct the name"
        for index, name in enumerate(names):
            if name not in labels:
                yield ("ways", request, index), f"is {name!r}, which is no label; correct the name"
    for index, case in enumerate(tables.cases):
        for path, rest in _wrong_case(case, tables, program, labels):
            yield ("cases", index, *path), rest


def _wrong_case(
    case: CaseRow, tables: BoundTables, program: Program, labels: set[str]
) -> Iterator[tuple[KeyPath, str]]:
    for index, name in enumerate(case.requests):
        if name not in program.graph.entries:
            yield ("requests", index), f"is {name!r}, which is no entry; correct the name"
    for key in ("through", "without"):
        for index, name in enumerate(getattr(case, key)):
            if name not in labels and name not in OPERATIONS:
                known = ", ".join(OPERATIONS)
                rest = f"is {name!r}, which is no label; write one, or an operation ({known})"
                yield (key, index), rest
    if case.cycles not in (*MEASURES, *tables.counts):
        known = ", ".join((*MEASURES, *tables.counts))
        yield ("cycles",), f"is {case.cycles!r}; allowed is {known}; correct the value"
