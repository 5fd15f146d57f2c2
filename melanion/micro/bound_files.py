# SPDX-License-Identifier: Apache-2.0
"""Bounds as rows of files that a test compares: tests/asserted/engine_*.csv."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from melanion.micro.bounds import Bound, Bounds, Formula, formula
from melanion.micro.errors import MicroError

BOUNDS, TARGETS = "engine_bounds.csv", "engine_targets.csv"
COLUMNS = ("request", "way", "outcome", "answer", "step", "after")
TARGET_COLUMNS = ("case", "limit", "found", "gap")


def table(rows: Iterable[Bound]) -> str:
    """The rows of bounds."""
    return _text(COLUMNS, ([_cell(value) for value in row] for row in rows))


def bounds_with(feature: str) -> str:
    """Name of the file with the rows of units with a feature that differ from those without."""
    return f"engine_bounds_{feature}.csv"


def targets_with(feature: str) -> str:
    """Name of the file with the cases of units with a feature."""
    return f"engine_targets_{feature}.csv"


def differing(bounds: Bounds, others: Bounds) -> str:
    """The rows of bounds that the others do not have."""
    return table(row for row in bounds.rows if row not in others.rows)


def read_table(text: str) -> list[Bound]:
    """The inverse."""
    rows = csv.DictReader(io.StringIO(text))
    return [
        Bound(
            row["request"],
            row["way"],
            row["outcome"],
            _formula(row["answer"]),
            formula(row["step"]),
            _formula(row["after"]),
        )
        for row in rows
    ]


def targets(bounds: Bounds) -> str:
    """The rows of cases: limit, what was found, and by how much that is above."""
    rows = []
    for case, found in bounds.verdicts:
        rows.append([case.name, str(case.limit), str(found), str(max(0, found - case.limit))])
    return _text(TARGET_COLUMNS, rows)


def gaps(text: str) -> dict[str, int]:
    """By case: the gap of a file of targets."""
    return {row["case"]: int(row["gap"]) for row in csv.DictReader(io.StringIO(text))}


def grown(bounds: Bounds, recorded: Mapping[str, int]) -> Iterator[str]:
    """A sentence for each case whose gap is larger than the recorded one."""
    for case, found in bounds.verdicts:
        gap, before = max(0, found - case.limit), recorded.get(case.name)
        if before is not None and gap > before:
            yield (
                f"{TARGETS}: {case.name!r} takes {found} cycles, {gap} above its limit of"
                f" {case.limit}, and {before} are allowed; shorten its path (`python -m"
                " melanion.micro bounds` shows all), or raise `gap` by hand and give the reason in"
                " the commit"
            )


def write(bounds: Bounds, folder: Path, *, beside: Bounds | None = None) -> None:
    """Write both files anew; `beside`: the bounds without the feature of these. Raises MicroError
    when a gap has grown."""
    if beside is not None:
        (feature,) = bounds.program.features
        (folder / bounds_with(feature)).write_text(differing(bounds, beside), encoding="utf-8")
        (folder / targets_with(feature)).write_text(targets(bounds), encoding="utf-8")
        return
    file = folder / TARGETS
    recorded = gaps(file.read_text(encoding="utf-8")) if file.exists() else {}
    if problems := list(grown(bounds, recorded)):
        raise MicroError("\n".join(f"{problem}." for problem in problems))
    (folder / BOUNDS).write_text(table(bounds.rows), encoding="utf-8")
    file.write_text(targets(bounds), encoding="utf-8")


def lines(bounds: Bounds) -> Iterator[str]:
    """Both tables for a terminal."""
    for text in (table(bounds.rows), targets(bounds)):
        rows = list(csv.reader(io.StringIO(text)))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            yield "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip()
        yield ""


def _cell(value: str | Formula | None) -> str:
    return "" if value is None else str(value)


def _formula(text: str) -> Formula | None:
    return formula(text) if text else None


def _text(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()
