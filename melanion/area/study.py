# SPDX-License-Identifier: Apache-2.0
"""The measurements behind docs/explanation/area.md: how area and clock grow with tasks, objects and
cores, what one object of each kind costs, and what was reached of the targets.

`grid` and `single_kinds` say what is to be measured, the other functions show the rows. Pure:
melanion/docs/synthesis.py runs it and writes the files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from melanion.area.design import OBJECTS, SIZES, Design
from melanion.area.errors import AreaError
from melanion.area.measure import GateRow, Row
from melanion.area.present import Table
from melanion.report import chart, readme
from melanion.report.chart import Series

TASKS = (4, 16, 64, 256)
ALL_OBJECTS = (0, 64, 256, 512)  # a quarter of each kind: 0 … 128 of each
USUAL_TASKS, USUAL_OBJECTS = 64, 256
CORES = (1, 2, 4)
# Numbers of one kind alone: the first group brings the logic, the rest shows what one more costs.
FEW, MANY = 16, 128
# Tasks, objects, cores, and what they should take at most: cells; at least: MHz (None: no target).
TARGETS = ((16, 64, 1, 4000, None), (64, 256, 1, 5000, 75), (64, 256, 4, 7000, None),
           (256, 256, 1, None, 70))  # fmt: skip


def unit(tasks: int, objects: int | Mapping[str, int], cores: int = 1) -> Design:
    """A unit with the defaults of the other sizes. `objects`: of all kinds together, or of each."""
    if isinstance(objects, int):
        objects = dict.fromkeys(OBJECTS, objects // len(OBJECTS))
    sizes = {name: info.default for name, info in SIZES.items()}
    sizes |= {"tasks": tasks, "cores": cores, **dict.fromkeys(OBJECTS, 0), **objects}
    return Design("mel_unit", tuple(sizes.items()))


def grid() -> list[Design]:
    """The units of the table of sizes and of the picture, once: as many objects of each kind."""
    found = [unit(tasks, objects) for tasks in TASKS for objects in (0, USUAL_OBJECTS)]
    found += [unit(USUAL_TASKS, objects) for objects in ALL_OBJECTS]
    found += [unit(tasks, objects, cores) for tasks, objects, cores, *_ in TARGETS]
    found += [unit(USUAL_TASKS, USUAL_OBJECTS, cores) for cores in CORES]
    return list(dict.fromkeys(found))


def single_kinds() -> list[Design]:
    """The units with objects of one kind. Only their cells are shown: one placement is enough."""
    return [unit(USUAL_TASKS, {kind: count}) for kind in OBJECTS for count in (FEW, MANY)]


class Study:
    """Rows of `grid` and `single_kinds`, by design; gates of `grid`, or of none: then nothing is
    said of NAND2."""

    def __init__(self, rows: Sequence[Row | GateRow], gates: Sequence[Row | GateRow] = ()) -> None:
        self._rows = {row.design: row.values for row in rows}
        self._gates = {row.design: row.values["nand2"] for row in gates}

    def _of(self, design: Design) -> dict[str, float]:
        if design not in self._rows:
            raise AreaError(
                f"the unit of {design.name} was not measured; measure all of grid() and"
                " single_kinds()."
            )
        return self._rows[design]

    def sizes(self) -> Table:
        """Tasks × objects × cores: cells, flip-flops, block RAMs, clock, gates."""
        heads = ["", "tasks", "objects", "LUT4", "cells", "FF", "RAM", "MHz", "range"]
        heads += ["NAND2"] if self._gates else []
        rows = []
        for design in self._grid():
            values, cores = self._of(design), design.size("cores")
            cells = [str(design.size("tasks")), str(design.objects)]
            cells += [f"{values[name]:.0f}" for name in ("lut4", "comb", "ff", "bram")]
            cells += [f"{values['fmax']:.1f}", f"{values['fmax_min']:.0f}–{values['fmax_max']:.0f}"]
            cells += [f"{self._gates[design]:.0f}"] if self._gates else []
            rows.append((f"{cores} core{'s' if cores > 1 else ''}", *cells))
        return Table(tuple(heads), tuple(rows))

    def kinds(self) -> Table:
        """Cost of the first objects of a kind, compared with none, and of each further one."""
        none = self._of(unit(USUAL_TASKS, 0))["comb"]
        rows = []
        for kind in OBJECTS:
            few, many = (self._of(unit(USUAL_TASKS, {kind: n}))["comb"] for n in (FEW, MANY))
            words = (f"{few - none:.0f}", f"{many - few:.0f}", f"{(many - few) / (MANY - FEW):.1f}")
            rows.append((kind.replace("_", " "), *words))
        heads = ("cells", f"the first {FEW}", f"{MANY - FEW} more", "each")
        return Table(heads, tuple(rows))

    def targets(self) -> Table:
        """Every target and what was measured; nothing is rounded in favour of the unit."""
        rows = []
        for tasks, objects, cores, most, least in TARGETS:
            values = self._of(unit(tasks, objects, cores))
            name = f"{tasks} tasks, {objects} objects, {cores} core{'s' if cores > 1 else ''}"
            if most is not None:
                rows.append(
                    (name, f"< {most} cells", *_judged(values["comb"], values["comb"] < most))
                )
            if least is not None:
                rows.append(
                    (name, f"≥ {least} MHz", *_judged(values["fmax"], values["fmax"] >= least))
                )
        return Table(("target", "", "measured", "reached"), tuple(rows), left=2)

    def csv(self) -> str:
        """All designs, one line each, with all their sizes."""
        figures = list(next(iter(self._rows.values())))
        names = [*SIZES, *figures, *(["nand2"] if self._gates else [])]
        lines = [",".join(names)]
        for design, values in self._rows.items():
            cells = [str(value) for _, value in design.sizes]
            cells += [
                f"{values[name]:g}" if values[name] % 1 else f"{values[name]:.0f}"
                for name in figures
            ]
            if self._gates:
                cells.append(f"{self._gates[design]:.0f}" if design in self._gates else "")
            lines.append(",".join(cells))
        return "\n".join(lines) + "\n"

    def picture(self) -> str:
        """A whole SVG file: cells over tasks, cells over objects, clock over tasks."""
        over_tasks = [
            Series(name, slot, [(n, round(self._of(unit(n, objects))["comb"])) for n in TASKS])
            for slot, (name, objects) in enumerate(
                (("no objects", 0), ("256 objects", USUAL_OBJECTS))
            )
        ]
        over_objects = [
            Series(
                "cells",
                0,
                [(n, round(self._of(unit(USUAL_TASKS, n))["comb"])) for n in ALL_OBJECTS],
            )
        ]
        clock = [
            Series(name, slot, [(n, round(self._of(unit(n, objects))["fmax"])) for n in TASKS])
            for slot, (name, objects) in enumerate(
                (("no objects", 0), ("256 objects", USUAL_OBJECTS))
            )
        ]
        return readme.sheet(
            [
                ("Cells over tasks: ECP5, 1 core", chart.lines(over_tasks, "tasks", "cells")),
                (
                    f"Cells over objects: {USUAL_TASKS} tasks",
                    chart.lines(over_objects, "objects", "cells"),
                ),
                ("Clock over tasks: median of the placements", chart.lines(clock, "tasks", "MHz")),
            ]
        )

    def _grid(self) -> list[Design]:
        """The designs of `sizes`: those with as many of each kind."""
        even = [d for d in self._rows if len({d.size(kind) for kind in OBJECTS}) == 1]
        return sorted(even, key=lambda d: (d.size("cores"), d.size("tasks"), d.objects))


def _judged(value: float, reached: bool) -> tuple[str, str]:
    return f"{value:g}", "yes" if reached else "no"
