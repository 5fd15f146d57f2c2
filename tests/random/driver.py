# SPDX-License-Identifier: Apache-2.0
"""One core of the rehearsal: executes entries as the driver of the RTL does (bench.cpp).

Generators yield the cycles that pass: between two of them other cores act.
"""

from __future__ import annotations

import heapq

from mel_gen import (
    ANSWER_DISPATCH_DUE,
    ANSWER_WAITING,
    COMMANDS,
    Blocks,
    Command,
    Context,
    Query,
    Register,
    TraceKind,
)

from melanion.model.describe import HANDLER_ANSWER
from melanion.model.replay import SPURIOUS
from tests.model.model_calls import held_up
from tests.random.lines import DISPATCH, HANDLER
from tests.random.loads import QUERIES
from tests.random.records import LOAD, STORE
from tests.random.rehearsal import MEETING, WORD, Program, Rehearsal, Words
from tests.random.script import ACCESS_WRITE, Entry, Flag, Kind, commands

ACCESS_CYCLES = 6  # a store or a load, with the command's execution
LOAD_CYCLES = 3
ROUNDS = 8  # dispatches, each with its answer, at most, until none is due
MAY_LEAVE = frozenset(
    {Command.TASK_EXIT, *(c for c, info in COMMANDS.items() if info.blocks != Blocks.NEVER)}
)


class Driver:
    """`away`: the running task may not be runnable; it cannot call until it is dispatched again."""

    def __init__(self, unit: Rehearsal, number: int) -> None:
        self.unit = unit
        self.kernel = unit.kernel
        self.core = unit.kernel.cores[number]
        self.handler_left = 0
        self.away = False
        self.met = 0  # meetings so far
        self.hurries = False  # its next entry has no delay, or almost none

    @property
    def context(self) -> Context:
        return self.kernel.context(self.core)

    def runs(self) -> int:
        """The running task as events name it."""
        return self.unit.idle_number if self.core.running is None else self.core.running

    def reader(self) -> int:
        return HANDLER_ANSWER if self.core.in_handler else self.runs()

    def line(self, line: int) -> bool:
        """An interrupt line of this core is high."""
        return bool(self.unit.lines.expected(self.core) & line)

    # ---- accesses with an effect --------------------------------------------------------------

    def step(self, kind: TraceKind, words: Words) -> None:
        self.unit.step(kind, self.core.number, lambda: words)

    def loaded(self, address: int, read: int) -> None:
        self.unit.log(LOAD, address, self.core.number, read=read, byte_enable=15)

    def load_answer(self, address: int = 0) -> int:
        """Return the word that the program gets, with the flags."""
        status = int(self.kernel.answer(self.core.number))
        self.step(TraceKind.ANSWER, (self.reader(), 0, 0, status))
        word = status | (self.unit.lines.flags(self.core) if status == 0 else 0)
        self.loaded(address, word)
        return word

    def load_value(self) -> None:
        value = self.kernel.words_of(self.core).value
        self.step(TraceKind.VALUE, (self.reader(), 0, value, 0))
        self.loaded(Register.VALUE, value)

    def load_dispatch(self) -> None:
        before, ended = self.runs(), self.core.in_handler

        def execute() -> Words:
            self.kernel.dispatch(self.core.number)
            return self.runs(), before, int(ended), 0

        self.unit.step(TraceKind.DISPATCH, self.core.number, execute)
        self.loaded(Register.DISPATCH, self.runs())
        self.away = False

    def load_claim(self) -> None:
        def execute() -> Words:
            claimed = self.kernel.claim(self.core.number)
            return SPURIOUS if claimed is None else claimed, 0, 0, 0

        self.unit.step(TraceKind.CLAIM, self.core.number, execute)
        claimed = self.unit.events[-1][3]
        self.loaded(Register.CLAIM, WORD if claimed == SPURIOUS else claimed)
        self.handler_left = 0

    def claim(self, left: int) -> Program:
        self.load_claim()
        self.handler_left = left
        yield LOAD_CYCLES

    def dispatch(self, entry: Entry) -> Program:
        """And the answer of a task that was switched away inside a call, until none is due."""
        for _ in range(ROUNDS):
            self.load_dispatch()
            yield LOAD_CYCLES
            if self.runs() not in self.unit.owed:
                return
            self.unit.owed.discard(self.runs())
            yield entry.gap
            if not self.follows(entry, self.load_answer()):
                yield LOAD_CYCLES
                if Flag.VALUE in entry.flags:
                    self.load_value()
                    yield LOAD_CYCLES
                return
            yield LOAD_CYCLES + entry.after

    def follows(self, entry: Entry, answer: int) -> bool:
        """The answer asks for a dispatch that this entry wants to make."""
        if self.core.in_handler or answer < 0 or not answer & ANSWER_DISPATCH_DUE:
            return False
        if Flag.IGNORE_DUE in entry.flags:
            return False
        if answer & ANSWER_WAITING:
            self.unit.owed.add(self.runs())
        return True

    # ---- entries --------------------------------------------------------------------------------

    def begin(self, entry: Entry) -> Program:
        """Do the driver's part before an entry's own access."""
        self.unit.entries += 1
        if self.core.in_handler:
            if self.handler_left == 0 or Flag.HANDLER_ENDS in entry.flags:
                yield entry.after
                yield from self.dispatch(entry)
            else:
                self.handler_left -= 1
        yield from self.take_interrupts(entry)

    def take_interrupts(self, entry: Entry) -> Program:
        if self.core.in_handler:
            return
        if self.line(HANDLER) and Flag.IGNORE_HANDLER not in entry.flags:
            yield entry.after
            yield from self.claim(entry.handler)
        elif self.line(DISPATCH) and Flag.IGNORE_DISPATCH not in entry.flags:
            yield entry.after
            yield from self.dispatch(entry)

    def finish(self, entry: Entry) -> Program:
        """The entry's own access."""
        if entry.kind == Kind.COMMAND:
            yield from self.command(entry)
        elif entry.kind == Kind.EDGE:
            heapq.heappush(self.unit.edges, (self.unit.cycle + entry.delay, entry.number))
        elif entry.kind == Kind.WAIT:
            end = self.unit.cycle + entry.argument
            while self.unit.cycle < end and not self.line(HANDLER | DISPATCH):
                yield min(32, end - self.unit.cycle)
            yield from self.take_interrupts(entry)
        elif entry.kind == Kind.TICK:
            tick = self.unit.next_tick
            left = entry.argument if tick is None else tick - self.unit.cycle
            yield min(left, entry.argument) + entry.delay
        elif entry.kind == Kind.MEET:
            yield MEETING
        else:
            yield entry.delay
            self.access(entry)
            yield LOAD_CYCLES

    def access(self, entry: Entry) -> None:
        offset, whole = entry.offset, entry.byte_enable & 15 == 15
        write = bool(entry.byte_enable & ACCESS_WRITE)
        if whole and not write and offset == Register.DISPATCH:
            self.load_dispatch()
        elif whole and not write and offset == Register.CLAIM:
            self.load_claim()
        elif whole and not write and offset == Register.VALUE:
            self.load_value()
        elif whole and write and offset == Register.OPERAND:
            self.operand(entry.argument)
        elif whole and not write and commands(offset) and offset % 4 == 0:
            if offset >> 10 in QUERIES:
                read = self.kernel.query(Query(offset >> 10), offset >> 2 & 0xFF)
                self.loaded(offset, int(read))
            else:
                self.load_answer(offset)
        elif write and whole and commands(offset) and offset % 4 == 0:
            self.execute(offset >> 10, offset >> 2 & 0xFF, entry.argument)
        else:
            self.other(offset, write, entry)

    def other(self, offset: int, write: bool, entry: Entry) -> None:
        """A register without side effect, or an illegal access."""
        legal = not write and entry.byte_enable & 15 == 15
        read = self.unit.register(offset, self.runs()) if legal else 0
        self.unit.log(
            STORE if write else LOAD, offset, self.core.number, read=read,
            written=entry.argument if write else 0, byte_enable=entry.byte_enable & 15,
        )  # fmt: skip

    # ---- commands -------------------------------------------------------------------------------

    def operand(self, word: int) -> None:
        self.unit.log(STORE, Register.OPERAND, self.core.number, written=word, byte_enable=15)
        self.kernel.words_of(self.core).operand = word
        self.step(TraceKind.OPERAND, (0, 0, word, 0))

    def execute(self, op: int, number: int, argument: int) -> None:
        """The store of a command, and its step."""
        unit, kernel, core = self.unit, self.kernel, self.core.number
        address = op * 1024 + number * 4
        unit.log(STORE, address, core, written=argument, byte_enable=15)
        if held_up(kernel, op, number):
            unit.settle()
        caller = op | self.context << 8

        def execute() -> Words:
            return caller, number, argument, kernel.command(core, op, number, argument)

        unit.step(TraceKind.COMMAND, core, execute)
        if unit.events[-1][6]:
            return
        if op == Command.TICK_SET and unit.next_tick is None and argument:
            unit.next_tick = unit.cycle + argument
        wires = kernel.limits.interrupts
        if op == Command.IRQ_RAISE and number < wires and kernel.interrupts[number].enabled:
            unit.irq(number)

    def command(self, entry: Entry) -> Program:
        if self.away and not self.core.in_handler:
            yield from self.dispatch(entry)
        yield entry.delay
        if not commands(entry.op * 1024 + entry.number * 4):
            return
        if entry.operand is not None:
            self.operand(entry.operand)
            yield entry.gap + LOAD_CYCLES
            if entry.gap and Flag.PREEMPT in entry.flags:
                yield from self.take_interrupts(entry)
        if not self.core.in_handler:
            self.away |= entry.op in MAY_LEAVE
        self.away |= entry.op == Command.TASK_SUSPEND and entry.number == self.core.running
        self.execute(entry.op, entry.number, entry.argument)
        # A caller that does not wait for the answer meets what is left to be done.
        self.unit.settle(1 if Flag.NO_ANSWER in entry.flags else None)
        yield ACCESS_CYCLES + entry.gap
        if Flag.NO_ANSWER in entry.flags:
            return
        preempt = entry.gap and Flag.PREEMPT in entry.flags and not self.core.in_handler
        if preempt and self.line(HANDLER | DISPATCH):
            self.unit.owed.add(self.runs())
            yield from self.take_interrupts(entry)
            return
        answer = self.load_answer()
        if Flag.ANSWER_TWICE in entry.flags:
            yield LOAD_CYCLES
            answer = self.load_answer()
        if not self.core.in_handler and (answer < 0 or not answer & ANSWER_DISPATCH_DUE):
            self.away = False
        yield LOAD_CYCLES
        if not self.follows(entry, answer):
            if Flag.VALUE in entry.flags:
                self.load_value()
                yield LOAD_CYCLES
            return
        yield entry.after
        yield from self.dispatch(entry)
