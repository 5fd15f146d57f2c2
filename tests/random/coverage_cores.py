# SPDX-License-Identifier: Apache-2.0
"""Situations of several cores (coverage.py counts the rest)."""

from __future__ import annotations

from collections import Counter

from mel_gen import Command, Context, TraceKind

from melanion.model import Kernel
from melanion.model.replay import Event
from melanion.model.state import Core, Task

STOPS = {
    Command.TASK_SUSPEND: "suspended",
    Command.TASK_TERMINATE: "terminated",
    Command.TASK_SET_PRIORITY: "given another priority",
}


def before(counter: Counter[str], kernel: Kernel, event: Event) -> None:
    """Count what this event meets; the model has not executed it yet."""
    if len(kernel.cores) == 1:
        return
    _, kind, number, a, _, _, _ = event
    core = kernel.cores[number]
    if kind == TraceKind.COMMAND:
        _command(counter, kernel, core, event)
    elif kind == TraceKind.DISPATCH:
        _dispatch(counter, kernel, core, a)
    if kind in (TraceKind.TIMEOUT, TraceKind.RELEASE, TraceKind.IRQ):
        counter["background step while all cores are idle"] += all(
            other.running is None for other in kernel.cores
        )


def _command(counter: Counter[str], kernel: Kernel, core: Core, event: Event) -> None:
    _, _, _, a, number, argument, status = event
    op, context = a & 0xFF, Context(a >> 8)
    if core.number:
        counter[f"command of another core by {context.name.lower()}"] += 1
    counter["command while another core has dispatch disabled"] += any(
        not other.dispatch_enabled and other.running is not None
        for other in kernel.cores
        if other is not core
    )
    caller = kernel.tasks[core.running] if core.running is not None else None
    ours = context == Context.TASK
    if ours and core.ended:
        counter["command of a task that another core ended"] += 1
        return
    if ours and caller is not None and caller.suspended:
        counter["command of a task that another core suspended"] += 1
    if status == 0 and op in STOPS:
        host = kernel.running_core(number)
        if host is not None and host is not core:
            counter[f"task on another core is {STOPS[Command(op)]}"] += 1
    if op == Command.TASK_START and status == 0 and kernel.running_core(number) is not None:
        counter["task starts again that a core still runs"] += 1
    if op in (Command.TASK_SUSPEND, Command.TASK_TERMINATE):
        host = kernel.running_core(number)
        held = host is not None and host is not core and not host.dispatch_enabled
        counter["task with dispatch disabled is not stopped"] += held and status >> 31
    if op == Command.TASK_CREATE and status == 0 and argument >> 8:
        counter["create of a task for one core"] += 1
    if op == Command.TASK_ROTATE and status == 0 and caller is not None and core.apart:
        counter["rotate of the caller's task"] += argument in (0xFFFF_FFFF, caller.priority)
    if op == Command.MUTEX_LOCK and status == 2:
        owner = kernel.mutexes[number].owner
        counter["wait for a mutex of a task on another core"] += (
            owner is not None and kernel.running_core(owner) is not None
        )
    if op == Command.SEMAPHORE_GIVE and status == 0:
        _give(counter, kernel, core, number)


def _give(counter: Counter[str], kernel: Kernel, core: Core, number: int) -> None:
    if not kernel.semaphores[number].waiting:
        return
    first = kernel.tasks[kernel.semaphores[number].waiting[0]]
    host = kernel.running_core(first.number)
    counter["give to a task that its core has not left"] += host is not None and host is not core
    counter["give to a task of another core"] += first.core not in (None, core.number)


def after(counter: Counter[str], kernel: Kernel, event: Event) -> None:
    """Count what this event led to."""
    if len(kernel.cores) == 1 or event[1] not in (TraceKind.COMMAND, TraceKind.TIMEOUT):
        return
    due = [core.number for core in kernel.cores if kernel.dispatch_due(core)]
    counter["dispatch due on another core"] += event[1] == TraceKind.COMMAND and due not in (
        [],
        [event[2]],
    )
    counter["dispatch due on several cores"] += len(due) > 1
    counter["dispatch due on all cores"] += len(due) == len(kernel.cores)
    firsts = [kernel.tasks[line[0]] for line in kernel.ready if line]
    counter["a task waits while a core is idle"] += any(
        core.running is None and not kernel.dispatch_due(core) and _bound(firsts, core)
        for core in kernel.cores
    )


def _bound(tasks: list[Task], core: Core) -> bool:
    return any(task.core not in (None, core.number) for task in tasks)


def _dispatch(counter: Counter[str], kernel: Kernel, core: Core, number: int) -> None:
    task = kernel.tasks.get(number)
    before_ = kernel.tasks.get(core.running) if core.running is not None else None
    if core.ended:
        counter["dispatch leaves a task that ended"] += 1
        counter["dispatch leaves a task that ended and runs it again"] += core.running == number
    if task is None or number == core.running:
        return
    counter["a task of one core runs"] += task.core is not None
    counter["a task of any core runs"] += task.core is None
    equal = [n for n in kernel.ready[task.priority] if kernel.tasks[n].core != task.core]
    counter["one core against any at equal priority"] += any(
        kernel.running_core(n) is None and kernel.tasks[n].core in (None, core.number)
        for n in equal
    )
    if before_ is not None and core.apart:
        counter["preemption while another core is idle"] += any(
            other.running is None for other in kernel.cores
        )


class Moves:
    """Last core of each task: counts tasks that move between cores, and commands in one cycle."""

    def __init__(self) -> None:
        self.ran: dict[int, int] = {}
        self.stored: dict[int, set[int]] = {}  # cycle: cores whose command was taken

    def dispatch(self, counter: Counter[str], core: int, task: int, idle: int) -> None:
        if task == idle:
            return
        counter["a task moves to another core"] += self.ran.get(task, core) != core
        self.ran[task] = core

    def store(self, counter: Counter[str], core: int, cycle: int, cores: int) -> None:
        """A command is taken."""
        here = self.stored.setdefault(cycle, set())
        here.add(core)
        if len(self.stored) > 1:
            self.stored = {cycle: here}
        counter["two cores command in the same cycle"] += len(here) == 2
        counter["all cores command in the same cycle"] += cores > 2 and len(here) == cores


TEXT = """
command of another core by task; command of another core by idle
command while another core has dispatch disabled; command of a task that another core ended
command of a task that another core suspended; task on another core is suspended
task on another core is terminated; task on another core is given another priority
task starts again that a core still runs; task with dispatch disabled is not stopped
create of a task for one core; rotate of the caller's task
wait for a mutex of a task on another core; give to a task that its core has not left
give to a task of another core; dispatch due on another core; dispatch due on several cores
dispatch due on all cores; a task waits while a core is idle; dispatch leaves a task that ended
dispatch leaves a task that ended and runs it again; a task of one core runs
a task of any core runs; one core against any at equal priority
preemption while another core is idle; background step while all cores are idle
a task moves to another core; two cores command in the same cycle
all cores command in the same cycle
"""
