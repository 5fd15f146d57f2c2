# SPDX-License-Identifier: Apache-2.0
"""A data sheet: for every row of every call what was measured beside what was counted, and what the
kernel and the unit take.

Measured values and bounds never share a field. `excesses` says where one contradicts the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mel_gen import Command

from melanion.config import System
from melanion.datasheet.bounds import MASKED, WITH, WITHOUT, Arrival, Bound, Bounds, counted
from melanion.datasheet.core import CORES
from melanion.datasheet.measured import BUSY, CLEARING, FREE, Largest
from melanion.datasheet.path import Measure
from melanion.datasheet.program import Program
from melanion.datasheet.sizes import Sizes
from melanion.datasheet.unit import Unit, unit
from melanion.errors import MelanionError

# The row of the sheet that a measured row is about.
ROWS = {"without": WITHOUT, "with": WITH, "with_many": WITH, MASKED: MASKED}


class DatasheetError(MelanionError):
    """No sheet can be made, or it contradicts itself."""


@dataclass(frozen=True)
class Cell:
    """Largest measured value, and bound, of one row under one condition. None: not measured."""

    measured: Largest | None
    bound: Bound

    @property
    def share(self) -> float | None:
        """Largest measured value as a share of the bound; None: one of them is unknown or 0."""
        if self.measured is None or self.bound.length is None or not self.bound.length.cycles:
            return None
        return self.measured.cycles / self.bound.length.cycles


@dataclass(frozen=True)
class Row:
    """One row of one call. `free`: nothing else asks the unit for service, None without a unit;
    `busy`: whatever else does. `clearing`: measured while the call met something that was still
    being cleared away, for which there is no bound."""

    call: str
    row: str
    free: Cell | None
    busy: Cell
    clearing: Largest | None


@dataclass(frozen=True)
class Step:
    """Bound of a command of a call that the unit chooses at once, in cycles of the core. `call`
    empty: no program was read."""

    call: str
    command: Command
    cycles: int


@dataclass(frozen=True)
class Area:
    """The measured design of the unit that is nearest to that of a system: sizes and figures."""

    sizes: dict[str, int]
    same: bool
    figures: dict[str, float]


@dataclass(frozen=True)
class Sheet:
    """Everything that a data sheet says. `head`: what decides it, in words; `left_out`: a sentence
    about what it has not, and why; `measure_sizes` links a dozen programs; `arrivals`: when the
    unit is free, whatever else asks. `rows` empty: calls were not counted."""

    system: System
    head: dict[str, str]
    unit: Unit | None
    rows: tuple[Row, ...]
    steps: tuple[Step, ...]
    measure_sizes: Callable[[], Sizes]
    area: Area | None
    measured: tuple[Largest, ...]
    arrivals: tuple[Arrival, Arrival] | None = None
    left_out: str = ""

    @cached_property
    def sizes(self) -> Sizes:
        """Bytes of the kernel, measured when somebody asks for them. Raises BuildError."""
        return self.measure_sizes()

    @property
    def shares(self) -> dict[str, list[float]]:
        """Measured shares of the bounds, in ascending order, by condition."""
        free = [row.free.share for row in self.rows if row.free]
        return {
            name: sorted(share for share in found if share)
            for name, found in ((FREE, free), (BUSY, [row.busy.share for row in self.rows]))
        }


def rows(
    system: System, program: Program, measured: Sequence[Largest]
) -> tuple[tuple[Row, ...], tuple[Step, ...], tuple[Arrival, Arrival] | None]:
    """Bounds of a built program beside measured values of it."""
    core, known = CORES[system.core.variant], unit(system) if system.unit else None
    slow = system.unit_wait_states
    busy, late = counted(program, Measure(core, known, slow))
    free, soon = None, None
    if known:
        free, soon = counted(program, Measure(core, replace(known, free=True), slow))
    values = _by_row(measured)
    found = []
    for call, each in busy.items():
        if program.definition.metrics[call].needs in system.kernel_info.lacks:
            continue
        for row in _wanted(program, call):
            key = call, row
            seen = values.get((*key, FREE))
            most = max(
                filter(None, (seen, values.get((*key, BUSY)))),
                key=lambda each: each.cycles,
                default=None,
            )
            alone = Cell(seen, free[call].rows[row]) if free else None
            cell = Cell(most, each.rows[row])
            found.append(Row(call, row, alone, cell, values.get((*key, CLEARING))))
    arrivals = (soon, late) if soon and late else None
    return tuple(found), tuple(_steps(busy, known)) if known else (), arrivals


def _wanted(program: Program, call: str) -> list[str]:
    """The rows that a call has."""
    have = {ROWS[state.row] for state in program.states if state.call == call}
    return [row for row in (WITHOUT, WITH, MASKED) if row in have | {MASKED}]


def _by_row(measured: Iterable[Largest]) -> dict[tuple[str, str, str], Largest]:
    """The largest of the rows that are one here."""
    found: dict[tuple[str, str, str], Largest] = {}
    for value in measured:
        key = value.call, ROWS[value.row], value.when
        if key not in found or value.cycles > found[key].cycles:
            found[key] = value
    return found


def every_step(known: Unit) -> tuple[Step, ...]:
    """Bounds of all commands, without a program."""
    return tuple(Step("", command, known.command_cycles(command)) for command in Command)


def _steps(bounds: dict[str, Bounds], known: Unit) -> Iterable[Step]:
    for call, each in bounds.items():
        for command in sorted(each.commands):
            yield Step(call, command, known.command_cycles(command))


def excesses(name: str, rows: Iterable[Row]) -> list[str]:
    """One sentence for each measured value above its bound: one of the two is wrong. `name`: of the
    system."""
    found = []
    for row in rows:
        for under, cell in ((FREE, row.free), (BUSY, row.busy)):
            if cell is None or cell.measured is None or cell.bound.length is None:
                continue
            if cell.measured.cycles > cell.bound.length.cycles:
                found.append(_excess(name, row, under, cell))
    return found


def _excess(name: str, row: Row, condition: str, cell: Cell) -> str:
    assert cell.measured and cell.bound.length
    under = "with the unit free" if condition == FREE else "whatever else asks"
    return (
        f"mel_{row.call} on {name}, {row.row}: {cell.measured.cycles} cycles were"
        f" measured in the state {cell.measured.state!r} ({cell.measured.environment}), and the"
        f" bound {under} is {cell.bound.length.cycles}; measure again (without"
        " --measured), or find what melanion/datasheet counts too low."
    )
