# SPDX-License-Identifier: Apache-2.0
"""Cells and block RAMs that a kernel adds to its core, from rows that were measured before: nothing
is synthesized here. A figure is measured (its design has a row of the present sources) or
interpolated between rows, or there is none, with the reason.

Rows of the unit: docs/area.csv, which is older than the present sources and gives the shape over
tasks, objects and cores, and tests/asserted/engine_area.csv, whose few designs are of the present
sources and give the height. What attaches the unit to a core: the tables of
docs/explanation/banked.md. All were placed for an ECP5 by the same tools.

Between rows a figure is linear in the logarithm of tasks, and of the objects of the most numerous
kind; beyond them it stays what it is at the last one. `deviation` says how far off that is for rows
that it is not made from.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from melanion import paths
from melanion.area.design import OBJECTS, SIZES
from melanion.area.errors import AreaError
from melanion.config import System

GRID, PRESENT = "docs/area.csv", "tests/asserted/engine_area.csv"
COUPLINGS = "docs/explanation/banked.md"
FIGURES = ("comb", "bram")
# Sizes that all rows have in common.
SHARED = ("priorities", "messages", "timers", "interrupts", "monitor")
USUAL_TASKS, USUAL_OBJECTS = 64, 64  # rows that differ in objects, or in cores, have these
RESIDENT, MOST_RESIDENT = 4, 8  # contexts at hand of which there are rows

Line = Mapping[str, float]
How = Literal["measured", "interpolated", "none"]
Row = tuple[int, int, int]  # tasks, objects of the most numerous kind, cores


@dataclass(frozen=True)
class Figure:
    """`cells` and `block_rams` (of 18 kbit); None: there is no figure. `reason`: in words."""

    cells: int | None
    block_rams: int | None
    how: How
    reason: str


def recorded(system: System) -> Figure:
    """Figure of a system's kernel beside its cores. Raises AreaError: a file of rows is broken."""
    if reason := _missing(system):
        return Figure(None, None, "none", reason)
    if not system.unit:
        return Figure(0, 0, "measured", "a kernel in software adds nothing")
    sizes = system.hashed_parameters
    row = _row(sizes)
    usual = [name for name in SHARED if sizes[name] != SIZES[name].default]
    even = len({sizes[kind] for kind in OBJECTS}) == 1
    lanes = sizes["flag_lanes"] > 0
    exact = even and not usual and row in (_with_lanes() if lanes else _present())
    exact = exact and system.coupling == "bus"
    unit = [_unit(row, name) + (_lanes(name) if lanes else 0) for name in FIGURES]
    cells, rams = (a + b for a, b in zip(unit, _attached(system), strict=True))
    if exact:
        return Figure(round(cells), round(rams), "measured", f"a row of {PRESENT}")
    off_cells, off_rams = deviation()
    reason = (
        f"between rows of {GRID}, at the height of {PRESENT}; rows beside them differ by at most"
        f" {off_cells:.1f} % of the cells and {off_rams:.0f} block RAMs"
    )
    if system.coupling != "bus":
        reason += f"; what attaches the unit: {COUPLINGS}"
    if lanes and row not in _with_lanes():
        reason += "; lanes for event flags: by the one row that has them"
    if usual:
        at = ", ".join(f"{SIZES[name].default} {name}" for name in usual)
        reason += f"; recorded with {at} alone, so other numbers change nothing here"
    return Figure(round(cells), round(rams), "interpolated", reason)


def _missing(system: System) -> str:
    """Why rows say nothing of a system; empty: they do."""
    if system.components is not None:
        return "components beside the kernel have no row here"
    if system.locks is not None:
        return "the lock cache has no row here"
    if system.unit_protection != "none":
        return "a protected unit was recorded with 64 tasks and 256 objects alone"
    if system.coupling == "banked" and system.core.count > 1:
        return "registers of all tasks were recorded with one core alone"
    if system.coupling == "banked" and system.core.resident > MOST_RESIDENT:
        return f"more than {MOST_RESIDENT} contexts at hand have no row"
    return ""


# ---- the unit ------------------------------------------------------------------------------------


def _row(sizes: Mapping[str, int]) -> Row:
    return sizes["tasks"], max(sizes[kind] for kind in OBJECTS), sizes["cores"]


def _unit(row: Row, figure: str) -> float:
    return _shape(row, figure) + _height(row, figure)


def _shape(row: Row, figure: str) -> float:
    """By docs/area.csv: over tasks, with or without objects; then the differences that other
    numbers of objects, and of cores, make where they were recorded."""
    tasks, objects, cores = row
    rows = {key: line[figure] for key, line in _grid().items()}
    some = USUAL_OBJECTS if objects else 0
    over_tasks = {n: v for (n, m, c), v in rows.items() if m == some and c == 1}
    over_objects = {m: v for (n, m, c), v in rows.items() if n == USUAL_TASKS and m and c == 1}
    over_cores = {c: v for (n, m, c), v in rows.items() if n == USUAL_TASKS and m == USUAL_OBJECTS}
    found = _between(over_tasks, tasks, math.log2)
    if objects:
        found += _between(over_objects, objects, math.log2) - over_objects[USUAL_OBJECTS]
    return found + _between(over_cores, cores, float) - over_cores[1]


def _height(row: Row, figure: str) -> float:
    """By which rows of the present sources lie above those of docs/area.csv."""
    tasks, objects, cores = row
    above = {key: line[figure] - _shape(key, figure) for key, line in _present().items()}
    over_tasks = {n: v for (n, m, c), v in above.items() if c == 1 and bool(m) == bool(objects)}
    over_cores = {c: v for (n, m, c), v in above.items() if (n, m) == (USUAL_TASKS, USUAL_OBJECTS)}
    found = _between(over_tasks, tasks, math.log2)
    return found + _between(over_cores, cores, float) - over_cores[1]


def _between(points: Mapping[int, float], at: int, scale: Callable[[float], float]) -> float:
    """Linear between the nearest points on a scale; beyond them the last value."""
    ordered = sorted(points)
    if at <= ordered[0] or at >= ordered[-1]:
        return points[ordered[0] if at <= ordered[0] else ordered[-1]]
    above = next(x for x in ordered if x >= at)
    below = ordered[ordered.index(above) - 1]
    share = (scale(at) - scale(below)) / (scale(above) - scale(below))
    return points[below] + share * (points[above] - points[below])


@cache
def deviation() -> tuple[float, float]:
    """Largest difference of a row of docs/area.csv that no figure is made from: percent of its
    cells, block RAMs."""
    cells = rams = 0.0
    for key, line in _others():
        wrong = {name: abs(_shape(key, name) - line[name]) for name in FIGURES}
        cells = max(cells, 100 * wrong["comb"] / line["comb"])
        rams = max(rams, wrong["bram"])
    return cells, rams


# ---- what attaches it ----------------------------------------------------------------------------


def _attached(system: System) -> tuple[float, float]:
    """Cells and block RAMs between the unit and the cores: nothing on a bus."""
    if system.coupling == "port":
        return system.core.count * _couplings()["mel_port"][0], 0.0
    if system.coupling != "banked":
        return 0.0, 0.0
    resident = system.core.resident
    found = []
    for place in (0, 1):
        registers = {n: row[place] for (n, r), row in _registers().items() if r == RESIDENT}
        more = {r: row[place] for (n, r), row in _registers().items() if n == USUAL_TASKS}
        each = _between(registers, system.parameters.tasks, math.log2)
        each += _between(more, resident, float) - more[RESIDENT]
        found.append(each - _registers()[0, 0][place])
    beside = _couplings()["mel_port"][0] + _couplings()["mel_bank_ask"][0]
    return found[0] + beside, found[1]


# ---- files ---------------------------------------------------------------------------------------


def _text(name: str) -> str:
    try:
        return (paths.data_root() / name).read_text(encoding="utf-8")
    except OSError as error:
        raise AreaError(
            f"{name}: the recorded areas cannot be read ({error.strerror}); restore the file."
        ) from error


def _lines(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(_text(name))))


def _figures(line: Mapping[str, str]) -> Line:
    return {name: float(line[name]) for name in FIGURES}


@cache
def _split() -> tuple[dict[Row, Line], list[tuple[Row, Line]]]:
    """Rows of docs/area.csv that figures are made from, and the others."""
    grid: dict[Row, Line] = {}
    others: list[tuple[Row, Line]] = []
    for line in _lines(GRID):
        sizes = {name: int(line[name]) for name in SIZES}
        row = _row(sizes)
        even = len({sizes[kind] for kind in OBJECTS}) == 1
        usual = row[0] == USUAL_TASKS or row[1] in (0, USUAL_OBJECTS)
        if even and usual:
            grid[row] = _figures(line)
        else:
            others.append((row, _figures(line)))
    return grid, others


def _grid() -> dict[Row, Line]:
    return _split()[0]


def _others() -> list[tuple[Row, Line]]:
    return _split()[1]


@cache
def _present() -> dict[Row, Line]:
    """Rows of the present sources; objects are a quarter of each kind."""
    return {_row_of(line): _figures(line) for line in _lines(PRESENT) if line["lanes"] == "0"}


def _row_of(line: Mapping[str, str]) -> Row:
    return int(line["tasks"]), int(line["objects"]) // len(OBJECTS), int(line["cores"])


@cache
def _with_lanes() -> dict[Row, Line]:
    """Likewise, of units with lanes for event flags."""
    return {_row_of(line): _figures(line) for line in _lines(PRESENT) if line["lanes"] != "0"}


def _lanes(figure: str) -> float:
    """Cells or block RAMs that lanes for event flags add, where they were recorded."""
    return sum(line[figure] - _present()[row][figure] for row, line in _with_lanes().items())


def _table(block: str) -> list[list[str]]:
    """Rows of a made table of COUPLINGS."""
    match = re.search(
        rf"<!-- area: {block} -->(.*?)<!-- area: end -->", _text(COUPLINGS), re.DOTALL
    )
    if match is None:
        raise AreaError(f"{COUPLINGS} has no table {block}; restore the file.")
    rows = [line for line in match[1].splitlines() if line.startswith("| ")][1:]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in rows]


@cache
def _registers() -> dict[tuple[int, int], tuple[float, float]]:
    """Tasks and contexts at hand → cells and block RAMs of a core; (0, 0): of one without."""
    return {
        (int(tasks) if tasks.isdecimal() else 0, int(resident or 0)): (float(cells), float(rams))
        for tasks, resident, cells, _, rams, _ in _table("registers")
    }


@cache
def _couplings() -> dict[str, tuple[float, float]]:
    """Module → its cells and block RAMs."""
    return {name: (float(cells), float(rams)) for name, cells, _, rams in _table("couplings")}
