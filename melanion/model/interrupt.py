# SPDX-License-Identifier: Apache-2.0
"""Interrupt commands of the golden model; what an edge does: service.py."""

from __future__ import annotations

from mel_gen import Command, IdKind, IrqAction, Status

from melanion.model.state import Core, State
from melanion.model.waiting import Handler

OBJECTS: dict[IrqAction, IdKind] = {
    IrqAction.SEMAPHORE_GIVE: IdKind.SEMAPHORE,
    IrqAction.TASK_WAKEUP: IdKind.TASK,
    IrqAction.TASK_RELEASE: IdKind.TASK,
    IrqAction.EVENT_FLAGS_SET: IdKind.EVENT_FLAGS,
    IrqAction.QUEUE_POST: IdKind.QUEUE,
    IrqAction.NOTIFICATION_SET: IdKind.TASK,
    IrqAction.NOTIFICATION_GIVE: IdKind.TASK,
}


def bad_map(kernel: State, argument: int, operand: int) -> bool:
    """There is no such action, or its object's number is out of range."""
    action, target = argument & 7, argument >> 8 & 0xFF
    if action == IrqAction.NONE:
        return False
    return action not in set(IrqAction) or target >= kernel.counts[OBJECTS[IrqAction(action)]]


def map_(kernel: State, core: Core, number: int, argument: int) -> int:
    line = kernel.interrupts[number]
    line.action = IrqAction(argument & 7)
    line.handler = bool(argument >> 4 & 1)
    line.target = argument >> 8 & 0xFF
    line.word = kernel.words_of(core).operand
    return Status.E_OK


def enable(kernel: State, core: Core, number: int, argument: int) -> int:
    kernel.interrupts[number].enabled = True
    return Status.E_OK


def disable(kernel: State, core: Core, number: int, argument: int) -> int:
    kernel.interrupts[number].enabled = False
    kernel.raised.discard(number)
    kernel.raised_twice.pop(number, None)
    for candidate in kernel.cores:
        candidate.handler_irqs.discard(number)
    return Status.E_OK


def raise_(kernel: State, core: Core, number: int, argument: int) -> int:
    """The edge is served as an event of its own (`irq`)."""
    if number not in kernel.raised:
        kernel.rise(number)
    return Status.E_OK


def claim_limit(kernel: State, core: Core, number: int, argument: int) -> int:
    kernel.claim_limit = kernel.claims_left = argument
    return Status.E_OK


COMMANDS: dict[Command, Handler] = {
    Command.IRQ_MAP: map_,
    Command.IRQ_ENABLE: enable,
    Command.IRQ_DISABLE: disable,
    Command.IRQ_RAISE: raise_,
    Command.CLAIM_LIMIT: claim_limit,
}
