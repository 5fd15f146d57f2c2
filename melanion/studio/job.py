# SPDX-License-Identifier: Apache-2.0
"""A process of the studio: builds, runs and replays, one request after the other, within limits.

A request is a line of JSON on standard input; answers are lines of JSON on standard output:
`progress` any number of times, then `done` or `failed`. The result stands in files of the folder
that the request names (TRACE, IMAGE, ANSWER). An interrupt ends it, with what it had begun.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from melanion import build, results
from melanion.build import Program
from melanion.errors import MelanionError
from melanion.model.replay import ReplayError
from melanion.results import repeat
from melanion.results import unit as units
from melanion.run import RunResult, Settings, run_program, simulation
from melanion.run.parallel import PR_SET_PDEATHSIG
from melanion.soc import Purpose
from melanion.studio import page_model, stored, systems
from melanion.studio.catalog import Catalog
from melanion.studio.errors import StudioError
from melanion.studio.files import Folder
from melanion.studio.hints import hints
from melanion.studio.limits import Chosen, Limits, RunRequest, WatchRequest
from melanion.studio.microprogram import listing
from melanion.studio.outcome import ANSWER, CYCLES, IMAGE, LISTING, TRACE, UNIT
from melanion.studio.page import region
from melanion.studio.programs import Built, Known, described

MOST = 20_000  # characters of a message
Tell = Callable[[dict[str, Any]], None]
_PLACE = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+): ")
_counted: dict[Path, dict[str, int]] = {}
_LIMITED = re.compile(r"signal|memory|space", re.IGNORECASE)


def run(wanted: RunRequest, catalog: Catalog, folder: Path, limits: Limits, tell: Tell) -> None:
    """One request; what is wrong with the run itself is part of the answer. Raises MelanionError:
    nothing ran."""

    def report(text: str) -> None:
        tell({"kind": "progress", "text": text})

    unit = None if wanted.stored is None else stored.unit(wanted.stored)
    if unit is not None and wanted.stored and not wanted.stored.again and _show(unit, folder):
        tell({"kind": "done"})
        return
    app = catalog.application(wanted.program)
    system = systems.named(wanted.system, catalog.folder)
    settings = _settings(wanted)
    program = build.program(system, app, report=report)
    hardware = build.hardware(system, report=report)
    traces: list[bytes] = []
    left: list[RunResult] = []
    notes = list(app.notes)
    verdict: dict[str, Any] = {"kind": "own"}
    try:
        result = run_program(
            system,
            app,
            settings,
            built=(hardware, program),
            report=report,
            failed=left.append,
            note=notes.append,
            traced=traces.append,
        )
    except MelanionError as error:
        if not left:
            raise
        [result] = left
        kind = "differs" if isinstance(error, ReplayError) else "ended"
        verdict = {"kind": kind, "message": error.message}
    known = Known(program, {})
    found = described(system, known)
    if result.replay is not None:
        verdict = {"kind": "agrees", "events": len(result.events), "seconds": result.replay_seconds}
        verdict |= _followed(traces[0], found)
    if system.kernel_info.replayed:  # FreeRTOS is not linked in this way
        notes.append(_memory(program))
    command = catalog.command(wanted)
    made = results.of_run(result, catalog.repeat(wanted, result))
    if wanted.keep and not left:
        store = results.Store(results.location())
        notes.append(f"kept as set {store.keep(command, [made], result.seconds)}")
    console = result.console
    if len(console) > limits.console:
        console = console[: limits.console]
        notes.append(f"the console is cut off after {limits.console} characters")
    answer = {
        "built": found.document,
        "region": region(known.region),
        "console": console,
        "said": f"speed: {result.cycles} cycles {result.seconds:.6f} seconds",
        "verdict": verdict,
        "provenance": result.provenance,
        "tasks": dict(result.names),
        "command": command,
        "notes": notes,
        "hints": [] if left else hints(result),
        "stored": None if unit is None else _told(*repeat.compared(unit, result)),
    }
    (folder / TRACE).write_bytes(traces[0])
    (folder / IMAGE).write_bytes(found.image)
    text = json.dumps(answer, ensure_ascii=False, default=str)
    (folder / ANSWER).write_text(text, encoding="utf-8")
    if not left:
        text = json.dumps(units.as_json(made), default=str)
        (folder / UNIT).write_text(text, encoding="utf-8")
        (folder / repeat.EVENTS).write_bytes(result.events.tobytes())
    tell({"kind": "done"})


def watch(
    wanted: WatchRequest, shown: Path, catalog: Catalog, folder: Path, report: build.Report
) -> None:
    """The unit's cycles in a part of a run, whose trace is `shown`. Raises MelanionError."""
    app = catalog.application(wanted.program)
    system = systems.named(wanted.system, catalog.folder)
    if not system.unit:
        raise StudioError(f"{system.name} has no hardware unit; choose a system with one.", 2)
    until = min(wanted.until, wanted.cycles)
    settings = replace(_settings(wanted), max_cycles=until).decide(system, app)
    program = build.program(system, app, report=report)
    hardware = build.hardware(system, Purpose.UNIT, report=report)
    with simulation.scratch() as place:
        records, trace = simulation.watched(
            hardware, program, settings, place, min(wanted.first, until), report
        )
    if not shown.read_bytes().startswith(trace[: -page_model.RECORD.size]):  # without its end
        raise StudioError(
            "the program or the system has changed since this run, so its unit cannot be watched;"
            " run it again.",
            2,
        )
    (folder / CYCLES).write_bytes(records)
    (folder / LISTING).write_bytes(listing(system))


def _settings(wanted: Chosen) -> Settings:
    return Settings(
        seed=wanted.seed,
        max_cycles=wanted.cycles,
        wait_states=wanted.wait_states,
        endless=True,
        pulses=tuple((pulse.line, pulse.cycle) for pulse in wanted.pulses),
        variables=dict(wanted.knobs),
    )


def _show(unit: results.Unit, folder: Path) -> bool:
    """Give the page the trace that was kept with a run; False: there is none."""
    files = repeat.kept_files(results.location(), unit)
    if files is None:
        return False
    answer = json.loads(files[ANSWER])
    sentence = "its kept trace, whose events are those that were stored; nothing was run."
    answer |= {"stored": _told(True, sentence), "notes": []}
    for name in (TRACE, IMAGE, repeat.EVENTS):
        (folder / name).write_bytes(files[name])
    (folder / ANSWER).write_text(json.dumps(answer, ensure_ascii=False), encoding="utf-8")
    text = json.dumps(units.as_json(unit), default=str)
    (folder / UNIT).write_text(text, encoding="utf-8")
    return True


def _told(same: bool, sentence: str) -> dict[str, Any]:
    return {"same": same, "sentence": f"Stored run, {sentence}"}


def _memory(program: Program) -> str:
    """Bytes of the kernel in a program, which are counted once: the program is linked again."""
    if program.elf not in _counted:
        _counted[program.elf] = build.kernel_bytes(program)
    sizes = _counted[program.elf]
    return f"kernel in this program: {sizes['code']} bytes of code, {sizes['data']} bytes of data"


def _followed(trace: bytes, found: Built) -> dict[str, Any]:
    """Waits and inherited priorities, as the page's model finds them; of a kernel whose calls are
    not in the trace there are none."""
    said = json.loads(page_model.verdict(trace, json.dumps(found.document["model"]), "{}"))
    return {key: said.get(key, []) for key in ("waits", "inherited")}


def failure(error: Exception, folder: Folder | None, limits: Limits) -> dict[str, Any]:
    """A run that did not begin, with the place of an error of the program."""
    message = error.message if isinstance(error, MelanionError) else ""
    if isinstance(error, MemoryError):
        message = "the run needs more memory than the studio gives it"
    elif not message:
        message = f"internal error, {type(error).__name__}: {error}; please report it"
    message = message[:MOST]
    if _LIMITED.search(message):
        message += f" (limits of the studio: {limits.text})"
    place = _PLACE.match(message)
    if place is None:
        return {"kind": "failed", "message": message}
    path = Path(place["file"])
    if folder is not None and path.is_absolute() and path.is_relative_to(folder.root):
        path = path.relative_to(folder.root)
    at = {"file": path.as_posix(), "line": int(place["line"])}
    return {"kind": "failed", "message": message, **at}


def _begin(limits: Limits, parent: int) -> None:
    """Take the limits over, for every process that comes of this one, and end with the parent."""
    for kind, value in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_FSIZE, limits.file),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        least = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (least, least))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)
    if os.getppid() != parent:
        raise StudioError("the studio has ended.")


def _answer(request: dict[str, Any], catalog: Catalog, limits: Limits, tell: Tell) -> None:
    """A run, or a window of one: then the trace that is shown is named beside it."""
    place = Path(request["folder"])
    shown = request["run"].pop("trace", None)
    if shown is None:
        run(RunRequest.model_validate(request["run"]), catalog, place, limits, tell)
        return
    wanted = WatchRequest.model_validate(request["run"])
    watch(
        wanted, Path(shown), catalog, place, lambda text: tell({"kind": "progress", "text": text})
    )
    tell({"kind": "done"})


def main() -> None:
    """The process, with the arguments LIMITS PARENT FOLDER; FOLDER is empty without one. An
    interrupt ends it, and whatever it has begun ends first."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        _serve()
    except (KeyboardInterrupt, BrokenPipeError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os._exit(1)


def _serve() -> None:
    limits = Limits(**json.loads(sys.argv[1]))
    _begin(limits, int(sys.argv[2]))
    folder = Folder(Path(sys.argv[3])) if sys.argv[3] else None
    catalog = Catalog(folder)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever a library prints is no answer

    def tell(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message).encode() + b"\n")
        answers.flush()

    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            _answer(request, catalog, limits, tell)
        except Exception as error:
            tell(failure(error, folder, limits))
