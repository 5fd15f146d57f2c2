# SPDX-License-Identifier: Apache-2.0
"""Bugs of the round-robin quantum that can be planted in the golden model (see planted_model)."""

from __future__ import annotations

import pytest
from mel_gen import Command

from melanion.model import quantum
from melanion.model.kernel import Kernel
from melanion.model.state import Core, Task
from tests.model.planted_model import Plant, plant_command


def _slice_survives_wait(patch: pytest.MonkeyPatch) -> None:
    right = Kernel.make_ready

    def make_ready(self: Kernel, subject: Task, first: bool = False) -> None:
        kept = subject.used
        right(self, subject, first)
        subject.used = kept

    patch.setattr(Kernel, "make_ready", make_ready)


def _slice_ends_with_preemption(patch: pytest.MonkeyPatch) -> None:
    right = Kernel.dispatch

    def dispatch(self: Kernel, core_number: int) -> int | None:
        before = self.cores[core_number].running
        chosen = right(self, core_number)
        if before is not None and before in self.tasks:
            self.tasks[before].used = 0
        return chosen

    patch.setattr(Kernel, "dispatch", dispatch)


def _quantum_of_every_priority(patch: pytest.MonkeyPatch) -> None:
    def set_(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        quantum.set_(kernel, core, number, argument)
        kernel.quanta = [argument & 0xFFFF] * kernel.limits.priorities
        return 0

    plant_command(patch, Command.QUANTUM_SET, set_)


def _slice_never_ends(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Kernel, "slice_over", lambda self, core: False)


QUANTUM_BUGS: dict[str, Plant] = {
    "a slice goes on after a wait": _slice_survives_wait,
    "a slice ends with a preemption": _slice_ends_with_preemption,
    "a quantum is that of every priority": _quantum_of_every_priority,
    "a slice never ends": _slice_never_ends,
}
