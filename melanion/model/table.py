# SPDX-License-Identifier: Apache-2.0
"""State and wait of every task after an event of a run, and since when.

The states are the golden model's, which has executed the events of the run so far.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mel_gen import KernelInfo, TaskState, TraceKind

from melanion.model.describe import Names
from melanion.model.kernel import Kernel
from melanion.model.owed import Patience
from melanion.model.replay import Player, ReplayError, tuples
from melanion.model.state import NEVER, EventFlags, Limits, Task, Wait


@dataclass(frozen=True)
class TaskRow:
    """One task. `core`: which runs it (None: none does); `waits`: for what, in words, empty when it
    does not wait; `until`: the tick in which its wait ends at the latest, None: no limit; the
    priorities are None where nobody knows them; `since`: the cycle in which it came into this state
    and wait."""

    number: int
    name: str
    state: str
    core: int | None
    waits: str
    until: int | None
    priority: int | None
    base_priority: int | None
    since: int

    @property
    def doing(self) -> str:
        """State and wait in words."""
        limit = "" if self.until is None else f" until tick {self.until}"
        waits = f" for {self.waits}{limit}" if self.waits else ""
        where = "" if self.core is None else f" on core {self.core}"
        return f"{self.state}{where}{waits}"


@dataclass(frozen=True)
class Table:
    """The tasks that exist, by number; `tick` counter; `running`: the task of each core (None:
    idle). `diverged`: why the model no longer follows the run, and then the state is that before;
    empty: it does. `settled`: the cycle of the last event that was no tick, when every core is idle
    and no timeout, deadline, timer or pending interrupt will ever end that; None otherwise."""

    rows: tuple[TaskRow, ...]
    tick: int
    running: tuple[int | None, ...]
    diverged: str = ""
    settled: int | None = None


def table(
    events: Iterable[Any],
    limits: Limits,
    info: KernelInfo,
    *,
    patience: Patience | None = None,
    names: Names | None = None,
) -> Table:
    """The state after these events, all of them of one run from its beginning."""
    named = names or {}
    player = Player(limits, info, patience or Patience.of(info), named)
    kernel, since, diverged, last = player.kernel, _Since(), "", 0
    try:
        for event in tuples(events):
            player.play([event])
            since.note(kernel, event[0])
            if event[1] in player.step and event[1] != TraceKind.TICK:
                last = event[0]
    except ReplayError as error:
        diverged = error.message
    rows = tuple(
        _row(kernel, kernel.tasks[number], named, since.cycles.get(number, 0))
        for number in sorted(kernel.tasks)
    )
    running = tuple(core.running for core in kernel.cores)
    settled = last if not diverged and _settled(kernel) else None
    return Table(rows, kernel.time, running, diverged, settled)


def _settled(kernel: Kernel) -> bool:
    """Only an interrupt from outside could make a task ready again."""
    if any(
        core.running is not None or core.in_handler or not core.dispatch_enabled
        for core in kernel.cores
    ):
        return False
    owes = kernel.occupied or kernel.late or kernel.released or kernel.dying or kernel.overdue
    if owes or kernel.raised or any(core.handler_irqs for core in kernel.cores):
        return False
    if not kernel.tick_cycles:  # time stands still
        return True
    tasks = kernel.tasks.values()
    ends = [*(task.expiry for task in tasks), *(task.deadline for task in tasks)]
    return all(end == NEVER for end in [*ends, *(each.expiry for each in kernel.timers)])


class _Since:
    """Since when each task does what it does."""

    def __init__(self) -> None:
        self.last: dict[int, tuple[Any, ...]] = {}
        self.cycles: dict[int, int] = {}

    def note(self, kernel: Kernel, cycle: int) -> None:
        running = {core.running for core in kernel.cores}
        for number, task in kernel.tasks.items():
            runs = number in running and task.runnable  # a core stays at the call in which it waits
            doing = (task.dormant, task.suspended, task.wait, id(task.queue), runs)
            if self.last.get(number) != doing:
                self.last[number] = doing
                self.cycles[number] = cycle


def _row(kernel: Kernel, task: Task, names: Names, since: int) -> TaskRow:
    core, state = kernel.running_core(task.number), task.state
    runs = core is not None and state == TaskState.READY
    return TaskRow(
        number=task.number,
        name=names.get(task.number, ""),
        state="running" if runs else state.name.lower().replace("_", ", "),
        core=core.number if runs and core is not None else None,
        waits=waits_for(kernel, task, names),
        until=None if task.expiry == NEVER else task.expiry,
        priority=task.priority,
        base_priority=task.base_priority,
        since=since,
    )


def waits_for(kernel: Kernel, task: Task, names: Names | None = None) -> str:
    """In words: `semaphore 5`; empty when the task does not wait."""
    match task.wait:
        case None:
            return ""
        case Wait.SLEEP:
            return "a wake-up"
        case Wait.DELAY:
            return "the end of its delay"
        case Wait.NOTIFICATION:
            return "a notification"
        case Wait.MUTEX:
            return _mutex(task, names or {})
        case Wait.EVENT_FLAGS:
            return _flags(kernel.event_flags, task)
        case Wait.SEMAPHORE:
            number = _place(kernel.semaphores, task)
            return "a deleted semaphore" if number is None else f"semaphore {number}"
    number = _place(kernel.queues, task)
    if number is None:
        return "a deleted queue"
    sends = len(kernel.queues[number].messages) >= kernel.queues[number].capacity
    return f"{'room' if sends else 'a message'} in queue {number}"


def _place(objects: Any, task: Task) -> int | None:
    """The object in whose wait list the task is."""
    return next((n for n, each in objects.items() if each.waiting is task.queue), None)


def _mutex(task: Task, names: Names) -> str:
    assert task.awaited is not None
    owner = task.awaited.owner
    name = "" if owner is None else names.get(owner, "")
    whose = "" if owner is None else f" of task {owner}" + (f" ({name})" if name else "")
    return f"mutex {task.awaited.number}{whose}"


def _flags(groups: dict[int, EventFlags], task: Task) -> str:
    for number, group in groups.items():
        if (condition := group.waiting.get(task.number)) is not None:
            which = "all" if condition.every else "any"
            return f"{which} of {condition.pattern:#x} in event flags {number}"
    return "event flags that were set or deleted"
