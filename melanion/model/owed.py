# SPDX-License-Identifier: Apache-2.0
"""`Owed`: events that the golden model owes, and that a run must bring within `Patience`."""

from __future__ import annotations

from dataclasses import dataclass

from mel_gen import KernelInfo

from melanion.model.busy import WAITS_FOR, Left, left
from melanion.model.describe import Names, runner_text
from melanion.model.kernel import Kernel

IDLE_FAR = 1 << 63  # a cycle that no run reaches


@dataclass(frozen=True)
class Patience:
    """Longest times that the run may owe an event, in cycles.

    `step`: a timeout, release, tick or interrupt service; `dispatch`: the running task of the core.
    """

    step: int
    dispatch: int

    @classmethod
    def of(cls, kernel: KernelInfo) -> Patience:
        """Usual patience with a kernel."""
        return UNIT_PATIENCE if kernel.unit else SOFTWARE_PATIENCE


# A unit needs a few cycles per step; its dispatch waits for code that has interrupts off. Software
# does everything with interrupts off, up to a whole tick of 64 timeouts in slow memory.
UNIT_PATIENCE = Patience(step=1_000, dispatch=50_000)
SOFTWARE_PATIENCE = Patience(step=100_000, dispatch=100_000)


class Owed:
    """The latest cycles of events that the model owes; IDLE_FAR: nothing of that kind is owed.

    `cycle`: that of the present event.
    """

    def __init__(self, kernel: Kernel, patience: Patience, names: Names) -> None:
        self.kernel = kernel
        self.patience = patience
        self.names = names
        self.cycle = 0
        self.timeout_limit = self.release_limit = self.tick_limit = IDLE_FAR
        self.miss_limit = IDLE_FAR
        self.slice_limits = [IDLE_FAR] * kernel.limits.cores
        self.dispatch_limits = [IDLE_FAR] * kernel.limits.cores
        self.tick_span = 0  # the longest distance of two ticks that is still right
        self.irq_limits: dict[int, int] = {}
        self.first_limit = IDLE_FAR  # not above any of these
        self.left_at: dict[Left, int] = {}  # cycles in which it was last left to be done

    def settle(self) -> None:
        """Note what the model owes after an event. Progress has cleared its limit before."""
        kernel = self.kernel
        if not kernel.late:
            self.timeout_limit = IDLE_FAR
        elif self.timeout_limit == IDLE_FAR:
            self.timeout_limit = self._owe(self.patience.step)
        if not (kernel.dying or kernel.released or kernel.orphans or kernel.linked is not None):
            self.release_limit = IDLE_FAR
        else:
            for what in left(kernel):
                self.left_at[what] = self.cycle
            if self.release_limit == IDLE_FAR:
                self.release_limit = self._owe(self.patience.step)
        if not kernel.overdue:
            self.miss_limit = IDLE_FAR
        elif self.miss_limit == IDLE_FAR:
            self.miss_limit = self._owe(self.patience.step)
        # A handler dispatches at its end, whenever that is.
        for number, core in enumerate(kernel.cores):
            if not kernel.slice_over(core):
                self.slice_limits[number] = IDLE_FAR
            elif self.slice_limits[number] == IDLE_FAR:
                self.slice_limits[number] = self._owe(self.patience.step)
            if core.in_handler or not kernel.dispatch_due(core):
                self.dispatch_limits[number] = IDLE_FAR
            elif self.dispatch_limits[number] == IDLE_FAR:
                self.dispatch_limits[number] = self._owe(self.patience.dispatch)

    def leaves(self, op: int) -> bool:
        """True when the work that this command waits for was there until a moment ago: the unit
        finds without an event that it is done."""
        now = left(self.kernel)
        return any(
            what in now or self.cycle - self.left_at.get(what, -IDLE_FAR) <= self.patience.step
            for what in WAITS_FOR[op]
        )

    def _owe(self, cycles: int) -> int:
        limit = self.cycle + cycles
        self.first_limit = min(self.first_limit, limit)
        return limit

    def expect_tick(self, *, changed: bool = False) -> None:
        """A tick was, or (`changed`) its length was set: the one that runs may still have the old
        length."""
        now = self.kernel.tick_cycles
        self.tick_span = max(self.tick_span, now) if changed else now
        length = self.tick_span if self.kernel.tick_cycles else 0
        self.tick_limit = self._owe(length + self.patience.step) if length else IDLE_FAR

    def expect_irq(self, number: int) -> None:
        if self.kernel.interrupts[number].enabled and number not in self.irq_limits:
            self.irq_limits[number] = self._owe(self.patience.step)

    def missing(self, cycle: int) -> str:
        """A sentence about the first event that should have come before this cycle; empty: none.

        Finds the first limit again: limits that were met or cancelled leave it too early.
        """
        self.first_limit = min(
            self.timeout_limit,
            self.release_limit,
            self.tick_limit,
            self.miss_limit,
            *self.slice_limits,
            *self.dispatch_limits,
            min(self.irq_limits.values(), default=IDLE_FAR),
        )
        if cycle <= self.first_limit:
            return ""
        kernel = self.kernel
        limit = self.first_limit
        step, slow = self.patience.step, self.patience.dispatch
        if limit == self.timeout_limit:
            due = ", ".join(map(self._task, kernel.due()))
            return f"the wait of {due} ends by timeout, not done in {step} cycles"
        if limit == self.release_limit:
            return f"{self._owed_release()}, not done in {step} cycles"
        if limit == self.miss_limit:
            late = ", ".join(map(self._task, sorted(kernel.overdue)))
            return f"{late} missed its deadline, not reported in {step} cycles"
        if limit in self.slice_limits:
            core = kernel.cores[self.slice_limits.index(limit)]
            name = self._task(kernel.running_task(core).number)
            return f"{name} has used its quantum, not put back in {step} cycles"
        if limit == self.tick_limit:
            return f"a tick every {kernel.tick_cycles} cycles, none for {step} more"
        if limit in self.dispatch_limits:
            core = kernel.cores[self.dispatch_limits.index(limit)]
            chosen = kernel.chosen(core)
            name = self._task(kernel.limits.tasks if chosen is None else chosen)
            where = f" on core {core.number}" if len(kernel.cores) > 1 else ""
            return f"{name} runs{where}, not dispatched in {slow} cycles"
        number = next(n for n, cycles in self.irq_limits.items() if cycles == limit)
        return f"interrupt {number} is served, not done in {step} cycles"

    def _owed_release(self) -> str:
        kernel = self.kernel
        if kernel.linked is not None:
            return f"{self._task(kernel.linked)} inherits the priority of who waits for it"
        if kernel.released:
            return f"{self._task(min(kernel.released))} leaves the flags that released it"
        if kernel.dying:
            first = next(iter(kernel.dying.values())).waiting[0]
            return f"{self._task(first)} is released with E_DLT"
        return f"the mutexes of {self._task(min(kernel.orphans))}, which ended, are unlocked"

    def _task(self, number: int) -> str:
        return runner_text(number, self.kernel.limits, self.names)
