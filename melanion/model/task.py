# SPDX-License-Identifier: Apache-2.0
"""Task commands of the golden model.

Each is called after the checks of spec/commands.yaml and returns its answer.
"""

from __future__ import annotations

from mel_gen import WAKEUPS_LIMIT, Command, Status, TaskState

from melanion.model.state import NEVER, Core, ModelError, Notification, Task, Wait
from melanion.model.waiting import Handler, Waiting

OWN_PRIORITY = 0xFFFF_FFFF


def create(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    if number in kernel.tasks:
        return Status.E_OBJ
    priority, place = argument & 0xFF, argument >> 8
    kernel.tasks[number] = Task(
        number,
        priority,
        priority,
        priority,
        core=place - 1 if place and kernel.limits.cores > 1 else None,
    )
    return Status.E_OK


def delete(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    if not subject.dormant or kernel.running_core(number) is not None:
        return Status.E_OBJ
    _check_orphans(subject)
    del kernel.tasks[number]
    return Status.E_OK


def _check_orphans(subject: Task) -> None:
    if subject.owned:
        numbers = [mutex.number for mutex in subject.owned]
        raise ModelError(f"mutexes {numbers} of ended task {subject.number} are unlocked first")


def start(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    if not subject.dormant:
        return Status.E_OBJ
    _check_orphans(subject)
    subject.dormant = False
    subject.result = Status.E_OK  # no call made yet
    subject.notification = Notification()
    kernel.make_ready(subject)
    return Status.E_OK


def _stop(kernel: Waiting, subject: Task) -> None:
    """To dormant, from any state; its mutexes are unlocked by events of their own (`orphan`)."""
    if subject.runnable:
        kernel.unready(subject)
    kernel.leave_wait(subject)
    subject.dormant = True
    subject.suspended = False
    subject.wakeups = 0
    subject.priority = subject.base_priority = subject.initial_priority
    kernel.overdue.discard(subject.number)
    subject.deadline = NEVER
    subject.budget = 0
    if subject.owned:
        kernel.orphans.add(subject.number)
    host = kernel.running_core(subject.number)
    if host is not None and not host.ended:  # that is of an earlier start, and stays as it was
        host.ended = True
        host.ended_result = subject.result


def exit_(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    _stop(kernel, kernel.running_task(core))
    core.dispatch_enabled = True
    return Status.E_OK


def terminate(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    if number == core.running:
        return Status.E_ILUSE
    subject = kernel.tasks[number]
    host = kernel.running_core(number)
    if host is not None and not host.dispatch_enabled:
        return Status.E_CTX
    if subject.dormant:
        return Status.E_OBJ
    _stop(kernel, subject)
    return Status.E_OK


def suspend(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    host = kernel.running_core(number)
    if host is not None and not host.dispatch_enabled:
        return Status.E_CTX
    if subject.dormant:
        return Status.E_OBJ
    if subject.suspended:
        return Status.E_QOVR
    if subject.runnable:
        kernel.unready(subject)
    subject.suspended = True
    return Status.E_OK


def resume(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    if not subject.suspended:
        return Status.E_OBJ
    subject.suspended = False
    if subject.runnable:
        kernel.make_ready(subject)
    return Status.E_OK


def set_priority(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    if subject.dormant:
        return Status.E_OBJ
    if subject.runnable:
        kernel.unready(subject)
    subject.base_priority = argument
    subject.priority = kernel.effective_priority(subject)
    if subject.runnable:
        kernel.make_ready(subject)
    kernel.move_waiter(subject)
    return Status.E_OK


def rotate(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    priority = kernel.running_task(core).priority if argument == OWN_PRIORITY else argument
    if core.running is not None and core.apart and kernel.running_task(core).priority == priority:
        core.apart = False
        kernel.to_tail(kernel.running_task(core))
        return Status.E_OK
    ready = kernel.listed(kernel.ready[priority])
    first = next((n for n in ready if kernel.tasks[n].core is None), None)
    if first is not None:  # it keeps the used part of its slice
        kernel.ready[priority].remove(first)
        kernel.ready[priority].append(first)
    return Status.E_OK


def release(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    left = kernel.released.get(number)  # … that flags which were set have released
    if not subject.wait or (left is not None and left.result == Status.E_OK):
        return Status.E_OBJ
    kernel.end_wait(subject, Status.E_RLWAI)
    return Status.E_OK


def sleep(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.running_task(core)
    if subject.wakeups:
        subject.wakeups -= 1
        return Status.E_OK
    if argument == 0:
        return Status.E_TMOUT
    return kernel.start_wait(subject, Wait.SLEEP, argument)


def wakeup(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    if subject.dormant:
        return Status.E_OBJ
    if subject.wait == Wait.SLEEP:
        kernel.end_wait(subject, Status.E_OK)
    elif subject.wakeups == WAKEUPS_LIMIT:
        return Status.E_QOVR
    else:
        subject.wakeups += 1
    return Status.E_OK


def delay(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    if argument == 0:
        return Status.E_OK
    return kernel.start_wait(kernel.running_task(core), Wait.DELAY, argument)


def delay_until(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    ticks = (argument - kernel.time) & 0xFFFF_FFFF
    if not 0 < ticks < 1 << 31:
        return Status.E_TMOUT
    return kernel.start_wait(kernel.running_task(core), Wait.DELAY, ticks)


def state_word(kernel: Waiting, subject: Task) -> int:
    """Result of the query task_state."""
    state = subject.state
    if state == TaskState.READY and kernel.running_core(subject.number) is not None:
        state = TaskState.RUNNING
    pending = subject.notification.pending and not subject.dormant
    return state | subject.priority << 8 | subject.wakeups << 16 | pending << 20


COMMANDS: dict[Command, Handler] = {
    Command.TASK_CREATE: create,
    Command.TASK_DELETE: delete,
    Command.TASK_START: start,
    Command.TASK_EXIT: exit_,
    Command.TASK_TERMINATE: terminate,
    Command.TASK_SUSPEND: suspend,
    Command.TASK_RESUME: resume,
    Command.TASK_SET_PRIORITY: set_priority,
    Command.TASK_ROTATE: rotate,
    Command.TASK_RELEASE: release,
    Command.TASK_SLEEP: sleep,
    Command.TASK_WAKEUP: wakeup,
    Command.TASK_DELAY: delay,
    Command.TASK_DELAY_UNTIL: delay_until,
}
