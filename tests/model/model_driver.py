# SPDX-License-Identifier: Apache-2.0
"""Random runs of the golden model, recorded as trace events: material for its tests.

`Driver` behaves as correct hardware and correct programs do: every step is one that the model
allows, chosen by `source`. The events are tuples as `replay` takes them. What it calls how often:
`model_calls`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from mel_gen import ANSWER_WAITING, Command, TraceKind

from melanion.model import Kernel, Limits
from melanion.model.replay import Event
from melanion.model.state import Core
from tests.model.model_calls import ENDS_WAITS, FOCUSES, Calls, Focus, held_up

SMALL = Limits(
    tasks=6, priorities=4, semaphores=3, event_flags=2, mutexes=3, queues=2, messages=4, timers=2,
    interrupts=3,
)  # fmt: skip
# More tasks on fewer objects, but enough mutexes for a cycle of four.
CROWDED = Limits(
    tasks=8, priorities=4, semaphores=1, event_flags=1, mutexes=5, queues=1, messages=2, timers=1,
    interrupts=1,
)  # fmt: skip
UINT32 = 0xFFFF_FFFF
SETTLED = 200  # steps; a right run owes fewer


class Driver:
    """One random run. `step()` adds at least one event."""

    def __init__(
        self,
        source: random.Random,
        limits: Limits = SMALL,
        focuses: Sequence[Focus] = FOCUSES,
    ) -> None:
        self.random = source
        self.limits = limits
        self.kernel = Kernel(limits)
        self.kernel.links = True
        self.core: Core = self.kernel.cores[0]
        self.calls = Calls(source, self.kernel, source.choice(focuses))
        self.cycle = 100
        self.events: list[Event] = []

    def run(self, steps: int) -> list[Event]:
        self.boot()
        for _ in range(steps):
            self.step()
        return self.events

    def record(self, kind: TraceKind, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
        self.cycle += self.random.randint(1, 8)
        self.events.append((self.cycle, int(kind), 0, a, b & UINT32, c & UINT32, d & UINT32))

    def boot(self) -> None:
        for number in range(self.limits.tasks):
            self.command(Command.TASK_CREATE, number, number % self.limits.priorities)
            self.command(Command.TASK_START, number, 0)
        for number in range(self.limits.semaphores):
            self.command(Command.SEMAPHORE_CREATE, number, 2 << 16 | number & 1)
        for number in range(self.limits.event_flags):
            self.command(Command.EVENT_FLAGS_CREATE, number, number & 1)
        for number in range(self.limits.queues):
            self.command(Command.QUEUE_CREATE, number, 1 + (number & 1))
        for number in range(self.limits.mutexes):
            self.command(Command.MUTEX_CREATE, number, (number & 1) << 8 | 1)
        for number in range(self.limits.lines):
            self.operand(self.calls.operand(Command.IRQ_MAP))
            self.command(Command.IRQ_MAP, number, self.calls.mapping())
            self.command(Command.IRQ_ENABLE, number, 0)
        self.command(Command.DISPATCH_ENABLE, 0, 0)
        self.dispatch()

    def settle(self) -> bool:
        """Do what the run owes, so that a pause is no fault of it. False: it owes something new
        again and again."""
        for _ in range(SETTLED):
            if self.kernel.linked is not None:
                self.inherit()
            elif self.kernel.late:
                self.timeout()
            elif self.owes_background():
                self.background()
            elif self.core.in_handler or self.kernel.dispatch_due(self.core):
                self.dispatch()
            elif self.kernel.handler_due(self.core):
                self.claim()
            else:
                return True
        return False

    # ---- single events ----------------------------------------------------------------------

    def operand(self, word: int) -> None:
        self.kernel.words_of(self.core).operand = word
        self.record(TraceKind.OPERAND, c=word)

    def value(self) -> None:
        self.record(TraceKind.VALUE, self.reader(), c=self.kernel.words_of(self.core).value)

    def command(self, op: int, number: int, argument: int) -> int:
        context = self.kernel.context(self.core)
        status = self.kernel.command(0, op, number, argument)
        self.record(TraceKind.COMMAND, op | context << 8, number, argument, status)
        return status

    def dispatch(self) -> None:
        idle = self.limits.tasks
        before = idle if self.core.running is None else self.core.running
        ended = self.core.in_handler
        chosen = self.kernel.dispatch(0)
        self.record(TraceKind.DISPATCH, idle if chosen is None else chosen, before, int(ended))
        if chosen is not None and self.random.random() < 0.8:
            self.answer()  # it was switched away in a call, and reads how that ended

    def tick(self) -> None:
        time = self.kernel.tick()
        self.record(TraceKind.TICK, 0, time, time >> 32)

    def timeout(self) -> None:
        number = self.kernel.due()[0]
        self.record(TraceKind.TIMEOUT, number, d=self.kernel.timeout(number))

    def owes_background(self) -> bool:
        kernel = self.kernel
        left = kernel.released or kernel.dying or kernel.orphans
        return bool(left) and kernel.linked is None

    def background(self) -> None:
        """One step of what a command left to be done; nothing else goes on during a chain."""
        if self.kernel.linked is not None:
            self.inherit()
            return
        kernel, choices = self.kernel, []
        if kernel.released:
            choices.append(self.release_flags)
        if kernel.dying:
            choices.append(self.release_deleted)
        if kernel.orphans:
            choices.append(self.orphan)
        self.random.choice(choices)()

    def inherit(self) -> None:
        """One link of a chain of owners."""
        number = self.kernel.linked
        assert number is not None
        self.record(TraceKind.INHERIT, number, c=self.kernel.link(number))

    def release_flags(self) -> None:
        tasks, released = self.kernel.tasks, self.kernel.released
        how = self.random.choice(list(released.values())).result
        alike = [n for n in released if released[n].result == how]
        urgent = min(tasks[n].priority for n in alike)
        first = [n for n in alike if tasks[n].priority == urgent]
        self.release(self.random.choice(first))

    def release_deleted(self) -> None:
        gone = self.random.choice(list(self.kernel.dying.values()))
        self.release(gone.waiting[0])

    def release(self, number: int) -> None:
        self.record(TraceKind.RELEASE, number, d=self.kernel.release(number))

    def orphan(self) -> None:
        ended = self.random.choice(sorted(self.kernel.orphans))
        number = self.random.choice(self.kernel.tasks[ended].owned).number
        owner = self.kernel.orphan(number, ended)
        self.record(TraceKind.ORPHAN, self.limits.tasks if owner is None else owner, number, ended)

    def irq(self, number: int) -> None:
        line = self.kernel.interrupts[number]
        action, target = line.action, line.target
        self.record(TraceKind.IRQ, number, action, target, self.kernel.irq(number))

    def claim(self) -> None:
        claimed = self.kernel.claim(0)
        self.record(TraceKind.CLAIM, 0xFFFF if claimed is None else claimed)

    def answer(self) -> None:
        self.record(TraceKind.ANSWER, self.reader(), d=self.kernel.answer(0))
        if self.random.random() < 0.3:
            self.value()

    def reader(self) -> int:
        if self.core.in_handler:
            return 0xFFFF
        return self.limits.tasks if self.core.running is None else self.core.running

    # ---- random choice ----------------------------------------------------------------------

    def step(self) -> None:
        kernel, core, chance = self.kernel, self.core, self.random.random()
        edges = [
            n
            for n, line in enumerate(kernel.interrupts)
            if line.enabled and (n < self.limits.interrupts or n in kernel.raised)
            if kernel.linked is None or line.action not in ENDS_WAITS
        ]
        if kernel.linked is not None and chance < 0.5:
            self.inherit()
        elif kernel.late and kernel.linked is None and chance < 0.7:
            self.timeout()
        elif self.owes_background() and chance < 0.7:
            self.background()
        elif chance < 0.06:
            self.tick()
        elif edges and (chance < 0.1 or (kernel.raised and chance < 0.5)):
            self.irq(self.random.choice(edges))
        elif core.in_handler and chance < 0.5:
            self.dispatch()
        elif kernel.handler_due(core) and not core.in_handler and chance < 0.5:
            self.claim()
        elif kernel.dispatch_due(core) and not core.in_handler:
            if kernel.linked is None:
                self.dispatch()
            else:  # may change who runs
                self.inherit()
        else:
            self.random_command()

    def random_command(self) -> None:
        op, number, argument, operand = self.calls.choose()
        if held_up(self.kernel, op, number):
            self.background()
            return
        if operand is not None:
            self.operand(operand)
        status = self.command(op, number, argument)
        if status != ANSWER_WAITING and self.random.random() < 0.9:
            self.answer()
