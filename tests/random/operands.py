"""Numbers and arguments of commands: mostly what the state makes interesting, sometimes any."""

from __future__ import annotations

import random
from collections.abc import Callable

from mel_gen import COMMANDS, Command, IdKind, IrqAction

from melanion.model import Kernel, Limits
from melanion.model.state import Wait

FOREVER = 0xFFFF_FFFF


class Operands:
    """Chooses with `chance`, after a look at `kernel`. Few numbers: objects meet often."""

    def __init__(self, chance: random.Random, limits: Limits, kernel: Kernel) -> None:
        self.chance = chance
        self.limits = limits
        self.kernel = kernel
        self.tasks = range(min(limits.tasks, chance.choice([4, 6, 16, limits.tasks])))
        self.semaphores = range(min(limits.semaphores, chance.choice([1, 2, 4, limits.semaphores])))
        self.lines = range(min(limits.interrupts, chance.choice([2, 4, limits.interrupts])))
        self.priorities = range(min(limits.priorities, chance.choice([2, 3, 5, limits.priorities])))
        self.arguments: dict[Command, Callable[[], int]] = {
            Command.TASK_CREATE: self.priority,
            Command.TASK_SET_PRIORITY: self.priority,
            Command.TASK_ROTATE: self.rotation,
            Command.TASK_SLEEP: self.timeout,
            Command.TASK_DELAY: self.timeout,
            Command.TASK_DELAY_UNTIL: self.moment,
            Command.SEMAPHORE_CREATE: self.sizes,
            Command.SEMAPHORE_TAKE: self.timeout,
            Command.IRQ_MAP: self.mapping,
            Command.TICK_SET: self.tick,
        }

    def argument(self, command: Command) -> int:
        """One that the command takes."""
        return self.arguments.get(command, lambda: 0)()

    def number(self, command: Command) -> int:
        kind = COMMANDS[command].id
        if kind == IdKind.TASK:
            return self.task(command)
        if kind == IdKind.SEMAPHORE:
            wanted = [
                n
                for n in self.semaphores
                if (n in self.kernel.semaphores) != (command == Command.SEMAPHORE_CREATE)
            ]
            return self.chance.choice(wanted or self.semaphores)
        if kind == IdKind.INTERRUPT:
            return self.chance.choice(self.lines) if self.lines else 0
        return 0

    def task(self, command: Command) -> int:
        tasks = self.kernel.tasks
        if self.chance.random() < 0.15:
            return self.chance.choice(self.tasks)
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
                case _:
                    here = [task for task in here if not task.dormant]
            wanted = [task.number for task in here]
        return self.chance.choice(wanted or self.tasks)

    def priority(self) -> int:
        return self.chance.choice(self.priorities)

    def rotation(self) -> int:
        return FOREVER if self.chance.random() < 0.5 else self.priority()

    def shared(self) -> int:
        """Ticks until a deadline that many tasks choose."""
        return 4 - self.kernel.time % 4

    def timeout(self) -> int:
        if self.chance.random() < 0.3:
            return self.shared()
        return self.chance.choice(
            [0, 1, 1, 1, 2, 2, 3, 4, 6, FOREVER, FOREVER, 0x7FFF_FFFF, 0xFFFF_FFFE]
        )

    def moment(self) -> int:
        if self.chance.random() < 0.5:
            return self.kernel.time + self.shared()
        far = [0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000]
        return self.kernel.time + self.chance.choice([-1, 0, 1, 1, 2, 2, 3, 3, 4, 5, *far])

    def sizes(self) -> int:
        maximum = self.chance.choice([1, 1, 2, 3, 0xFFFF])
        return maximum << 16 | self.chance.randrange(min(maximum, 3) + 1)

    def mapping(self) -> int:
        chance = self.chance
        actions = [a for a in IrqAction if self.semaphores or a != IrqAction.SEMAPHORE_GIVE]
        action = chance.choice(actions)
        objects = self.semaphores if action == IrqAction.SEMAPHORE_GIVE else self.tasks
        return chance.choice(objects) << 8 | chance.choice([0, 0, 1]) << 4 | action

    def tick(self) -> int:
        minimum = self.limits.tick_cycles_minimum
        return self.chance.choice(
            [minimum, minimum, minimum, minimum + 1, minimum + self.chance.randrange(200), 0]
        )

    def careless_number(self, command: Command) -> int:
        count = {IdKind.TASK: self.limits.tasks, IdKind.SEMAPHORE: self.limits.semaphores}.get(
            COMMANDS[command].id, self.limits.interrupts
        )
        near = [max(count - 1, 0), count & 0xFF, min(count + 1, 255)]
        return self.chance.choice([0, *near, 255, self.chance.randrange(256)])

    def careless_argument(self, command: Command) -> int:
        chance, limits = self.chance, self.limits
        edges = [0, 1, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0x1_0002, 0x8000_0000, FOREVER]
        edges += [limits.priorities - 1, limits.priorities, limits.tick_cycles_minimum - 1]
        edges += [limits.tasks << 8 | 2, limits.semaphores << 8 | 1]
        argument = chance.choice([*edges, chance.getrandbits(32)])
        # A tick or a wait of 2^31 cycles would leave the rest of the script idle.
        if command == Command.TICK_SET and argument > 4 * limits.tick_cycles_minimum:
            return 1
        return argument
