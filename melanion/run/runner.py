# SPDX-License-Identifier: Apache-2.0
"""`run_program`: build, simulate, replay, judge."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mel_gen import ExitReason, TraceKind

from melanion import build, trace
from melanion.build import App, Hardware, Program, Report
from melanion.build.tools import run as run_process
from melanion.config import System
from melanion.model.replay import ReplayReport
from melanion.run import judge, replaying, switches
from melanion.run.errors import RunError
from melanion.run.provenance import provenance
from melanion.run.result import CacheCount, RunResult
from melanion.run.waits import BAD_USE, Waits
from melanion.trace import Events

LATENCY_MOST = 10_000  # cycles of a way over the bridge: of the longest at the fastest clock
_CACHE = re.compile(r"cache: core (\d+) (instructions|data) (\d+) loads (\d+) misses")
_SPEED = re.compile(r"speed: (\d+) cycles ([\d.]+) seconds (\d+) instructions")


@dataclass(frozen=True)
class Settings:
    """The run-time choices of a simulation."""

    seed: int
    max_cycles: int
    wait_states: Waits  # of instructions
    data_wait_states: Waits
    unit_wait_states: Waits
    bridge: tuple[Waits, Waits] | None  # latencies of loads and stores, in cycles
    data: tuple[tuple[Path, int], ...]
    wave: Path | None

    @property
    def decided(self) -> dict[str, int | str]:
        """The choices that decide the run, for its provenance."""
        return {
            "seed": self.seed,
            "max_cycles": self.max_cycles,
            "wait_states": self.wait_states.decided,
            "data_wait_states": self.data_wait_states.decided,
            "unit_wait_states": self.unit_wait_states.decided,
            **({f"bridge_{way}": waits.decided for way, waits in self.ways}),
        }

    @property
    def ways(self) -> list[tuple[str, Waits]]:
        """The latencies of the bridge; none without one."""
        return [] if self.bridge is None else list(zip(("read", "write"), self.bridge, strict=True))


@dataclass(frozen=True)
class _Simulated:
    """What the simulation left; `seconds` that it took."""

    console: str
    events: Events
    seconds: float
    instructions: int
    caches: tuple[CacheCount, ...]


def run_program(
    system: System,
    app: App,
    *,
    seed: int = 1,
    max_cycles: int | None = None,
    wait_states: int | str | Waits | None = None,
    data_wait_states: int | str | Waits | None = None,
    unit_wait_states: int | str | Waits | None = None,
    data: tuple[tuple[Path, int], ...] = (),
    wave: Path | None = None,
    defines: dict[str, int | str] | None = None,
    must_succeed: bool = True,
    endless: bool = False,
    speed: bool = False,
    report: Report = lambda _: None,
) -> RunResult:
    """Build what is missing, run the program, replay the trace.

    `wait_states`: cycles added to each access of memory, `data_wait_states`: of its data port when
    they differ, `unit_wait_states`: of a device or the unit; a number, or a range "0-7" from which
    each access draws by `seed`. `data`: files that are loaded at addresses; `wave`: write a
    waveform (FST) there; what is None comes from the configuration or the application; `endless`:
    a run that `max_cycles` ends has succeeded; `speed`: also time the simulation without a trace.
    Raises RunError when the run does not end with exit code 0 (unless `must_succeed` is false),
    ReplayError when the model rejects the run.
    """
    hardware = build.hardware(system, wave=wave is not None, report=report)
    program = build.program(system, app, defines=defines, report=report)
    settings = settings_of(
        system,
        app,
        seed=seed,
        max_cycles=max_cycles,
        wait_states=wait_states,
        data_wait_states=data_wait_states,
        unit_wait_states=unit_wait_states,
        data=data,
        wave=wave,
    )
    report(f"running {app.name} on {system.name}")
    with scratch() as folder:
        settings = replace(settings, data=(*data, *_loaded(app, program, folder)))
        idle = None if system.kernel_info.replayed else system.parameters.tasks
        simulated = _simulate(hardware, program, settings, folder, idle)
        bare = _time_untraced(hardware, program, settings, folder) if speed else None
    if system.kernel_info.replayed:
        report(f"replaying {len(simulated.events)} events against the golden model")
    ending = judge.ending(simulated.events, settings.max_cycles, simulated.console)
    start = time.process_time()
    succeeds = must_succeed and not (endless and ending.reason == ExitReason.CYCLE_LIMIT)
    compared = _check(system, program, simulated.events, ending, succeeds)
    return RunResult(
        system=system,
        program=program,
        console=simulated.console,
        events=simulated.events,
        reason=ending.reason,
        code=ending.code,
        cycles=ending.cycles,
        instructions=simulated.instructions,
        seconds=simulated.seconds,
        replay_seconds=time.process_time() - start,
        untraced_seconds=bare,
        replay=compared,
        provenance=provenance(system, hardware, program, settings.decided),
        caches=simulated.caches,
    )


def settings_of(
    system: System,
    app: App,
    *,
    seed: int = 1,
    max_cycles: int | None = None,
    wait_states: int | str | Waits | None = None,
    data_wait_states: int | str | Waits | None = None,
    unit_wait_states: int | str | Waits | None = None,
    data: tuple[tuple[Path, int], ...] = (),
    wave: Path | None = None,
) -> Settings:
    """The choices of a run; what is None comes from the configuration or the application."""
    if data_wait_states is None:
        data_wait_states = system.memory.data_waits if wait_states is None else wait_states
    return Settings(
        seed=seed,
        max_cycles=app.max_cycles if max_cycles is None else max_cycles,
        wait_states=Waits.of(system.memory.wait_states if wait_states is None else wait_states),
        data_wait_states=Waits.of(data_wait_states),
        unit_wait_states=Waits.of(
            system.unit_wait_states if unit_wait_states is None else unit_wait_states
        ),
        bridge=_latencies(system),
        data=data,
        wave=wave,
    )


def _loaded(app: App, program: Program, folder: Path) -> Iterator[tuple[Path, int]]:
    """A file for each variable that has another value in this run, and its address."""
    for name, value in app.loaded.items():
        if name not in program.content.symbols:
            raise RunError(
                f"{app.name}: a run is to begin with {name} = {value}, and the program has no"
                " variable of that name; correct it, or make the variable volatile.",
                BAD_USE,
            )
        path = folder / name
        path.write_bytes(value.to_bytes(4, "little"))
        yield path, program.content.symbols[name]


def speeds(system: System) -> dict[str, int | str]:
    """What a run takes from the configuration if nothing else is said: wait states, and the
    latencies of the bridge. A result that is kept has them in its key."""
    ways = zip(("read", "write"), _latencies(system) or (), strict=False)
    return {
        "wait_states": system.memory.wait_states,
        "data_wait_states": system.memory.data_waits,
        "unit_wait_states": system.unit_wait_states,
        **{f"bridge_{way}": waits.decided for way, waits in ways},
    }


def _latencies(system: System) -> tuple[Waits, Waits] | None:
    """Of the bridge's loads and stores, in cycles of the system's clock."""
    if system.bridge is None:
        return None
    read, write = (
        Waits(*span.cycles(system.clock_mhz), limit=LATENCY_MOST)
        for span in (system.bridge.read_ns, system.bridge.write_ns)
    )
    return read, write


def _check(
    system: System, program: Program, events: Events, ending: judge.Ending, must_succeed: bool
) -> ReplayReport | None:
    """Replay, and judge the ending. A cause that explains a rejected schedule comes before it.
    None: the golden model does not know what the kernel's calls mean."""
    stray = judge.wild(ending) or ending.reason == ExitReason.STACK_OVERFLOW
    if must_succeed and stray:
        raise judge.error(ending, program, events)
    compared = replaying.compared(system, program, events) if system.kernel_info.replayed else None
    if must_succeed and (ending.reason != ExitReason.PROGRAM or ending.code != 0):
        raise judge.error(ending, program, events)
    return compared


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for the files of one run. It is gone afterwards, whatever happens."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="melanion-")
    except OSError as error:
        raise RunError(
            f"no temporary folder can be made ({error.strerror}); free space, or name a folder that"
            " can be written in TMPDIR."
        ) from error
    with folder as name:
        yield Path(name)


def _simulate(
    hardware: Hardware, program: Program, settings: Settings, folder: Path, idle: int | None
) -> _Simulated:
    """`idle`: the idle task of a kernel that does not report its switches itself; None: it does."""
    done = _start(hardware, program, settings, folder, ["--trace", str(folder / "trace")])
    console = (folder / "console").read_text(encoding="utf-8", errors="replace")
    events = trace.read(folder / "trace")
    if len(events) == 0 or events["kind"][-1] != TraceKind.EXIT:
        raise RunError("the simulation left no end of run in its trace; run it again.")
    if idle is not None:
        events = switches.named(events, program.content.stacks, idle)
    caches = tuple(
        CacheCount(int(core), port, int(loads), int(misses))
        for core, port, loads, misses in _CACHE.findall(done.string)
    )
    return _Simulated(console, events, float(done[2]), int(done[3]), caches)


def _time_untraced(hardware: Hardware, program: Program, settings: Settings, folder: Path) -> float:
    return float(_start(hardware, program, settings, folder, [])[2])


def _start(
    hardware: Hardware, program: Program, settings: Settings, folder: Path, more: list[str]
) -> re.Match[str]:
    """Run the simulation to its end; the match of its speed line."""
    done = run_process(command(hardware, program, settings, folder, [*more, "--speed"]))
    if done.status != 0:
        raise failed(done.status, done.output)
    speed = _SPEED.search(done.output)
    assert speed is not None, done.output
    return speed


def command(
    hardware: Hardware, program: Program, settings: Settings, folder: Path, more: list[str]
) -> list[str]:
    """The words that start a simulation; its console goes into the folder."""
    words: list[Any] = [hardware.simulator, "--image", program.image, "--points", program.points]
    words += [*more, "--console", folder / "console"]
    words += ["--max-cycles", settings.max_cycles, "--seed", settings.seed]
    words += ["--wait-states", settings.wait_states]
    words += ["--data-wait-states", settings.data_wait_states]
    words += ["--unit-wait-states", settings.unit_wait_states]
    for way, latencies in settings.ways:
        words += [f"--bridge-{way}", latencies]
    for path, address in settings.data:
        words += ["--data", f"{path}@0x{address:x}"]
    if settings.wave is not None:
        words += ["--wave", settings.wave]
    return [str(word) for word in words]


def failed(status: int, output: str) -> RunError:
    """The sentence about a simulation that did not end as it should."""
    lines = output.strip().splitlines()
    text = lines[-1].removeprefix("sim: ") if lines else "no output"
    if status == BAD_USE:
        return RunError(f"the simulation refused its input: {text}; correct it.", BAD_USE)
    if status < 0:
        return RunError(f"the simulation was ended by signal {-status}; run it again.")
    return RunError(f"the simulation failed: {text}; free space and run it again.")
