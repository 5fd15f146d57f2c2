"""Random runs of the golden model, recorded as trace events: material for its tests.

`Driver` behaves as correct hardware and correct programs do: every step is one that the model
allows, chosen by `source`. The events are tuples as `replay` takes them.
"""

from __future__ import annotations

import random

from mel_gen import ANSWER_WAITING, COMMANDS, Command, IdKind, TraceKind

from melanion.model import Kernel, Limits
from melanion.model.replay import Event
from melanion.model.state import Core

SMALL = Limits(tasks=6, priorities=4, semaphores=3, interrupts=3)
FOREVER = 0xFFFF_FFFF
# How often a command is called: enough tasks must be alive, and meet on few objects.
WEIGHTS = {
    Command.SEMAPHORE_TAKE: 12,
    Command.SEMAPHORE_GIVE: 6,
    Command.TASK_START: 8,
    Command.TASK_RESUME: 8,
    Command.TASK_CREATE: 4,
    Command.TASK_SLEEP: 6,
    Command.TASK_WAKEUP: 6,
    Command.TASK_SET_PRIORITY: 5,
    Command.TASK_DELAY: 3,
    Command.DISPATCH_ENABLE: 4,
    Command.DISPATCH_DISABLE: 2,
    Command.TASK_EXIT: 2,
    Command.SEMAPHORE_DELETE: 2,
    Command.SEMAPHORE_CREATE: 4,
}
UINT32 = 0xFFFF_FFFF


class Driver:
    """One random run. `step()` adds at least one event."""

    def __init__(self, source: random.Random, limits: Limits = SMALL) -> None:
        self.random = source
        self.limits = limits
        self.kernel = Kernel(limits)
        self.core: Core = self.kernel.cores[0]
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
        for number in range(self.limits.interrupts):
            self.command(Command.IRQ_MAP, number, self.map_argument())
            self.command(Command.IRQ_ENABLE, number, 0)
        self.command(Command.DISPATCH_ENABLE, 0, 0)
        self.dispatch()

    # ---- single events ----------------------------------------------------------------------

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

    def release(self) -> None:
        gone = self.random.choice(list(self.kernel.dying.values()))
        number = gone.waiting[0]
        self.record(TraceKind.RELEASE, number, d=self.kernel.release(number))

    def irq(self, number: int) -> None:
        line = self.kernel.interrupts[number]
        action, target = line.action, line.target
        self.record(TraceKind.IRQ, number, action, target, self.kernel.irq(number))

    def claim(self) -> None:
        claimed = self.kernel.claim(0)
        self.record(TraceKind.CLAIM, 0xFFFF if claimed is None else claimed)

    def answer(self) -> None:
        idle = self.limits.tasks
        task = idle if self.core.running is None else self.core.running
        reader = 0xFFFF if self.core.in_handler else task
        self.record(TraceKind.ANSWER, reader, d=self.kernel.answer(0))

    # ---- random choice ----------------------------------------------------------------------

    def step(self) -> None:
        kernel, core, chance = self.kernel, self.core, self.random.random()
        enabled = [n for n, line in enumerate(kernel.interrupts) if line.enabled]
        if kernel.late and chance < 0.7:
            self.timeout()
        elif kernel.dying and chance < 0.7:
            self.release()
        elif chance < 0.08:
            self.tick()
        elif chance < 0.16 and enabled:
            self.irq(self.random.choice(enabled))
        elif core.in_handler and chance < 0.4:
            self.dispatch()
        elif core.handler_irqs and not core.in_handler and chance < 0.5:
            self.claim()
        elif kernel.dispatch_due(core) and not core.in_handler:
            self.dispatch()
        else:
            self.random_command()

    def random_command(self) -> None:
        op, number, argument = self.choose_command()
        if op == Command.SEMAPHORE_CREATE and number in self.kernel.dying:
            self.release()
            return
        status = self.command(op, number, argument)
        if status != ANSWER_WAITING and self.random.random() < 0.9:
            self.answer()

    def choose_command(self) -> tuple[int, int, int]:
        if self.random.random() < 0.02:
            return (
                self.random.randrange(64),
                self.random.randrange(256),
                self.random.getrandbits(32),
            )
        weights = [WEIGHTS.get(command, 1) for command in COMMANDS]
        command = self.random.choices(list(COMMANDS), weights)[0]
        kind = COMMANDS[command].id
        count = {
            IdKind.NONE: 1,
            IdKind.TASK: self.limits.tasks,
            IdKind.SEMAPHORE: self.limits.semaphores,
            IdKind.INTERRUPT: self.limits.interrupts,
        }[kind]
        extra = self.random.random() < 0.02
        return command, self.random.randrange(count) + extra, self.argument(command)

    def map_argument(self) -> int:
        return self.random.getrandbits(2) | self.random.getrandbits(1) << 4 | 1 << 8

    def argument(self, command: Command) -> int:
        def choose(values: list[int]) -> int:
            return self.random.choice(values)

        match command:
            case Command.TASK_CREATE | Command.TASK_SET_PRIORITY:
                return self.random.randrange(self.limits.priorities + 1)
            case Command.TASK_ROTATE:
                return choose([FOREVER, *range(self.limits.priorities + 1)])
            case Command.TASK_SLEEP | Command.SEMAPHORE_TAKE | Command.TASK_DELAY:
                return choose([0, 1, 2, 3, 5, 8, FOREVER])
            case Command.TASK_DELAY_UNTIL:
                return (self.kernel.time + choose([0, 1, 2, 4, 1 << 31, -1])) & UINT32
            case Command.SEMAPHORE_CREATE:
                return choose([0, 1 << 16, 1 << 16 | 1, 2 << 16, 1 << 16 | 2, 3 << 16 | 1])
            case Command.IRQ_MAP:
                return self.map_argument()
            case Command.TICK_SET:
                return choose([0, 1, self.limits.tick_cycles_minimum, 10_000])
        return 0
