# SPDX-License-Identifier: Apache-2.0
"""Bugs that can be planted in the golden model, to show that replay and scenarios would find them.

Of tasks, semaphores and time; the others: planted_flags, _queues, _mutexes, _timers.

`BUGS`: name -> a function that plants it through a pytest MonkeyPatch (taken back by its undo).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mel_gen import Command, Status

from melanion.model import semaphore, task
from melanion.model.handlers import HANDLERS
from melanion.model.kernel import Kernel
from melanion.model.state import NEVER, Core, Task

Plant = Callable[[pytest.MonkeyPatch], None]
Planted = Callable[[Kernel, Core, int, int], int]  # in place of a command's handler


def _ready_at_head(patch: pytest.MonkeyPatch) -> None:
    def make_ready(self: Kernel, subject: Task, first: bool = False) -> None:
        self.ready[subject.priority].insert(0, subject.number)
        self.occupied |= 1 << subject.priority

    patch.setattr(Kernel, "make_ready", make_ready)


def _wait_list_is_fifo(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Kernel, "queue_waiter", lambda self, line, subject: line.append(subject.number))


def _equal_waiters_last_first(patch: pytest.MonkeyPatch) -> None:
    def queue_waiter(self: Kernel, line: list[int], subject: Task) -> None:
        place = sum(1 for other in line if self.tasks[other].priority < subject.priority)
        line.insert(place, subject.number)

    patch.setattr(Kernel, "queue_waiter", queue_waiter)


def _least_urgent_runs(patch: pytest.MonkeyPatch) -> None:
    def chosen(self: Kernel, core: Core) -> int | None:
        if not core.dispatch_enabled:
            return core.running
        if not self.occupied:
            return None
        return self.ready[self.occupied.bit_length() - 1][0]

    patch.setattr(Kernel, "chosen", chosen)


def _dispatch_disable_ignored(patch: pytest.MonkeyPatch) -> None:
    def chosen(self: Kernel, core: Core) -> int | None:
        if core.running is None and not core.dispatch_enabled:
            return None
        return next((line[0] for line in self.ready if line), None)

    patch.setattr(Kernel, "chosen", chosen)


def _suspended_task_becomes_ready(patch: pytest.MonkeyPatch) -> None:
    def end_wait(self: Kernel, subject: Task, result: Status) -> None:
        self.leave_wait(subject)
        subject.result = result
        subject.suspended = False
        self.make_ready(subject)

    patch.setattr(Kernel, "end_wait", end_wait)


def _result_of_wait_lost(patch: pytest.MonkeyPatch) -> None:
    right = Kernel.end_wait
    patch.setattr(Kernel, "end_wait", lambda self, subject, result: right(self, subject, Status(0)))


def _timeout_not_cancelled(patch: pytest.MonkeyPatch) -> None:
    right = Kernel.leave_wait

    def leave_wait(self: Kernel, subject: Task) -> None:
        expiry = subject.expiry
        right(self, subject)
        subject.expiry = expiry if expiry > self.now else NEVER

    patch.setattr(Kernel, "leave_wait", leave_wait)


def _timeout_one_tick_late(patch: pytest.MonkeyPatch) -> None:
    right = Kernel.start_wait

    def start_wait(self: Kernel, subject: Task, *rest: object) -> int:
        answer = right(self, subject, *rest)  # type: ignore[arg-type]
        subject.expiry += 1
        return answer

    patch.setattr(Kernel, "start_wait", start_wait)


def plant_command(patch: pytest.MonkeyPatch, command: Command, handler: Planted) -> None:
    """This handler instead of the command's own."""
    patch.setitem(HANDLERS, int(command), handler)


def _give_counts_only(patch: pytest.MonkeyPatch) -> None:
    def give(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject = kernel.semaphores[number]
        if subject.count == subject.maximum:
            return Status.E_QOVR
        subject.count += 1
        return Status.E_OK

    plant_command(patch, Command.SEMAPHORE_GIVE, give)


def _give_beyond_maximum(patch: pytest.MonkeyPatch) -> None:
    def give(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        status = semaphore.give(kernel, core, number, argument)
        return Status.E_OK if status == Status.E_QOVR else status

    plant_command(patch, Command.SEMAPHORE_GIVE, give)


def _waiter_keeps_place(patch: pytest.MonkeyPatch) -> None:
    def set_priority(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject = kernel.tasks[number]
        queue, subject.queue = subject.queue, None
        status = task.set_priority(kernel, core, number, argument)
        subject.queue = queue
        return status

    plant_command(patch, Command.TASK_SET_PRIORITY, set_priority)


def _priority_survives_exit(patch: pytest.MonkeyPatch) -> None:
    def set_priority(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        status = task.set_priority(kernel, core, number, argument)
        if status == Status.E_OK:
            kernel.tasks[number].initial_priority = argument
        return status

    plant_command(patch, Command.TASK_SET_PRIORITY, set_priority)


def _rotate_does_nothing(patch: pytest.MonkeyPatch) -> None:
    plant_command(patch, Command.TASK_ROTATE, lambda *_: Status.E_OK)


def _exit_keeps_dispatch_disabled(patch: pytest.MonkeyPatch) -> None:
    def exit_(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        enabled = core.dispatch_enabled
        status = task.exit_(kernel, core, number, argument)
        core.dispatch_enabled = enabled
        return status

    plant_command(patch, Command.TASK_EXIT, exit_)


def _exit_keeps_wakeups(patch: pytest.MonkeyPatch) -> None:
    def exit_(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        caller = kernel.running_task(core)
        wakeups = caller.wakeups
        status = task.exit_(kernel, core, number, argument)
        caller.wakeups = wakeups
        return status

    plant_command(patch, Command.TASK_EXIT, exit_)


def _sixteen_wakeups(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(task, "WAKEUPS_LIMIT", 16)


def _wakeup_ends_every_wait(patch: pytest.MonkeyPatch) -> None:
    def wakeup(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject = kernel.tasks[number]
        if not subject.wait:
            return task.wakeup(kernel, core, number, argument)
        kernel.end_wait(subject, Status.E_OK)
        return Status.E_OK

    plant_command(patch, Command.TASK_WAKEUP, wakeup)


def _delay_until_accepts_the_past(patch: pytest.MonkeyPatch) -> None:
    def delay_until(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        ticks = (argument - kernel.time) & 0xFFFF_FFFF
        return task.delay(kernel, core, number, ticks)

    plant_command(patch, Command.TASK_DELAY_UNTIL, delay_until)


def _suspended_twice(patch: pytest.MonkeyPatch) -> None:
    def suspend(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        status = task.suspend(kernel, core, number, argument)
        return Status.E_OK if status == Status.E_QOVR else status

    plant_command(patch, Command.TASK_SUSPEND, suspend)


BUGS: dict[str, Plant] = {
    plant.__name__.strip("_"): plant
    for plant in (
        _ready_at_head,
        _wait_list_is_fifo,
        _equal_waiters_last_first,
        _least_urgent_runs,
        _dispatch_disable_ignored,
        _suspended_task_becomes_ready,
        _result_of_wait_lost,
        _timeout_not_cancelled,
        _timeout_one_tick_late,
        _give_counts_only,
        _give_beyond_maximum,
        _waiter_keeps_place,
        _priority_survives_exit,
        _rotate_does_nothing,
        _exit_keeps_dispatch_disabled,
        _exit_keeps_wakeups,
        _sixteen_wakeups,
        _wakeup_ends_every_wait,
        _delay_until_accepts_the_past,
        _suspended_twice,
    )
}
