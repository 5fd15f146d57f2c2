# SPDX-License-Identifier: Apache-2.0
"""Mutex commands of the golden model."""

from __future__ import annotations

from mel_gen import LOCKS_LIMIT, Command, IdKind, Status

from melanion.model.state import Core, ModelError, Mutex, Task, Wait
from melanion.model.waiting import Handler, Waiting


def ceiling(argument: int) -> int | None:
    """The ceiling that mutex_create asks for; None: inheritance only."""
    return argument & 0xFF if argument >> 8 & 1 else None


def create(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    if number in kernel.mutexes:
        return Status.E_OBJ
    kernel.check_released(IdKind.MUTEX, number)
    kernel.mutexes[number] = Mutex(number, ceiling(argument))
    return Status.E_OK


def delete(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.mutexes.pop(number)
    kernel.release_waiters(IdKind.MUTEX, number, subject)
    if subject.owner is not None:
        _disown(kernel, subject)
    return Status.E_OK


def lock(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.mutexes[number]
    caller = kernel.running_task(core)
    if subject.ceiling is not None and caller.base_priority < subject.ceiling:
        return Status.E_ILUSE
    if subject.owner is None:
        _own(subject, caller)
        kernel.inherit(caller)
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
    kernel.inherit(kernel.tasks[subject.owner])
    return answer


def unlock(kernel: Waiting, core: Core, number: int, argument: int) -> int:
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


def orphan(kernel: Waiting, number: int, ended: int) -> int | None:
    """A mutex of a task that ended goes to the first of the most urgent waiters, if any."""
    subject = kernel.mutexes.get(number)
    if subject is None or subject.owner != ended or not kernel.tasks[ended].dormant:
        raise ModelError(f"mutex {number} is not owned by a task {ended} that ended")
    subject.abandoned = True
    _hand_over(kernel, subject)
    return subject.owner


def state_word(kernel: Waiting, subject: Mutex) -> int:
    """Result of the query mutex_state."""
    owner = kernel.limits.tasks if subject.owner is None else subject.owner
    return owner | subject.locks << 9 | subject.abandoned << 17


def _own(subject: Mutex, task: Task) -> None:
    subject.owner = task.number
    subject.locks = 1
    task.owned.append(subject)


def _disown(kernel: Waiting, subject: Mutex) -> None:
    assert subject.owner is not None
    owner = kernel.tasks[subject.owner]
    owner.owned.remove(subject)
    if not owner.owned:
        kernel.orphans.discard(owner.number)
    subject.owner = None
    subject.locks = 0
    kernel.inherit(owner)


def _hand_over(kernel: Waiting, subject: Mutex) -> None:
    _disown(kernel, subject)
    if subject.waiting:
        first = kernel.tasks[subject.waiting[0]]
        first.awaited = None
        kernel.leave_wait(first)
        _own(subject, first)
        first.priority = kernel.effective_priority(first)
        first.result = Status.E_OK
        if first.runnable:
            kernel.make_ready(first)


def deadlock(kernel: Waiting, subject: Mutex, caller: Task) -> list[Mutex]:
    """The mutexes of the cycle that a wait of the caller would close, `subject` first; or none."""
    chain: list[Mutex] = []
    awaited: Mutex | None = subject
    while awaited is not None and awaited.owner is not None:
        chain.append(awaited)
        if awaited.owner == caller.number:
            return chain
        awaited = kernel.tasks[awaited.owner].awaited
    return []


COMMANDS: dict[Command, Handler] = {
    Command.MUTEX_CREATE: create,
    Command.MUTEX_DELETE: delete,
    Command.MUTEX_LOCK: lock,
    Command.MUTEX_UNLOCK: unlock,
}
