# SPDX-License-Identifier: Apache-2.0
"""Numbers, arguments and operands of commands: mostly what the state makes interesting."""

from __future__ import annotations

import random
from collections.abc import Callable

from mel_gen import COMMANDS, MESSAGE_PRIORITIES, Command, IdKind, IrqAction

from melanion.model import Kernel, Limits
from melanion.model.checks import MAKERS
from melanion.model.interrupt import OBJECTS as ACTS_ON
from melanion.model.state import Mutex, Task, Wait

FOREVER = 0xFFFF_FFFF
TIME_LIMITS = [0, 1, 1, 1, 2, 2, 3, 4, 6, FOREVER, FOREVER, 0x7FFF_FFFF, 0xFFFF_FFFE]
FLAG_WAITS = frozenset(
    {
        Command.EVENT_FLAGS_WAIT_ANY,
        Command.EVENT_FLAGS_WAIT_ALL,
        Command.EVENT_FLAGS_TAKE_ANY,
        Command.EVENT_FLAGS_TAKE_ALL,
    }
)
NOTIFYING = frozenset(
    {
        Command.NOTIFICATION_SET,
        Command.NOTIFICATION_GIVE,
        Command.NOTIFICATION_OVERWRITE,
        Command.NOTIFICATION_SEND,
    }
)
# Commands for a task that another core runs.
CROSSING = frozenset(
    {
        Command.TASK_TERMINATE,
        Command.TASK_SUSPEND,
        Command.TASK_SET_PRIORITY,
        Command.TASK_DELETE,
        Command.TASK_START,
    }
)


class Operands:
    """Chooses with `chance`, after a look at `kernel`. Few numbers: objects meet often.

    `objects`: the kinds that the script touches at all; `notifications`: likewise.
    """

    def __init__(
        self,
        chance: random.Random,
        limits: Limits,
        kernel: Kernel,
        objects: frozenset[IdKind],
        notifications: bool,
    ) -> None:
        self.chance = chance
        self.limits = limits
        self.kernel = kernel
        self.core = kernel.cores[0]  # for which a command is chosen
        self.tasks = range(min(limits.tasks, chance.choice([4, 6, 16, limits.tasks])))
        self.lines = range(min(limits.interrupts, chance.choice([2, 4, limits.interrupts])))
        self.priorities = range(min(limits.priorities, chance.choice([2, 3, 5, limits.priorities])))
        self.numbers: dict[IdKind, range] = {IdKind.TASK: self.tasks}
        for kind in sorted(objects, key=lambda kind: kind.value):
            count = kernel.counts[kind]
            self.numbers[kind] = range(min(count, chance.choice([1, 2, 4, count])))
        timers = self.numbers.get(IdKind.TIMER, range(0))
        # Share of the tasks that may run on one core only.
        self.pinned = chance.choice([0, 0.3, 0.5, 0.5, 1]) if limits.cores > 1 else 0
        # Lines for commands; only `lines` have a wire.
        self.all_lines: list[int] = [
            *self.lines,
            *(limits.interrupts + number for number in timers),
            limits.lines - 1,  # reports
        ]
        self.no_line: list[int] = [limits.lines]
        self.actions = [
            action
            for action in IrqAction
            if action == IrqAction.NONE or self.numbers.get(ACTS_ON[action])
            if notifications or not action.name.startswith("NOTIFICATION_")
        ]
        self.arguments: dict[Command, Callable[[], int]] = {
            Command.TASK_CREATE: self.creation,
            Command.TASK_SET_PRIORITY: self.priority,
            Command.TASK_ROTATE: self.rotation,
            Command.TASK_SLEEP: self.timeout,
            Command.TASK_DELAY: self.timeout,
            Command.TASK_DELAY_UNTIL: self.moment,
            Command.SEMAPHORE_CREATE: self.sizes,
            Command.SEMAPHORE_TAKE: self.timeout,
            Command.EVENT_FLAGS_CREATE: lambda: self.pattern() if chance.random() < 0.3 else 0,
            Command.EVENT_FLAGS_SET: self.pattern,
            Command.EVENT_FLAGS_CLEAR: self.pattern,
            Command.QUEUE_CREATE: self.capacity,
            Command.QUEUE_SEND: self.word,
            Command.QUEUE_POST: self.word,
            Command.QUEUE_RECEIVE: self.timeout,
            Command.MUTEX_CREATE: self.protocol,
            Command.MUTEX_LOCK: self.timeout,
            Command.TIMER_START: lambda: chance.choice([1, 1, 1, 2, 2, 3, 5, 0x7FFF_FFFF, 0]),
            Command.IRQ_MAP: self.mapping,
            Command.CLAIM_LIMIT: lambda: chance.choice([0, 0, 1, 1, 2, 3, 0xFFFF, 0x1_0000]),
            Command.TICK_SET: self.tick,
            Command.QUANTUM_SET: self.quantum,
            Command.DEADLINE_SET: lambda: chance.choice([0, 1, 1, 1, 2, 2, 3, 5, 0xFFFF_FFFF]),
            Command.BUDGET_SET: lambda: chance.choice([0, 1, 2, 3, 7, 20, 50, 200, 1000, FOREVER]),
            Command.NOTIFICATION_SET: self.pattern,
            Command.NOTIFICATION_OVERWRITE: self.notification,
            Command.NOTIFICATION_SEND: self.notification,
            Command.NOTIFICATION_CLEAR: self.pattern,
            Command.NOTIFICATION_WAIT: lambda: chance.choice([0, self.pattern(), FOREVER]),
            Command.NOTIFICATION_TAKE: self.timeout,
            Command.NOTIFICATION_TAKE_ALL: self.timeout,
            **dict.fromkeys(FLAG_WAITS, self.pattern),
        }
        self.operands: dict[Command, Callable[[], int]] = {
            Command.QUEUE_SEND: self.timeout,
            Command.QUEUE_POST: lambda: chance.choice([*range(MESSAGE_PRIORITIES), 7, 7, 8]),
            Command.TIMER_START: lambda: chance.choice([0, 0, 1, 1, 1, 2, 3, 0x7FFF_FFFF]),
            Command.IRQ_MAP: self.pattern,
            Command.NOTIFICATION_WAIT: self.timeout,
            **dict.fromkeys(FLAG_WAITS, self.timeout),
        }

    def argument(self, command: Command) -> int:
        """One that the command takes."""
        return self.arguments.get(command, lambda: 0)()

    def operand(self, command: Command) -> int | None:
        """One that the command takes; None: it takes none, or the one that stands there."""
        if command not in self.operands or self.chance.random() < 0.15:
            return None
        return self.operands[command]()

    def number(self, command: Command) -> int:
        kind = COMMANDS[command].id
        if kind == IdKind.INTERRUPT:
            return self.chance.choice(self.all_lines or self.no_line)
        if kind == IdKind.TASK:
            return self.task(command)
        numbers = self.numbers.get(kind)
        if not numbers:
            return 0
        return self.chance.choice(self.wanted(command, kind, numbers) or numbers)

    def wanted(self, command: Command, kind: IdKind, numbers: range) -> list[int]:
        """Objects that the command has a use for."""
        if kind == IdKind.TIMER:
            return []
        made = [n for n in numbers if n in self.kernel.objects[kind]]
        if command in MAKERS:
            return [n for n in numbers if n not in made]
        if command in (Command.MUTEX_LOCK, Command.MUTEX_UNLOCK) and self.chance.random() < 0.7:
            return self.wanted_mutexes(command, made) or made
        if command == Command.EVENT_FLAGS_SET and self.chance.random() < 0.5:
            return [n for n in made if self.kernel.event_flags[n].waiting] or made
        return made

    def wanted_mutexes(self, command: Command, made: list[int]) -> list[int]:
        """Mutexes of the caller, to unlock; free ones or those of waiting tasks, to lock."""
        mutexes, running = self.kernel.mutexes, self.core.running
        if command == Command.MUTEX_UNLOCK:
            return [n for n in made if mutexes[n].owner == running]
        if self.chance.random() < 0.4:
            return [n for n in made if mutexes[n].owner is None]
        return [n for n in made if self.awaits(mutexes[n])]

    def awaits(self, mutex: Mutex) -> bool:
        return mutex.owner is not None and self.kernel.tasks[mutex.owner].awaited is not None

    def task(self, command: Command) -> int:
        tasks = self.kernel.tasks
        if self.chance.random() < 0.15:
            return self.chance.choice(self.tasks)
        elsewhere = self.elsewhere()
        if elsewhere and command in CROSSING and self.chance.random() < 0.4:
            return self.chance.choice(elsewhere)
        if command == Command.TASK_CREATE:
            wanted = [n for n in self.tasks if n not in tasks]
        else:
            here = [task for n, task in tasks.items() if n in self.tasks]
            match command:
                case Command.TASK_START | Command.TASK_DELETE:
                    here = [task for task in here if task.dormant]
                case Command.TASK_RESUME:
                    here = [task for task in here if task.suspended]
                case Command.TASK_RELEASE:
                    here = [task for task in here if task.wait]
                case Command.TASK_WAKEUP:
                    sleeping = [task for task in here if task.wait == Wait.SLEEP]
                    awake = [task for task in here if not task.dormant][:1]  # counts to the limit
                    here = self.chance.choice([sleeping, awake])
                case _ if command in NOTIFYING:
                    here = self.notified(here)
                case _:
                    here = [task for task in here if not task.dormant]
            wanted = [task.number for task in here]
        return self.chance.choice(wanted or self.tasks)

    def notified(self, here: list[Task]) -> list[Task]:
        """Tasks that wait for a notification, or have one pending, or any."""
        waiting = [task for task in here if task.wait == Wait.NOTIFICATION]
        pending = [task for task in here if task.notification.pending]
        alive = [task for task in here if not task.dormant]
        return self.chance.choice([waiting, waiting, pending, alive])

    def elsewhere(self) -> list[int]:
        """The tasks that other cores run."""
        others = [core.running for core in self.kernel.cores if core is not self.core]
        return [number for number in others if number is not None]

    # ---- arguments --------------------------------------------------------------------------

    def priority(self) -> int:
        return self.chance.choice(self.priorities)

    def creation(self) -> int:
        if self.limits.cores == 1 or self.chance.random() >= self.pinned:
            return self.priority()
        return self.priority() | self.chance.randrange(1, self.limits.cores + 1) << 8

    def rotation(self) -> int:
        return FOREVER if self.chance.random() < 0.5 else self.priority()

    def quantum(self) -> int:
        return self.priority() << 16 | self.chance.choice([0, 1, 1, 1, 2, 2, 3, 5, 0xFFFF])

    def shared(self) -> int:
        """Ticks until a deadline that many tasks choose."""
        return 4 - self.kernel.time % 4

    def timeout(self) -> int:
        return self.shared() if self.chance.random() < 0.3 else self.chance.choice(TIME_LIMITS)

    def moment(self) -> int:
        if self.chance.random() < 0.5:
            return self.kernel.time + self.shared()
        far = [0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000]
        return self.kernel.time + self.chance.choice([-1, 0, 1, 1, 2, 2, 3, 3, 4, 5, *far])

    def sizes(self) -> int:
        maximum = self.chance.choice([1, 1, 2, 3, 0xFFFF])
        return maximum << 16 | self.chance.randrange(min(maximum, 3) + 1)

    def pattern(self) -> int:
        """Few flags, so that conditions hold now and then; rarely all, rarely none."""
        if self.chance.random() < 0.05:
            return self.chance.choice([0, 0x8000_0000, FOREVER])
        return self.chance.choice([1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 0x8000_0001])

    def capacity(self) -> int:
        messages = self.limits.messages
        return self.chance.choice([1, 1, 2, 2, 3, max(messages // 2, 1), messages, messages + 1])

    def notification(self) -> int:
        return self.chance.choice([0, 1, 2, 3, FOREVER, 0x8000_0000, self.chance.getrandbits(32)])

    def word(self) -> int:
        """Messages differ: a lost or doubled one shows."""
        return self.chance.getrandbits(32)

    def protocol(self) -> int:
        return self.chance.choice([0, 0, 1 << 8]) | self.priority()

    def mapping(self) -> int:
        chance = self.chance
        action = chance.choice(self.actions)
        numbers = self.tasks if action == IrqAction.NONE else self.numbers[ACTS_ON[action]]
        return chance.choice(numbers) << 8 | chance.choice([0, 0, 1]) << 4 | action

    def tick(self) -> int:
        minimum = self.limits.tick_cycles_minimum
        return self.chance.choice(
            [minimum, minimum, minimum, minimum + 1, minimum + self.chance.randrange(200), 0]
        )

    # ---- without a thought ------------------------------------------------------------------

    def careless_number(self, command: Command) -> int:
        kind = COMMANDS[command].id
        count = self.kernel.counts.get(kind, self.limits.interrupts)
        if kind == IdKind.INTERRUPT and IdKind.TIMER not in self.numbers:
            some: list[int] = [*self.lines[:1], *self.no_line, 255]
            return self.chance.choice(some)
        near = [max(count - 1, 0), count & 0xFF, min(count + 1, 255)]
        return self.chance.choice([0, *near, 255, self.chance.randrange(256)])

    def careless_argument(self, command: Command) -> int:
        chance, limits = self.chance, self.limits
        edges = [0, 1, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0x1_0002, 0x7FFF_FFFF, 0x8000_0000, FOREVER]
        edges += [limits.priorities - 1, limits.priorities, limits.tick_cycles_minimum - 1]
        edges += [limits.messages, limits.messages + 1, 0x100 | limits.priorities & 0xFF]
        argument = chance.choice([*edges, chance.getrandbits(32)])
        if command == Command.IRQ_MAP:
            acts_on = ACTS_ON.get(action := chance.choice(self.actions))
            near = self.kernel.counts[acts_on] if acts_on else 0
            return chance.choice([argument >> 8, near, max(near - 1, 0)]) << 8 & 0xFF00 | action
        # A tick or a wait of 2^31 cycles would leave the rest of the script idle.
        if command == Command.TICK_SET and argument > 4 * limits.tick_cycles_minimum:
            return 1
        return argument

    def careless_operand(self, command: Command) -> int | None:
        if command not in self.operands:
            return None
        edges = [0, 1, MESSAGE_PRIORITIES, 0x7FFF_FFFF, 0x8000_0000, FOREVER]
        return self.chance.choice([*edges, self.chance.getrandbits(32)])
