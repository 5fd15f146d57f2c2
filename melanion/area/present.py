# SPDX-License-Identifier: Apache-2.0
"""A result for people and programs: tables as text, Markdown, CSV, JSON, and a page of curves."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass

from melanion.area.design import OBJECTS, SIZES, Design
from melanion.area.measure import GateRow, Result, Row
from melanion.report import chart
from melanion.report.chart import Series
from melanion.report.html import html

# Figure → heading, in the order of the tables.
FIGURES = {
    "ecp5": {
        "lut4": "LUT4",
        "comb": "cells",
        "ff": "FF",
        "bram": "RAM",
        "dsp": "DSP",
        "fmax": "MHz",
    },
    "nand2": {"nand2": "NAND2", "ff": "FF", "memory_bits": "memory bits"},
}
NOTES = {
    "ecp5": "ECP5-85k, speed grade 6, out of context. cells: nextpnr's TRELLIS_COMB, carry and"
    " LUT-RAM included; RAM: 18-kbit blocks; MHz: clock to clock, median of the seeds",
    "nand2": "area without memories, divided by that of NAND2X1",
}
AREA, SPEED = "comb", "fmax"


@dataclass(frozen=True)
class Table:
    """Cells of a table as text; the first `left` columns are names."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1

    def markdown(self) -> str:
        rule = "|".join("---" if i < self.left else "--:" for i in range(len(self.heads)))
        rows = "".join(f"| {' | '.join(row)} |\n" for row in self.rows)
        return f"| {' | '.join(self.heads)} |\n|{rule}|\n{rows}"


def table(result: Result) -> Table:
    """One line per design. Sizes that all units share are left out (`conditions` says them), except
    tasks; kinds of cells that no design has, too."""
    units = [row.design for row in result.rows if row.design.unit]
    sizes = ["tasks", *(name for name in _varied(units) if name != "tasks")]
    figures = {
        name: head
        for name, head in FIGURES[result.target].items()
        if any(row.values[name] for row in result.rows)
    }
    seeds = isinstance(result.rows[0], Row) and len(result.rows[0].placed) > 1
    names = [_words(name) for name in sizes]
    heads = ["", *names, *figures.values(), *(["range"] if seeds else [])]
    rows = []
    for row in result.rows:
        design, values = row.design, row.values
        words = [str(_value(design, name)) if design.unit else "" for name in sizes]
        words += [_number(values[name]) for name in figures]
        if seeds:
            words.append(f"{values['fmax_min']:.0f}–{values['fmax_max']:.0f}")
        rows.append(("unit" if design.unit else "Ibex core", *words))
    return Table(tuple(heads), tuple(rows))


def conditions(result: Result) -> str:
    """Conditions common to all lines: shared sizes, device, meaning of the columns."""
    units = [row.design for row in result.rows if row.design.unit]
    shared = [
        _counted(units[0].size(name), _words(name))
        for name in SIZES
        if units and name != "tasks" and not _differs(units, name)
    ]
    if "objects" in _varied(units):
        shared.append(f"objects: a quarter each of {', '.join(map(_words, OBJECTS))}")
    port = "with" if units and units[0].trace else "without"
    rest = f"{port} its trace port, and without coupling and components of a system"
    unit = f"unit: {', '.join(shared)}, {rest}. " if units else ""
    return f"{unit}{NOTES[result.target]}."


def modules(row: Row) -> Table:
    """Resources of each instance, without those of instances below it, the largest first."""
    heads = ("module", "cells", "FF", "RAM")
    ordered = sorted(row.middle.modules.items(), key=lambda pair: -pair[1].get("comb", 0))
    rows = ((name, *(str(use.get(k, 0)) for k in ("comb", "ff", "bram"))) for name, use in ordered)
    return Table(heads, tuple(rows))


def path(row: Row) -> Table:
    """The critical path: instance by instance, from register to register."""
    steps = row.middle.path
    return Table(
        ("critical path", "ns", "levels"),
        tuple((step.module, f"{step.delay:.1f}", str(step.levels)) for step in steps),
    )


def csv_text(result: Result) -> str:
    """A line of names, then one line per design; the core has no sizes."""
    stream = io.StringIO()
    columns = ["design", *SIZES, *result.rows[0].values]
    writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for row in result.rows:
        name = "unit" if row.design.unit else "ibex"
        writer.writerow({"design": name, **dict(row.design.sizes), **row.values})
    return stream.getvalue()


def json_text(result: Result) -> str:
    return json.dumps(result.as_json(), indent=1, ensure_ascii=False) + "\n"


def page(result: Result) -> str:
    """One page, no script, no other file: the table, and curves over what was varied."""
    return html(
        "melanion.area",
        "area.html.j2",
        table=table(result),
        conditions=conditions(result),
        charts=charts(result),
        provenance=result.provenance,
    )


def charts(result: Result) -> list[tuple[str, str]]:
    """Title and drawing of every curve: each figure over each size with at least two values."""
    rows = [row for row in result.rows if row.design.unit]
    drawn = {AREA: "cells", SPEED: "MHz"} if result.target == "ecp5" else {"nand2": "NAND2"}
    found = []
    for size in _varied([row.design for row in rows]):
        for figure, unit in drawn.items():
            series = _series(rows, size, figure)
            found.append((f"{unit} over {_words(size)}", chart.lines(series, _words(size), unit)))
    return found


def _series(rows: Sequence[Row | GateRow], over: str, figure: str) -> list[Series]:
    """One curve for each combination of the other sizes; at most four: the first and the last."""
    curves: dict[str, list[tuple[int, int]]] = {}
    others = [name for name in _varied([row.design for row in rows]) if name != over]
    for row in rows:
        words = (f"{_value(row.design, other)} {_words(other)}" for other in others)
        point = (_value(row.design, over), round(row.values[figure]))
        curves.setdefault(", ".join(words) or "unit", []).append(point)
    chosen = list(curves.items())
    if len(chosen) > 4:
        chosen = [chosen[0], chosen[len(chosen) // 3], chosen[2 * len(chosen) // 3], chosen[-1]]
    return [Series(name, slot, sorted(points)) for slot, (name, points) in enumerate(chosen)]


def _varied(units: Sequence[Design]) -> list[str]:
    """Sizes that differ; `objects` when there are as many of each kind in every unit."""
    names = [name for name in SIZES if _differs(units, name)]
    together = all(len({unit.size(name) for name in OBJECTS}) == 1 for unit in units)
    if not (together and set(OBJECTS) <= set(names)):
        return names
    return ["objects" if name == OBJECTS[0] else name for name in names if name not in OBJECTS[1:]]


def _value(unit: Design, size: str) -> int:
    return unit.objects if size == "objects" else unit.size(size)


def _words(size: str) -> str:
    return size.replace("_", " ")


def _differs(units: Sequence[Design], size: str) -> bool:
    return len({unit.size(size) for unit in units}) > 1


def _counted(value: int, things: str) -> str:
    return f"{value} {things.removesuffix('s') if value == 1 else things}"


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.1f}"
