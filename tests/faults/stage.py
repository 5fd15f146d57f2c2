# SPDX-License-Identifier: Apache-2.0
"""A script for the bench of the unit, written while the model plays it; what its loads returned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from mel_gen import Command, Context, IrqAction, Query, Register, TraceKind

from melanion.model import Kernel, Limits
from tests.random.campaign import SIZES, Result, execute
from tests.random.driver import Driver
from tests.random.rehearsal import Rehearsal
from tests.random.script import Entry, Kind, access

LIMITS = SIZES["odd"]  # no size is a power of two, and the tick counter is about to wrap
FOREVER = 0xFFFF_FFFF
HANDLER_LINE = 1  # its edge runs a handler and does nothing else
HANDLER_ENTRIES = 255  # at most, in one handler: a byte of the script
LOUD = (Register.DISPATCH, Register.CLAIM, Register.LOST_IRQS)
QUIET_REGISTERS = [*(r for r in Register if r not in LOUD), Register.LOST_IRQS]
LINES_SETTLE = 40  # cycles: longer than any step and its interrupt

# Numbers of the population, used by the sweeps: tasks first.
RUNNING, READY, DORMANT, MISSING, DELETED = 0, 1, 6, 7, 10
TAKERS = (2, 3)
SLEEPER, SUSPENDED, DELAYED, HELD, WOKEN = 4, 5, 8, 9, 11
WANTED, FULL, GONE, NEVER_MADE = 0, 1, 2, 3  # semaphores
# Event flags, message queues, mutexes: one in use, one deleted, one that was never made.
USED, USED_UP, UNUSED = 0, 1, 2


def perform(program: Path, limits: Limits, entries: list[Entry], seed: int) -> Result:
    """Run one script on the unit of the program. RejectedError."""
    return execute(program, limits, entries, seed)


@dataclass(frozen=True)
class Request:
    """One command word, and its operand when it takes one."""

    op: int
    number: int
    argument: int
    operand: int | None = None


class Stage:
    """`entries` grow by one at every call; `context` is where the next one will arrive."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self.rehearsal = Rehearsal(Kernel(limits))
        self.driver = Driver(self.rehearsal, 0)
        self.entries: list[Entry] = []
        self.looks: list[range] = []

    @property
    def context(self) -> Context:
        return self.driver.context

    def add(self, entry: Entry) -> int:
        self.rehearsal.play([chain(self.driver.begin(entry), self.driver.finish(entry))])
        self.entries.append(entry)
        return len(self.entries) - 1

    def call(
        self, command: int, number: int = 0, argument: int = 0, operand: int | None = None
    ) -> int:
        return self.add(Entry(Kind.COMMAND, command, number, argument, operand=operand))

    def look(self) -> None:
        """Load everything that can be loaded without an effect."""
        first = len(self.entries)
        for offset in [*self.queries, *map(int, QUIET_REGISTERS)]:
            self.add(access(offset))
        self.looks.append(range(first, len(self.entries)))

    @property
    def queries(self) -> list[int]:
        """Offsets of all of them; those of tasks come first, then those of semaphores."""
        counts = {
            Query.TASK_STATE: self.limits.tasks,
            Query.SEMAPHORE_COUNT: self.limits.semaphores,
            Query.QUEUE_COUNT: self.limits.queues,
            Query.MUTEX_STATE: self.limits.mutexes,
        }
        return [query * 1024 + 4 * n for query, count in counts.items() for n in range(count)]

    @property
    def look_length(self) -> int:
        return len(self.queries) + len(QUIET_REGISTERS)

    def enter_handler(self, entries: int) -> None:
        """The next `entries` entries are made by a handler, those after them are not."""
        assert entries <= HANDLER_ENTRIES
        self.call(Command.IRQ_RAISE, HANDLER_LINE)
        self.add(Entry(Kind.WAIT, argument=LINES_SETTLE, handler=entries))
        assert self.context == Context.HANDLER

    def populate(self) -> None:
        """Boot with an object in every state; at the end task RUNNING runs, and no tick comes."""
        priorities = dict.fromkeys((*TAKERS, SLEEPER, DELAYED, HELD), 0)
        priorities |= {RUNNING: 1, READY: 1, SUSPENDED: 1, DORMANT: 2, DELETED: 2, WOKEN: 2}
        for number, priority in priorities.items():
            self.call(Command.TASK_CREATE, number, priority)
        for number in set(priorities) - {DORMANT, DELETED}:
            self.call(Command.TASK_START, number)
        for number, maximum, initial in ((WANTED, 2, 0), (FULL, 3, 3), (GONE, 1, 1)):
            self.call(Command.SEMAPHORE_CREATE, number, maximum << 16 | initial)
        self.call(Command.TASK_DELETE, DELETED)
        self.call(Command.SEMAPHORE_DELETE, GONE)
        for make, argument in (
            (Command.EVENT_FLAGS_CREATE, 0b1010),
            (Command.QUEUE_CREATE, 3),
            (Command.MUTEX_CREATE, 0),
        ):
            self.call(make, USED, argument)
            self.call(make, USED_UP, argument)
        for delete in (Command.EVENT_FLAGS_DELETE, Command.QUEUE_DELETE, Command.MUTEX_DELETE):
            self.call(delete, USED_UP)
        for message in range(3):
            self.call(Command.QUEUE_POST, USED, 100 + message, operand=7 - message)
        self.call(Command.TASK_SUSPEND, SUSPENDED)
        for _ in range(3):
            self.call(Command.TASK_WAKEUP, WOKEN)
        self.call(Command.IRQ_MAP, HANDLER_LINE, 1 << 4 | IrqAction.NONE)
        self.call(Command.IRQ_ENABLE, HANDLER_LINE)
        self.call(Command.IRQ_MAP, 2, WANTED << 8 | IrqAction.SEMAPHORE_GIVE)
        self.call(Command.IRQ_ENABLE, 2)
        self.call(Command.DISPATCH_ENABLE)
        waits = {
            TAKERS[0]: (Command.SEMAPHORE_TAKE, WANTED, FOREVER),
            TAKERS[1]: (Command.SEMAPHORE_TAKE, WANTED, 5),
            SLEEPER: (Command.TASK_SLEEP, 0, 4),
            DELAYED: (Command.TASK_DELAY, 0, 3),
            HELD: (Command.SEMAPHORE_TAKE, WANTED, FOREVER),
        }
        while (task := self.driver.core.running) != RUNNING:
            assert task is not None
            self.call(*waits.pop(task))
        assert not waits
        self.call(Command.MUTEX_LOCK, USED, 0)
        self.call(Command.TASK_SUSPEND, HELD)

    def unwind(self) -> None:
        """Let everything that waits come out, in an order that the judge compares."""
        self.call(Command.TICK_SET, 0, self.limits.tick_cycles_minimum)
        self.add(Entry(Kind.EDGE, number=2, delay=2, gap=1))
        self.call(Command.SEMAPHORE_GIVE, WANTED)
        for _ in range(7):
            self.add(Entry(Kind.TICK, argument=2 * self.limits.tick_cycles_minimum, delay=80))
        for _ in range(4):
            self.call(Command.QUEUE_RECEIVE, USED, 0)
        self.call(Command.EVENT_FLAGS_TAKE_ANY, USED, FOREVER, operand=0)
        self.call(Command.TASK_RESUME, HELD)
        self.call(Command.TASK_RESUME, SUSPENDED)
        for _ in range(10):
            self.call(Command.TASK_EXIT)
        self.look()
        for register in (Register.RUNNING, Register.REFUSED, Register.LOST_IRQS):
            self.add(access(register, delay=2 * self.limits.tick_cycles_minimum + 1000))

    def play(self, program: Path, seed: int = 1) -> Played:
        return Played(self, perform(program, self.limits, self.entries, seed))


class Played:
    """A run that the judge has accepted, ordered by script entry."""

    def __init__(self, stage: Stage, result: Result) -> None:
        self.stage = stage
        self.run = result.run
        self.read = {a.entry: a.read for a in result.run.accesses if a.kind == 0}
        self.statuses = [
            event[6] - (1 << 32) if event[6] >> 31 else event[6]
            for event in result.run.events
            if event[1] == TraceKind.COMMAND
        ]

    def look(self, index: int) -> tuple[list[int], int]:
        """Return the words that the look `index` loaded, without `refused`; and `refused`."""
        words = [self.read[entry] for entry in self.stage.looks[index]]
        place = len(words) - len(QUIET_REGISTERS) + QUIET_REGISTERS.index(Register.REFUSED)
        return words[:place] + words[place + 1 :], words[place]

    def times(self, kinds: Iterable[TraceKind]) -> list[int]:
        return [event[0] for event in self.run.events if event[1] in set(kinds)]
