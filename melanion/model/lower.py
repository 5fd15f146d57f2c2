# SPDX-License-Identifier: Apache-2.0
"""Translate the events of a kernel with objects in C into kernel calls, for the replay
(docs/decisions/0022).

Such a kernel leaves two kinds of records in one trace: those of the hardware unit, which knows
tasks and time only, and those of tracepoints in C (kernel/booster/booster.h), which say what a
command of the unit stands for. `unit` gives the first kind alone: the schedule, as the unit decided
it. `calls` gives kernel calls: a command of the unit that performs a call becomes that call, in the
cycle in which the unit executed it, and what only the unit sees of it (its answers) goes.

A call that releases several tasks (event flags set, an object deleted) asks the unit once for each.
It counts as done when the first of them is released, or, where a timeout ends a wait between
these, behind that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from mel_gen import ANSWER_WAITING, COMMANDS, Command, IdKind, Status, TraceKind

from melanion.model.replay import Event, tuples

# d of a record of C: the next command of the unit on this core performs it. When the unit refuses
# that: nothing has happened yet (HANDS_OVER), or its status is that of the call.
BY_UNIT = 0x100
HANDS_OVER = BY_UNIT
OPERAND_OF_C = 1  # a of an operand: the unit has not seen it
IRQ_OF_C = 0x8000  # in a of an interrupt: C has served it
HANDLER = 0xFFFF
HANDLER_LSB = COMMANDS[Command.IRQ_MAP].fields["handler"][1]
INT32_SIGN = 1 << 31
WORD = 0xFFFF_FFFF

OBJECTS = frozenset({IdKind.SEMAPHORE, IdKind.EVENT_FLAGS, IdKind.QUEUE, IdKind.MUTEX})
OPS = frozenset(int(command) for command, info in COMMANDS.items() if info.id in OBJECTS)

_COMMAND, _RELEASE, _OPERAND = TraceKind.COMMAND, TraceKind.RELEASE, TraceKind.OPERAND
_IRQ, _CLAIM, _DISPATCH = TraceKind.IRQ, TraceKind.CLAIM, TraceKind.DISPATCH


def of_c(event: Event) -> bool:
    """The record is a tracepoint of C, not of the unit."""
    kind, a = event[1], event[3]
    if kind == _COMMAND:
        return a & 0xFF in OPS or event[6] & ~0xFF == BY_UNIT
    if kind == _OPERAND:
        return a == OPERAND_OF_C
    return kind == _RELEASE or (kind == _IRQ and a & IRQ_OF_C != 0)


def unit(events: Iterable[Any]) -> list[Event]:
    """Events of the unit alone, with its own commands."""
    return [event for event in tuples(events) if not of_c(event)]


def calls(events: Iterable[Any], tasks: int) -> list[Event]:
    """Events of the kernel, as kernel calls. `tasks`: number of tasks; it stands for idle."""
    lowering = _Lowering(tasks)
    for event in tuples(events):
        lowering.take(event)
    return lowering.result()


@dataclass
class _Core:
    """One core: who runs, and the call in C that it is in.

    `promised`: the tracepoint of the call that the unit's next command performs. `slot`: where the
    call goes that has released tasks already; `released`: where those stand. `claim`: an interrupt
    that C is to serve; `quiet`: and for which no function of the program runs."""

    running: int
    in_handler: bool = False
    quiet: bool = False
    claim: Event | None = None
    promised: Event | None = None
    slot: list[Event] | None = None
    released: list[list[Event]] = field(default_factory=list)


class _Lowering:
    """The trace so far, as kernel calls: a list of places with any number of events each."""

    def __init__(self, tasks: int) -> None:
        self.tasks = tasks
        self.places: list[list[Event]] = []
        self.cores: dict[int, _Core] = {}
        self.by_c: set[tuple[int, int]] = set()  # contexts whose last call was one in C
        self.waiting: set[int] = set()  # tasks that wait for an object of C
        self.handlers: dict[int, bool] = {}  # lines that C serves: and then runs a function

    def result(self) -> list[Event]:
        return [event for place in self.places for event in place]

    def take(self, event: Event) -> None:
        kind, number = event[1], event[2]
        core = self.cores.setdefault(number, _Core(self.tasks))
        if of_c(event):
            self.tracepoint(core, event)
        elif kind == _COMMAND:
            self.command(core, event)
        elif kind == TraceKind.TIMEOUT:
            self.timeout(event)
        elif kind == _CLAIM:
            self.claim(core, event)
        elif kind == _DISPATCH:
            quiet, core.quiet, core.in_handler = core.quiet, False, False
            core.running = event[3]
            self.add((*event[:5], 0, event[6]) if quiet else event)
        elif kind == _IRQ and event[3] in self.handlers:
            pass  # its handler serves it
        elif kind != TraceKind.ANSWER or self.key(number, event[3]) not in self.by_c:
            self.add(event)

    def claim(self, core: _Core, event: Event) -> None:
        core.in_handler = True
        if event[3] not in self.handlers:
            self.add(event)
            return
        core.claim = event
        core.quiet = not self.handlers[event[3]]

    def add(self, *events: Event) -> list[Event]:
        place = list(events)
        self.places.append(place)
        return place

    def key(self, number: int, caller: int) -> tuple[int, int]:
        """A context: handlers and idle belong to a core."""
        return (-1 if caller < self.tasks else number, caller)

    def caller(self, number: int, core: _Core) -> tuple[int, int]:
        return self.key(number, HANDLER if core.in_handler else core.running)

    def tracepoint(self, core: _Core, event: Event) -> None:
        self.by_c.add(self.caller(event[2], core))
        if event[1] == _OPERAND:
            self.add((*event[:3], 0, *event[4:]))
        elif event[1] == _RELEASE or event[6] & ~0xFF == BY_UNIT:
            core.promised = event
        elif core.slot is not None:
            core.slot.append(self.served(event))
            core.slot, core.released = None, []
            self.begins(core, event)
        else:
            self.add(self.served(event))
            self.begins(core, event)

    def served(self, event: Event) -> Event:
        return (*event[:3], event[3] & ~IRQ_OF_C, *event[4:]) if event[1] == _IRQ else event

    def begins(self, core: _Core, event: Event) -> None:
        """C has served the interrupt: its function begins, if it has one."""
        claim = core.claim
        if event[1] == _IRQ and claim is not None:
            core.claim = None
            if not core.quiet:
                self.add((event[0], *claim[1:]))

    def command(self, core: _Core, event: Event) -> None:
        number = event[2]
        promised, core.promised = core.promised, None
        if promised is None:
            caller = self.caller(number, core)
            self.by_c.discard(caller)
            if caller[1] < self.tasks:
                self.waiting.discard(caller[1])
            if event[3] & 0xFF == Command.IRQ_MAP and not event[6] & INT32_SIGN:
                self.handlers.pop(event[4], None)
            self.add(event)
            return
        accepted = not event[6] & INT32_SIGN
        if promised[1] == _RELEASE:
            if accepted:
                if core.slot is None:
                    core.slot = self.add()
                self.waiting.discard(promised[3])
                core.released.append(self.add((event[0], *promised[1:])))
            return
        if accepted and promised[6] == BY_UNIT | ANSWER_WAITING:
            self.waiting.add(core.running)
        elif promised[6] == HANDS_OVER:
            if not accepted:
                return  # the task did not wait any more: C tries the next one
            self.waiting.discard(event[4])
        elif accepted and event[3] & 0xFF == Command.IRQ_MAP:
            self.handlers[promised[4]] = promised[5] >> HANDLER_LSB & 1 == 1
        status = promised[6] & ANSWER_WAITING if accepted else event[6]
        done = self.served((event[0], *promised[1:6], status))
        self.add(done)
        self.begins(core, done)

    def timeout(self, event: Event) -> None:
        task = event[3]
        if task in self.waiting:
            self.waiting.discard(task)
            event = (*event[:6], Status.E_TMOUT & WORD)
        self.add(event)
        for core in self.cores.values():
            if core.slot is None:
                continue
            moved = [release for place in core.released for release in place]
            for place in core.released:
                place.clear()
            core.slot = self.add()
            core.released = [self.add(*moved)]
