# SPDX-License-Identifier: Apache-2.0
"""`run_program`: build, simulate, replay, judge."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from mel_gen import ExitReason

import melanion.run.console_input as console_input
import melanion.run.judge as judge
import melanion.run.names as names
import melanion.run.replaying as replaying
from melanion import build
from melanion.build import App, Hardware, Program, Report
from melanion.config import System
from melanion.errors import MelanionError
from melanion.model.replay import ReplayReport
from melanion.run.provenance import provenance
from melanion.run.result import RunResult
from melanion.run.settings import Decided, Settings
from melanion.run.simulation import TRACE, scratch, simulate, time_untraced
from melanion.run.tasks import task_names


def run_program(
    system: System,
    app: App,
    settings: Settings | None = None,
    *,
    built: tuple[Hardware, Program] | None = None,
    report: Report = lambda _: None,
    failed: Callable[[RunResult], None] = lambda _: None,
    note: Callable[[str], None] = lambda _: None,
    traced: Callable[[bytes], None] | None = None,
) -> RunResult:
    """Build what is missing, run the program, replay the trace.

    `settings`: none are those of the configuration and the application; `built`: the simulation and
    the program, of a caller that runs them often and has built them; `failed` gets what a run left
    that is then raised as an error; `note` gets, before the run, sentences about limits of the
    system that the program may exceed; `traced` gets the trace file of the simulation. Raises
    RunError when the run does not end as its settings say, ReplayError when the model rejects it.
    """
    settings = settings or Settings()
    # The program comes first: a run that cannot read what it needs builds no simulation.
    program = (
        built[1] if built else build.program(system, app, defines=settings.defines, report=report)
    )
    for sentence in program.notes:
        note(sentence)
    console_input.check(program, settings.received)
    hardware = built[0] if built else _hardware(system, settings, report)
    decided = settings.decide(system, app)
    report(f"running {app.name} on {system.name}")
    with scratch() as folder:
        idle = None if system.kernel_info.replayed else system.parameters.tasks
        simulated = simulate(hardware, program, decided, folder, idle, report)
        if traced is not None:
            traced((folder / TRACE).read_bytes())
        bare = None
        if settings.speed:
            bare = time_untraced(hardware, program, decided, folder, report)
    events, told = names.split(simulated.events)
    called = {**task_names(program), **told}
    if system.kernel_info.replayed:
        report(f"replaying {len(events)} events against the golden model")
    ending = judge.ending(events, decided.max_cycles, simulated.console)
    result = RunResult(
        system=system,
        program=program,
        console=simulated.console,
        events=events,
        reason=ending.reason,
        code=ending.code,
        cycles=ending.cycles,
        instructions=simulated.instructions,
        seconds=simulated.seconds,
        replay_seconds=0.0,
        untraced_seconds=bare,
        replay=None,
        provenance=provenance(system, hardware, program, _decided(decided, simulated.typed)),
        caches=simulated.caches,
        counts=simulated.counts,
        names=called,
    )
    start = time.process_time()
    limited = settings.endless and ending.reason == ExitReason.CYCLE_LIMIT
    succeeds = settings.must_succeed and not limited
    try:
        compared = _check(result, ending, succeeds)
    except MelanionError as error:
        failed(replace(result, failure=error.message))
        raise
    return replace(result, replay=compared, replay_seconds=time.process_time() - start)


def _hardware(system: System, settings: Settings, report: Report) -> Hardware:
    wave, receives = settings.wave is not None, settings.received is not None
    return build.hardware(system, wave=wave, receives=receives, report=report)


def _decided(settings: Decided, typed: bytes | None) -> dict[str, int | str]:
    """Settings that decided the run, with the bytes that were typed meanwhile."""
    if typed is None:
        return settings.provenance
    return {**settings.provenance, "input_typed": 1, **console_input.described(typed)}


def _check(result: RunResult, ending: judge.Ending, must_succeed: bool) -> ReplayReport | None:
    """Replay, and judge the ending. A cause that explains a rejected schedule comes before it.
    None: the golden model does not know what the kernel's calls mean."""
    system, program, events = result.system, result.program, result.events
    lost = judge.lost(ending) or ending.reason == ExitReason.STACK_OVERFLOW
    if must_succeed and lost:
        raise judge.error(ending, program, events, result.names)
    compared = replaying.compared(system, program, events) if system.kernel_info.replayed else None
    if must_succeed and (ending.reason != ExitReason.PROGRAM or ending.code != 0):
        raise judge.error(ending, program, events, result.names)
    return compared
