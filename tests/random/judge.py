# SPDX-License-Identifier: Apache-2.0
"""Judges one run of the bench.

First `melanion.model.replay` on the trace (with the interrupt edges, so that their service is
owed). Then, with a second model that follows the trace, what no event shows: what every load
returned (answers with their flags, values, queries, registers), the interrupt lines of every
core, the lengths of ticks (`ticks`), how long a command waits for those of other cores. On the way
it measures how many cycles one takes alone (`cycles`), and counts the situations that came
(`coverage`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mel_gen import KERNELS, TraceKind

from melanion.model import Kernel
from melanion.model.owed import Patience
from melanion.model.replay import Event, ReplayError, replay
from tests.random import coverage, cycles
from tests.random.coverage_cores import Moves
from tests.random.cycles import Cycles
from tests.random.edges import EdgeLedger
from tests.random.lines import LineError, Lines
from tests.random.loads import Loads, is_command
from tests.random.measure import Measures
from tests.random.records import EDGE, LINES, Access, RejectedError, Run
from tests.random.slices import Slices
from tests.random.ticks import Ticks
from tests.random.turns import Turns

SETTLE = 12  # cycles in which the lines follow the events, of each core
NO_LIMIT = 1 << 40


@dataclass(frozen=True)
class Verdict:
    """Result of a correct run: situations that it went through; waiting times of commands.

    `unit`: U of the commands that were alone; `longest_wait` in cycles, from the store to the
    effect; `overtaken`: the steps of another core meanwhile.
    """

    counts: Counter[str]
    unit: Cycles
    longest_wait: int
    overtaken: int


def judge(run: Run) -> Verdict:
    """Raises RejectedError when the run is wrong."""
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
    """A model that follows the trace, and what it expects of accesses, lines and ticks."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.kernel = Kernel(run.limits)
        self.kernel.links = True
        self.counter: Counter[str] = Counter()
        # A step that sets flags judges a row of tasks per cycle before its event comes.
        rows = run.limits.tasks // 8 if run.limits.event_flags else 0
        self.lines = Lines(self.kernel, SETTLE * run.limits.cores + rows, run.step)
        self.ledger = EdgeLedger(self.kernel)
        # A report waits for the step under way, and for those of a request and a tick; with more
        # cores also for their reports, and a request between them.
        steps = (2 * run.limits.cores + 1) * run.step
        self.measures = Measures(self.kernel, exact=run.exact, steps=steps)
        self.loads = Loads(run, self.kernel, self.lines, self.ledger, self.measures, self.counter)
        self.turns = Turns(self.kernel)
        self.slices = Slices(self.kernel, run.step)
        self.moves = Moves()
        self.chains: dict[tuple[int, int], str] = {}  # chains of commands, by cycle and core
        self.ticks = Ticks(run) if run.exact else None
        self.last_tick = 0

    def follow(self) -> Verdict:
        for cycle, what, begins in _timeline(self.run):
            try:
                self.lines.check(cycle)
                if isinstance(what, Access):
                    self.access(what, begins)
                else:
                    self.event(what)
            except (RejectedError, LineError) as reason:
                entry = self.entry(cycle, what)
                where = "" if entry is None else f", script entry {entry}"
                raise RejectedError(f"cycle {cycle}{where}: {reason}", entry) from None
        self.check_end()
        unit = cycles.measure(self.run, self.chains)
        return Verdict(self.counter, unit, self.turns.longest, self.turns.overtaken)

    def entry(self, cycle: int, what: Access | Event) -> int | None:
        """The script's entry that was executed then."""
        if isinstance(what, Access):
            return what.entry
        return next((a.entry for a in self.run.accesses if a.answered >= cycle), None)

    def access(self, access: Access, begins: bool) -> None:
        if access.kind == EDGE:
            before = self.ledger.merged
            if access.address < self.kernel.limits.interrupts:
                self.ledger.rise(access.address, access.answered)
            self.counter["edge while the line is pending"] += self.ledger.merged - before
        elif access.kind == LINES:
            self.lines.change(access.core, access.read, access.answered)
            self.measures.access(access)
        elif begins:
            if is_command(access):
                self.turns.begin(access)
                self.lines.ask(access.core)
                cores = self.run.limits.cores
                self.moves.store(self.counter, access.core, access.accepted, cores)
            self.loads.begin(access)
        else:
            self.measures.access(access)
            self.loads.end(access)

    def event(self, event: Event) -> None:
        """Follow one event."""
        coverage.before(self.counter, self.kernel, event)
        cycle, kind = event[:2]
        op = event[3] & 0xFF
        self.lines.before()
        self.turns.event(event)
        self.slices.event(event)
        if self.ticks and (situation := self.ticks.event(event)):
            self.counter[situation] += 1
        if kind == TraceKind.COMMAND:
            if not event[6]:
                self.ledger.command(op, event[4], cycle)
            self.chains[cycle, event[2]] = cycles.chain(self.kernel, event)
        elif kind == TraceKind.DISPATCH:
            self._above_chain(event)
            self.moves.dispatch(self.counter, event[2], event[3], self.run.limits.tasks)
        elif kind == TraceKind.TICK:
            self.tick(cycle)
        elif kind == TraceKind.MISS:
            self.ledger.rise(self.kernel.limits.lines - 1, cycle)
        elif kind == TraceKind.IRQ:
            self.ledger.serve(event[3], event[0])
        self.measures.before_event(event)
        coverage.execute(self.kernel, event)
        self.measures.event(event, self.counter)
        self.lines.after(event)
        self.slices.after(event)
        self.loads.event(event)
        coverage.after(self.counter, self.kernel, event)

    def _above_chain(self, event: Event) -> None:
        """While a chain of owners goes on, a core changes only to a task that the rest of the chain
        cannot pass."""
        kernel, chosen = self.kernel, event[3]
        if kernel.linked is None:
            return
        owner = kernel.tasks[kernel.linked]
        level = min(owner.priority, kernel.inherited(owner))
        if chosen == kernel.limits.tasks or kernel.tasks[chosen].priority >= level:
            raise RejectedError(
                f"core {event[2]}: task {chosen} was dispatched, and a chain goes on at"
                f" priority {level}"
            )

    def tick(self, cycle: int) -> None:
        """The timers that it makes due raise their lines."""
        self.last_tick = cycle
        for number, timer in enumerate(self.kernel.timers):
            if timer.expiry == self.kernel.now + 1:
                self.ledger.rise(self.kernel.limits.interrupts + number, cycle)

    def check_end(self) -> None:
        """Nothing is owed when the script has come to rest."""
        end = self.run.accesses[-1].answered
        rest = end - self.last_tick
        if self.ticks:
            self.ticks.check_end(end)
        kernel = self.kernel
        late = kernel.late and rest > self.run.limits.tick_cycles_minimum // 2
        if kernel.overdue and rest > 4 * self.run.limits.tasks:
            raise RejectedError(f"at the end missed deadlines of {sorted(kernel.overdue)} are owed")
        # A tick just before the end may have made one due.
        if any(end - since > self.slices.longest for since in self.slices.since.values()):
            raise RejectedError("at the end a slice is over, or a turn is owed")
        left = kernel.dying or kernel.released or kernel.orphans or kernel.linked is not None
        if late or left:
            dying = [f"{kind.value} {number}" for kind, number in kernel.dying]
            raise RejectedError(
                f"at the end late {sorted(kernel.late)}, dying {dying},"
                f" released {sorted(kernel.released)}, with mutexes {sorted(kernel.orphans)},"
                f" next of a chain: {kernel.linked}"
            )


# The order within a cycle. A response comes after the events of its cycle, and a request after the
# response that its core waited for.
BEGIN, EVENT, END, BEGIN_AFTER = range(4)


def _timeline(run: Run) -> Iterator[tuple[int, Access | Event, bool]]:
    """Everything in order of time: cycle, what, and whether an access begins."""
    points: list[tuple[int, int, int, Access | Event, bool]] = [
        (event[0], EVENT, i, event, False) for i, event in enumerate(run.events)
    ]
    answered: dict[int, int] = {}  # the last response, by core
    for i, access in enumerate(run.accesses):
        if access.kind == EDGE:
            points.append((access.answered, BEGIN, i, access, True))
            continue
        points.append((access.answered, END, i, access, False))
        if access.kind != LINES:
            after = answered.get(access.core) == access.accepted
            points.append((access.accepted, BEGIN_AFTER if after else BEGIN, i, access, True))
            answered[access.core] = access.answered
    points.sort(key=lambda point: point[:3])
    for cycle, _, _, what, begins in points:
        yield cycle, what, begins
