# SPDX-License-Identifier: Apache-2.0
"""The largest value of every row, and the state in which it came: a run of the experiment `calls`.

Kept in a file (`read`, `text`), so that a sheet can be made without the run.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from melanion.datasheet.bounds import MASKED, RELEASES, Bounds
from melanion.datasheet.program import Program, ProgramError, State
from melanion.datasheet.unit import awaits_clearing
from melanion.errors import MelanionError
from melanion.measure.experiments import calls
from melanion.measure.recording import Recording

ENVIRONMENTS = ("no ticks", "ticks", "ticks, and a release in the background")  # main.c
# When a row was taken: the unit serves nobody else; it may; what the call meets is being cleared.
FREE, BUSY, CLEARING = "free", "busy", "clearing"
CLEARED = "number deleted right before"  # prefix of states in which the unit clears away


class MeasuredError(MelanionError):
    """The measured values cannot be used."""


@dataclass(frozen=True)
class Largest:
    """The largest value of a row: when, in cycles, in which state and environment."""

    system: str
    core: str
    call: str
    row: str
    when: str
    cycles: int
    state: str
    environment: str


def largest(
    system: str, core: str, program: Program, counted: dict[str, Bounds], recording: Recording
) -> list[Largest]:
    """From a run, in the order of the program. Raises ExperimentError, ProgramError."""
    rows: dict[str, list[State]] = {}
    for state in program.states:
        rows.setdefault(state.call, []).append(state)
    found: dict[tuple[str, str, str], Largest] = {}
    for call in program.definition.phases:
        if call not in rows or call not in recording.names:
            continue
        for i, measured in enumerate(calls.states(recording, call)):
            environment, number = divmod(i, len(rows[call]))
            state = rows[call][number]
            if state.row != measured.row or environment >= len(ENVIRONMENTS):
                raise ProgramError(
                    f"the run measures state {number} of {call} as {measured.row}, the program has"
                    f" it as {state.row}; make melanion/datasheet/program.py and apps/benchmarks"
                    " agree."
                )
            when = _when(state, environment, counted[call])
            for row, samples in ((state.row, measured.cycles), (MASKED, measured.irq_off)):
                if not len(samples):
                    continue
                value = int(samples.max())
                key = call, row, when
                if key not in found or value > found[key].cycles:
                    found[key] = Largest(
                        system, core, *key, value, state.words, ENVIRONMENTS[environment]
                    )
    return list(found.values())


def _when(state: State, environment: int, counted: Bounds) -> str:
    """Condition of the unit while the row was taken. A call that releases several tasks makes it
    BUSY by itself."""
    last, cleared = environment == len(ENVIRONMENTS) - 1, state.words.startswith(CLEARED)
    if (last or cleared) and counted.commands & awaits_clearing():
        return CLEARING
    alone = environment == 0 and not cleared and not counted.commands & RELEASES
    return FREE if alone else BUSY


def text(values: Iterable[Largest]) -> str:
    """The file."""
    stream = io.StringIO()
    names = [field.name for field in fields(Largest)]
    writer = csv.DictWriter(stream, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(value) for value in values)
    return stream.getvalue()


def read(path: Path) -> list[Largest]:
    """Raises MeasuredError."""
    names = [field.name for field in fields(Largest)]
    try:
        with path.open(newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
    except OSError as error:
        raise MeasuredError(
            f"{path}: cannot be read ({error.strerror}); correct the name."
        ) from error
    found = []
    for line, row in enumerate(rows, 2):
        if list(row) != names or not str(row["cycles"]).isdecimal():
            raise MeasuredError(
                f"{path}, line {line}: this is no row of {', '.join(names)}; take a file that"
                " `melanion datasheet --save` wrote."
            )
        words = {name: row[name] for name in names if name != "cycles"}
        found.append(Largest(cycles=int(row["cycles"]), **words))
    return found
