# SPDX-License-Identifier: Apache-2.0
"""Runs a scenario on simulated hardware, with the C interpreter of apps/scenario."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from mel_gen import KERNELS as KERNEL_INFO
from mel_gen import ExitReason, TraceKind

from melanion import build, config, paths
from melanion.config import System
from melanion.run import RunResult, Settings, run_program
from melanion.scenario import Entry, Scenario, encoder, execute
from melanion.scenario.executor import differences
from melanion.scenario.language import TICK_CYCLES, Call

KERNELS = ("sw", "sw-sorted", "hwrtos", "port", "banked")
SINGLE = ("hwrtos-single", "port-single", "banked-single")  # the unit has the clock of the cores
SCENARIOS = Path(__file__).parents[1] / "scenarios"


def files() -> list[Path]:
    return sorted(SCENARIOS.glob("*.yaml"))


@cache
def kernel_of(system: str) -> str:
    """The kernel of a system that comes with Melanion."""
    return str(config.find(system).kernel)


def runs_on(path: Path, kernel: str) -> bool:
    """Whether the kernel knows every call of the scenario: no word of the file is one it lacks."""
    lacks = KERNEL_INFO[kernel].lacks
    return not lacks or not lacks & words(path)


def each(paths: Iterable[Path], systems: Iterable[str]) -> pytest.MarkDecorator:
    """Parameters `kernel` and `path`: the scenarios, on each system that has their calls."""
    kernels = {name: kernel_of(name) for name in systems}
    found = [
        pytest.param(name, path, id=f"{name}-{path.stem}")
        for name, kernel in kernels.items()
        for path in paths
        if runs_on(path, kernel)
    ]
    return pytest.mark.parametrize(("kernel", "path"), found)


@cache
def words(path: Path) -> frozenset[str]:
    """The words of a file. A test list is made of them, so no scenario is loaded for it."""
    return frozenset(re.findall(r"\w+", path.read_text(encoding="utf-8")))


def interpreter() -> build.App:
    return build.application(paths.data_root() / "apps" / "scenario")


# Cycles of a tick where memory and unit answer at once. It holds what the tasks of every scenario
# do between two waits, but for those named; where it does not, the log differs.
QUICK = 5_000
LONGER = dict.fromkeys(
    ("event_flags_many_waiters", "mutex_locks_limit", "tick_length_too_short"), 10_000
)
FIRST = 20_000  # cycles of the first tick, in which objects and tasks are created, too


def quick_complaint(scenario: Scenario, kernel: str, folder: Path) -> str | None:
    """Return the first error in the log of a run in short ticks; None: there is none."""
    system = system_of(scenario, kernel)
    system = system.model_copy(update={"tick_us": FIRST // system.clock_mhz})
    tick = LONGER.get(scenario.name, QUICK)
    return complaint(scenario, system, folder, tick_cycles=tick)


_built: dict[tuple[str, Path], tuple[build.Hardware, build.Program]] = {}


def built(system: System) -> tuple[build.Hardware, build.Program]:
    """Simulation and interpreter of a system, once for all its scenarios."""
    key = (system.model_dump_json(), paths.data_root())
    if key not in _built:
        _built[key] = (build.hardware(system), build.program(system, interpreter()))
    return _built[key]


def system_of(scenario: Scenario, kernel: str) -> System:
    """The delivered system, with the scenario's reset value of the tick counter."""
    system = config.find(kernel)
    sizes = system.parameters.model_copy(update={"time_reset": scenario.limits.time_reset})
    return system.model_copy(update={"parameters": sizes})


def run(scenario: Scenario, system: System, folder: Path, **settings: Any) -> list[Entry]:
    """The log that the scenario leaves on a system; the replay has judged the run.

    `settings`: as of `start` and `Settings`.
    """
    result = start(scenario, system, execute(scenario).ticks, folder, **settings)
    return _log(scenario, result)


def _log(scenario: Scenario, result: RunResult) -> list[Entry]:
    marks = result.events[result.events["kind"] == TraceKind.MARKER]
    return encoder.decode(scenario, zip(marks["a"].tolist(), marks["b"].tolist(), strict=True))


def start(
    scenario: Scenario,
    system: System,
    ticks: int,
    folder: Path,
    tick_cycles: int = TICK_CYCLES,
    **settings: Any,
) -> RunResult:
    """Run the scenario's tasks for this time, and replay the run."""
    hardware, program = built(system)
    table = folder / "table"
    table.write_bytes(encoder.encode(scenario, ticks, system.tick_cycles, tick_cycles))
    loaded = ((table, program.content.symbols["scenario_table"]),)
    result = run_program(
        system, interpreter(), Settings(data=loaded, **settings), built=(hardware, program)
    )
    assert result.reason == ExitReason.PROGRAM
    return result


def complaint(scenario: Scenario, system: System, folder: Path, **settings: Any) -> str | None:
    """Return the first error in the log of a run; None: there is none."""
    return next(differences(scenario, run(scenario, system, folder, **settings), system.name), None)


def moved(scenario: Scenario, core: int) -> Scenario:
    """Return the scenario with every task on one core, except those that are given one."""

    def place(call: Call) -> Call:
        if call.name != "task_create" or call.argument >> 8:
            return call
        return replace(call, argument=call.argument | core + 1 << 8)

    steps = {who: tuple(map(place, calls)) for who, calls in scenario.steps.items()}
    return replace(scenario, main=tuple(map(place, scenario.main)), steps=steps)


def complaint_on_last_core(
    scenario: Scenario, system: System, folder: Path, **settings: Any
) -> str | None:
    """Return the first error with tasks and handlers on different cores; None: there is none."""
    there = moved(scenario, system.core.count - 1)
    result = start(there, system, execute(scenario).ticks, folder, **settings)
    return next(differences(scenario, _log(there, result), system.name), None)
