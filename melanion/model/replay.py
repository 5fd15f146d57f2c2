# SPDX-License-Identifier: Apache-2.0
"""Replay: the events of a run are executed on the golden model; the first difference ends it.

Compared: the status (and context, when reported) of every command, the task of every dispatch, the
tick counter, that a timeout was due and came in the kernel's order, the result of every wait, what
an interrupt did, what a handler claimed, what a program read as its answer. Liveness: what the
model owes (a timeout, a release, a dispatch, a tick, service of an interrupt) must come within
`Patience`. Speed: about 4 µs per event; no state per event is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from mel_gen import Command, Context, KernelInfo, Status, TraceKind

from melanion.errors import MelanionError
from melanion.model.describe import (
    HANDLER_ANSWER,
    Names,
    describe_event,
    describe_state,
    name_of,
    runner_text,
    status_text,
)
from melanion.model.kernel import Kernel
from melanion.model.mutex import deadlock
from melanion.model.owed import IDLE_FAR, Owed, Patience
from melanion.model.state import TIME_MASK, Core, Limits, ModelError

if TYPE_CHECKING:
    import numpy as np  # only its arrays, whose methods are enough: a page has no numpy

Event = tuple[int, int, int, int, int, int, int]  # cycle, kind, core, a, b, c, d

SPURIOUS = 0xFFFF
CHUNK = 1 << 16  # records that are converted at once
INT32_SIGN = 1 << 31
BUSY = Status.E_BUSY & 0xFFFF_FFFF
DEVICE_COMMANDS = (Command.TICK_SET, Command.IRQ_RAISE, Command.IRQ_DISABLE)


class ReplayError(MelanionError):
    """The run differs from the model. `event` counts from 0; `cycle` is where to look."""

    def __init__(self, message: str, event: int, cycle: int) -> None:
        super().__init__(message)
        self.event = event
        self.cycle = cycle


@dataclass(frozen=True)
class ReplayReport:
    """Numbers of compared events; `last_cycle` of the events, `ticks` from `time_reset` on.

    `deadlocks`: a sentence for each lock that was refused because it would have closed a cycle.
    """

    events: int
    commands: int
    dispatches: int
    ticks: int
    last_cycle: int
    deadlocks: tuple[str, ...]


def replay(
    events: np.ndarray[Any, np.dtype[Any]] | Iterable[Any],
    limits: Limits,
    kernel: KernelInfo,
    *,
    patience: Patience | None = None,
    names: Names | None = None,
) -> ReplayReport:
    """Execute a trace on the model. ReplayError tells the first difference.

    `events`: records of spec/trace.yaml (a structured array, or any iterable of records or tuples);
    `names`: task number to name, for the message.
    """
    player = Player(limits, kernel, patience or Patience.of(kernel), names or {})
    for chunk in _chunks(events):
        player.play(chunk)
    return player.report()


def _chunks(events: np.ndarray[Any, np.dtype[Any]] | Iterable[Any]) -> Iterator[list[Event]]:
    if hasattr(events, "tolist"):
        array: Any = events
        for start in range(0, len(array), CHUNK):
            yield array[start : start + CHUNK].tolist()
        return
    source = iter(events)
    while records := list(islice(source, CHUNK)):
        yield [r if isinstance(r, tuple) else tuple(r.item()) for r in records]


def tuples(events: np.ndarray[Any, np.dtype[Any]] | Iterable[Any]) -> Iterator[Event]:
    """The events of a run, one by one."""
    for chunk in _chunks(events):
        yield from chunk


class _Difference(Exception):
    """Mismatch: the expectation of the model, and the record of the run."""


class Player:
    """One replay: the model, and since when it owes what. `play` may be called again and again."""

    def __init__(self, limits: Limits, info: KernelInfo, patience: Patience, names: Names) -> None:
        self.kernel = Kernel(limits)
        self.kernel.links = info.unit
        self.most_urgent_first = info.timeout_order == "most_urgent_first"
        self.unit = info.unit
        self.names = names
        self.owed = Owed(self.kernel, patience, names)
        self.events = self.commands = self.dispatches = 0
        self.deadlocks: list[str] = []
        self.agreed = 0  # cycle of the last event that agreed
        self.step = {
            int(TraceKind.COMMAND): self.command,
            int(TraceKind.DISPATCH): self.dispatch,
            int(TraceKind.TICK): self.tick,
            int(TraceKind.TIMEOUT): self.timeout,
            int(TraceKind.RELEASE): self.release,
            int(TraceKind.ORPHAN): self.orphan,
            int(TraceKind.INHERIT): self.inherit,
            int(TraceKind.OPERAND): self.operand,
            int(TraceKind.VALUE): self.value,
            int(TraceKind.IRQ): self.irq,
            int(TraceKind.CLAIM): self.claim,
            int(TraceKind.TURN): self.turn,
            int(TraceKind.SLICE): self.slice,
            int(TraceKind.MISS): self.miss,
            int(TraceKind.ANSWER): self.answer,
            int(TraceKind.IRQ_WIRE): self.irq_wire,
        }

    def play(self, events: list[Event]) -> None:
        step_of, owed = self.step, self.owed
        for event in events:
            cycle = event[0]
            try:
                if cycle > owed.first_limit and (missing := owed.missing(cycle)):
                    raise _Difference(missing)
                owed.cycle = cycle
                step = step_of.get(event[1])
                if step is not None:
                    if event[2] >= len(self.kernel.cores):
                        raise _Difference(f"there is no core {event[2]}")
                    step(event)
            except (_Difference, ModelError) as difference:
                raise self.error(event, str(difference)) from None
            self.events += 1
            self.agreed = cycle

    def report(self) -> ReplayReport:
        ticks = self.kernel.now - self.kernel.limits.time_reset
        counts = (self.events, self.commands, self.dispatches, ticks, self.owed.cycle)
        return ReplayReport(*counts, tuple(self.deadlocks))

    # ---- events -----------------------------------------------------------------------------

    def command(self, event: Event) -> None:
        _, _, core, a, number, argument, d = event
        op, context = a & 0xFF, a >> 8
        kernel = self.kernel
        expected_context = kernel.context(kernel.cores[core])
        if context != expected_context and context != Context.UNKNOWN:
            names = expected_context.name.lower(), name_of(Context, context)
            raise _Difference(f"the caller's context is {names[0]}, the run says {names[1]}")
        if d == BUSY and self.unit:
            kernel.busy(core, op)
            if not self.owed.leaves(op):
                raise _Difference("the status is not E_BUSY: nothing is left of earlier commands")
            self.owed.settle()
            return
        answer = kernel.command(core, op, number, argument)
        if answer != (d - (1 << 32) if d & INT32_SIGN else d):
            raise _Difference(f"the status is {status_text(answer)}, the run says {status_text(d)}")
        self.commands += 1
        if answer == Status.E_ILUSE and op == Command.MUTEX_LOCK:
            self.note_deadlock(kernel.cores[core], number)
        if answer == 0 and op in DEVICE_COMMANDS:
            self.device_command(op, number)
        self.owed.settle()

    def note_deadlock(self, core: Core, number: int) -> None:
        """A lock was refused; if a wait for it would have closed a cycle, say which."""
        caller = self.kernel.running_task(core)
        chain = deadlock(self.kernel, self.kernel.mutexes[number], caller)
        if chain:
            owners = ", ".join(
                f"{self.task(mutex.owner)} owns mutex {mutex.number}"
                + (f" and waits for mutex {after.number}" if after else "")
                for mutex, after in zip(chain, [*chain[1:], None], strict=True)
                if mutex.owner is not None
            )
            self.deadlocks.append(
                f"deadlock refused at cycle {self.owed.cycle}: {self.task(caller.number)} wants"
                f" mutex {number}, but {owners}."
            )

    def device_command(self, op: int, number: int) -> None:
        if op == Command.TICK_SET:
            self.owed.expect_tick(changed=True)
        elif op == Command.IRQ_RAISE:
            self.owed.expect_irq(number)
        elif op == Command.IRQ_DISABLE:
            self.owed.irq_limits.pop(number, None)

    def dispatch(self, event: Event) -> None:
        _, _, number, a, before, ended_handler, _ = event
        limit = self.kernel.limits.tasks
        core = self.kernel.cores[number]
        running = limit if core.running is None else core.running
        if before != running:
            raise _Difference(f"{self.task(running)} ran before, the run says {self.task(before)}")
        if bool(ended_handler) != core.in_handler:
            was = "a handler ends here" if core.in_handler else "no handler is active here"
            raise _Difference(f"{was}, the run says {'it ends' if ended_handler else 'none ends'}")
        chosen = self.kernel.dispatch(number)
        expected = limit if chosen is None else chosen
        if a != expected:
            raise _Difference(f"{self.task(expected)} runs next, the run says {self.task(a)}")
        self.dispatches += 1
        self.owed.dispatch_limits[number] = IDLE_FAR
        self.owed.settle()

    def tick(self, event: Event) -> None:
        expected = (self.kernel.time + 1) & TIME_MASK
        found = event[4] | event[5] << 32
        if found != expected:
            raise _Difference(f"the tick counter becomes {expected}, the run says {found}")
        if self.kernel.late and not self.unit:
            # A tick interrupt is one critical section; a unit works in the background.
            due = ", ".join(map(self.task, self.kernel.due()))
            raise _Difference(f"the wait of {due} ends by timeout before the next tick")
        if self.kernel.overdue:
            late = ", ".join(map(self.task, sorted(self.kernel.overdue)))
            raise _Difference(f"the missed deadline of {late} is reported before the next tick")
        self.kernel.tick()
        for line in self.kernel.raised:
            self.owed.expect_irq(line)
        self.owed.expect_tick()
        self.owed.settle()

    def timeout(self, event: Event) -> None:
        number = event[3]
        kernel = self.kernel
        if number not in kernel.late:
            due = ", ".join(map(self.task, kernel.due())) or "no task"
            raise _Difference(f"{due} is due, the run ends the wait of {self.task(number)}")
        if self.most_urgent_first and len(kernel.late) > 1:
            first = kernel.due()[0]
            if kernel.tasks[first].priority < kernel.tasks[number].priority:
                raise _Difference(
                    f"{self.task(first)} times out first, being the most urgent of those due,"
                    f" the run says {self.task(number)}"
                )
        self.compare_result(kernel.timeout(number), event[6])
        self.owed.timeout_limit = IDLE_FAR
        self.owed.settle()

    def release(self, event: Event) -> None:
        self.compare_result(self.kernel.release(event[3]), event[6])
        self.owed.release_limit = IDLE_FAR
        self.owed.settle()

    def orphan(self, event: Event) -> None:
        _, _, _, found, number, ended, _ = event
        owner = self.kernel.orphan(number, ended)
        expected = self.kernel.limits.tasks if owner is None else owner
        if found != expected:
            owners = [self.owner(n) for n in (expected, found)]
            raise _Difference(
                f"mutex {number} now belongs to {owners[0]}, the run says {owners[1]}"
            )
        self.owed.release_limit = IDLE_FAR
        self.owed.settle()

    def inherit(self, event: Event) -> None:
        priority = self.kernel.link(event[3])
        if priority != event[5]:
            raise _Difference(f"its priority becomes {priority}, the run says {event[5]}")
        self.owed.release_limit = IDLE_FAR
        self.owed.settle()

    def operand(self, event: Event) -> None:
        self.kernel.words_of(self.kernel.cores[event[2]]).operand = event[5]

    def value(self, event: Event) -> None:
        self.check_reader(event)
        expected = self.kernel.words_of(self.kernel.cores[event[2]]).value
        if event[5] != expected:
            raise _Difference(f"the value is {expected:#x}, the run says {event[5]:#x}")

    def irq(self, event: Event) -> None:
        _, _, _, number, action, target, d = event
        if number >= len(self.kernel.interrupts):
            raise _Difference(f"there is no interrupt {number}")
        line = self.kernel.interrupts[number]
        if action != line.action or (action and target != line.target):
            raise _Difference(
                f"interrupt {number} is mapped to {line.action.name} of object {line.target},"
                f" the run says action {action} of object {target}"
            )
        self.compare_result(self.kernel.irq(number), d)
        self.owed.irq_limits.pop(number, None)
        self.owed.settle()

    def turn(self, event: Event) -> None:
        running = self.kernel.turn(event[2])
        if event[3] != running:
            raise _Difference(f"{self.task(running)} runs, the run says {self.task(event[3])}")
        self.owed.settle()

    def slice(self, event: Event) -> None:
        running = self.kernel.slice(event[2])
        if event[3] != running:
            raise _Difference(f"{self.task(running)} runs, the run says {self.task(event[3])}")
        self.owed.slice_limits[event[2]] = IDLE_FAR
        self.owed.settle()

    def miss(self, event: Event) -> None:
        self.kernel.miss(event[3], bool(event[4]))
        for line in self.kernel.raised:
            self.owed.expect_irq(line)
        self.owed.miss_limit = IDLE_FAR
        self.owed.settle()

    def claim(self, event: Event) -> None:
        claimed = self.kernel.claim(event[2])
        expected = SPURIOUS if claimed is None else claimed
        if expected != event[3]:
            what = ["none (spurious)" if n == SPURIOUS else n for n in (expected, event[3])]
            raise _Difference(f"the handler of interrupt {what[0]} begins, the run says {what[1]}")
        self.owed.settle()

    def answer(self, event: Event) -> None:
        self.check_reader(event)
        self.compare_result(self.kernel.answer(event[2]), event[6])

    def check_reader(self, event: Event) -> None:
        core, found = self.kernel.cores[event[2]], event[3]
        if core.in_handler:
            reader = HANDLER_ANSWER
        else:
            reader = self.kernel.limits.tasks if core.running is None else core.running
        if found != reader:
            raise _Difference(f"{self.task(reader)} reads, the run says {self.task(found)}")

    def irq_wire(self, event: Event) -> None:
        if event[3] < self.kernel.limits.interrupts:  # a timer has no wire
            self.owed.expect_irq(event[3])

    def compare_result(self, expected: int, found: int) -> None:
        if expected & 0xFFFF_FFFF != found:
            raise _Difference(
                f"the status is {status_text(expected)}, the run says {status_text(found)}"
            )

    # ---- the message ------------------------------------------------------------------------

    def task(self, number: int) -> str:
        return runner_text(number, self.kernel.limits, self.names)

    def owner(self, number: int) -> str:
        return "nobody" if number == self.kernel.limits.tasks else self.task(number)

    def error(self, event: Event, expected: str) -> ReplayError:
        cycle = event[0]
        text = (
            f"event {self.events} at cycle {cycle}: the run differs from the model.\n"
            f"  event:    {describe_event(event, self.names, self.kernel.limits.own)}\n"
            f"  expected: {expected}\n"
            + describe_state(self.kernel, self.names)
            + f"\n  look at cycle {cycle} (last agreeing event: cycle {self.agreed})"
        )
        return ReplayError(text, self.events, cycle)
