"""Judges one run of the bench.

First `melanion.model.replay` on the trace (with the interrupt edges, so that their service is owed). Then, with a second
model that follows the trace, what no trace event shows: what every load returned (answers with their flags, queries,
registers), the two interrupt lines in every quiet span, distances of ticks, edges that were never served. On the way it
counts the situations that the run went through (`coverage`).
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from mel_gen import (
    ANSWER_DISPATCH_DUE,
    ANSWER_WAITING,
    IDENTITY,
    KERNELS,
    SPEC_HASH_WORD,
    Command,
    Query,
    Register,
    Status,
    TaskState,
    TraceKind,
    parameter_hash_word,
)
from melanion.model import Kernel, Limits
from melanion.model.replay import Event, Patience, ReplayError, replay

from tests.random import coverage

TRACE = struct.Struct("<QBBHIII")
LOG = struct.Struct("<QQHBBIII")
LOAD, STORE, LINES, EDGE = range(4)  # kinds of log records (bench.cpp)

SETTLE = 12  # cycles after the last event or access in which the interrupt lines are what they stay
NO_LIMIT = 1 << 40
WORD = 0xFFFF_FFFF
COMMAND_REGION = int(Register.IDENTITY)


class Rejected(Exception):
    """The run is wrong; the text says where and what was expected. `entry`: of the script, when known."""

    def __init__(self, text: str, entry: int | None = None) -> None:
        super().__init__(text)
        self.entry = entry


@dataclass(frozen=True)
class Access:
    """One record of the bench's log. For LINES `read` has bit 0 dispatch, bit 1 handler; for EDGE `address` is the line."""

    accepted: int
    answered: int
    address: int
    kind: int
    byte_enable: int
    written: int
    read: int
    entry: int


@dataclass(frozen=True)
class Run:
    """What a run consists of, in order of time."""

    limits: Limits
    events: list[Event]
    accesses: list[Access]


def parse(limits: Limits, trace: bytes, log: bytes) -> Run:
    """The bench's two files."""
    accesses = [Access(*fields) for fields in LOG.iter_unpack(log)]
    return Run(limits, list(TRACE.iter_unpack(trace)), sorted(accesses, key=lambda a: (a.answered, a.accepted)))


def judge(run: Run) -> Counter[str]:
    """Raises Rejected, or returns the situations that the run went through."""
    wires = [(a.answered, int(TraceKind.IRQ_WIRE), 0, a.address, 0, 0, 0) for a in run.accesses if a.kind == EDGE]
    merged = sorted([*run.events, *wires], key=lambda event: event[0])
    # Steps: background work gives way to commands, but to one at a time. Dispatch: the driver takes its time.
    patience = Patience(step=48 * run.limits.tasks + 1024, dispatch=NO_LIMIT)
    try:
        replay(merged, run.limits, KERNELS["hwrtos"], patience=patience)
    except ReplayError as error:
        entry = next((a.entry for a in run.accesses if a.answered >= error.cycle), None)
        raise Rejected(error.message, entry) from None
    return _Follower(run).follow()


class _Follower:
    """A model that follows the trace, and what it expects of loads and lines."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.kernel = Kernel(run.limits)
        self.core = self.kernel.cores[0]
        self.counter: Counter[str] = Counter()
        self.next = 0  # index of the next event
        self.cycle = 0
        self.illegal = 0  # accesses that `refused` counts besides commands
        self.told = False  # the running task read that a dispatch is due
        self.lines = 0
        self.lines_since = 0
        self.active = 0  # cycle of the last event or access
        self.due_history: list[tuple[int, bool]] = [(0, False)]
        self.last_command = 0
        self.merged_edges = 0
        self.last_tick = 0
        self.tick_changed = True  # the length was set since the last tick: the distance is not checked
        self.open_edges: dict[int, int] = {}
        self.registers = self._registers()

    # ---- events -----------------------------------------------------------------------------

    def advance(self, until: int) -> bool:
        """Follow one event at or before this cycle; False when there is none."""
        events = self.run.events
        if self.next >= len(events) or events[self.next][0] > until:
            return False
        event = events[self.next]
        self.next += 1
        self.cycle = event[0]
        self.check_lines(self.cycle)
        self.active = self.cycle
        coverage.before(self.counter, self.kernel, event)
        kernel, core, kind = self.kernel, self.core, event[1]
        if kind == TraceKind.COMMAND:
            kernel.command(0, event[3] & 0xFF, event[4], event[5])
            self.last_command = self.cycle
            self.tick_changed |= event[3] & 0xFF == Command.TICK_SET
        elif kind == TraceKind.DISPATCH:
            kernel.dispatch(0)
            self.told = False
        elif kind == TraceKind.TICK:
            self.tick()
        elif kind == TraceKind.TIMEOUT:
            kernel.timeout(event[3])
        elif kind == TraceKind.RELEASE:
            kernel.release(event[3])
        elif kind == TraceKind.IRQ:
            self.open_edges.pop(event[3], None)
            kernel.irq(event[3])
        elif kind == TraceKind.CLAIM:
            kernel.claim(0)
        coverage.after(self.counter, kernel, event)
        self.due_history.append((self.cycle, kernel.dispatch_due(core)))
        if len(self.due_history) > 64:
            del self.due_history[:32]
        return True

    def tick(self) -> None:
        length = self.kernel.tick_cycles
        if not self.tick_changed and self.cycle - self.last_tick != length:
            raise Rejected(f"cycle {self.cycle}: a tick {length} cycles after cycle {self.last_tick} expected")
        self.last_tick = self.cycle
        self.tick_changed = False
        self.kernel.tick()

    def follow(self) -> Counter[str]:
        for access in self.run.accesses:
            try:
                if access.kind == EDGE:
                    self.edge(access)
                elif access.kind == LINES:
                    self.line_change(access)
                else:
                    self.access(access)
            except Rejected as reason:
                raise Rejected(f"cycle {access.answered}, script entry {access.entry}: {reason}", access.entry) from None
        while self.advance(NO_LIMIT):
            pass
        if self.kernel.late or self.kernel.dying:
            raise Rejected(f"at the end tasks {sorted(self.kernel.late)} are late, semaphores {self.kernel.dying} dying")
        return self.counter

    # ---- interrupt edges and lines --------------------------------------------------------------

    def edge(self, access: Access) -> None:
        while self.advance(access.answered - 1):
            pass
        line = access.address
        if line < len(self.kernel.interrupts) and self.kernel.interrupts[line].enabled:
            if line in self.open_edges:
                self.merged_edges += 1
                self.counter["edge while the line is pending"] += 1
            self.open_edges[line] = access.answered

    def expected_lines(self) -> int:
        kernel, core = self.kernel, self.core
        if core.in_handler:
            return 0
        due = kernel.dispatch_due(core) and not self.told
        return int(due) | int(bool(core.handler_irqs)) << 1

    def check_lines(self, now: int) -> None:
        """The span since the last activity was quiet: the lines must have settled to the model's."""
        if now - max(self.active, self.lines_since) > SETTLE and self.lines != self.expected_lines():
            names = ["dispatch", "handler"]
            texts = [", ".join(n for i, n in enumerate(names) if v >> i & 1) or "none"
                     for v in (self.expected_lines(), self.lines)]  # fmt: skip
            raise Rejected(f"cycle {now}: interrupt lines high: {texts[0]} expected, found {texts[1]}")

    def line_change(self, access: Access) -> None:
        while self.advance(access.answered):
            pass
        if access.answered - self.active > SETTLE:
            raise Rejected(f"the interrupt lines change to {access.read:#b} with no event or access before")
        self.lines = access.read
        self.lines_since = access.answered

    # ---- accesses -------------------------------------------------------------------------------

    def access(self, access: Access) -> None:
        while self.advance(access.accepted - 1):
            pass
        self.check_lines(access.accepted)
        whole = access.byte_enable == 15
        region = access.address < COMMAND_REGION
        if access.kind == STORE:
            self.finish(access)
            if not (whole and region):
                self.illegal += 1
                self.counter[f"illegal {'write' if whole else 'partial write'}"] += 1
        elif not whole:
            self.finish(access)
            self.illegal += 1
            self.counter["illegal partial read"] += 1
        elif region and access.address >> 10 not in (Query.TASK_STATE, Query.SEMAPHORE_COUNT):
            self.answer(access)
        elif region:
            self.counter["query"] += 1
            self.compare(access, self.query(access.address))
        else:
            self.register(access)
        self.active = max(self.active, access.answered)

    def finish(self, access: Access) -> None:
        while self.advance(access.answered):
            pass

    def compare(self, access: Access, expect: Callable[[], int]) -> None:
        """The load returned what the model says in some state between request and response."""
        values = [expect()]
        while self.advance(access.answered):
            values.append(expect())
        if access.read not in {value & WORD for value in values}:
            raise Rejected(f"load of {access.address:#06x}: {values[-1] & WORD:#x} expected, found {access.read:#x}")

    def answer(self, access: Access) -> None:
        found = None
        while self.next < len(self.run.events) and self.run.events[self.next][0] <= access.answered:
            event = self.run.events[self.next]
            self.advance(access.answered)
            if event[1] == TraceKind.ANSWER:
                found = event
                waiting = self.waiting()
        if found is None:
            raise Rejected(f"load of {access.address:#06x}: no answer event between request and response")
        status = found[6] - (1 << 32) if found[6] >> 31 else found[6]
        if status < 0:
            if access.read != found[6]:
                raise Rejected(f"answer: {status} expected, found {access.read:#x}")
            return
        start = max(self.last_command, access.accepted - SETTLE)
        known = [due for cycle, due in self.due_history if cycle >= start]
        known.append(next((due for cycle, due in reversed(self.due_history) if cycle < start), known[0] if known else False))
        dues = {self.kernel.dispatch_due(self.core)} | (set(known[:-1]) or set(known))
        allowed = {
            (ANSWER_DISPATCH_DUE if due and not self.core.in_handler else 0) | (ANSWER_WAITING if waiting else 0)
            for due in dues
        }
        if self.core.in_handler:
            allowed |= {ANSWER_DISPATCH_DUE if due else 0 for due in dues}
        if access.read not in allowed:
            raise Rejected(f"answer: one of {sorted(allowed)} expected, found {access.read:#x}")
        if access.read & ANSWER_DISPATCH_DUE and not self.core.in_handler:
            self.told = True

    def waiting(self) -> bool:
        core = self.core
        return not core.in_handler and core.running is not None and bool(self.kernel.tasks[core.running].wait)

    def query(self, address: int) -> Callable[[], int]:
        number = address >> 2 & 0xFF
        kernel = self.kernel

        def task_state() -> int:
            if number >= kernel.limits.tasks:
                return Status.E_ID
            if number not in kernel.tasks:
                return Status.E_NOEXS
            task = kernel.tasks[number]
            state = TaskState.RUNNING if task.runnable and kernel.running_core(number) else task.state
            return state | task.priority << 8 | task.wakeups << 16

        def semaphore_count() -> int:
            if number >= kernel.limits.semaphores:
                return Status.E_ID
            return kernel.semaphores[number].count if number in kernel.semaphores else Status.E_NOEXS

        return task_state if address >> 10 == Query.TASK_STATE else semaphore_count

    def _registers(self) -> dict[int, Callable[[], int]]:
        kernel, core = self.kernel, self.core
        sizes = kernel.limits
        hash_word = parameter_hash_word(
            tasks=sizes.tasks, priorities=sizes.priorities, semaphores=sizes.semaphores,
            interrupts=sizes.interrupts, cores=sizes.cores,
        )  # fmt: skip
        running: Callable[[], int] = lambda: sizes.tasks if core.running is None else core.running  # noqa: E731
        return {
            Register.IDENTITY: lambda: IDENTITY,
            Register.SPEC_HASH: lambda: SPEC_HASH_WORD,
            Register.PARAMETER_HASH: lambda: hash_word,
            Register.RUNNING: running,
            Register.TIME_LOW: lambda: kernel.time & WORD,
            Register.TIME_HIGH: lambda: kernel.time >> 32,
            Register.TICK_CYCLES: lambda: kernel.tick_cycles,
            Register.REFUSED: lambda: kernel.refused + self.illegal,
        }

    def register(self, access: Access) -> None:
        offset = access.address & ~3
        if offset in (Register.DISPATCH, Register.CLAIM):
            self.side_effect(access, offset)
        elif offset == Register.READY:
            self.finish(access)
            if access.read > 1:
                raise Rejected(f"ready: 0 or 1 expected, found {access.read:#x}")
        elif offset == Register.LOST_IRQS:
            self.finish(access)
            low = self.kernel.lost_irqs
            if not low <= access.read <= low + self.merged_edges:
                raise Rejected(f"lost_irqs: {low} … {low + self.merged_edges} expected, found {access.read}")
        elif offset in self.registers:
            self.compare(access, self.registers[offset])
        else:
            self.finish(access)

    def side_effect(self, access: Access, offset: int) -> None:
        kind = TraceKind.DISPATCH if offset == Register.DISPATCH else TraceKind.CLAIM
        found = None
        while self.next < len(self.run.events) and self.run.events[self.next][0] <= access.answered:
            event = self.run.events[self.next]
            self.advance(access.answered)
            if event[1] == kind:
                found = event
        if found is None:
            raise Rejected(f"load of {kind.name.lower()}: no such event between request and response")
        expected = WORD if kind == TraceKind.CLAIM and found[3] == 0xFFFF else found[3]
        if access.read != expected:
            raise Rejected(f"{kind.name.lower()}: {expected:#x} expected, found {access.read:#x}")


