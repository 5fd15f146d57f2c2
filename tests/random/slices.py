"""How soon a slice that is over ends.

The unit gives a used-up slice way to a few steps of other sources only, and has no excuse while
it does nothing: a slice that ends a tick late is a wrong count, not a slow one.
"""

from __future__ import annotations

from mel_gen import TraceKind

from melanion.model import Kernel, quantum
from melanion.model.replay import Event
from tests.random.records import RejectedError

NO_STEPS = frozenset({TraceKind.TICK, TraceKind.ANSWER, TraceKind.IRQ_WIRE})


class Slices:
    """Follows the slices that are owed; cycles and steps as in hw/rtl/mel_arbiter.sv."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        limits = kernel.limits
        cores = limits.cores
        chain = min(limits.tasks, limits.mutexes)
        self.longest = 24 + 8 * cores + 16 * chain  # cycles of a step; queries have no event
        self.most = 3 * cores + 4  # steps of accesses, interrupts, turns and other slices
        self.since: list[int | None] = [None] * cores
        self.steps = [0] * cores
        self.last = 0  # cycle of the last step

    def event(self, event: Event) -> None:
        """The model is about to execute it."""
        cycle, kind, number = event[:3]
        for core, since in enumerate(self.since):
            if since is None or (kind == TraceKind.SLICE and number == core):
                continue
            self.steps[core] += kind not in NO_STEPS
            idle = cycle - max(since, self.last)
            if self.steps[core] > self.most or idle > self.longest:
                raise RejectedError(
                    f"core {core}: the slice is over since cycle {since}, and does not end"
                )
        if kind not in NO_STEPS:
            self.last = cycle

    def after(self, event: Event) -> None:
        """The model has executed it."""
        for core in self.kernel.cores:
            if not quantum.is_owed(self.kernel, core):
                self.since[core.number] = None
            elif self.since[core.number] is None or event[1:3] == (TraceKind.SLICE, core.number):
                self.since[core.number] = event[0]
                self.steps[core.number] = 0
