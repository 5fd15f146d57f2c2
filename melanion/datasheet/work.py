# SPDX-License-Identifier: Apache-2.0
"""Makes a sheet: builds the benchmark, runs it unless values are given, counts, compares."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from melanion import build, paths
from melanion.build import cache
from melanion.build.linkage import flags
from melanion.build.linkage import versions as program_versions
from melanion.claims import load
from melanion.claims.needs import needed, too_small
from melanion.config import System
from melanion.datasheet.bounds import bounds
from melanion.datasheet.core import CORES
from melanion.datasheet.measured import Largest, largest, read, text
from melanion.datasheet.path import Measure
from melanion.datasheet.program import APP, Program
from melanion.datasheet.sheet import Area, DatasheetError, Sheet, every_step, excesses, rows
from melanion.datasheet.sizes import sizes
from melanion.datasheet.unit import unit
from melanion.measure.recording import Recording
from melanion.measure.work import SEED, judges
from melanion.report.svg import number
from melanion.run import Settings, run_program, speeds
from melanion.run.evidence import shown
from melanion.run.provenance import commit

Report = Callable[[str], None]
FILE = "largest.csv"
CORE_TYPE = "ibex"  # core type whose variants melanion/datasheet/core.py knows
AREA = Path("docs", "area.csv")
OBJECTS = ("tasks", "semaphores", "event_flags", "mutexes", "queues", "cores")
FIGURES = ("comb", "ff", "bram", "fmax", "nand2")


def make(system: System, measured: Path | None, report: Report = lambda text: None) -> Sheet:
    """The sheet of a system. `measured`: values of an earlier run; None: measure.

    Of a system with a unit whose calls cannot be counted the unit alone; without a run where the
    system is too small for the program that measures.

    Raises DatasheetError when a measured value is above its bound, MelanionError of every folder
    below."""
    why = _uncountable(system)
    definition = load(APP)
    needs = too_small(APP, definition.least, system)
    app = build.application(APP)
    report("building the program that makes every call")
    built = build.program(system, _unasserted(app) if needs else app, report=report)
    sheet = Sheet(
        system=system,
        head=_head(system),
        unit=unit(system) if system.unit else None,
        rows=(),
        steps=every_step(unit(system)) if system.unit else (),
        measure_sizes=partial(sizes, system, built, report),
        area=area(system) if system.unit else None,
        measured=(),
    )
    if why:
        words = f"Cycles of calls, and spans with interrupts disabled, are left out: {why}."
        return replace(sheet, left_out=f"{words} What the unit takes has bounds.")
    program = Program(built.elf, built.tracepoints, definition)
    values: list[Largest] = []
    if measured:
        values = _given(system, measured)
    elif not needs:
        values = measure(system, built, program, report)
    report("counting the longest paths")
    counted, steps, arrivals = rows(system, program, values)
    if found := excesses(system.name, counted):
        raise DatasheetError("\n".join(found))
    left_out = ""
    if needs and not measured:
        left_out = f"Needs {needed(definition.least)}; with fewer, only counted values."
    return replace(
        sheet,
        rows=counted,
        steps=steps,
        measured=tuple(values),
        arrivals=arrivals,
        left_out=left_out,
    )


def _unasserted(app: build.App) -> build.App:
    """The benchmark for a system that is too small to run it: its code is read, not run."""
    return replace(app, defines={**app.defines, "_Static_assert(...)": "struct mel_unasserted"})


def _uncountable(system: System) -> str:
    """Why the cycles of calls have no bound; empty: they have. They are counted for one core of a
    known pipeline, which memory never keeps waiting. Raises DatasheetError when there is no unit
    either, UnitError."""
    core, why = system.core, ""
    if core.type != CORE_TYPE or core.variant not in CORES:
        known = ", ".join(f"{CORE_TYPE} {name}" for name in CORES)
        why = (
            f"{system.name} has the core {core.type} {core.variant}, and the cycles of instructions"
            f" are known of {known}"
        )
        remedy = "take a system with one of these"
    elif core.count > 1:
        why = (
            f"{system.name} has {core.count} cores on one memory, and the cycles that they cost"
            " each other are not bounded"
        )
        remedy = f"take a system with one core, such as {system.kernel}"
    elif system.memory.wait_states:
        why = (
            f"{system.name} has memory with {system.memory.wait_states} wait states, and bounds are"
            " counted for 0"
        )
        remedy = "write `memory: {wait_states: 0}`"
    if system.unit:
        unit(system)
    elif why:
        raise DatasheetError(f"{why}; {remedy}.", 2)
    return why


def _given(system: System, path: Path) -> list[Largest]:
    mine = system.name, system.core.variant
    found = [value for value in read(path) if (value.system, value.core) == mine]
    if not found:
        raise DatasheetError(
            f"{path}: it has no values of {mine[0]} on the core variant {mine[1]}; leave --measured"
            " out to measure them.",
            2,
        )
    return found


def measure(
    system: System, built: build.Program, program: Program, report: Report = lambda text: None
) -> list[Largest]:
    """Run the benchmark, or take what the cache holds of an equal run."""
    hardware = build.hardware(system, report=report)
    cycles = program.definition.max_cycles

    def run(folder: Path) -> None:
        app = build.application(APP)
        with shown() as failed:
            result = run_program(
                system, app, Settings(seed=SEED, max_cycles=cycles), report=report, failed=failed
            )
        report("measuring")
        known = unit(system) if system.unit else None
        counted = bounds(program, Measure(CORES[system.core.variant], known))
        recording = Recording(program.definition, result.events)
        found = largest(system.name, system.core.variant, program, counted, recording)
        (folder / FILE).write_text(text(found), encoding="utf-8")

    here = [(path.name, path.read_bytes()) for path in sorted(Path(__file__).parent.glob("*.py"))]
    settings = [hardware.key, built.key, system.name, SEED, cycles, speeds(system)]
    key = cache.key_of([("run", json.dumps(settings).encode()), *judges(), *here])
    folder = cache.entry("largest", key, run, report, f"running {APP} on {system.name}")
    return read(folder / FILE)


def _head(system: System) -> dict[str, str]:
    """Head of the sheet, in words: everything that decides its values."""
    core, memory = system.core, system.memory
    banks = f", {core.resident} contexts at hand" if system.coupling == "banked" else ""
    sizes = system.parameters.model_dump()
    slow = system.unit_wait_states
    return {
        "system": f"`{system.name}`: kernel {system.kernel}, coupling {system.coupling}"
        + (f", {slow} wait states of the unit" if slow else ""),
        "core": f"{core.text}{banks}",
        "memory": f"{memory.kib} KiB, {memory.speed}",
        "tick": f"{number(system.tick_us)} µs ({number(system.tick_cycles)} cycles at"
        f" {system.clock_mhz} MHz, which the configuration assumes)",
        "sizes": ", ".join(f"{n} {key}" for key, n in sizes.items() if key != "time_reset"),
        "compiler": ", ".join(program_versions().values()),
        "flags": f"`{' '.join(flags(system))}`",
        "commit": f"commit `{commit()}`",
    }


def area(system: System) -> Area | None:
    """Measured design (docs/area.csv) nearest to the system; None: the file is missing, as in an
    installation."""
    path = paths.data_root() / AREA
    if not path.is_file():
        return None
    with path.open(newline="", encoding="utf-8") as stream:
        designs = list(csv.DictReader(stream))
    mine = {**system.parameters.model_dump(), "cores": system.core.count}
    placed = [design for design in designs if design["nand2"]]
    nearest = min(placed, key=lambda design: _distance(mine, design))
    known = {name: int(nearest[name]) for name in mine if name in nearest}
    return Area(
        sizes=known,
        same=all(mine[name] == value for name, value in known.items()),
        figures={name: float(nearest[name]) for name in FIGURES},
    )


def _distance(mine: dict[str, int], design: dict[str, str]) -> float:
    """Distance between two designs: number of doublings or halvings of sizes from one to the
    other."""
    sizes: Sequence[tuple[int, int]] = [(mine[name], int(design[name])) for name in OBJECTS]
    return sum(abs(math.log2((one + 1) / (other + 1))) for one, other in sizes)
