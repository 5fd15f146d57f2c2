"""Runs a scenario on simulated hardware, with the C interpreter of apps/scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from mel_gen import KERNELS as KERNEL_INFO
from mel_gen import ExitReason, TraceKind

from melanion import build, config, paths
from melanion.config import System
from melanion.run import RunResult, run_program
from melanion.scenario import Entry, Scenario, encoder, execute
from melanion.scenario.executor import differences

KERNELS = ("sw", "sw-sorted", "hwrtos", "port", "banked")
SCENARIOS = Path(__file__).parent / "scenarios"


def files() -> list[Path]:
    return sorted(SCENARIOS.glob("*.yaml"))


def runs_on(scenario: Scenario, kernel: str) -> bool:
    """Whether the kernel knows every call of the scenario."""
    calls = {call.name for calls in scenario.steps.values() for call in calls}
    calls |= {call.name for call in scenario.main}
    return not calls & KERNEL_INFO[kernel].lacks


def interpreter() -> build.App:
    return build.application(paths.data_root() / "apps" / "scenario")


def system_of(scenario: Scenario, kernel: str) -> System:
    """The delivered system, with the scenario's reset value of the tick counter."""
    system = config.find(kernel)
    sizes = system.parameters.model_copy(update={"time_reset": scenario.limits.time_reset})
    return system.model_copy(update={"parameters": sizes})


def run(scenario: Scenario, system: System, folder: Path, **settings: Any) -> list[Entry]:
    """The log that the scenario leaves on a system; the replay has judged the run.

    `settings`: as of `run_program`.
    """
    result = start(scenario, system, execute(scenario).ticks, folder, **settings)
    marks = result.events[result.events["kind"] == TraceKind.MARKER]
    return encoder.decode(scenario, zip(marks["a"].tolist(), marks["b"].tolist(), strict=True))


def start(
    scenario: Scenario, system: System, ticks: int, folder: Path, **settings: Any
) -> RunResult:
    """Run the scenario's tasks for this time, and replay the run."""
    app = interpreter()
    table = folder / "table"
    table.write_bytes(encoder.encode(scenario, ticks, system.tick_cycles))
    address = _symbol(build.program(system, app).elf, "scenario_table")
    result = run_program(system, app, data=((table, address),), **settings)
    assert result.reason == ExitReason.PROGRAM
    return result


def complaint(scenario: Scenario, system: System, folder: Path, **settings: Any) -> str | None:
    """What is wrong with the log of a run; None: nothing."""
    return next(differences(scenario, run(scenario, system, folder, **settings), system.name), None)


def _symbol(elf: Path, name: str) -> int:
    with elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        symbols = table.get_symbol_by_name(name)
        assert symbols, f"{name} is not in {elf.name}"
        return int(symbols[0]["st_value"])
