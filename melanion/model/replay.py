# SPDX-License-Identifier: Apache-2.0
"""Replay: the events of a run are executed on the golden model; the first difference ends it.

Compared: the status (and context, when reported) of every command, the task of every dispatch, the
tick counter, that a timeout was due and came in the kernel's order, the result of every wait, what
an interrupt did, what a handler claimed, what a program read as its answer. Liveness: what the
model owes (a timeout, a release, a dispatch, a tick, service of an interrupt) must come within
`Patience`. Speed: about 4 µs per event; no state per event is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from mel_gen import Command, Context, KernelInfo, Status, TraceKind

import melanion.model.quantum as quantum
from melanion.errors import MelanionError
from melanion.model.describe import Names, describe_event, describe_state, name_of, status_text
from melanion.model.kernel import Kernel
from melanion.model.mutex import deadlock
from melanion.model.state import TIME_MASK, Core, Limits, ModelError

Event = tuple[int, int, int, int, int, int, int]  # cycle, kind, core, a, b, c, d

HANDLER_ANSWER = 0xFFFF
SPURIOUS = 0xFFFF
CHUNK = 1 << 16  # records that are converted at once
INT32_SIGN = 1 << 31
DEVICE_COMMANDS = (Command.TICK_SET, Command.IRQ_RAISE, Command.IRQ_DISABLE)
IDLE_FAR = 1 << 63  # a cycle that no run reaches


class ReplayError(MelanionError):
    """The run differs from the model. `event` counts from 0; `cycle` is where to look."""

    def __init__(self, message: str, event: int, cycle: int) -> None:
        super().__init__(message)
        self.event = event
        self.cycle = cycle


@dataclass(frozen=True)
class Patience:
    """Longest times that the run may owe an event, in cycles.

    `step`: a timeout, release, tick or interrupt service; `dispatch`: the running task of the core.
    """

    step: int
    dispatch: int

    @classmethod
    def of(cls, kernel: KernelInfo) -> Patience:
        """Usual patience with a kernel."""
        return UNIT_PATIENCE if kernel.unit else SOFTWARE_PATIENCE


# A unit needs a few cycles per step; its dispatch waits for code that has interrupts off. Software
# does everything with interrupts off, up to a whole tick of 64 timeouts in slow memory.
UNIT_PATIENCE = Patience(step=1_000, dispatch=50_000)
SOFTWARE_PATIENCE = Patience(step=100_000, dispatch=100_000)


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
    if isinstance(events, np.ndarray):
        for start in range(0, len(events), CHUNK):
            yield events[start : start + CHUNK].tolist()
        return
    source = iter(events)
    while records := list(islice(source, CHUNK)):
        yield [tuple(r.item()) if isinstance(r, np.void) else r for r in records]


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
        self.most_urgent_first = info.timeout_order == "most_urgent_first"
        self.unit = info.unit
        self.patience = patience
        self.names: Mapping[int, str] = names
        self.events = self.commands = self.dispatches = 0
        self.deadlocks: list[str] = []
        self.cycle = self.agreed = 0  # cycles of this event, and of the last one that agreed
        # Latest cycles of events that are owed; IDLE_FAR: nothing is owed.
        self.timeout_limit = self.release_limit = self.tick_limit = IDLE_FAR
        self.miss_limit = IDLE_FAR
        self.slice_limits = [IDLE_FAR] * limits.cores
        self.dispatch_limits = [IDLE_FAR] * limits.cores
        self.tick_span = 0  # the longest distance of two ticks that is still right
        self.irq_limits: dict[int, int] = {}
        self.first_limit = IDLE_FAR  # not above any of these
        self.step = {
            int(TraceKind.COMMAND): self.command,
            int(TraceKind.DISPATCH): self.dispatch,
            int(TraceKind.TICK): self.tick,
            int(TraceKind.TIMEOUT): self.timeout,
            int(TraceKind.RELEASE): self.release,
            int(TraceKind.ORPHAN): self.orphan,
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
        step_of = self.step
        for event in events:
            cycle = event[0]
            try:
                if cycle > self.first_limit:
                    self.check_limits(cycle)
                self.cycle = cycle
                step = step_of.get(event[1])
                if step is not None:
                    if event[2] >= len(self.dispatch_limits):
                        raise _Difference(f"there is no core {event[2]}")
                    step(event)
            except (_Difference, ModelError) as difference:
                raise self.error(event, str(difference)) from None
            self.events += 1
            self.agreed = cycle

    def report(self) -> ReplayReport:
        ticks = self.kernel.now - self.kernel.limits.time_reset
        counts = (self.events, self.commands, self.dispatches, ticks, self.cycle)
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
        answer = kernel.command(core, op, number, argument)
        if answer != (d - (1 << 32) if d & INT32_SIGN else d):
            raise _Difference(f"the status is {status_text(answer)}, the run says {status_text(d)}")
        self.commands += 1
        if answer == Status.E_ILUSE and op == Command.MUTEX_LOCK:
            self.note_deadlock(kernel.cores[core], number)
        if answer == 0 and op in DEVICE_COMMANDS:
            self.device_command(op, number)
        self.settle()

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
                f"deadlock refused at cycle {self.cycle}: {self.task(caller.number)} wants mutex"
                f" {number}, but {owners}."
            )

    def device_command(self, op: int, number: int) -> None:
        if op == Command.TICK_SET:
            self.tick_span = max(self.tick_span, self.kernel.tick_cycles)
            self.expect_tick()
        elif op == Command.IRQ_RAISE:
            self.expect_irq(number)
        elif op == Command.IRQ_DISABLE:
            self.irq_limits.pop(number, None)

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
        self.dispatch_limits[number] = IDLE_FAR
        self.settle()

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
            self.expect_irq(line)
        self.tick_span = self.kernel.tick_cycles
        self.expect_tick()
        self.settle()

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
        self.timeout_limit = IDLE_FAR
        self.settle()

    def release(self, event: Event) -> None:
        self.compare_result(self.kernel.release(event[3]), event[6])
        self.release_limit = IDLE_FAR
        self.settle()

    def orphan(self, event: Event) -> None:
        _, _, _, found, number, ended, _ = event
        owner = self.kernel.orphan(number, ended)
        expected = self.kernel.limits.tasks if owner is None else owner
        if found != expected:
            owners = [self.owner(n) for n in (expected, found)]
            raise _Difference(
                f"mutex {number} now belongs to {owners[0]}, the run says {owners[1]}"
            )
        self.release_limit = IDLE_FAR
        self.settle()

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
        self.irq_limits.pop(number, None)
        self.settle()

    def turn(self, event: Event) -> None:
        running = self.kernel.turn(event[2])
        if event[3] != running:
            raise _Difference(f"{self.task(running)} runs, the run says {self.task(event[3])}")
        self.settle()

    def slice(self, event: Event) -> None:
        running = self.kernel.slice(event[2])
        if event[3] != running:
            raise _Difference(f"{self.task(running)} runs, the run says {self.task(event[3])}")
        self.slice_limits[event[2]] = IDLE_FAR
        self.settle()

    def miss(self, event: Event) -> None:
        self.kernel.miss(event[3], bool(event[4]))
        for line in self.kernel.raised:
            self.expect_irq(line)
        self.miss_limit = IDLE_FAR
        self.settle()

    def claim(self, event: Event) -> None:
        claimed = self.kernel.claim(event[2])
        expected = SPURIOUS if claimed is None else claimed
        if expected != event[3]:
            what = ["none (spurious)" if n == SPURIOUS else n for n in (expected, event[3])]
            raise _Difference(f"the handler of interrupt {what[0]} begins, the run says {what[1]}")
        self.settle()

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
            self.expect_irq(event[3])

    def compare_result(self, expected: int, found: int) -> None:
        if expected & 0xFFFF_FFFF != found:
            raise _Difference(
                f"the status is {status_text(expected)}, the run says {status_text(found)}"
            )

    # ---- what is owed -----------------------------------------------------------------------

    def settle(self) -> None:
        """Note what the model owes after an event. Progress has cleared its limit before."""
        kernel = self.kernel
        if not kernel.late:
            self.timeout_limit = IDLE_FAR
        elif self.timeout_limit == IDLE_FAR:
            self.timeout_limit = self.owe(self.patience.step)
        if not (kernel.dying or kernel.released or kernel.orphans):
            self.release_limit = IDLE_FAR
        elif self.release_limit == IDLE_FAR:
            self.release_limit = self.owe(self.patience.step)
        if not kernel.overdue:
            self.miss_limit = IDLE_FAR
        elif self.miss_limit == IDLE_FAR:
            self.miss_limit = self.owe(self.patience.step)
        # A handler dispatches at its end, whenever that is.
        for number, core in enumerate(kernel.cores):
            if not quantum.is_owed(kernel, core):
                self.slice_limits[number] = IDLE_FAR
            elif self.slice_limits[number] == IDLE_FAR:
                self.slice_limits[number] = self.owe(self.patience.step)
            if core.in_handler or not kernel.dispatch_due(core):
                self.dispatch_limits[number] = IDLE_FAR
            elif self.dispatch_limits[number] == IDLE_FAR:
                self.dispatch_limits[number] = self.owe(self.patience.dispatch)

    def owe(self, cycles: int) -> int:
        limit = self.cycle + cycles
        self.first_limit = min(self.first_limit, limit)
        return limit

    def expect_tick(self) -> None:
        """The tick that runs may still have the length from before the last tick_set."""
        length = self.tick_span if self.kernel.tick_cycles else 0
        self.tick_limit = self.owe(length + self.patience.step) if length else IDLE_FAR

    def expect_irq(self, number: int) -> None:
        if self.kernel.interrupts[number].enabled and number not in self.irq_limits:
            self.irq_limits[number] = self.owe(self.patience.step)

    def check_limits(self, cycle: int) -> None:
        """Find the first limit again: limits that were met or cancelled leave it too early."""
        self.first_limit = min(
            self.timeout_limit,
            self.release_limit,
            self.tick_limit,
            self.miss_limit,
            *self.slice_limits,
            *self.dispatch_limits,
            min(self.irq_limits.values(), default=IDLE_FAR),
        )
        if cycle <= self.first_limit:
            return
        kernel = self.kernel
        limit = self.first_limit
        step, slow = self.patience.step, self.patience.dispatch
        if limit == self.timeout_limit:
            due = ", ".join(map(self.task, kernel.due()))
            raise _Difference(f"the wait of {due} ends by timeout, not done in {step} cycles")
        if limit == self.release_limit:
            raise _Difference(f"{self.owed_release()}, not done in {step} cycles")
        if limit == self.miss_limit:
            late = ", ".join(map(self.task, sorted(kernel.overdue)))
            raise _Difference(f"{late} missed its deadline, not reported in {step} cycles")
        if limit in self.slice_limits:
            core = kernel.cores[self.slice_limits.index(limit)]
            name = self.task(kernel.running_task(core).number)
            raise _Difference(f"{name} has used its quantum, not put back in {step} cycles")
        if limit == self.tick_limit:
            raise _Difference(f"a tick every {kernel.tick_cycles} cycles, none for {step} more")
        if limit in self.dispatch_limits:
            core = kernel.cores[self.dispatch_limits.index(limit)]
            chosen = kernel.chosen(core)
            name = self.task(kernel.limits.tasks if chosen is None else chosen)
            where = f" on core {core.number}" if len(kernel.cores) > 1 else ""
            raise _Difference(f"{name} runs{where}, not dispatched in {slow} cycles")
        number = next(n for n, cycles in self.irq_limits.items() if cycles == limit)
        raise _Difference(f"interrupt {number} is served, not done in {step} cycles")

    def owed_release(self) -> str:
        kernel = self.kernel
        if kernel.released:
            return f"{self.task(min(kernel.released))} leaves the flags that released it"
        if kernel.dying:
            first = next(iter(kernel.dying.values())).waiting[0]
            return f"{self.task(first)} is released with E_DLT"
        return f"the mutexes of {self.task(min(kernel.orphans))}, which ended, are unlocked"

    # ---- the message ------------------------------------------------------------------------

    def task(self, number: int) -> str:
        """A task as the message calls it; also idle and handlers."""
        if number == self.kernel.limits.tasks:
            return "idle"
        if number == HANDLER_ANSWER:
            return "a handler"
        name = self.names.get(number)
        return f"task {number}" + (f" ({name})" if name else "")

    def owner(self, number: int) -> str:
        return "nobody" if number == self.kernel.limits.tasks else self.task(number)

    def error(self, event: Event, expected: str) -> ReplayError:
        cycle = event[0]
        text = (
            f"event {self.events} at cycle {cycle}: the run differs from the model.\n"
            f"  event:    {describe_event(event, self.names)}\n"
            f"  expected: {expected}\n"
            + describe_state(self.kernel, self.names)
            + f"\n  look at cycle {cycle} (last agreeing event: cycle {self.agreed})"
        )
        return ReplayError(text, self.events, cycle)
