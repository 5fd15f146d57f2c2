"""Judges one run of the bench.

First `melanion.model.replay` on the trace (with the interrupt edges, so that their service is
owed). Then, with a second model that follows the trace, what no event shows: what every load
returned (answers with their flags, values, queries, registers), the two interrupt lines in every
quiet span, the distances of ticks. On the way it counts the situations that came (`coverage`).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable

from mel_gen import (
    ANSWER_DISPATCH_DUE,
    ANSWER_WAITING,
    IDENTITY,
    KERNELS,
    PARAMETERS,
    SPEC_HASH_WORD,
    Command,
    Query,
    Register,
    TraceKind,
    parameter_hash_word,
)

from melanion.model import Kernel
from melanion.model.replay import Event, Patience, ReplayError, replay
from tests.random import coverage
from tests.random.edges import EdgeLedger
from tests.random.records import EDGE, LINES, STORE, Access, Run

SETTLE = 12  # cycles after the last event or access in which the interrupt lines are what they stay
NO_LIMIT = 1 << 40
QUERIES = frozenset(map(int, Query))
WORD = 0xFFFF_FFFF
COMMAND_REGION = int(Register.IDENTITY)


class RejectedError(Exception):
    """The run is wrong; the text says where and what was expected. `entry`: of the script."""

    def __init__(self, text: str, entry: int | None = None) -> None:
        super().__init__(text)
        self.entry = entry


def judge(run: Run) -> Counter[str]:
    """Raises RejectedError, or returns the situations that the run went through."""
    wires = [
        (a.answered, int(TraceKind.IRQ_WIRE), 0, a.address, 0, 0, 0)
        for a in run.accesses
        if a.kind == EDGE
    ]
    merged = sorted([*run.events, *wires], key=lambda event: event[0])
    # Background work gives way to commands, one at a time. The driver dispatches when it likes.
    chain = min(run.limits.tasks, run.limits.mutexes)  # a step may walk the owners of mutexes
    patience = Patience(step=48 * run.limits.tasks + 16 * chain + 1024, dispatch=NO_LIMIT)
    try:
        replay(merged, run.limits, KERNELS["hwrtos"], patience=patience)
    except ReplayError as error:
        entry = next((a.entry for a in run.accesses if a.answered >= error.cycle), None)
        raise RejectedError(error.message, entry) from None
    return _Follower(run).follow()


class _Follower:
    """A model that follows the trace, and what it expects of loads and lines."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.kernel = Kernel(run.limits)
        self.core = self.kernel.cores[0]
        self.counter: Counter[str] = Counter()
        # A step that sets flags judges a row of tasks per cycle before its event comes.
        self.settle = SETTLE + (run.limits.tasks // 8 if run.limits.event_flags else 0)
        self.next = 0  # index of the next event
        self.cycle = 0
        self.operands: deque[int] = deque()  # stored, their event is to come
        self.illegal = 0  # accesses that `refused` counts besides commands
        self.told = (
            False  # the answer to the running context's last command says that a dispatch is due
        )
        self.set_by_task = False  # the last step was an event_flags_set, not of a handler
        self.lines = 0
        self.lines_since = 0
        self.active = 0  # cycle of the last event or access
        self.ledger = EdgeLedger(self.kernel)
        self.expected_tick = self.earliest = self.latest = 0  # cycles; the latter two relative
        self.last_tick = 0
        self.tick_changed = (
            True  # the length was set since the last tick: the distance is not checked
        )
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
        waited = self.waits()
        op = event[3] & 0xFF
        handler = core.in_handler
        if kind == TraceKind.COMMAND:
            if not event[6]:
                self.ledger.command(op, event[4], self.cycle)
            self.tick_changed |= op == Command.TICK_SET
        elif kind == TraceKind.DISPATCH:
            self.told = False
        elif kind == TraceKind.TICK:
            self.tick()
        elif kind == TraceKind.OPERAND:
            if not self.operands or self.operands.popleft() != event[5]:
                raise RejectedError(f"operand {event[5]:#x} in the trace, not as it was stored")
        elif kind == TraceKind.IRQ:
            self.ledger.serve(event[3])
        coverage.execute(kernel, event)
        if kind == TraceKind.COMMAND and not handler:
            self.told = event[6] >> 31 == 0 and kernel.dispatch_due(core)
        if waited and not self.waits():
            self.told = False
        self.answer_with_release(event)
        coverage.after(self.counter, kernel, event)
        return True

    def answer_with_release(self, event: Event) -> None:
        """The first task that flags released leaves in the step of the command that set them:

        the answer says what is due after it.
        """
        kind = event[1]
        if kind == TraceKind.COMMAND:
            releases = event[3] & 0xFF in (Command.EVENT_FLAGS_SET, Command.EVENT_FLAGS_DELETE)
            self.set_by_task = releases and event[6] == 0 and not self.core.in_handler
        elif kind == TraceKind.RELEASE and self.set_by_task:
            self.told = self.kernel.dispatch_due(self.core)
            self.set_by_task = False
        elif kind not in (TraceKind.TICK, TraceKind.ANSWER, TraceKind.VALUE):
            self.set_by_task = False

    def tick(self) -> None:
        """Ticks come on time, or late by what background work holds them up; none is lost."""
        self.expected_tick += self.kernel.tick_cycles
        if self.tick_changed or not self.kernel.tick_cycles:
            self.expected_tick = self.cycle
            self.earliest = self.latest = 0
            self.tick_changed = False
        late = self.cycle - self.expected_tick
        self.earliest = min(self.earliest, late)
        self.latest = max(self.latest, late)
        if self.latest - self.earliest > 2 * self.run.limits.tick_cycles_minimum:
            raise RejectedError(f"cycle {self.cycle}: a tick is due at {self.expected_tick}")
        self.last_tick = self.cycle
        for number, timer in enumerate(self.kernel.timers):
            if timer.deadline == self.kernel.now + 1:
                self.ledger.rise(self.kernel.limits.interrupts + number, self.cycle)

    def follow(self) -> Counter[str]:
        for access in self.run.accesses:
            try:
                if access.kind == EDGE:
                    self.edge(access)
                elif access.kind == LINES:
                    self.line_change(access)
                else:
                    self.access(access)
            except RejectedError as reason:
                raise RejectedError(
                    f"cycle {access.answered}, script entry {access.entry}: {reason}", access.entry
                ) from None
        while self.advance(NO_LIMIT):
            pass
        rest = self.run.accesses[-1].answered - self.last_tick  # what the script's end left
        kernel = self.kernel
        late = kernel.late and rest > self.run.limits.tick_cycles_minimum // 2
        if late or kernel.dying or kernel.released or kernel.orphans:
            dying = [f"{kind.value} {number}" for kind, number in kernel.dying]
            raise RejectedError(
                f"at the end late {sorted(kernel.late)}, dying {dying},"
                f" released {sorted(kernel.released)}, with mutexes {sorted(kernel.orphans)}"
            )
        return self.counter

    # ---- interrupt edges and lines --------------------------------------------------------------

    def edge(self, access: Access) -> None:
        while self.advance(access.answered - 1):
            pass
        before = self.ledger.merged
        if access.address < self.kernel.limits.interrupts:
            self.ledger.rise(access.address, access.answered)
        self.counter["edge while the line is pending"] += self.ledger.merged - before

    def expected_lines(self) -> int:
        kernel, core = self.kernel, self.core
        due = kernel.dispatch_due(core) and not self.told and not core.in_handler
        return int(due) | int(bool(core.handler_irqs)) << 1

    def check_lines(self, now: int) -> None:
        """Since the last activity all was quiet: the lines must have settled to the model's."""
        if (
            now - max(self.active, self.lines_since) > self.settle
            and self.lines != self.expected_lines()
        ):
            names = ["dispatch", "handler"]
            texts = [", ".join(n for i, n in enumerate(names) if v >> i & 1) or "none"
                     for v in (self.expected_lines(), self.lines)]  # fmt: skip
            raise RejectedError(
                f"cycle {now}: interrupt lines high: {texts[0]} expected, found {texts[1]}"
            )

    def line_change(self, access: Access) -> None:
        while self.advance(access.answered):
            pass
        events = self.run.events
        ahead = events[self.next][0] if self.next < len(events) else NO_LIMIT
        if min(access.answered - self.active, ahead - access.answered) > self.settle:
            raise RejectedError(
                f"the interrupt lines change to {access.read:#b} with no event or access before"
            )
        self.lines = access.read
        self.lines_since = access.answered

    # ---- accesses -------------------------------------------------------------------------------

    def access(self, access: Access) -> None:
        while self.advance(access.accepted - 1):
            pass
        self.check_lines(access.accepted)
        whole = access.byte_enable == 15 and access.address % 4 == 0
        region = access.address < COMMAND_REGION
        if access.kind == STORE:
            if whole and access.address == Register.OPERAND:
                self.operands.append(access.written)
                return
            self.finish(access)
            if not (whole and region):
                self.illegal += 1
                self.counter[f"illegal {'write' if whole else 'partial write'}"] += 1
        elif not whole:
            self.finish(access)
            self.illegal += 1
            self.counter["illegal partial read"] += 1
        elif region and access.address >> 10 not in QUERIES:
            self.answer(access)
        elif region:
            self.counter["query"] += 1
            query, number = Query(access.address >> 10), access.address >> 2 & 0xFF
            self.compare(access, lambda: self.kernel.query(query, number))
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
            raise RejectedError(
                f"load of {access.address:#06x}: {values[-1] & WORD:#x} expected,"
                f" found {access.read:#x}"
            )

    def answer(self, access: Access) -> None:
        found = None
        while self.next < len(self.run.events) and self.run.events[self.next][0] <= access.answered:
            event = self.run.events[self.next]
            self.advance(access.answered)
            if event[1] == TraceKind.ANSWER:
                found = event
                told, waits = self.told, self.waits()
        if found is None:
            raise RejectedError(
                f"load of {access.address:#06x}: no answer event between request and response"
            )
        expected = found[6]
        if not expected and not self.core.in_handler:
            if told:
                expected |= ANSWER_DISPATCH_DUE
            if waits:
                expected |= ANSWER_DISPATCH_DUE | ANSWER_WAITING
        if access.read != expected:
            raise RejectedError(f"answer: {expected:#x} expected, found {access.read:#x}")

    def waits(self) -> bool:
        """The running task waits: its core did not switch yet."""
        core = self.core
        return core.running is not None and bool(self.kernel.tasks[core.running].wait)

    def _registers(self) -> dict[int, Callable[[], int]]:
        kernel, core = self.kernel, self.core
        sizes = kernel.limits
        hash_word = parameter_hash_word(
            **{name: getattr(sizes, name) for name, info in PARAMETERS.items() if info.hash}
        )
        running: Callable[[], int] = lambda: sizes.tasks if core.running is None else core.running  # noqa: E731
        return {
            Register.IDENTITY: lambda: IDENTITY,
            Register.SPEC_HASH: lambda: SPEC_HASH_WORD,
            Register.PARAMETER_HASH: lambda: hash_word,
            Register.RUNNING: running,
            Register.TIME_LOW: lambda: kernel.time & WORD,
            Register.TIME_HIGH: lambda: kernel.time >> 32,
            Register.TICK_CYCLES: lambda: kernel.tick_cycles,
            Register.OPERAND: lambda: 0,
            Register.REFUSED: lambda: kernel.refused + self.illegal,
        }

    def register(self, access: Access) -> None:
        offset = access.address
        if offset in (Register.DISPATCH, Register.CLAIM):
            self.side_effect(access, offset)
        elif offset == Register.VALUE:
            self.word(access, TraceKind.VALUE, access.read)
        elif offset == Register.READY:
            self.finish(access)
            if access.read > 1:
                raise RejectedError(f"ready: 0 or 1 expected, found {access.read:#x}")
        elif offset == Register.LOST_IRQS:
            low = self.kernel.lost_irqs
            self.finish(access)
            high = self.kernel.lost_irqs + self.ledger.merged
            if not low <= access.read <= high:
                raise RejectedError(f"lost_irqs: {low} … {high} expected, found {access.read}")
            difference = self.ledger.difference(access.read, access.accepted)
            if difference:
                raise RejectedError(difference)
        elif offset in self.registers:
            self.compare(access, self.registers[offset])
        else:
            self.counter["illegal read"] += 1
            self.compare(access, lambda: 0)
            self.illegal += 1

    def word(self, access: Access, kind: TraceKind, word: int) -> None:
        """A store of the operand or a load of the value: its event says the same word."""
        found = None
        while self.next < len(self.run.events) and self.run.events[self.next][0] <= access.answered:
            event = self.run.events[self.next]
            self.advance(access.answered)
            if event[1] == kind:
                found = event[5]
        name = kind.name.lower()
        if found is None:
            raise RejectedError(f"{name}: no such event between request and response")
        if word != found:
            raise RejectedError(f"{name}: {found:#x} in the trace, {word:#x} in the access")

    def side_effect(self, access: Access, offset: int) -> None:
        kind = TraceKind.DISPATCH if offset == Register.DISPATCH else TraceKind.CLAIM
        found = None
        while self.next < len(self.run.events) and self.run.events[self.next][0] <= access.answered:
            event = self.run.events[self.next]
            self.advance(access.answered)
            if event[1] == kind:
                found = event
        if found is None:
            raise RejectedError(
                f"load of {kind.name.lower()}: no such event between request and response"
            )
        expected = WORD if kind == TraceKind.CLAIM and found[3] == 0xFFFF else found[3]
        if access.read != expected:
            name = kind.name.lower()
            raise RejectedError(f"{name}: {expected:#x} expected, found {access.read:#x}")
