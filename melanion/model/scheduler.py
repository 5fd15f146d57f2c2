# SPDX-License-Identifier: Apache-2.0
"""`Scheduler`: ready lists, and who runs on each core of the golden model.

Runnable tasks, the running one included, stand in one list per priority, in order of precedence;
the first task of the most urgent list is the one to run.
"""

from __future__ import annotations

from melanion.model.state import Core, ModelError, State, Task


class Scheduler(State):
    """State, and who runs (docs/decisions/0009)."""

    # ---- the task to run --------------------------------------------------------------------

    def chosen(self, core: Core) -> int | None:
        """The task that the core should run now (docs/decisions/0009); None: idle."""
        if not core.dispatch_enabled:
            return core.running
        if self.limits.cores == 1:
            if not self.occupied:
                return None
            urgent = (self.occupied & -self.occupied).bit_length() - 1
            if core.apart and self.running_task(core).priority == urgent:
                return core.running
            return self.ready[urgent][0]
        if not core.apart:
            return self.candidate(core)
        priority = self.running_task(core).priority
        if not self.occupied & (1 << priority) - 1:  # nobody is more urgent
            return core.running
        candidate = self.candidate(core)
        if candidate is None or self.tasks[candidate].priority >= priority:
            return core.running
        return candidate

    def candidate(self, core: Core) -> int | None:
        """The first ready task that may come to this core: its own first among equals."""
        own, free = self.first_ready(core.number), self.first_ready(None)
        if free is None or self.destined(free) is not core:
            return own
        if own is None or self.tasks[free].priority < self.tasks[own].priority:
            return free
        return own

    def first_ready(self, home: int | None) -> int | None:
        """The first ready task of those that may run on this core only (None: on any)."""
        apart = [core.running for core in self.cores if core.apart]
        tasks, left = self.tasks, self.occupied
        while left:
            lowest = left & -left
            for number in self.ready[lowest.bit_length() - 1]:
                if tasks[number].core == home and number not in apart:
                    return number
            left ^= lowest
        return None

    def listed(self, line: list[int]) -> list[int]:
        """Those of a ready list whose turn it is not already on some core."""
        apart = {core.running for core in self.cores if core.apart}
        return [number for number in line if number not in apart]

    def destined(self, number: int) -> Core | None:
        """Core for the first of the ready tasks that may run on any core."""
        host = self.running_core(number)
        if host is not None:
            return host
        enabled = [core for core in self.cores if core.dispatch_enabled]
        least = self.limits.priorities

        def urgency(core: Core) -> int:
            return self.running_task(core).priority if core.apart else least

        return max(enabled, key=urgency, default=None)  # the first of equals

    def dispatch_due(self, core: Core) -> bool:
        return self.chosen(core) != core.running or (core.ended and core.dispatch_enabled)

    # ---- ready lists ------------------------------------------------------------------------

    def make_ready(self, subject: Task, first: bool = False) -> None:
        """Behind the others of its priority, with a new slice, or before them."""
        line = self.ready[subject.priority]
        if not first:
            subject.used = 0
        line.insert(0 if first else len(line), subject.number)
        self.occupied |= 1 << subject.priority

    def unready(self, subject: Task) -> None:
        host = self.running_core(subject.number)
        if host is not None:
            host.apart = False
        self._leave_line(subject)

    def to_tail(self, subject: Task) -> None:
        """A runnable task goes behind the others of its priority, with a new slice."""
        self._leave_line(subject)
        self.make_ready(subject)

    def reprioritize(self, subject: Task, priority: int) -> None:
        """Another priority: to the head of it where a core runs it, else behind the others."""
        if subject.runnable:
            self._leave_line(subject)
        subject.priority = priority
        if subject.runnable:
            self.make_ready(subject, first=self.running_core(subject.number) is not None)

    def _leave_line(self, subject: Task) -> None:
        line = self.ready[subject.priority]
        line.remove(subject.number)
        if not line:
            self.occupied &= ~(1 << subject.priority)

    # ---- slices (quantum.py) ----------------------------------------------------------------

    def slice_over(self, core: Core) -> bool:
        """The running task of the core has used its quantum, and another could take its turn."""
        if not (core.spent and core.apart):
            return False
        priority = self.running_task(core).priority
        for home in (None, core.number):
            first = self.first_ready(home)
            if first is not None and self.tasks[first].priority == priority:
                return True
        return False

    # ---- events -----------------------------------------------------------------------------

    def begin(self) -> None:
        """An event begins. Slices that were over go on when the task lost its turn, or when the
        waits that end with the tick have ended and no other task could run."""
        judged = self.judging and not self.expired
        for core in self.cores:
            if core.spent and (not core.apart or (judged and not self.slice_over(core))):
                core.spent = False
        self.judging = self.judging and not judged

    def dispatch(self, core_number: int) -> int | None:
        """The core ends its handler, if any, and runs the chosen task: returns it (None: idle)."""
        self.begin()
        core = self.cores[core_number]
        chosen, before = self.chosen(core), core.running
        core.in_handler = False
        if core.dispatch_enabled:
            if core.apart and chosen != before:  # preempted
                subject = self.running_task(core)
                self.reprioritize(subject, subject.priority)
            core.spent = core.spent and chosen == before
            core.running = chosen
            core.apart = chosen is not None
            core.ended = False
        return chosen

    def turn(self, core_number: int) -> int:
        """The running task lost its turn and is the first in turn again; returns it."""
        self.begin()
        core = self.cores[core_number]
        if core.running is None or not self.has_turn_again(core):
            raise ModelError(f"the running task of core {core_number} is not first in turn again")
        core.apart = True
        return core.running

    def has_turn_again(self, core: Core) -> bool:
        """Whether the running task of a core lost its turn, and is the first in turn."""
        if core.running is None or core.apart or not core.dispatch_enabled:
            return False
        return self.running_task(core).runnable and not self.dispatch_due(core)
