# SPDX-License-Identifier: Apache-2.0
"""Timer commands of the golden model: alarm and cyclic timers, which raise interrupt lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mel_gen import Command, Status

from melanion.model import interrupt
from melanion.model.state import NEVER, Core, Timer

if TYPE_CHECKING:
    from melanion.model.kernel import Handler, Kernel


def start(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    kernel.timers[number] = Timer(kernel.now + argument, kernel.words_of(core).operand)
    return Status.E_OK


def stop(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    subject = kernel.timers[number]
    if subject.deadline == NEVER:
        return Status.E_OBJ
    subject.deadline = NEVER
    return Status.E_OK


def expire(kernel: Kernel) -> None:
    """The tick counter has advanced: the timers whose time has come raise their lines."""
    for line in [n for n, tick in kernel.raised_twice.items() if tick + 1 < kernel.now]:
        del kernel.raised_twice[line]
    for number, subject in enumerate(kernel.timers):
        if subject.deadline == kernel.now:
            interrupt.rise(kernel, kernel.limits.interrupts + number)
            subject.deadline = kernel.now + subject.period if subject.period else NEVER


COMMANDS: dict[Command, Handler] = {
    Command.TIMER_START: start,
    Command.TIMER_STOP: stop,
}
