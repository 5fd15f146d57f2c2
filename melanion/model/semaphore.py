# SPDX-License-Identifier: Apache-2.0
"""Semaphore commands of the golden model."""

from __future__ import annotations

from mel_gen import Command, IdKind, Status

from melanion.model.state import Core, Semaphore, Wait
from melanion.model.waiting import Handler, Waiting


def create(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    if number in kernel.semaphores:
        return Status.E_OBJ
    kernel.check_released(IdKind.SEMAPHORE, number)
    kernel.semaphores[number] = Semaphore(maximum=argument >> 16, count=argument & 0xFFFF)
    return Status.E_OK


def delete(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    kernel.release_waiters(IdKind.SEMAPHORE, number, kernel.semaphores.pop(number))
    return Status.E_OK


def give(kernel: Waiting, core: Core | None, number: int, argument: int = 0) -> int:
    """Also the action of an interrupt; then there is no core."""
    subject = kernel.semaphores[number]
    if subject.waiting:
        kernel.end_wait(kernel.tasks[subject.waiting[0]], Status.E_OK)
    elif subject.count == subject.maximum:
        return Status.E_QOVR
    else:
        subject.count += 1
    return Status.E_OK


def take(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.semaphores[number]
    if subject.count:
        subject.count -= 1
        return Status.E_OK
    if argument == 0:
        return Status.E_TMOUT
    caller = kernel.running_task(core)
    return kernel.start_wait(caller, Wait.SEMAPHORE, argument, subject.waiting)


COMMANDS: dict[Command, Handler] = {
    Command.SEMAPHORE_CREATE: create,
    Command.SEMAPHORE_DELETE: delete,
    Command.SEMAPHORE_GIVE: give,
    Command.SEMAPHORE_TAKE: take,
}
