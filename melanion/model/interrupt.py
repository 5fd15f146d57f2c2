"""Interrupt commands of the golden model, and what an edge does without the CPU (HW ISR)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mel_gen import Command, IrqAction, Status

from melanion.model import semaphore, task
from melanion.model.state import Core, Interrupt, ModelError

if TYPE_CHECKING:
    from melanion.model.kernel import Handler, Kernel


def _decode(argument: int) -> tuple[IrqAction, bool, int]:
    return IrqAction(argument & 3), bool(argument >> 4 & 1), argument >> 8 & 0xFF


def bad_map(kernel: Kernel, argument: int) -> bool:
    """The object's number is out of range for the action."""
    action, _, target = _decode(argument)
    if action == IrqAction.NONE:
        return False
    if action == IrqAction.SEMAPHORE_GIVE:
        return target >= kernel.limits.semaphores
    return target >= kernel.limits.tasks


def map_(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    line = kernel.interrupts[number]
    line.action, line.handler, line.target = _decode(argument)
    return Status.E_OK


def enable(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    kernel.interrupts[number].enabled = True
    return Status.E_OK


def disable(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    kernel.interrupts[number].enabled = False
    for candidate in kernel.cores:
        candidate.handler_irqs.discard(number)
    return Status.E_OK


def raise_(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    """The edge is served as an event of its own (`irq`)."""
    return Status.E_OK


def serve(kernel: Kernel, number: int) -> Status:
    """One edge: perform the action, offer it to the handler. Not E_OK: counted as lost."""
    line = kernel.interrupts[number]
    if not line.enabled:
        raise ModelError(f"interrupt {number} is not enabled")
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
    core = kernel.cores[0]
    if line.action == IrqAction.SEMAPHORE_GIVE:
        if line.target not in kernel.semaphores:
            return Status.E_NOEXS
        return Status(semaphore.give(kernel, core, line.target))
    if line.target not in kernel.tasks:
        return Status.E_NOEXS
    perform = task.wakeup if line.action == IrqAction.TASK_WAKEUP else task.release
    return Status(perform(kernel, core, line.target, 0))


COMMANDS: dict[Command, Handler] = {
    Command.IRQ_MAP: map_,
    Command.IRQ_ENABLE: enable,
    Command.IRQ_DISABLE: disable,
    Command.IRQ_RAISE: raise_,
}
