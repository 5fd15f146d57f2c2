# SPDX-License-Identifier: Apache-2.0
"""Time and dispatch commands of the golden model. Ticks themselves are events (`Kernel.tick`)."""

from __future__ import annotations

from mel_gen import Command, Status

from melanion.model.state import Core, State
from melanion.model.waiting import Handler


def tick_set(kernel: State, core: Core, number: int, argument: int) -> int:
    kernel.tick_cycles = argument
    if not argument:
        kernel.claims_left = kernel.claim_limit
    return Status.E_OK


def dispatch_disable(kernel: State, core: Core, number: int, argument: int) -> int:
    core.dispatch_enabled = False
    return Status.E_OK


def dispatch_enable(kernel: State, core: Core, number: int, argument: int) -> int:
    core.dispatch_enabled = True
    return Status.E_OK


COMMANDS: dict[Command, Handler] = {
    Command.TICK_SET: tick_set,
    Command.DISPATCH_DISABLE: dispatch_disable,
    Command.DISPATCH_ENABLE: dispatch_enable,
}
