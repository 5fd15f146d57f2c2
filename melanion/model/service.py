# SPDX-License-Identifier: Apache-2.0
"""Service of interrupts in the golden model: what an edge does without the CPU (HW ISR)."""

from __future__ import annotations

from mel_gen import MESSAGE_PRIORITIES, IrqAction, Status

import melanion.model.event_flags as event_flags
import melanion.model.notification as notification
import melanion.model.queue as queue
import melanion.model.semaphore as semaphore
import melanion.model.task as task
from melanion.model.interrupt import OBJECTS
from melanion.model.state import Interrupt, ModelError
from melanion.model.waiting import Waiting


def serve(kernel: Waiting, number: int) -> Status:
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


def _act(kernel: Waiting, line: Interrupt) -> Status:
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
