# SPDX-License-Identifier: Apache-2.0
"""Semaphore commands of the golden model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mel_gen import Command, IdKind, Status

from melanion.model.state import Core, ModelError, Semaphore, Wait

if TYPE_CHECKING:
    from melanion.model.kernel import Handler, Kernel


def create(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    if number in kernel.semaphores:
        return Status.E_OBJ
    if (IdKind.SEMAPHORE, number) in kernel.dying:
        raise ModelError(f"semaphore {number} still has waiters from before it was deleted")
    kernel.semaphores[number] = Semaphore(maximum=argument >> 16, count=argument & 0xFFFF)
    return Status.E_OK


def delete(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    """The waiters leave one by one (`Kernel.release`); till then their waits may end otherwise."""
    subject = kernel.semaphores.pop(number)
    if subject.waiting:
        kernel.dying[IdKind.SEMAPHORE, number] = subject
    return Status.E_OK


def give(kernel: Kernel, core: Core | None, number: int, argument: int = 0) -> int:
    """Also the action of an interrupt; then there is no core."""
    subject = kernel.semaphores[number]
    if subject.waiting:
        kernel.end_wait(kernel.tasks[subject.waiting[0]], Status.E_OK)
    elif subject.count == subject.maximum:
        return Status.E_QOVR
    else:
        subject.count += 1
    return Status.E_OK


def take(kernel: Kernel, core: Core, number: int, argument: int) -> int:
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
