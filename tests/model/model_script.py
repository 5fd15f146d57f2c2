# SPDX-License-Identifier: Apache-2.0
"""A run that is written down event by event, with a clock of its own: see model_driver."""

from __future__ import annotations

import random

from mel_gen import Command, TraceKind

from melanion.model import Patience
from melanion.model.replay import Event
from tests.model.model_driver import Driver

SHORT = Patience(step=50, dispatch=200)


class Script(Driver):
    """A run that is written down, with its own clock."""

    def __init__(self) -> None:
        super().__init__(random.Random(0))

    def at(self, cycle: int) -> Script:
        self.cycle = cycle
        return self

    def record(self, kind: TraceKind, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
        self.events.append((self.cycle, int(kind), 0, a, b, c, d & 0xFFFF_FFFF))

    def value(self) -> None:
        """Only where a test says so."""

    def boot_two_tasks(self) -> None:
        """Task 1 (urgent) waits for semaphore 0 with a limit of 1 tick, task 0 runs."""
        self.command(Command.SEMAPHORE_CREATE, 0, 1 << 16)
        for number, priority in ((0, 2), (1, 1)):
            self.command(Command.TASK_CREATE, number, priority)
            self.command(Command.TASK_START, number, 0)
        self.command(Command.DISPATCH_ENABLE, 0, 0)
        self.dispatch()
        self.command(Command.SEMAPHORE_TAKE, 0, 1)
        self.dispatch()

    def end(self, cycle: int) -> list[Event]:
        self.at(cycle).record(TraceKind.EXIT)
        return self.events
