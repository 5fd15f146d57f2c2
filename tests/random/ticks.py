# SPDX-License-Identifier: Apache-2.0
"""The lengths of ticks, to the cycle.

The count begins with the command that sets a length while none runs. A count that has run out
begins again in that cycle, with the length that is set then: a command in this very cycle counts;
of a unit at twice the cores' clock one in the second half does not, and either may be meant.
Its tick is published in the cycle behind it, unless a step, a change of deadlines or the scan of
them holds it up; then as soon as that ends, and none is lost.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque

from mel_gen import Command, TraceKind

from melanion.model.replay import Event
from tests.random.records import LINES, RejectedError, Run

PUBLISHED = 1  # cycles from the end of a count to its tick
# Cycles: when nothing happens for the longest step, two searches of all entries (mel_time) and so
# long before the end of a count, its tick is not held up.
QUIET = 32
# The unit's program then begins the step of the tick so many cycles later, and reports it: at the
# cores' clock and at twice that.
ALONE = {False: (2, 8), True: (0, 3)}
SITUATIONS = ("tick length set as a count ends", "tick judged to the cycle")


class Ticks:
    """Follows the count of a run on the RTL."""

    def __init__(self, run: Run) -> None:
        # Cycles that a tick may be held up; the shortest one may not suffice for what it releases
        # (docs/decisions, 0034), so the steps meanwhile count as well.
        self.step = run.step
        self.search = 2 * (run.limits.tasks + run.limits.timers) if run.step else 0
        self.begins, self.reports = ALONE[run.halves] if run.step else (0, 0)
        self.longest = 2 * run.limits.tick_cycles_minimum + run.step
        self.length = 0
        self.halves = run.halves
        self.former: int | None = (
            None  # cycle in which the count may end instead, with the length before
        )
        self.ends: int | None = None  # the cycle in which the count runs out
        self.due: deque[int] = deque()  # counts that ran out, without their ticks
        self.steps = sorted(event[0] for event in run.events if event[1] != TraceKind.TICK)
        busy = list(self.steps)
        for access in run.accesses:
            if access.kind != LINES:
                busy += (access.accepted, access.answered)
        for first, last in run.work:
            busy += (*range(first, last, QUIET), last)
        self.busy = sorted(busy)

    def event(self, event: Event) -> str | None:
        """One event of the run, in order; what came, of SITUATIONS."""
        cycle, kind = event[:2]
        if kind == TraceKind.TICK:
            return self.tick(cycle, wraps=event[4] == 0)
        if kind == TraceKind.COMMAND and event[3] & 0xFF == Command.TICK_SET and not event[6]:
            return self.set(cycle, event[5])
        return None

    def set(self, cycle: int, length: int) -> str | None:
        """The length is set in this cycle; 0: no more ticks."""
        self.run_out(cycle - 1)
        at_the_end = self.ends == cycle
        if at_the_end:
            self.due.append(cycle)
        if at_the_end and self.halves and length:
            self.former = cycle + self.length
        self.length = length
        if not length:
            self.ends = self.former = None
        elif self.ends is None or at_the_end:
            self.ends = cycle + length
        return SITUATIONS[0] if at_the_end else None

    def run_out(self, cycle: int) -> None:
        """Note every count that ends up to this cycle."""
        while self.ends is not None and self.ends <= cycle:
            self.due.append(self.ends)
            self.ends += self.length

    def tick(self, cycle: int, *, wraps: bool = False) -> str | None:
        """A tick is published. `wraps`: the low word of the time is 0. Raises RejectedError: too
        early or too late."""
        over = cycle - PUBLISHED
        if self.former is not None and self.ends is not None and not self.due:
            # It is the later one of the two ends that are over.
            if self.former <= over and not self.former <= self.ends <= over:
                self.ends = self.former
            self.former = None
        self.run_out(over)
        if not self.due:
            ends = "none is counted" if self.ends is None else f"at {self.ends + PUBLISHED}"
            raise RejectedError(f"a tick comes too early; the next: {ends}")
        expected = self.due.popleft() + PUBLISHED
        quiet = not wraps and self.is_quiet(expected)  # the high word takes the program longer
        held = bisect_left(self.steps, cycle) - bisect_left(self.steps, expected)
        if cycle - expected > (self.reports if quiet else self.longest + held * self.step):
            raise RejectedError(f"a tick comes too late: it is due at {expected}")
        return SITUATIONS[1] if quiet else None

    def is_quiet(self, expected: int) -> bool:
        """Nothing but its own step happens from long before a tick on until its report."""
        first = bisect_left(self.busy, expected - QUIET - self.step - self.search)
        end = bisect_left(self.busy, expected + self.reports)
        return set(self.busy[first:end]) <= {expected + self.begins}

    def check_end(self, cycle: int) -> None:
        """Raises RejectedError: a tick is owed at the end of the run."""
        self.run_out(cycle)
        if self.due and cycle - self.due[0] > self.longest:
            raise RejectedError(f"at the end a tick is owed since {self.due[0] + PUBLISHED}")
