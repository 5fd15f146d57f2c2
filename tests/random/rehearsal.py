"""The driver and the unit, played on the model alone with roughly right cycles.

Shows a generator the state that its next entry will meet. On the RTL a few entries meet another
state; that costs coverage, never correctness. `events` is the trace that the unit would give.
"""

from __future__ import annotations

import heapq

from mel_gen import ANSWER_WAITING, COMMANDS, Blocks, Command, Context, TraceKind

from melanion.model import Kernel, Limits
from melanion.model.replay import HANDLER_ANSWER, SPURIOUS, Event
from tests.model_calls import held_up
from tests.random.script import Entry, Flag, Kind

WORD = 0xFFFF_FFFF
ACCESS_CYCLES = 6  # a store or a load, with the command's execution
LOAD_CYCLES = 3
BACKGROUND_CYCLES = 9  # in which all that is owed is done, mostly
MAY_LEAVE = frozenset(
    {Command.TASK_EXIT, *(c for c, info in COMMANDS.items() if info.blocks != Blocks.NEVER)}
)


class Rehearsal:
    """Executes entries as the driver does (bench.cpp)."""

    def __init__(self, limits: Limits) -> None:
        self.kernel = Kernel(limits)
        self.idle_number = limits.tasks
        self.core = self.kernel.cores[0]
        self.cycle = 0
        self.next_tick: int | None = None
        self.edges: list[tuple[int, int]] = []
        self.handler_left = 0
        self.told = False
        self.away = False
        self.events: list[Event] = []

    @property
    def context(self) -> Context:
        return self.kernel.context(self.core)

    # ---- the unit -----------------------------------------------------------------------------

    def record(self, kind: TraceKind, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
        self.events.append((self.cycle, int(kind), 0, a, b & WORD, c & WORD, d & WORD))

    def runs(self) -> int:
        """The running task as events name it."""
        return self.idle_number if self.core.running is None else self.core.running

    def reader(self) -> int:
        return HANDLER_ANSWER if self.core.in_handler else self.runs()

    def idle(self, cycles: int) -> None:
        """Time passes: edges are served, ticks come, late tasks leave."""
        end = self.cycle + cycles
        if cycles > BACKGROUND_CYCLES:
            self.settle()
        while True:
            tick = self.next_tick if self.next_tick is not None else end + 1
            edge = self.edges[0][0] if self.edges else end + 1
            if min(tick, edge) > end:
                break
            if edge <= tick:
                _, line = heapq.heappop(self.edges)
                self.cycle = max(self.cycle, edge)
                if line < self.kernel.limits.interrupts and self.kernel.interrupts[line].enabled:
                    self.irq(line)
                    self.settle()
                continue
            self.cycle = tick
            time = self.kernel.tick()
            self.record(TraceKind.TICK, 0, time, time >> 32)
            self.settle(1 if end - tick <= BACKGROUND_CYCLES else None)
            length = self.kernel.tick_cycles
            self.next_tick = tick + length if length else None
        self.cycle = end

    def irq(self, number: int) -> None:
        line = self.kernel.interrupts[number]
        action, target = line.action, line.target
        self.record(TraceKind.IRQ, number, action, target, self.kernel.irq(number))

    def release(self, number: int) -> None:
        self.record(TraceKind.RELEASE, number, d=self.kernel.release(number))

    def settle(self, steps: int | None = None) -> None:
        """What is owed comes: edges of timers, timeouts, releases, mutexes of ended tasks.

        All of it, or at most some steps.
        """
        kernel = self.kernel
        while steps is None or steps > 0:
            steps = None if steps is None else steps - 1
            if kernel.raised:
                self.irq(min(kernel.raised))
            elif kernel.late:
                number = kernel.due()[0]
                self.record(TraceKind.TIMEOUT, number, d=kernel.timeout(number))
            elif kernel.released:
                self.release(min(kernel.released, key=lambda n: kernel.tasks[n].priority))
            elif kernel.dying:
                self.release(next(iter(kernel.dying.values())).waiting[0])
            elif kernel.orphans:
                ended = min(kernel.orphans)
                number = kernel.tasks[ended].owned[0].number
                owner = kernel.orphan(number, ended)
                self.record(
                    TraceKind.ORPHAN, self.idle_number if owner is None else owner, number, ended
                )
            else:
                return

    def dispatch_line(self) -> bool:
        return (
            self.context != Context.HANDLER
            and not self.told
            and self.kernel.dispatch_due(self.core)
        )

    def handler_line(self) -> bool:
        return self.context != Context.HANDLER and bool(self.core.handler_irqs)

    def dispatch(self) -> None:
        before, ended = self.runs(), self.core.in_handler
        self.kernel.dispatch(0)
        self.record(TraceKind.DISPATCH, self.runs(), before, int(ended))
        if self.runs() != before and self.core.running is not None:
            self.answer()
        self.told = self.away = False
        self.idle(LOAD_CYCLES)

    def answer(self) -> None:
        self.record(TraceKind.ANSWER, self.reader(), d=self.kernel.answer(0))

    def claim(self, left: int) -> None:
        claimed = self.kernel.claim(0)
        self.record(TraceKind.CLAIM, SPURIOUS if claimed is None else claimed)
        self.handler_left = left
        self.idle(LOAD_CYCLES)

    # ---- the driver ---------------------------------------------------------------------------

    def begin(self, entry: Entry) -> None:
        """What the driver does before an entry's own access."""
        if self.core.in_handler:
            if self.handler_left == 0 or entry.flags & Flag.HANDLER_ENDS:
                self.idle(entry.after)
                self.dispatch()
            else:
                self.handler_left -= 1
        self.take_interrupts(entry)

    def take_interrupts(self, entry: Entry) -> None:
        if self.handler_line() and not entry.flags & Flag.IGNORE_HANDLER:
            self.idle(entry.after)
            self.claim(entry.handler)
        elif self.dispatch_line() and not entry.flags & Flag.IGNORE_DISPATCH:
            self.idle(entry.after)
            self.dispatch()

    def finish(self, entry: Entry) -> None:
        """The entry's own access."""
        if entry.kind == Kind.COMMAND:
            self.command(entry)
        elif entry.kind == Kind.EDGE:
            heapq.heappush(self.edges, (self.cycle + entry.delay, entry.number))
        elif entry.kind == Kind.WAIT:
            end = self.cycle + entry.argument
            while self.cycle < end and not self.handler_line() and not self.dispatch_line():
                self.idle(min(32, end - self.cycle))
            self.take_interrupts(entry)
        elif entry.kind == Kind.TICK:
            left = entry.argument if self.next_tick is None else self.next_tick - self.cycle
            self.idle(min(left, entry.argument) + entry.delay)
        else:
            self.idle(entry.delay + LOAD_CYCLES)

    def command(self, entry: Entry) -> None:
        if self.away and not self.core.in_handler:
            self.dispatch()
        self.idle(entry.delay)
        if entry.op in MAY_LEAVE and not self.core.in_handler:
            self.away = True
        if entry.op == Command.TASK_SUSPEND and entry.number == self.core.running:
            self.away = True
        if entry.operand is not None:
            self.kernel.words_of(self.core).operand = entry.operand
            self.record(TraceKind.OPERAND, c=entry.operand)
            self.idle(entry.gap + LOAD_CYCLES)
        if held_up(self.kernel, entry.op, entry.number):
            self.settle()
        caller = entry.op | self.context << 8
        answer = self.kernel.command(0, entry.op, entry.number, entry.argument)
        self.record(TraceKind.COMMAND, caller, entry.number, entry.argument, answer)
        if (
            entry.op == Command.TICK_SET
            and answer == 0
            and self.next_tick is None
            and entry.argument
        ):
            self.next_tick = self.cycle + entry.argument
        if (
            entry.op == Command.IRQ_RAISE
            and answer == 0
            and entry.number < self.kernel.limits.interrupts
            and self.kernel.interrupts[entry.number].enabled
        ):
            self.irq(entry.number)
        # A caller that does not wait for the answer meets what is left to be done.
        self.settle(1 if entry.flags & Flag.NO_ANSWER else None)
        self.idle(ACCESS_CYCLES + entry.gap)
        if entry.flags & Flag.NO_ANSWER:
            return
        self.answer()
        if entry.flags & Flag.VALUE:
            self.record(TraceKind.VALUE, self.reader(), c=self.kernel.words_of(self.core).value)
        if self.core.in_handler:
            return
        due = self.kernel.dispatch_due(self.core)
        if not due and answer != ANSWER_WAITING:
            self.away = False
        if due and answer >= 0:
            self.told = True
            if not entry.flags & Flag.IGNORE_DUE:
                self.idle(entry.after)
                self.dispatch()
