# SPDX-License-Identifier: Apache-2.0
"""The simulation as a process: its command line, what it left, and its progress meanwhile.

It ends with this process, however that ends: the simulation asks its system for it (`--parent`).
"""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mel_gen import TraceKind

import melanion.run.switches as switches
from melanion import trace
from melanion.build import Hardware, Program, Report
from melanion.build.tools import end_group
from melanion.run.console_input import TYPED
from melanion.run.errors import RunError
from melanion.run.progress import Progress
from melanion.run.result import CacheCount, Counts
from melanion.run.settings import Decided
from melanion.run.waits import BAD_USE
from melanion.soc import Purpose
from melanion.trace import Events

_CACHE = re.compile(r"cache: core (\d+) (instructions|data) (\d+) loads (\d+) misses")
_SPEED = re.compile(r"speed: (\d+) cycles ([\d.]+) seconds (\d+) instructions")
_PULSES = re.compile(r"pulses: (\d+) left")
_INPUT = re.compile(r"input: \d+ arrived (\d+) lost")
_UNIT = re.compile(r"unit: (\d+) refused (\d+) lost")

TRACE = "trace"  # name of the trace file in the folder of a run
_TYPED = "typed"  # name of the copy of what was typed
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class Simulated:
    """Output of the simulation; `seconds`: its duration; `typed`: bytes from standard input, None
    when it was not read."""

    console: str
    events: Events
    seconds: float
    instructions: int
    caches: tuple[CacheCount, ...]
    counts: Counts
    typed: bytes | None


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
        try:
            yield Path(name)
        except OSError as error:
            if error.errno not in _FULL:
                raise
            raise RunError(
                f"{name}: the files of the run cannot be written ({error.strerror}); free space, or"
                " name another folder in TMPDIR."
            ) from error


def simulate(
    hardware: Hardware,
    program: Program,
    settings: Decided,
    folder: Path,
    idle: int | None,
    report: Report,
) -> Simulated:
    """`idle`: the idle task of a kernel that does not report its switches itself; None: it does.
    Raises RunError."""
    said = _run(hardware, program, settings, folder, ["--trace", str(folder / TRACE)], report)
    events = trace.read(folder / TRACE)
    if len(events) == 0 or events["kind"][-1] != TraceKind.EXIT:
        raise RunError("the simulation left no end of run in its trace; run it again.")
    if idle is not None:
        events = switches.named(events, program.content.stacks, idle)
    caches = tuple(
        CacheCount(int(core), port, int(loads), int(misses))
        for core, port, loads, misses in _CACHE.findall(said)
    )
    pulses, unit = _PULSES.search(said), _UNIT.search(said)
    assert pulses is not None, said
    counts = Counts(int(pulses[1]), *(map(int, unit.groups()) if unit else (None, None)))
    if lost := _INPUT.search(said):
        counts = replace(counts, input_lost=int(lost[1]))
    typed = (folder / _TYPED).read_bytes() if _is_typed(settings) else None
    seconds, instructions = _speed(said)
    return Simulated(_console(folder), events, seconds, instructions, caches, counts, typed)


def time_untraced(
    hardware: Hardware, program: Program, settings: Decided, folder: Path, report: Report
) -> float:
    """Seconds of the same run without a trace. Raises RunError."""
    return _speed(_run(hardware, program, settings, folder, [], report))[0]


def watched(
    hardware: Hardware,
    program: Program,
    settings: Decided,
    folder: Path,
    first: int,
    report: Report,
) -> tuple[bytes, bytes]:
    """What the unit does from the cycle `first` to the end of the run, as records of
    soc/sim/unit/window.h, and the trace file up to there. `hardware`: one for that. Raises
    RunError."""
    assert hardware.purpose is Purpose.UNIT
    records, trace_file = folder / "unit", folder / TRACE
    more, window = ["--trace", str(trace_file)], [str(records), str(first)]
    _run(hardware, program, settings, folder, more, report, window)
    return records.read_bytes(), trace_file.read_bytes()


def _console(folder: Path) -> str:
    try:
        return (folder / "console").read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:  # it ended before the program began
        return ""


def _speed(said: str) -> tuple[float, int]:
    """Seconds, and instructions."""
    speed = _SPEED.search(said)
    assert speed is not None, said
    return float(speed[2]), int(speed[3])


def _run(
    hardware: Hardware,
    program: Program,
    settings: Decided,
    folder: Path,
    more: list[str],
    report: Report,
    window: Sequence[str] = (),
) -> str:
    """Run the simulation to its end; what it said. `window`: words of a watched one, before all
    others."""
    words = command(hardware, program, settings, folder, [*more, "--speed", "--progress"])
    words[1:1] = window
    progress = Progress(program.app.name, settings.max_cycles, report)
    said = []
    process = _start(words, watched=_is_typed(settings))
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if not progress.heard(line):
                said.append(line)
        status = process.wait()
    except BaseException:
        end_group(process)
        raise
    finally:
        if process.stderr is not None:
            process.stderr.close()
    if status != 0:
        raise failed(status, "".join(said), folder)
    return "".join(said)


def _start(words: list[str], *, watched: bool) -> subprocess.Popen[str]:
    """`watched`: somebody types on standard input, and reads on standard output."""
    try:
        return subprocess.Popen(
            words,
            stdin=None if watched else subprocess.DEVNULL,
            stdout=None if watched else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise RunError(
            f"{words[0]}: the simulation cannot be started ({error.strerror}); run it again."
        ) from error


def command(
    hardware: Hardware, program: Program, settings: Decided, folder: Path, more: list[str]
) -> list[str]:
    """The words that start a simulation; its console goes into the folder."""
    words: list[Any] = [
        hardware.simulator,
        "--image",
        program.image,
        "--tracepoints",
        program.tracepoints,
    ]
    words += [*more, "--console", folder / "console", "--parent", os.getpid()]
    words += ["--max-cycles", settings.max_cycles, "--seed", settings.seed]
    words += ["--wait-states", settings.wait_states]
    words += ["--data-wait-states", settings.data_wait_states]
    words += ["--unit-wait-states", settings.unit_wait_states]
    for way, latencies in settings.ways:
        words += [f"--bridge-{way}", latencies]
    for path, address in (*settings.data, *_variables(program, settings, folder)):
        words += ["--data", f"{path}@0x{address:x}"]
    for line, cycle in settings.pulses:
        words += ["--pulse", f"{line}@{cycle}"]
    if settings.wave is not None:
        words += ["--wave", settings.wave]
    words += _input(settings, folder)
    return [str(word) for word in words]


def _variables(program: Program, settings: Decided, folder: Path) -> Iterator[tuple[Path, int]]:
    """A file for each variable that has another value in this run, and its address."""
    for name, value in settings.variables.items():
        if name not in program.content.symbols:
            raise RunError(
                f"{program.app.name}: a run is to begin with {name} = {value}, and the program has"
                " no variable of that name; correct it, or make the variable volatile.",
                BAD_USE,
            )
        path = folder / f"variable_{name}"
        path.write_bytes((value & 0xFFFF_FFFF).to_bytes(4, "little"))
        yield path, program.content.symbols[name]


def _is_typed(settings: Decided) -> bool:
    return settings.received is not None and settings.received.content is None


def _input(settings: Decided, folder: Path) -> list[Any]:
    """The words about the console's input; a file of it comes into the folder."""
    if settings.received is None:
        return []
    words = ["--input-cycles", settings.received.cycles, "--input-line", settings.input_line]
    if settings.received.content is None:
        return [*words, "--input", TYPED, "--input-copy", folder / _TYPED]
    (folder / "input").write_bytes(settings.received.content)
    return [*words, "--input", folder / "input"]


def failed(status: int, output: str, folder: Path) -> RunError:
    """The sentence about a simulation that did not end as it should. Its binary was compared with
    its seal before it began (melanion/build/cache.py)."""
    lines = output.strip().splitlines()
    text = lines[-1].removeprefix("sim: ") if lines else "no output"
    if status == BAD_USE:
        return RunError(f"the simulation refused its input: {text}; correct it.", BAD_USE)
    printed = [line for line in _console(folder).splitlines() if line.strip()]
    last = f"; the program printed last: {printed[-1].strip()}" if printed else ""
    if status < 0:
        return RunError(
            f"the simulation was ended by signal {-status} ({signal.strsignal(-status)}), and its"
            f" binary is as it was built; free memory and run it again{last}"
        )
    return RunError(f"the simulation failed: {text}; free space and run it again{last}")
