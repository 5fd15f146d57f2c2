# SPDX-License-Identifier: Apache-2.0
"""Delay bounds: until a slice that is over ends, and until a task first in turn again has its turn.

Only a few steps of other sources may come before either, and the unit has no excuse while it does
nothing: a slice that ends a tick late is a wrong count, not a slow one.
"""

from __future__ import annotations

from mel_gen import Command, TraceKind

from melanion.model import Kernel
from melanion.model.replay import Event
from tests.random.records import RejectedError

NO_STEPS = frozenset({TraceKind.TICK, TraceKind.MISS, TraceKind.ANSWER, TraceKind.IRQ_WIRE})
OWED = {TraceKind.SLICE: "the slice is over", TraceKind.TURN: "the task has its turn again"}


class Slices:
    """Follows what is owed to each core; steps as hw/engine/mel_choice.sv chooses them."""

    def __init__(self, kernel: Kernel, step: int = 0) -> None:
        self.kernel = kernel
        limits = kernel.limits
        cores = limits.cores
        chain = min(limits.tasks, limits.mutexes)
        self.longest = 24 + 8 * cores + 16 * chain  # cycles of a step; queries have no event
        self.longest += step
        # The program does nothing else while it counts a tick.
        self.rests = NO_STEPS - {TraceKind.TICK} if step else NO_STEPS
        # Turns and slices of all cores, and before each of them accesses and interrupts.
        self.most = 2 * cores * (cores + 2) + 2  # steps
        self.since: dict[tuple[TraceKind, int], int] = {}
        self.steps: dict[tuple[TraceKind, int], int] = {}
        self.last = 0  # cycle of the last step
        self.turns = cores > 1  # one core gives turns back when a quantum was set

    def event(self, event: Event) -> None:
        """The model is about to execute it."""
        cycle, kind, number = event[:3]
        for (owed, core), since in self.since.items():
            if (kind, number) == (owed, core):
                continue
            self.steps[owed, core] += kind not in NO_STEPS
            idle = cycle - max(since, self.last)
            if self.steps[owed, core] > self.most or idle > self.longest:
                raise RejectedError(
                    f"core {core}: {OWED[owed]} since cycle {since}, and nothing is done"
                )
        if kind not in self.rests:
            self.last = cycle

    def after(self, event: Event) -> None:
        """The model has executed it."""
        cycle, kind, number = event[:3]
        if kind == TraceKind.COMMAND and event[3] & 0xFF == Command.QUANTUM_SET and not event[6]:
            self.turns = True
        for core in self.kernel.cores:
            here = core.number
            owed = {
                TraceKind.SLICE: self.kernel.slice_over(core),
                TraceKind.TURN: self.turns and self.kernel.has_turn_again(core),
            }
            for what, is_owed in owed.items():
                if not is_owed:
                    self.since.pop((what, here), None)
                elif (what, here) not in self.since or (kind, number) == (what, here):
                    self.since[what, here] = cycle
                    self.steps[what, here] = 0
