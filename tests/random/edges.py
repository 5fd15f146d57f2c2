# SPDX-License-Identifier: Apache-2.0
"""Accounts of interrupt edges.

Each edge of an enabled line is served, lost and counted, or forgotten by a disable command. No
trace event shows a lost edge; the register `lost_irqs` counts it. A timer's expiry is an edge too.
"""

from __future__ import annotations

from mel_gen import Command

from melanion.model import Kernel

NEAR = 8  # cycles around an interrupt command in which an edge may count or not
QUIET = 64  # cycles after the last edge: it has been served
TAKEN = 32  # cycles at most from the taking of an edge to its event: a later edge waits anew


class EdgeLedger:
    """Edges that came, and their fate. `merged`: edges that may have met a pending one."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.came = self.served = self.doubtful = self.merged = 0
        self.open: dict[int, int] = {}  # edges of a line since it was served last
        self.latest: dict[int, list[int]] = {}  # cycles of the latest edges of a line
        self.last = 0  # … of all lines
        self.anew: set[int] = set()  # lines that rose shortly before they were served last
        self.raised: dict[int, int] = {}  # cycle of the latest irq_raise of a line

    def rise(self, line: int, cycle: int) -> None:
        """A line rose, irq_raise said so, or a timer expired."""
        if line >= len(self.kernel.interrupts):
            return
        self.latest[line] = [*self._recent(line, cycle, QUIET), cycle]
        self.last = cycle
        self.doubtful += cycle - self.raised.get(line, -NEAR) < NEAR
        if not self.kernel.interrupts[line].enabled:
            return
        self.came += 1
        self.merged += line in self.open
        self.open[line] = self.open.get(line, 0) + 1

    def serve(self, line: int, cycle: int) -> None:
        """The unit reports an edge."""
        self.served += 1
        self.anew.discard(line)
        if self.open.pop(line, 0) > 1 and self._recent(line, cycle, TAKEN):
            self.anew.add(line)

    def command(self, op: int, line: int, cycle: int) -> None:
        """A command was done; the model has not executed it yet."""
        recent = len(self._recent(line, cycle))
        if op == Command.IRQ_RAISE:
            # A wire that rises in the same cycle is the same edge.
            self.doubtful += bool(recent)
            self.rise(line, cycle)
            self.raised[line] = cycle
        elif op == Command.IRQ_ENABLE and not self.kernel.interrupts[line].enabled:
            self.doubtful += bool(recent)
        elif op == Command.IRQ_DISABLE:  # one that was served lately may not have been the last
            pending = line in self.anew or bool(self._recent(line, cycle, QUIET))
            self.anew.discard(line)
            self.doubtful += max(recent, pending, self.open.pop(line, 0))

    def _recent(self, line: int, cycle: int, span: int = NEAR) -> list[int]:
        return [before for before in self.latest.get(line, []) if cycle - before < span]

    def difference(self, lost_register: int, cycle: int) -> str:
        """Return the error in the count of lost edges; empty: none, or some edges are under way."""
        if self.open or cycle - self.last < QUIET:
            return ""
        pending = lost_register - self.kernel.lost_irqs
        missing = self.came - self.served - pending
        if abs(missing) <= self.doubtful:
            return ""
        return (
            f"{self.came} edges: {self.served} served, {pending} lost while pending by lost_irqs,"
            f" {self.doubtful} near an enable or disable; {missing} are unaccounted for"
        )
