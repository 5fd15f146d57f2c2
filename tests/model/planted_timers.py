# SPDX-License-Identifier: Apache-2.0
"""Bugs of timers for the golden model (see planted_model)."""

from __future__ import annotations

import pytest
from mel_gen import Command, Status

from melanion.model import timer
from melanion.model.kernel import Kernel
from melanion.model.state import NEVER, Core
from tests.model.planted_model import Plant, plant_command


def _timer_is_never_periodic(patch: pytest.MonkeyPatch) -> None:
    def start(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        status = timer.start(kernel, core, number, argument)
        kernel.timers[number].period = 0
        return status

    plant_command(patch, Command.TIMER_START, start)


def _alarm_repeats(patch: pytest.MonkeyPatch) -> None:
    def start(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        status = timer.start(kernel, core, number, argument)
        kernel.timers[number].period = kernel.timers[number].period or argument
        return status

    plant_command(patch, Command.TIMER_START, start)


def _timer_one_tick_late(patch: pytest.MonkeyPatch) -> None:
    def start(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        return timer.start(kernel, core, number, argument + 1)

    plant_command(patch, Command.TIMER_START, start)


def _running_timer_is_not_started_again(patch: pytest.MonkeyPatch) -> None:
    def start(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        if kernel.timers[number].expiry != NEVER:
            return Status.E_OK
        return timer.start(kernel, core, number, argument)

    plant_command(patch, Command.TIMER_START, start)


def _stopped_timer_expires(patch: pytest.MonkeyPatch) -> None:
    def stop(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        return Status.E_OBJ if kernel.timers[number].expiry == NEVER else Status.E_OK

    plant_command(patch, Command.TIMER_STOP, stop)


def _timer_of_a_disabled_line_is_kept(patch: pytest.MonkeyPatch) -> None:
    def rise(self: Kernel, line: int) -> None:
        if line >= self.limits.interrupts:
            self.raised.add(line)

    patch.setattr(Kernel, "rise", rise)


TIMER_BUGS: dict[str, Plant] = {
    plant.__name__.strip("_"): plant
    for plant in (
        _timer_is_never_periodic,
        _alarm_repeats,
        _timer_one_tick_late,
        _running_timer_is_not_started_again,
        _stopped_timer_expires,
        _timer_of_a_disabled_line_is_kept,
    )
}
