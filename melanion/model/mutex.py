# SPDX-License-Identifier: Apache-2.0
"""Mutex commands of the golden model, and priority inheritance.

A task's priority is the most urgent of its base priority and, for every mutex that it owns, the
priority of the most urgent waiter and the ceiling. When a wait begins, ends or moves, `inherit`
follows the owners: each may itself wait for a mutex, whose owner then inherits in turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mel_gen import LOCKS_LIMIT, Command, IdKind, Status

from melanion.model.state import Core, ModelError, Mutex, Task, Wait

if TYPE_CHECKING:
    from melanion.model.kernel import Handler, Kernel


def ceiling(argument: int) -> int | None:
    """The ceiling that mutex_create asks for; None: inheritance only."""
    return argument & 0xFF if argument >> 8 & 1 else None


def create(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    if number in kernel.mutexes:
        return Status.E_OBJ
    if (IdKind.MUTEX, number) in kernel.dying:
        raise ModelError(f"mutex {number} still has waiters from before it was deleted")
    kernel.mutexes[number] = Mutex(number, ceiling(argument))
    return Status.E_OK


def delete(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    """The waiters leave one by one (`Kernel.release`); till then their waits may end otherwise."""
    subject = kernel.mutexes.pop(number)
    if subject.waiting:
        kernel.dying[IdKind.MUTEX, number] = subject
    if subject.owner is not None:
        _disown(kernel, subject)
    return Status.E_OK


def lock(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    subject = kernel.mutexes[number]
    caller = kernel.running_task(core)
    if subject.ceiling is not None and caller.base_priority < subject.ceiling:
        return Status.E_ILUSE
    if subject.owner is None:
        _own(subject, caller)
        inherit(kernel, caller)
        return Status.E_OK
    if subject.owner == caller.number:
        if subject.locks == LOCKS_LIMIT:
            return Status.E_QOVR
        subject.locks += 1
        return Status.E_OK
    if argument == 0:
        return Status.E_TMOUT
    if deadlock(kernel, subject, caller):
        return Status.E_ILUSE
    caller.awaited = subject
    answer = kernel.start_wait(caller, Wait.MUTEX, argument, subject.waiting)
    inherit(kernel, kernel.tasks[subject.owner])
    return answer


def unlock(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    subject = kernel.mutexes[number]
    if subject.owner is None:
        return Status.E_OBJ
    if subject.owner != core.running:
        return Status.E_ILUSE
    subject.locks -= 1
    if subject.locks == 0:
        subject.abandoned = False
        _hand_over(kernel, subject)
    return Status.E_OK


def orphan(kernel: Kernel, number: int, ended: int) -> int | None:
    """A mutex of a task that ended goes to the first of the most urgent waiters, if any."""
    subject = kernel.mutexes.get(number)
    if subject is None or subject.owner != ended or not kernel.tasks[ended].dormant:
        raise ModelError(f"mutex {number} is not owned by a task {ended} that ended")
    subject.abandoned = True
    _hand_over(kernel, subject)
    return subject.owner


def state_word(kernel: Kernel, subject: Mutex) -> int:
    """Result of the query mutex_state."""
    owner = kernel.limits.tasks if subject.owner is None else subject.owner
    return owner | subject.locks << 9 | subject.abandoned << 17


def _own(subject: Mutex, task: Task) -> None:
    subject.owner = task.number
    subject.locks = 1
    task.owned.append(subject)


def _disown(kernel: Kernel, subject: Mutex) -> None:
    assert subject.owner is not None
    owner = kernel.tasks[subject.owner]
    owner.owned.remove(subject)
    if not owner.owned:
        kernel.orphans.discard(owner.number)
    subject.owner = None
    subject.locks = 0
    inherit(kernel, owner)


def _hand_over(kernel: Kernel, subject: Mutex) -> None:
    _disown(kernel, subject)
    if subject.waiting:
        first = kernel.tasks[subject.waiting[0]]
        first.awaited = None
        kernel.leave_wait(first)
        _own(subject, first)
        first.priority = effective(kernel, first)
        first.result = Status.E_OK
        if first.runnable:
            kernel.make_ready(first)


def deadlock(kernel: Kernel, subject: Mutex, caller: Task) -> list[Mutex]:
    """The mutexes of the cycle that a wait of the caller would close, `subject` first; or none."""
    chain: list[Mutex] = []
    awaited: Mutex | None = subject
    while awaited is not None and awaited.owner is not None:
        chain.append(awaited)
        if awaited.owner == caller.number:
            return chain
        awaited = kernel.tasks[awaited.owner].awaited
    return []


def effective(kernel: Kernel, task: Task) -> int:
    """The priority that a task has by itself and by the mutexes that it owns."""
    levels = [task.base_priority]
    for subject in task.owned:
        if subject.ceiling is not None:
            levels.append(subject.ceiling)
        if subject.waiting:
            levels.append(kernel.tasks[subject.waiting[0]].priority)
    return min(levels)


def inherit(kernel: Kernel, task: Task) -> None:
    """Recompute the priority of a task; its inherited one may have changed.

    A running task keeps its turn, others go behind those of their new priority.
    """
    priority = task.base_priority if task.dormant else effective(kernel, task)
    if priority == task.priority:
        return
    kernel.reprioritize(task, priority)
    kernel.move_waiter(task)


COMMANDS: dict[Command, Handler] = {
    Command.MUTEX_CREATE: create,
    Command.MUTEX_DELETE: delete,
    Command.MUTEX_LOCK: lock,
    Command.MUTEX_UNLOCK: unlock,
}
