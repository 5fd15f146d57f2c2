# SPDX-License-Identifier: Apache-2.0
"""Timer commands of the golden model: alarm and cyclic timers, which raise interrupt lines."""

from __future__ import annotations

from mel_gen import Command, Status

from melanion.model.state import NEVER, Core, State, Timer
from melanion.model.waiting import Handler


def start(kernel: State, core: Core, number: int, argument: int) -> int:
    kernel.timers[number] = Timer(kernel.now + argument, kernel.words_of(core).operand)
    return Status.E_OK


def stop(kernel: State, core: Core, number: int, argument: int) -> int:
    subject = kernel.timers[number]
    if subject.expiry == NEVER:
        return Status.E_OBJ
    subject.expiry = NEVER
    return Status.E_OK


def expire(kernel: State) -> None:
    """The tick counter has advanced: the timers whose time has come raise their lines."""
    for line in [n for n, tick in kernel.raised_twice.items() if tick + 1 < kernel.now]:
        del kernel.raised_twice[line]
    for number, subject in enumerate(kernel.timers):
        if subject.expiry == kernel.now:
            kernel.rise(kernel.limits.interrupts + number)
            subject.expiry = kernel.now + subject.period if subject.period else NEVER


COMMANDS: dict[Command, Handler] = {
    Command.TIMER_START: start,
    Command.TIMER_STOP: stop,
}
