# SPDX-License-Identifier: Apache-2.0
"""Random calls for runs of the golden model: command, number, argument and operand."""

from __future__ import annotations

import random

from mel_gen import COMMANDS, MESSAGE_PRIORITIES, Command, IdKind, IrqAction

from melanion.model import Kernel
from melanion.model.checks import MAKERS
from melanion.model.state import Mutex

FOREVER = 0xFFFF_FFFF
UINT32 = 0xFFFF_FFFF
# Weights of the commands: enough tasks must be alive, and meet on few objects.
WEIGHTS = {
    Command.SEMAPHORE_TAKE: 12,
    Command.SEMAPHORE_GIVE: 6,
    Command.SEMAPHORE_DELETE: 2,
    Command.SEMAPHORE_CREATE: 4,
    Command.TASK_START: 8,
    Command.TASK_RESUME: 8,
    Command.TASK_CREATE: 4,
    Command.TASK_SLEEP: 6,
    Command.TASK_WAKEUP: 6,
    Command.TASK_SET_PRIORITY: 5,
    Command.TASK_DELAY: 3,
    Command.TASK_EXIT: 2,
    Command.DISPATCH_ENABLE: 4,
    Command.DISPATCH_DISABLE: 2,
    Command.EVENT_FLAGS_CREATE: 3,
    Command.EVENT_FLAGS_SET: 5,
    Command.EVENT_FLAGS_CLEAR: 3,
    Command.EVENT_FLAGS_WAIT_ANY: 3,
    Command.EVENT_FLAGS_WAIT_ALL: 3,
    Command.EVENT_FLAGS_TAKE_ANY: 3,
    Command.EVENT_FLAGS_TAKE_ALL: 4,
    Command.QUEUE_CREATE: 3,
    Command.QUEUE_SEND: 6,
    Command.QUEUE_RECEIVE: 6,
    Command.QUEUE_POST: 4,
    Command.MUTEX_CREATE: 3,
    Command.MUTEX_LOCK: 8,
    Command.MUTEX_UNLOCK: 6,
    Command.TIMER_START: 3,
    # Rare: in runs that are not about them, tasks are to meet on objects.
    Command.NOTIFICATION_SET: 0.4,
    Command.NOTIFICATION_GIVE: 0.4,
    Command.NOTIFICATION_OVERWRITE: 0.4,
    Command.NOTIFICATION_SEND: 0.4,
    Command.NOTIFICATION_CLEAR: 0.2,
    Command.NOTIFICATION_CANCEL: 0.2,
    Command.NOTIFICATION_WAIT: 0.8,
    Command.NOTIFICATION_TAKE: 0.4,
    Command.NOTIFICATION_TAKE_ALL: 0.4,
}
# Commands and actions that may change who waits for a mutex, or its priority: the unit holds them
# back while a chain of owners goes on.
MOVES_WAITERS = frozenset(
    {
        *(Command.MUTEX_LOCK, Command.MUTEX_UNLOCK, Command.MUTEX_DELETE),
        *(Command.TASK_SET_PRIORITY, Command.TASK_RELEASE, Command.TASK_TERMINATE),
    }
)
ENDS_WAITS = frozenset({IrqAction.TASK_RELEASE})
NOTIFICATION = "notification"  # the noun of commands whose number is a task's, or none
# A run is about one noun, mostly: bugs show where many tasks meet on its objects.
Focus = IdKind | str | None
FOCUSES: tuple[Focus, ...] = (
    None,
    IdKind.SEMAPHORE,
    IdKind.EVENT_FLAGS,
    IdKind.QUEUE,
    IdKind.MUTEX,
    IdKind.TIMER,
    NOTIFICATION,
)
OBJECTS = frozenset(FOCUSES) - {None}
TIMEOUTS = [0, 1, 2, 3, 5, 8, FOREVER]


def held_up(kernel: Kernel, op: int, number: int) -> bool:
    """The command waits in the unit for what an earlier one left to be done."""
    if kernel.linked is not None and op in MOVES_WAITERS:
        return True
    if op == Command.EVENT_FLAGS_CREATE:
        return kernel.deletes_flags()
    if op in MAKERS:
        return (COMMANDS[Command(op)].id, number) in kernel.dying
    return op in (Command.TASK_START, Command.TASK_DELETE) and number in kernel.orphans


def noun(command: Command) -> IdKind | str:
    """Return the kind of object that a command is about."""
    own = command.name.startswith(NOTIFICATION.upper())
    return NOTIFICATION if own else COMMANDS[command].id


class Calls:
    """Chooses by `source`, after a look at the model; `focus` is the noun of this run."""

    def __init__(self, source: random.Random, kernel: Kernel, focus: Focus) -> None:
        self.random = source
        self.kernel = kernel
        self.limits = kernel.limits
        self.weights = [WEIGHTS.get(c, 1) * self.interest(c, focus) for c in COMMANDS]

    @staticmethod
    def interest(command: Command, focus: Focus) -> float:
        kind = noun(command)
        if focus is None or kind not in OBJECTS:
            return 1.0
        own = 20.0 if kind == NOTIFICATION else 8.0
        return own if kind == focus else 0.1

    def choose(self) -> tuple[int, int, int, int | None]:
        """Command, number, argument; operand or None: the word that stands there."""
        if self.random.random() < 0.02:
            wild = self.random.randrange(64), self.random.randrange(256)
            return (*wild, self.random.getrandbits(32), None)
        if self.kernel.released and self.random.random() < 0.05:
            return Command.TASK_RELEASE, self.random.choice(list(self.kernel.released)), 0, None
        if self.kernel.cores[0].running is None and self.random.random() < 0.6:
            command, number = self.revival()
            return command, number, 0, None
        command = self.random.choices(list(COMMANDS), self.weights)[0]
        kind = COMMANDS[command].id
        count = self.kernel.counts.get(kind, 1)
        number = self.random.randrange(max(count, 1)) + (self.random.random() < 0.02)
        if command == Command.MUTEX_LOCK and self.random.random() < 0.7:
            number = self.mutex_of_a_chain(number)
        operand = None
        if COMMANDS[command].operand and self.random.random() < 0.8:
            operand = self.operand(command)
        return command, number, self.argument(command), operand

    def mutex_of_a_chain(self, number: int) -> int:
        """A mutex that makes the longest chain longer or would close it; `number` without one."""
        kernel = self.kernel
        running = kernel.cores[0].running
        owned = {m.number for m in kernel.mutexes.values() if m.owner == running}
        others = [m for m in kernel.mutexes.values() if m.number not in owned]
        if running is None or not others:
            return number
        depths = {m.number: self.waiting_behind(m) for m in others}
        behind = [n for n, chain in depths.items() if owned & chain]
        if not owned:
            behind = [m.number for m in others if m.owner is None]
        elif self.random.random() < 0.5 or not behind:
            behind = [m.number for m in others if m.owner is not None and m.number not in behind]
        if not behind:
            return number
        longest = max(len(depths[n]) for n in behind)
        return self.random.choice([n for n in behind if len(depths[n]) == longest])

    def waiting_behind(self, subject: Mutex) -> set[int]:
        """The mutexes that one waits for who waits for `subject`, one after the other."""
        found: set[int] = set()
        awaited: Mutex | None = subject
        while awaited is not None and awaited.owner is not None and awaited.number not in found:
            found.add(awaited.number)
            awaited = self.kernel.tasks[awaited.owner].awaited
        return found

    def revival(self) -> tuple[Command, int]:
        """In idle: what gives it a task, as far as there is one."""
        tasks = self.kernel.tasks.values()
        options = [(Command.TASK_START, t.number) for t in tasks if t.dormant]
        options += [(Command.TASK_RESUME, t.number) for t in tasks if t.suspended]
        if not options or self.random.random() < 0.2:
            options += [(Command.TASK_RELEASE, t.number) for t in tasks if t.wait]
        return self.random.choice(options or [(Command.TASK_CREATE, 0)])

    def mapping(self) -> int:
        action = IrqAction(self.random.randrange(len(IrqAction)))
        return action | self.random.getrandbits(1) << 4 | self.random.getrandbits(1) << 8

    def one_of(self, values: list[int]) -> int:
        return self.random.choice(values)

    def operand(self, command: Command) -> int:
        """One for a command that takes one."""
        match command:
            case Command.TIMER_START:
                return self.one_of([0, 1, 1, 2, 3, (1 << 31) - 1, 1 << 31])
            case Command.QUEUE_POST:
                return self.random.randrange(MESSAGE_PRIORITIES + 1)
            case Command.IRQ_MAP:
                return self.random.getrandbits(3)
        return self.one_of(TIMEOUTS)

    def argument(self, command: Command) -> int:
        if noun(command) in OBJECTS:
            return self.object_argument(command)
        match command:
            case Command.TASK_CREATE | Command.TASK_SET_PRIORITY:
                return self.random.randrange(self.limits.priorities + 1)
            case Command.TASK_ROTATE:
                return self.one_of([FOREVER, *range(self.limits.priorities + 1)])
            case Command.TASK_SLEEP | Command.TASK_DELAY:
                return self.one_of(TIMEOUTS)
            case Command.TASK_DELAY_UNTIL:
                return (self.kernel.time + self.one_of([0, 1, 2, 4, 1 << 31, -1])) & UINT32
            case Command.IRQ_MAP:
                return self.mapping()
            case Command.CLAIM_LIMIT:
                return self.one_of([0, 1, 2, 0xFFFF, 0x1_0000])
            case Command.TICK_SET:
                return self.one_of([0, 1, self.limits.tick_cycles_minimum, 10_000])
        return 0

    def object_argument(self, command: Command) -> int:
        match command:
            case Command.SEMAPHORE_CREATE:
                return self.one_of([0, 1 << 16, 1 << 16 | 1, 2 << 16, 1 << 16 | 2, 3 << 16 | 1])
            case Command.SEMAPHORE_TAKE | Command.QUEUE_RECEIVE | Command.MUTEX_LOCK:
                return self.one_of(TIMEOUTS)
            case Command.QUEUE_CREATE:
                return self.one_of([0, 1, 1, 2, 3, self.limits.messages + 1])
            case Command.QUEUE_SEND | Command.QUEUE_POST:
                return self.random.getrandbits(16)
            case Command.MUTEX_CREATE:
                ceilings = [1 << 8, 1 << 8 | 1, 1 << 8 | 2, 1 << 8 | self.limits.priorities]
                return self.one_of([0, 0, 0, *ceilings])
            case Command.TIMER_START:
                return self.one_of([0, 1, 1, 2, 3, 1 << 31])
            case Command.NOTIFICATION_TAKE | Command.NOTIFICATION_TAKE_ALL:
                return self.one_of(TIMEOUTS)
            case Command.NOTIFICATION_OVERWRITE | Command.NOTIFICATION_SEND:
                return self.one_of([0, 1, 2, 5, UINT32])
        if command == Command.EVENT_FLAGS_SET:
            return self.one_of([0, 1, 1, 2, 2, 4, 4, 6])
        if command.name.startswith(("EVENT_FLAGS", "NOTIFICATION")):
            return self.random.getrandbits(3)
        return 0
