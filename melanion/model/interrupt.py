# SPDX-License-Identifier: Apache-2.0
"""Interrupt commands of the golden model, and what an edge does without the CPU (HW ISR)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mel_gen import MESSAGE_PRIORITIES, Command, IdKind, IrqAction, Status

from melanion.model import event_flags, notification, queue, semaphore, task
from melanion.model.state import Core, Interrupt, ModelError

if TYPE_CHECKING:
    from melanion.model.kernel import Handler, Kernel


OBJECTS: dict[IrqAction, IdKind] = {
    IrqAction.SEMAPHORE_GIVE: IdKind.SEMAPHORE,
    IrqAction.TASK_WAKEUP: IdKind.TASK,
    IrqAction.TASK_RELEASE: IdKind.TASK,
    IrqAction.EVENT_FLAGS_SET: IdKind.EVENT_FLAGS,
    IrqAction.QUEUE_POST: IdKind.QUEUE,
    IrqAction.NOTIFICATION_SET: IdKind.TASK,
    IrqAction.NOTIFICATION_GIVE: IdKind.TASK,
}


def bad_map(kernel: Kernel, argument: int, operand: int) -> bool:
    """There is no such action, or its object's number is out of range."""
    action, target = argument & 7, argument >> 8 & 0xFF
    if action == IrqAction.NONE:
        return False
    return action not in set(IrqAction) or target >= kernel.counts[OBJECTS[IrqAction(action)]]


def map_(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    line = kernel.interrupts[number]
    line.action = IrqAction(argument & 7)
    line.handler = bool(argument >> 4 & 1)
    line.target = argument >> 8 & 0xFF
    line.word = kernel.words_of(core).operand
    return Status.E_OK


def enable(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    kernel.interrupts[number].enabled = True
    return Status.E_OK


def disable(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    kernel.interrupts[number].enabled = False
    kernel.raised.discard(number)
    kernel.raised_twice.pop(number, None)
    for candidate in kernel.cores:
        candidate.handler_irqs.discard(number)
    return Status.E_OK


def raise_(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    """The edge is served as an event of its own (`irq`)."""
    if number not in kernel.raised:
        rise(kernel, number)
    return Status.E_OK


def claim_limit(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    kernel.claim_limit = kernel.claims_left = argument
    return Status.E_OK


def rise(kernel: Kernel, number: int) -> None:
    """An edge that the kernel itself knows of; those of the system's lines come from outside."""
    if number >= kernel.limits.interrupts and kernel.interrupts[number].enabled:
        if number in kernel.raised:
            kernel.raised_twice[number] = kernel.now
        kernel.raised.add(number)


def serve(kernel: Kernel, number: int) -> Status:
    """One edge: perform the action, offer it to the handler. Not E_OK: counted as lost."""
    line = kernel.interrupts[number]
    if not line.enabled:
        raise ModelError(f"interrupt {number} is not enabled")
    if number >= kernel.limits.interrupts:
        if number in kernel.raised:
            kernel.raised.remove(number)
        elif kernel.raised_twice.pop(number, None) is None:
            raise ModelError(f"no edge of interrupt {number} is pending, which the kernel raises")
    status = _act(kernel, line)
    if line.handler:
        pending = kernel.cores[0].handler_irqs
        if number in pending and line.action == IrqAction.NONE:
            status = Status.E_QOVR
        pending.add(number)
    elif line.action == IrqAction.NONE:
        status = Status.E_NOEXS
    if status != Status.E_OK:
        kernel.lost_irqs += 1
    return status


def _act(kernel: Kernel, line: Interrupt) -> Status:
    if line.action == IrqAction.NONE:
        return Status.E_OK
    kind, number = OBJECTS[line.action], line.target
    if number not in kernel.objects[kind]:
        return Status.E_NOEXS
    core = kernel.cores[0]
    match line.action:
        case IrqAction.SEMAPHORE_GIVE:
            return Status(semaphore.give(kernel, core, number))
        case IrqAction.EVENT_FLAGS_SET:
            return Status(event_flags.set_(kernel, core, number, line.word))
        case IrqAction.QUEUE_POST:
            return queue.enter(kernel, number, MESSAGE_PRIORITIES - 1, line.word)
        case IrqAction.NOTIFICATION_SET:
            return Status(notification.set_(kernel, core, number, line.word))
        case IrqAction.NOTIFICATION_GIVE:
            return Status(notification.give(kernel, core, number, 0))
    perform = task.wakeup if line.action == IrqAction.TASK_WAKEUP else task.release
    return Status(perform(kernel, core, number, 0))


COMMANDS: dict[Command, Handler] = {
    Command.IRQ_MAP: map_,
    Command.IRQ_ENABLE: enable,
    Command.IRQ_DISABLE: disable,
    Command.IRQ_RAISE: raise_,
    Command.CLAIM_LIMIT: claim_limit,
}
