"""The golden model beside a run: sizes and patience of a system, the comparison, the tasks."""

from __future__ import annotations

import numpy as np
from mel_gen import TraceKind

from melanion.build import Program
from melanion.config import Parameters, System
from melanion.model import Limits, Table, TaskRow, lower, table
from melanion.model.describe import Names
from melanion.model.replay import SOFTWARE_PATIENCE, Patience, ReplayReport, replay
from melanion.trace import Events


def compared(system: System, program: Program, events: Events) -> ReplayReport:
    """The run on the model; with objects in C first what the hardware unit did of it."""
    names = {stack.number: stack.symbol for stack in program.content.stacks}
    kernel = system.kernel_info
    if not kernel.in_c:
        limits = _limits(system, system.parameters)
        return replay(events, limits, kernel, patience=_patience(system), names=names)
    replay(lower.unit(events), _limits(system, system.unit_parameters), kernel, names=names)
    called = lower.calls(events, system.parameters.tasks)
    limits = _limits(system, system.parameters)
    return replay(called, limits, kernel, patience=SOFTWARE_PATIENCE, names=names)


def _limits(system: System, sizes: Parameters) -> Limits:
    return Limits(
        tasks=sizes.tasks,
        priorities=sizes.priorities,
        semaphores=sizes.semaphores,
        event_flags=sizes.event_flags,
        mutexes=sizes.mutexes,
        queues=sizes.queues,
        messages=sizes.messages,
        timers=sizes.timers,
        interrupts=sizes.interrupts,
        cores=system.core.count,
        monitor=sizes.monitor,
        time_reset=sizes.time_reset,
    )


def _patience(system: System) -> Patience:
    if system.kernel_info.in_c:
        return SOFTWARE_PATIENCE
    if system.parts.get("notify") != "poll":
        return Patience.of(system.kernel_info)
    slow = SOFTWARE_PATIENCE.dispatch + 2 * system.tick_cycles  # a busy core looks at its ticks
    return Patience(SOFTWARE_PATIENCE.step, slow)


def task_names(program: Program) -> dict[int, str]:
    """Task number → name, from the stack that the program made for it (`ping_stack`: ping)."""
    limit = 0xFFFE  # stacks of handlers, of boot code
    return {
        stack.number: stack.symbol.removesuffix("_stack")
        for stack in program.content.stacks
        if stack.number < limit
    }


def tasks(system: System, events: Events, names: Names) -> Table:
    """What every task does after these events, the first of a run. Where no model follows the
    kernel: which tasks have run, and which one does."""
    if not system.kernel_info.replayed:
        return _dispatched(system, events, names)
    limits = _limits(system, system.parameters)
    called = lower.calls(events, limits.tasks) if system.kernel_info.in_c else events
    return table(called, limits, system.kernel_info, patience=_patience(system), names=names)


def _dispatched(system: System, events: Events, names: Names) -> Table:
    """Kernels that report their switches alone (docs/decisions/0025)."""
    idle = system.parameters.tasks
    since: dict[int, int] = {}
    running = idle
    found = events[events["kind"] == TraceKind.DISPATCH]
    for cycle, task, before in np.array([found[n] for n in ("cycle", "a", "b")]).T.tolist():
        since[before] = since[task] = cycle
        running = task
    rows = tuple(
        TaskRow(
            number=number,
            name=names.get(number, ""),
            state="running" if number == running else "not running",
            core=0 if number == running else None,
            waits="",
            until=None,
            priority=0,
            base_priority=0,
            since=since.get(number, 0),
        )
        for number in sorted({*names, *since} - {idle})
    )
    return Table(rows, 0, (None if running == idle else running,))
