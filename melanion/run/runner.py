"""`run_program`: build, simulate, replay, judge."""

from __future__ import annotations

import re
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mel_gen import ExitReason, TraceKind

from melanion import build, trace
from melanion.build import App, Hardware, Program, Report
from melanion.build.tools import run as run_process
from melanion.config import System
from melanion.model import Limits
from melanion.model.replay import ReplayReport, replay
from melanion.run import judge
from melanion.run.errors import RunError
from melanion.run.provenance import provenance
from melanion.run.result import RunResult
from melanion.trace import Events

_SPEED = re.compile(r"speed: (\d+) cycles ([\d.]+) seconds (\d+) instructions")
BAD_USE = 2


@dataclass(frozen=True)
class Settings:
    """The run-time choices of a simulation; wait states in cycles."""

    seed: int
    max_cycles: int
    wait_states: int
    unit_wait_states: int
    data: tuple[tuple[Path, int], ...]
    wave: Path | None


def run_program(
    system: System,
    app: App,
    *,
    seed: int = 1,
    max_cycles: int | None = None,
    wait_states: int | None = None,
    unit_wait_states: int | None = None,
    data: tuple[tuple[Path, int], ...] = (),
    wave: Path | None = None,
    defines: dict[str, int | str] | None = None,
    must_succeed: bool = True,
    speed: bool = False,
    report: Report = lambda _: None,
) -> RunResult:
    """Build what is missing, run the program, replay the trace.

    `data`: files that are loaded at addresses; `wave`: write a waveform (FST) there; what is None
    comes from the configuration or the application; `speed`: also time the simulation without a
    trace. Raises RunError when the run does not end with
    exit code 0 (unless `must_succeed` is false), ReplayError when the model rejects the run.
    """
    hardware = build.hardware(system, wave=wave is not None, report=report)
    program = build.program(system, app, defines=defines, report=report)
    settings = Settings(
        seed=seed,
        max_cycles=app.max_cycles if max_cycles is None else max_cycles,
        wait_states=system.memory.wait_states if wait_states is None else wait_states,
        unit_wait_states=(
            system.unit_wait_states if unit_wait_states is None else unit_wait_states
        ),
        data=data,
        wave=wave,
    )
    report(f"running {app.name} on {system.name}")
    with tempfile.TemporaryDirectory(prefix="melanion-") as folder:
        console, events, seconds, instructions = _simulate(
            hardware, program, settings, Path(folder)
        )
        bare = _time_untraced(hardware, program, settings, Path(folder)) if speed else None
    end = events[-1]
    reason, code, cycles = ExitReason(int(end["a"])), int(end["b"]), int(end["cycle"])
    ending = judge.Ending(reason, code, int(end["c"]), cycles, settings.max_cycles, console)
    if must_succeed and (judge.wild(ending) or reason == ExitReason.STACK_OVERFLOW):
        raise judge.error(ending, program, events)
    report(f"replaying {len(events)} events against the golden model")
    start = time.perf_counter()
    compared = _replay(system, events)
    replay_seconds = time.perf_counter() - start
    if must_succeed and (reason != ExitReason.PROGRAM or code != 0):
        raise judge.error(ending, program, events)
    return RunResult(
        system=system,
        program=program,
        console=console,
        events=events,
        reason=reason,
        code=code,
        cycles=cycles,
        instructions=instructions,
        seconds=seconds,
        replay_seconds=replay_seconds,
        untraced_seconds=bare,
        replay=compared,
        provenance=provenance(
            system,
            hardware,
            program,
            {
                "seed": settings.seed,
                "max_cycles": settings.max_cycles,
                "wait_states": settings.wait_states,
                "unit_wait_states": settings.unit_wait_states,
            },
        ),
    )


def _simulate(
    hardware: Hardware, program: Program, settings: Settings, folder: Path
) -> tuple[str, Events, float, int]:
    """Console text, events, seconds, retired instructions."""
    done = _start(hardware, program, settings, folder, ["--trace", str(folder / "trace")])
    console = (folder / "console").read_text(encoding="utf-8", errors="replace")
    events = trace.read(folder / "trace")
    if len(events) == 0 or events["kind"][-1] != TraceKind.EXIT:
        raise RunError("the simulation left no end of run in its trace; run it again.")
    return console, events, float(done[2]), int(done[3])


def _time_untraced(hardware: Hardware, program: Program, settings: Settings, folder: Path) -> float:
    return float(_start(hardware, program, settings, folder, [])[2])


def _start(
    hardware: Hardware, program: Program, settings: Settings, folder: Path, more: list[str]
) -> re.Match[str]:
    """Run the simulation to its end; the match of its speed line."""
    words: list[Any] = [hardware.simulator, "--image", program.image, "--points", program.points]
    words += [*more, "--console", folder / "console", "--speed"]
    words += ["--max-cycles", settings.max_cycles, "--seed", settings.seed]
    words += ["--wait-states", settings.wait_states]
    words += ["--unit-wait-states", settings.unit_wait_states]
    for path, address in settings.data:
        words += ["--data", f"{path}@0x{address:x}"]
    if settings.wave is not None:
        words += ["--wave", settings.wave]
    done = run_process([str(word) for word in words])
    if done.status != 0:
        raise _simulation_failed(done.status, done.output)
    speed = _SPEED.search(done.output)
    assert speed is not None, done.output
    return speed


def _simulation_failed(status: int, output: str) -> RunError:
    lines = output.strip().splitlines()
    text = lines[-1].removeprefix("sim: ") if lines else "no output"
    if status == BAD_USE:
        return RunError(f"the simulation refused its input: {text}; correct it.", BAD_USE)
    if status < 0:
        return RunError(f"the simulation was ended by signal {-status}; run it again.")
    return RunError(f"the simulation failed: {text}; free space and run it again.")


def _replay(system: System, events: Events) -> ReplayReport:
    sizes = system.parameters
    limits = Limits(
        tasks=sizes.tasks,
        priorities=sizes.priorities,
        semaphores=sizes.semaphores,
        interrupts=sizes.interrupts,
        cores=system.core.count,
        time_reset=sizes.time_reset,
    )
    return replay(events, limits, system.kernel_info)
