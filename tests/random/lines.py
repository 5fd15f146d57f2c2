# SPDX-License-Identifier: Apache-2.0
"""The interrupt lines of every core: what they must be, and since when they are something else.

`dispatch` is high when the core should run another task, no handler runs on it, and the answer to
the running context's last command did not say so already (nor is one under way, whose answer will),
or that answer is unsettled, because the command has begun a chain of owners;
`handler` is high (core 0 only) while an interrupt waits for its C handler. Lines follow the events:
for `settle` cycles and a step either level is right, and a line may come a step before its event
(at once, and a few cycles before it, in a rehearsal on the model alone); a core that need not
change is not interrupted.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from mel_gen import ANSWER_DISPATCH_DUE, ANSWER_WAITING, Command, TraceKind

from melanion.model import Kernel
from melanion.model.replay import Event
from melanion.model.state import Core
from tests.random.turns import END, begins_chain

DISPATCH, HANDLER = 1, 2
NAMES = {DISPATCH: "dispatch", HANDLER: "handler"}
AHEAD = 12  # cycles by which a line may change before the event that explains it …
ROW = 16  # … and one per row of tasks, when event flags are judged in its step
LONG_AGO = -(1 << 40)
# Commands that are answered when the first task has left; those of a microprogram as well.
BEHIND = frozenset({Command.EVENT_FLAGS_SET, Command.EVENT_FLAGS_DELETE})
DELETES = frozenset({Command.SEMAPHORE_DELETE, Command.QUEUE_DELETE, Command.MUTEX_DELETE})


class LineError(Exception):
    """A line is not what it must be; the text says which, and since when."""


@dataclass
class Level:
    """One line: what it is and what it must be, since which cycles."""

    found: int = 0
    found_since: int = 0
    expected: int = 0
    expected_since: int = 0
    high_until: int = LONG_AGO  # the latest cycle in which it was expected high
    unexplained: int | None = None  # it rose then, which no event explains yet


class Lines:
    """Follows the model; `told`: the last answer of the running context says `dispatch due`."""

    def __init__(self, kernel: Kernel, settle: int, step: int = 0) -> None:
        self.kernel = kernel
        self.settle = settle + step
        self.ahead = step or AHEAD + kernel.limits.tasks // ROW
        self.answers_behind = BEHIND | DELETES if step else BEHIND
        self.told = [False] * kernel.limits.cores
        self.waited = list(self.told)
        self.in_handler = list(self.told)
        self.asked = [0] * kernel.limits.cores  # commands under way …
        self.served = [LONG_AGO] * kernel.limits.cores  # … and the cycle in which the last ended
        self.released: set[int] = set()  # by flags or a deletion, before the event
        self.chained = LONG_AGO  # cycle of the last link of a chain of owners
        # … and that in which a command of the core's running task may have begun one
        self.begun = [LONG_AGO] * kernel.limits.cores
        self.setter: int | None = None  # core of the last step, if its task set flags in it
        self.levels = {
            (core.number, line): Level() for core in kernel.cores for line in (DISPATCH, HANDLER)
        }

    def expected(self, core: Core) -> int:
        """The lines of a core that are high when all is settled."""
        asks = not self.told[core.number] and self.kernel.dispatch_due(core) and not core.in_handler
        return DISPATCH * asks | HANDLER * self.kernel.handler_due(core)

    def settled(self, core: int) -> int:
        """`expected` of a core as it was behind the last event."""
        return sum(line for line in NAMES if self.levels[core, line].expected)

    def waits(self, core: Core) -> bool:
        """The running task waits: its core did not switch yet."""
        return core.running is not None and bool(self.kernel.tasks[core.running].wait)

    def flags(self, core: Core) -> int:
        """Return the flags of an answer E_OK to a program of this core."""
        if core.in_handler:
            return 0
        due = ANSWER_DISPATCH_DUE if self.told[core.number] else 0
        waits = self.waits(core) and not core.ended
        return due | (ANSWER_DISPATCH_DUE | ANSWER_WAITING) * waits

    def ask(self, core: int) -> None:
        """The store of a command is taken."""
        self.asked[core] += 1

    # ---- what is told -------------------------------------------------------------------------

    def before(self) -> None:
        """The model is about to execute an event."""
        cores = self.kernel.cores
        self.waited = [self.waits(core) and not core.ended for core in cores]
        self.in_handler = [core.in_handler for core in cores]
        dying = (gone.waiting for gone in self.kernel.dying.values())
        self.released = {*self.kernel.released, *chain.from_iterable(dying)}

    def after(self, event: Event) -> None:
        """The model has executed the event."""
        kernel, kind, core = self.kernel, event[1], self.kernel.cores[event[2]]
        if kind == TraceKind.COMMAND:
            self.asked[core.number] -= 1
            self.served[core.number] = event[0]
        if kind == TraceKind.DISPATCH:
            self.told[core.number] = False
            self.begun[core.number] = LONG_AGO
        elif kind == TraceKind.COMMAND and not self.in_handler[core.number]:
            self.told[core.number] = event[6] >> 31 == 0 and kernel.dispatch_due(core)
            if core.running is not None and begins_chain(event):
                self.begun[core.number] = event[0]
        for other, waited in zip(kernel.cores, self.waited, strict=True):
            if waited and not self.waits(other):
                self.told[other.number] = False
        if kind == TraceKind.INHERIT:
            self.chained = event[0]
        self._release(event)
        for other in kernel.cores:
            self._expect(other, event[0])

    def _release(self, event: Event) -> None:
        """The first task that flags or a deletion released leaves in the step of the command:

        the answer says what is due after it.
        """
        kind = event[1]
        if kind == TraceKind.COMMAND:
            sets = event[3] & 0xFF in self.answers_behind
            by_task = sets and event[6] == 0 and not self.kernel.cores[event[2]].in_handler
            leave = self.kernel.released or (event[3] & 0xFF in DELETES and self.kernel.dying)
            self.setter = event[2] if by_task and leave else None
        elif kind == TraceKind.RELEASE and self.setter is not None and event[3] in self.released:
            self.told[self.setter] = self.kernel.dispatch_due(self.kernel.cores[self.setter])
            self.setter = None
        elif kind == TraceKind.ANSWER and event[2] == self.setter:
            self.setter = None  # answered: that step has ended
        elif kind not in (TraceKind.TICK, TraceKind.MISS, TraceKind.ANSWER, TraceKind.VALUE):
            self.setter = None

    # ---- what is found ------------------------------------------------------------------------

    def _expect(self, core: Core, cycle: int) -> None:
        expected = self.expected(core)
        for line in NAMES:
            level = self.levels[core.number, line]
            now = int(bool(expected & line))
            if now:
                level.unexplained = None
            if now != level.expected:
                if not now:
                    level.high_until = cycle
                level.expected, level.expected_since = now, cycle

    def change(self, core: int, found: int, cycle: int) -> None:
        """The lines of a core become `found`."""
        for line in NAMES:
            level = self.levels[core, line]
            now = int(bool(found & line))
            if now == level.found:
                continue
            level.found, level.found_since = now, cycle
            explained = level.expected or cycle - level.high_until <= self.settle
            if now and not explained and not (line == DISPATCH and self._unsettled(core, cycle)):
                level.unexplained = cycle

    def _unsettled(self, number: int, cycle: int) -> bool:
        """What the last answer told may be unsettled: the line rises though it was told.

        The unit looks at the next owner before it knows that it inherits nothing.
        """
        core = self.kernel.cores[number]
        goes_on = self.kernel.linked is not None or cycle - self.begun[number] < END
        begun = self.begun[number] != LONG_AGO
        return begun and goes_on and not core.in_handler and self.kernel.dispatch_due(core)

    def check(self, cycle: int) -> None:
        """Before what happens in this cycle. LineError."""
        for (core, line), level in self.levels.items():
            rose = level.unexplained
            if rose is None and level.found == level.expected:
                continue
            if rose is not None and cycle - rose > self.ahead:
                raise LineError(
                    f"core {core}: line {NAMES[line]} rose at cycle {rose}, without reason"
                )
            if line == DISPATCH and level.expected and self.asked[core] > 0:
                continue
            if line == DISPATCH and self.kernel.linked is not None:
                continue  # a chain that goes on may change who runs
            since = max(level.found_since, level.expected_since, self.served[core], self.chained)
            if level.found != level.expected and cycle - since > self.settle:
                words = ["low", "high"]
                raise LineError(
                    f"core {core}: line {NAMES[line]} {words[level.expected]} expected, found"
                    f" {words[level.found]} since cycle {since}"
                )
