# SPDX-License-Identifier: Apache-2.0
"""Expected result of every access: answers with their flags, values, queries, registers.

An access is open from the cycle in which it is taken to that of its response. If no event reports
its result, any state between the two is right.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from mel_gen import (
    ANSWER_UNSETTLED,
    ANSWER_WAITING,
    IDENTITY,
    PARAMETERS,
    SPEC_HASH_WORD,
    Query,
    Register,
    TraceKind,
    parameter_hash_word,
)

from melanion.model import Kernel, Limits
from melanion.model.replay import Event
from melanion.model.state import Core
from tests.random.edges import EdgeLedger
from tests.random.lines import Lines
from tests.random.measure import LATENCIES, Measures
from tests.random.records import LOAD, STORE, Access, RejectedError, Run
from tests.random.script import commands
from tests.random.turns import END, begins_chain

WORD = 0xFFFF_FFFF
QUERIES = frozenset(map(int, Query))
REGISTERS = frozenset(map(int, Register))
STORED = frozenset({int(Register.OPERAND), int(Register.MONITOR)})  # registers that take a store
MEASURED = frozenset(
    {
        Register.MONITOR,
        Register.LONGEST_WAIT,
        Register.MISSED_DEADLINES,
        Register.BUDGET_OVERRUNS,
        *LATENCIES,
    }
)
LAST_RUN_TIME = 0xFFFF_FF7F  # above it stand the statuses
# Loads that an event reports.
REPORTED = {
    Register.DISPATCH: TraceKind.DISPATCH,
    Register.CLAIM: TraceKind.CLAIM,
    Register.VALUE: TraceKind.VALUE,
}


def is_command(access: Access) -> bool:
    return access.kind == STORE and _whole(access) and commands(access.address)


def is_operand(access: Access) -> bool:
    return access.kind == STORE and _whole(access) and access.address == Register.OPERAND


def is_clear(access: Access) -> bool:
    """It clears what the monitor measured."""
    return access.kind == STORE and _whole(access) and access.address == Register.MONITOR


def parameter_hash(limits: Limits) -> int:
    """The register's word for these sizes."""
    sizes = {name: getattr(limits, name) for name, info in PARAMETERS.items() if info.hash}
    return parameter_hash_word(**sizes)


def _whole(access: Access) -> bool:
    return access.byte_enable == 15 and access.address % 4 == 0


def illegal(access: Access) -> str:
    """Return the kind of illegal access; empty: it is legal, or no access at all."""
    kind, address = access.kind, access.address
    if kind not in (LOAD, STORE):
        return ""
    partial = "" if _whole(access) else "partial "
    if kind == STORE:
        taken = commands(address) or address in STORED
        return "" if taken and not partial else f"illegal {partial}write"
    known = commands(address) or address in REGISTERS
    return "" if known and not partial else f"illegal {partial}read"


@dataclass
class Open:
    """An access under way: what it may return so far, or the event that reports it."""

    access: Access
    kind: TraceKind | None = None
    expect: Callable[[], int] | None = None
    values: list[int] = field(default_factory=list)
    found: Event | None = None
    flags: int = 0  # flags of an answer
    maybe: int = 0  # of an answer: a flag that it may have
    lost: int = 0  # `lost_irqs` when it was taken


class Loads:
    """Follows the accesses of all cores, each with at most one under way."""

    def __init__(
        self,
        run: Run,
        kernel: Kernel,
        lines: Lines,
        ledger: EdgeLedger,
        measures: Measures,
        counter: Counter[str],
    ) -> None:
        self.kernel = kernel
        self.lines = lines
        self.ledger = ledger
        self.measures = measures
        self.exact = run.exact
        # Cycle of the last command of each task that may begin a chain; cycle of the one that began
        # the chain which goes on, when it was a command.
        self.chains: dict[int, int] = {}
        self.chain, self.linked = 0, False
        self.counter = counter
        self.open: dict[int, Open] = {}  # by core
        # Stored, their event is to come.
        self.operands: list[deque[int]] = [deque() for _ in kernel.cores]
        wrong = [access for access in run.accesses if illegal(access)]
        self.wrong_taken = sorted(access.accepted for access in wrong)
        self.wrong_answered = sorted(access.answered for access in wrong)
        self.registers = self._registers()

    def _registers(self) -> dict[int, Callable[[], int]]:
        """Registers that all cores read alike (`running` is not), and that no event reports."""
        kernel, hash_word = self.kernel, parameter_hash(self.kernel.limits)
        return {
            Register.IDENTITY: lambda: IDENTITY,
            Register.SPEC_HASH: lambda: SPEC_HASH_WORD,
            Register.PARAMETER_HASH: lambda: hash_word,
            Register.TIME_LOW: lambda: kernel.time & WORD,
            Register.TIME_HIGH: lambda: kernel.time >> 32,
            Register.TICK_CYCLES: lambda: kernel.tick_cycles,
            Register.OPERAND: lambda: 0,
            Register.REFUSED: lambda: kernel.refused,
            Register.REPORTED: lambda: kernel.reported,
        }

    def begin(self, access: Access) -> None:
        """It is taken."""
        if is_operand(access):
            self.operands[access.core].append(access.written)
            return
        kind, expect = self._outlook(access)
        entry = Open(access, kind, expect, lost=self.kernel.lost_irqs)
        if expect:
            entry.values.append(expect() & WORD)
        self.open[access.core] = entry

    def _outlook(self, access: Access) -> tuple[TraceKind | None, Callable[[], int] | None]:
        """The event that reports the access, or what it returns in the state of now."""
        kernel, address = self.kernel, access.address
        if access.kind == STORE or not _whole(access):
            return None, None
        if not commands(address):
            if address == Register.RUNNING:
                core = kernel.cores[access.core]
                idle = kernel.limits.tasks
                return None, lambda: idle if core.running is None else core.running
            if address in (Register.READY, Register.LOST_IRQS):
                return None, None
            if address in REPORTED:
                return REPORTED[Register(address)], None
            return None, self.registers.get(address, lambda: 0)
        if address >> 10 not in QUERIES:
            return TraceKind.ANSWER, None
        self.counter["query"] += 1
        query, number = Query(address >> 10), address >> 2 & 0xFF
        return None, lambda: kernel.query(query, number)

    def event(self, event: Event) -> None:
        """The model has executed it."""
        core = self.kernel.cores[event[2]]
        self._begins(event, core)
        if event[1] == TraceKind.OPERAND:
            stored = self.operands[core.number]
            if not stored or stored.popleft() != event[5]:
                raise RejectedError(f"operand {event[5]:#x} in the trace, not as it was stored")
        for entry in self.open.values():
            if entry.expect:
                entry.values.append(entry.expect() & WORD)
        mine = self.open.get(core.number)
        if mine is None or event[1] != mine.kind:
            return
        mine.found, mine.flags, mine.maybe = event, 0, 0
        if mine.kind == TraceKind.ANSWER and not event[6]:
            mine.flags = self.lines.flags(core)
            self._unsettled(mine, core, event[0])

    def _unsettled(self, mine: Open, core: Core, cycle: int) -> None:
        """A command of the reader has begun a chain of owners. The unit looks at the next one
        before it knows that it inherits nothing."""
        task = core.running
        asked = task is not None and not core.in_handler and self.chains.get(task)
        if not asked or mine.flags & ANSWER_WAITING:
            return
        if self.kernel.linked is not None and asked == self.chain:
            mine.flags |= ANSWER_UNSETTLED
        elif cycle - asked < END:
            mine.maybe = ANSWER_UNSETTLED

    def _begins(self, event: Event, core: Core) -> None:
        """Note the task whose command has begun the chain of owners that goes on."""
        task = None if core.in_handler else core.running
        if task is not None and event[1] == TraceKind.COMMAND and begins_chain(event):
            self.chains[task] = event[0]
        if self.kernel.linked is not None and event[1] != TraceKind.INHERIT and not self.linked:
            self.chain = event[0] if event[1] == TraceKind.COMMAND else 0
        self.linked = self.kernel.linked is not None

    def end(self, access: Access) -> None:
        """Its response is there."""
        if is_operand(access):
            return
        entry = self.open.pop(access.core)
        if what := illegal(access):
            self.counter[what] += 1
        if access.kind == STORE:
            return
        if entry.kind is not None:
            self._reported(entry)
        elif not _whole(access):
            return
        elif access.address == Register.READY:
            if access.read > 1:
                raise RejectedError(f"ready: 0 or 1 expected, found {access.read:#x}")
        elif access.address == Register.LOST_IRQS:
            self._lost(entry)
        elif access.address in MEASURED:
            self._measured(access, [self.measures.expected(access)])
        elif access.address >> 10 == Query.RUN_TIME:
            self.counter["query of a run time"] += 1
            task = access.address >> 2 & 0xFF
            refusals = {value for value in entry.values if value > LAST_RUN_TIME}
            some = len(refusals) < len(set(entry.values))
            measured = [self.measures.run_time(task, access)] if some else []
            self._measured(access, [*measured, *refusals])
        else:
            self._one_of(entry)

    def _measured(self, access: Access, expected: list[int]) -> None:
        """Exactly what the trace says."""
        if self.exact and access.read not in expected:
            raise RejectedError(
                f"load of {access.address:#06x}: {' or '.join(map(str, expected))} expected,"
                f" found {access.read}"
            )

    def _reported(self, entry: Open) -> None:
        access, kind, found = entry.access, entry.kind, entry.found
        assert kind is not None
        name = kind.name.lower()
        if found is None:
            raise RejectedError(
                f"load of {access.address:#06x}: no {name} event between request and response"
            )
        if kind == TraceKind.ANSWER:
            expected = found[6] | entry.flags
        elif kind == TraceKind.VALUE:
            expected = found[5]
        else:
            spurious = kind == TraceKind.CLAIM and found[3] == 0xFFFF
            expected = WORD if spurious else found[3]
        if access.read not in (expected, expected | entry.maybe):
            raise RejectedError(f"{name}: {expected:#x} expected, found {access.read:#x}")

    def _one_of(self, entry: Open) -> None:
        access, values = entry.access, entry.values
        offsets = range(1)
        if access.address == Register.REFUSED:  # illegal accesses of other cores are under way
            low = bisect_right(self.wrong_answered, access.accepted)
            offsets = range(low, bisect_left(self.wrong_taken, access.answered) + 1)
        if not any(access.read == value + offset for value in set(values) for offset in offsets):
            raise RejectedError(
                f"load of {access.address:#06x}: {values[-1] + offsets[-1]:#x} expected,"
                f" found {access.read:#x}"
            )

    def _lost(self, entry: Open) -> None:
        access = entry.access
        # An edge near an enable may have been pending, too, and the next one met it.
        high = self.kernel.lost_irqs + self.ledger.merged + self.ledger.doubtful
        if not entry.lost <= access.read <= high:
            raise RejectedError(f"lost_irqs: {entry.lost} … {high} expected, found {access.read}")
        difference = self.ledger.difference(access.read, access.accepted)
        if difference:
            raise RejectedError(difference)
