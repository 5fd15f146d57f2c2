# SPDX-License-Identifier: Apache-2.0
"""The unit, played on the model alone with roughly right cycles, and the cores' programs beside it.

Shows a generator the state that its next entry will meet. On the RTL some entries meet another
state; that costs coverage, never correctness. `events` and `accesses` are what the bench would
leave behind (records.py): `run` can be judged like one of the RTL.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence

from mel_gen import IDENTITY, SPEC_HASH_WORD, Register, TraceKind

from melanion.model import Kernel
from melanion.model.replay import Event
from tests.random.lines import Lines
from tests.random.loads import REGISTERS, illegal, parameter_hash
from tests.random.records import EDGE, LINES, Access, Run, in_order

WORD = 0xFFFF_FFFF
BACKGROUND_CYCLES = 9  # in which all that is owed is done, mostly
MEETING = -1  # yielded by a program instead of cycles: until all others meet too, or end


Program = Iterator[int]  # yields the cycles that pass until it goes on
Words = tuple[int, int, int, int]  # a, b, c, d of an event


def turns_owed(kernel: Kernel) -> list[int]:
    """Cores whose running task lost its turn and is the first in turn again."""
    return [core.number for core in kernel.cores if kernel.has_turn_again(core)]


class Rehearsal:
    """Kernel, time and interrupt edges; `cycle` is the present of the program that is resumed."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        kernel.links = True
        limits = kernel.limits
        self.idle_number = limits.tasks
        self.lines = Lines(self.kernel, 0)
        self.shown = [0] * limits.cores  # interrupt lines as they were last logged
        self.cycle = 0
        self.next_tick: int | None = None
        self.edges: list[tuple[int, int]] = []
        self.owed: set[int] = set()  # tasks that were switched away inside a call
        self.illegal = 0
        self.entries = 0  # that have begun
        self.events: list[Event] = []
        self.accesses: list[Access] = []

    @property
    def run(self) -> Run:
        """Record of the run so far."""
        accesses = sorted(self.accesses, key=in_order)
        return Run(self.kernel.limits, self.events, accesses, [], exact=False)

    # ---- time -----------------------------------------------------------------------------------

    def play(self, programs: Sequence[Program]) -> None:
        """Resume the programs of the cores in order of time, until all have ended."""
        waking = [(self.cycle, core) for core in range(len(programs))]
        meeting: list[int] = []
        while waking or meeting:
            if not waking:
                waking = [(self.cycle, core) for core in sorted(meeting)]
                meeting.clear()
            wake, core = heapq.heappop(waking)
            self.advance(wake)
            cycles = next(programs[core], None)
            if cycles == MEETING:
                meeting.append(core)
            elif cycles is not None:
                heapq.heappush(waking, (self.cycle + cycles, core))
            if waking and waking[0][0] - self.cycle > BACKGROUND_CYCLES:
                self.settle()

    def advance(self, end: int) -> None:
        """Time passes: edges are served, ticks come, late tasks leave."""
        while True:
            tick = self.next_tick if self.next_tick is not None else end + 1
            edge = self.edges[0][0] if self.edges else end + 1
            if min(tick, edge) > end:
                break
            if edge <= tick:
                _, line = heapq.heappop(self.edges)
                self.cycle = max(self.cycle, edge)
                self.log(EDGE, line)
                if line < self.kernel.limits.interrupts and self.kernel.interrupts[line].enabled:
                    self.irq(line)
                    self.settle()
                continue
            self.cycle = tick
            self.step(TraceKind.TICK, 0, self._tick)
            self.serve_raised()
            self.settle(1 if end - tick <= BACKGROUND_CYCLES else None)
            length = self.kernel.tick_cycles
            self.next_tick = tick + length if length else None
        self.cycle = end

    def _tick(self) -> Words:
        time = self.kernel.tick()
        return 0, time & WORD, time >> 32, 0

    # ---- steps ----------------------------------------------------------------------------------

    def step(self, kind: TraceKind, core: int, execute: Callable[[], Words]) -> None:
        """One event, and the links of a chain of owners that it began, before anything else."""
        self._event(kind, core, execute)
        while self.kernel.linked is not None:
            self._event(TraceKind.INHERIT, 0, self._link)

    def _event(self, kind: TraceKind, core: int, execute: Callable[[], Words]) -> None:
        """The model executes it, the interrupt lines follow."""
        self.lines.before()
        a, b, c, d = execute()
        event = (self.cycle, int(kind), core, a, b & WORD, c & WORD, d & WORD)
        self.events.append(event)
        self.lines.after(event)
        for other in self.kernel.cores:
            lines = self.lines.settled(other.number)
            if lines != self.shown[other.number]:
                self.shown[other.number] = lines
                self.log(LINES, 0, other.number, read=lines)

    def log(
        self, kind: int, address: int, core: int = 0, *, written: int = 0, read: int = 0,
        byte_enable: int = 0,
    ) -> None:  # fmt: skip
        """A record of the bench; accesses are answered in the next cycle."""
        taken = self.cycle - (kind == EDGE)  # it is served a cycle later
        answered = taken + (kind not in (EDGE, LINES))
        entry = max(self.entries - 1, 0)
        found = Access(
            taken, answered, address, kind, byte_enable, core, written, read & WORD, entry
        )
        self.illegal += bool(illegal(found))
        self.accesses.append(found)

    def irq(self, number: int) -> None:
        line = self.kernel.interrupts[number]
        action, target = line.action, line.target
        self.step(TraceKind.IRQ, 0, lambda: (number, action, target, int(self.kernel.irq(number))))

    def serve_raised(self) -> None:
        """Edges of timers and reports are served at once: a later edge of a line is another one."""
        while self.kernel.raised:
            self.irq(min(self.kernel.raised))

    def settle(self, steps: int | None = None) -> None:
        """Do what is owed: edges of timers, timeouts, releases, mutexes of ended tasks.

        All of it, or at most `steps` steps.
        """
        kernel = self.kernel
        while steps is None or steps > 0:
            steps = None if steps is None else steps - 1
            if again := turns_owed(kernel):
                self.step(TraceKind.TURN, again[0], lambda: self._turn(again[0]))
            elif over := [core for core in kernel.cores if kernel.slice_over(core)]:
                self.step(TraceKind.SLICE, over[0].number, lambda: self._slice(over[0].number))
            elif kernel.raised:
                self.irq(min(kernel.raised))
            elif kernel.overdue:
                self.step(TraceKind.MISS, 0, self._miss)
                self.serve_raised()
            elif kernel.late:
                self._leave(TraceKind.TIMEOUT, kernel.due()[0])
            elif kernel.released:
                first = min(kernel.released, key=lambda n: kernel.tasks[n].priority)
                self._leave(TraceKind.RELEASE, first)
            elif kernel.dying:
                self._leave(TraceKind.RELEASE, next(iter(kernel.dying.values())).waiting[0])
            elif kernel.orphans:
                self.step(TraceKind.ORPHAN, 0, self._unlock_orphan)
            else:
                return

    def _link(self) -> Words:
        number = self.kernel.linked
        assert number is not None
        return number, 0, self.kernel.link(number), 0

    def _turn(self, core: int) -> Words:
        return self.kernel.turn(core), 0, 0, 0

    def _slice(self, core: int) -> Words:
        return self.kernel.slice(core), 0, 0, 0

    def _miss(self) -> Words:
        number = min(self.kernel.overdue)
        self.kernel.miss(number, budget=False)
        return number, 0, 0, 0

    def _leave(self, kind: TraceKind, number: int) -> None:
        end = self.kernel.timeout if kind == TraceKind.TIMEOUT else self.kernel.release
        self.step(kind, 0, lambda: (number, 0, 0, int(end(number))))

    def _unlock_orphan(self) -> Words:
        ended = min(self.kernel.orphans)
        number = self.kernel.tasks[ended].owned[0].number
        owner = self.kernel.orphan(number, ended)
        return self.idle_number if owner is None else owner, number, ended, 0

    def register(self, offset: int, running: int) -> int:
        """Return the value that a load of a register without side effect gives."""
        kernel = self.kernel
        words = {
            Register.IDENTITY: IDENTITY,
            Register.SPEC_HASH: SPEC_HASH_WORD,
            Register.PARAMETER_HASH: parameter_hash(kernel.limits),
            Register.READY: 1,
            Register.RUNNING: running,
            Register.TIME_LOW: kernel.time & WORD,
            Register.TIME_HIGH: kernel.time >> 32,
            Register.TICK_CYCLES: kernel.tick_cycles,
            Register.REFUSED: kernel.refused + self.illegal,
            Register.LOST_IRQS: kernel.lost_irqs,
            Register.REPORTED: kernel.reported,
        }
        return words.get(Register(offset), 0) if offset in REGISTERS else 0
