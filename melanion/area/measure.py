# SPDX-License-Identifier: Apache-2.0
"""Measures designs side by side, one process each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import melanion.area.synthesis as synthesis
import melanion.area.tools as tools
from melanion import __version__
from melanion.area.design import Design
from melanion.area.netlist import Cells, Placed
from melanion.area.tools import Liberty
from melanion.build.cache import Report
from melanion.run.parallel import run_jobs
from melanion.run.provenance import origin

Progress = Callable[[Design, str], None]
"""Called with a design and what is done with it now; an empty text: it is measured."""


@dataclass(frozen=True)
class Row:
    """One design on ECP5. `placed`: one result per seed of the placer; `lut4` of the netlist."""

    design: Design
    lut4: int
    placed: tuple[Placed, ...]

    @property
    def middle(self) -> Placed:
        """The placement whose Fmax is the (lower) median."""
        return sorted(self.placed, key=lambda one: one.fmax)[(len(self.placed) - 1) // 2]

    @property
    def values(self) -> dict[str, float]:
        """Figure → value; `fmax` is the median in MHz."""
        speeds = [one.fmax for one in self.placed]
        return {
            "lut4": self.lut4,
            **self.middle.used,
            "fmax": round(self.middle.fmax, 1),
            "fmax_min": round(min(speeds), 1),
            "fmax_max": round(max(speeds), 1),
        }


@dataclass(frozen=True)
class GateRow:
    """One design in standard cells. `nand2`: area in NAND2 equivalents, without memories."""

    design: Design
    cells: Cells
    nand2: float

    @property
    def values(self) -> dict[str, float]:
        return {
            "nand2": round(self.nand2),
            "ff": self.cells.ff,
            "memory_bits": self.cells.memory_bits,
        }


@dataclass(frozen=True)
class Result:
    """Rows in the order asked for. `target`: ecp5 or nand2."""

    target: str
    rows: tuple[Row | GateRow, ...]
    provenance: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {
            "target": self.target,
            "provenance": self.provenance,
            "designs": [_described(row) for row in self.rows],
        }


def measure(
    designs: Sequence[Design],
    *,
    seeds: int,
    command: str,
    library: Liberty | None = None,
    progress: Progress = lambda design, text: None,
) -> Result:
    """Measure every design: with a library in standard cells, else on ECP5 with `seeds` seeds of
    the placer. `command` is what the user typed. Raises MelanionError: the first that failed."""
    tools.versions()  # said at once when a tool is missing
    keys = {str(number): design for number, design in enumerate(designs)}
    rest: tuple[Any, ...] = (seeds,) if library is None else (library,)
    found: dict[str, Row | GateRow] = run_jobs(
        _place if library is None else mapped,
        {key: (design, *rest) for key, design in keys.items()},
        lambda key, text: progress(keys[key], text),
    )
    provenance: dict[str, Any] = {
        "command": command,
        "melanion": __version__,
        **origin(),
        "tools": tools.versions(),
    }
    if library is None:
        provenance |= {"device": "LFE5U-85F, speed grade 6, out of context", "seeds": seeds}
    rows = tuple(found[key] for key in keys)
    return Result("ecp5" if library is None else "nand2", rows, provenance)


def _place(design: Design, seeds: int, report: Report) -> Row:
    placed = tuple(synthesis.placed(design, seed, report) for seed in range(1, seeds + 1))
    return Row(design, synthesis.luts(design, report), placed)


def mapped(design: Design, library: Liberty, report: Report) -> GateRow:
    """One design in standard cells. Raises AreaError."""
    cells = synthesis.gates(design, library, report)
    return GateRow(design, cells, cells.area / library.nand2)


def _described(row: Row | GateRow) -> dict[str, Any]:
    design = row.design
    found: dict[str, Any] = {
        "design": "unit" if design.unit else "ibex",
        "sizes": dict(design.sizes),
        "trace": design.trace,
        "hierarchy_kept": design.modules,
        **row.values,
    }
    if isinstance(row, Row):
        found["path"] = [asdict(step) for step in row.middle.path]
        if design.modules:
            found["modules"] = {name: dict(used) for name, used in row.middle.modules.items()}
    return found
