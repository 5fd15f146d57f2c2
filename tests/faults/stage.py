"""A script for the bench of the unit, written while the model plays it; what its loads returned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mel_gen import Command, Context, IrqAction, Query, Register, TraceKind

from melanion.model import Limits
from tests.random.campaign import SIZES, Result, execute
from tests.random.rehearsal import Rehearsal
from tests.random.script import Entry, Kind, access

LIMITS = SIZES["odd"]  # no size is a power of two, and the tick counter is about to wrap
FOREVER = 0xFFFF_FFFF
HANDLER_LINE = 1  # its edge runs a handler and does nothing else
HANDLER_ENTRIES = 255  # at most, in one handler: a byte of the script
QUIET_REGISTERS = [r for r in Register if r not in (Register.DISPATCH, Register.CLAIM)]
LINES_SETTLE = 40  # cycles: longer than any step and its interrupt

# What the population holds; the sweeps name these.
RUNNING, READY, DORMANT, MISSING, DELETED = 0, 1, 6, 7, 10
TAKERS = (2, 3)
SLEEPER, SUSPENDED, DELAYED, HELD, WOKEN = 4, 5, 8, 9, 11
WANTED, FULL, GONE, NEVER_MADE = 0, 1, 2, 3  # semaphores


@dataclass(frozen=True)
class Request:
    """One command word."""

    op: int
    number: int
    argument: int


class Stage:
    """`entries` grow by one at every call; `context` is where the next one will arrive."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self.rehearsal = Rehearsal(limits)
        self.entries: list[Entry] = []
        self.looks: list[range] = []

    @property
    def context(self) -> Context:
        return self.rehearsal.context

    def add(self, entry: Entry) -> int:
        self.rehearsal.begin(entry)
        self.rehearsal.finish(entry)
        self.entries.append(entry)
        return len(self.entries) - 1

    def call(self, command: int, number: int = 0, argument: int = 0) -> int:
        return self.add(Entry(Kind.COMMAND, command, number, argument))

    def look(self) -> None:
        """Load everything that can be loaded without an effect."""
        offsets = [Query.TASK_STATE * 1024 + 4 * n for n in range(self.limits.tasks)]
        offsets += [Query.SEMAPHORE_COUNT * 1024 + 4 * n for n in range(self.limits.semaphores)]
        first = len(self.entries)
        for offset in [*offsets, *map(int, QUIET_REGISTERS)]:
            self.add(access(offset))
        self.looks.append(range(first, len(self.entries)))

    @property
    def look_length(self) -> int:
        return self.limits.tasks + self.limits.semaphores + len(QUIET_REGISTERS)

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
        while (task := self.rehearsal.core.running) != RUNNING:
            assert task is not None
            self.call(*waits.pop(task))
        assert not waits
        self.call(Command.TASK_SUSPEND, HELD)

    def unwind(self) -> None:
        """Let everything that waits come out, in an order that the judge compares."""
        self.call(Command.TICK_SET, 0, self.limits.tick_cycles_minimum)
        self.add(Entry(Kind.EDGE, number=2, delay=2, gap=1))
        self.call(Command.SEMAPHORE_GIVE, WANTED)
        for _ in range(7):
            self.add(Entry(Kind.TICK, argument=2 * self.limits.tick_cycles_minimum, delay=80))
        self.call(Command.TASK_RESUME, HELD)
        self.call(Command.TASK_RESUME, SUSPENDED)
        for _ in range(10):
            self.call(Command.TASK_EXIT)
        self.look()
        for register in (Register.RUNNING, Register.REFUSED, Register.LOST_IRQS):
            self.add(access(register, delay=2 * self.limits.tick_cycles_minimum + 1000))

    def play(self, program: Path, seed: int = 1) -> Played:
        return Played(self, execute(program, self.limits, self.entries, seed))


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
        """What the look `index` loaded, without `refused`; and `refused`."""
        words = [self.read[entry] for entry in self.stage.looks[index]]
        place = len(words) - len(QUIET_REGISTERS) + QUIET_REGISTERS.index(Register.REFUSED)
        return words[:place] + words[place + 1 :], words[place]

    def times(self, kinds: Iterable[TraceKind]) -> list[int]:
        return [event[0] for event in self.run.events if event[1] in set(kinds)]
