"""Makes scripts from a seed: state-aware, to reach deep states; hostile where a profile says so."""

from __future__ import annotations

import random
from dataclasses import replace

from mel_gen import COMMANDS, Command, Context, Query, Register

from melanion.model import Limits
from tests.random.operands import Operands
from tests.random.profiles import Profile
from tests.random.rehearsal import Rehearsal
from tests.random.script import Entry, Flag, Kind, access

FOREVER = 0xFFFF_FFFF
WORD = 0xFFFF_FFFF
DISTURBING = (
    Command.TASK_RELEASE,
    Command.TASK_SET_PRIORITY,
    Command.TASK_SUSPEND,
    Command.TASK_TERMINATE,
    Command.TASK_WAKEUP,
    Command.TASK_RESUME,
)


def generate(seed: int, limits: Limits, profile: Profile, commands: int) -> list[Entry]:
    """A script with this many commands (accesses, edges and waits not counted)."""
    return _Generator(random.Random(seed), limits, profile).script(commands)


class _Generator(Operands):
    def __init__(self, chance: random.Random, limits: Limits, profile: Profile) -> None:
        self.rehearsal = Rehearsal(limits)
        super().__init__(chance, limits, self.rehearsal.kernel)
        self.profile = profile
        self.entries: list[Entry] = []
        self.commands = [
            c for c in Command if limits.semaphores or not c.name.startswith("SEMAPHORE")
        ]
        self.weights = [profile.commands.get(command, 1.0) for command in self.commands]

    def script(self, commands: int) -> list[Entry]:
        self.prologue()
        while commands > 0:
            if self.chance.random() < self.profile.burst:
                burst = self.race_tick() if self.chance.random() < 0.5 else self.race_delete()
                for entry in burst:
                    self.add(entry)
                commands -= len(burst)
            if self.lines and self.chance.random() < self.profile.edge / 2:
                for entry in self.race_edges():
                    self.add(entry)
            entry = self.shape()
            self.rehearsal.begin(entry)
            entry = self.fill(entry)
            commands -= entry.kind == Kind.COMMAND
            self.rehearsal.finish(entry)
            self.entries.append(entry)
        # Time for everything that is owed.
        delay = min(0xFFFF, 2 * self.limits.tick_cycles_minimum + 1000)
        for register in (Register.RUNNING, Register.REFUSED, Register.LOST_IRQS):
            self.add(access(register, delay=delay))
        return self.entries

    def add(self, entry: Entry) -> None:
        self.rehearsal.begin(entry)
        self.rehearsal.finish(entry)
        self.entries.append(entry)

    def call(self, command: Command, number: int = 0, argument: int = 0) -> None:
        self.add(Entry(Kind.COMMAND, command, number, argument, gap=self.chance.randrange(3)))

    def prologue(self) -> None:
        """Boot, most of the time as a program would do it."""
        for number in self.tasks:
            if self.chance.random() < 0.8:
                self.call(Command.TASK_CREATE, number, self.priority())
            if self.chance.random() < 0.7:
                self.call(Command.TASK_START, number)
        for number in self.semaphores:
            if self.chance.random() < 0.8:
                self.call(Command.SEMAPHORE_CREATE, number, self.sizes())
        for number in self.lines:
            if self.chance.random() < 0.7:
                self.call(Command.IRQ_MAP, number, self.mapping())
                self.call(Command.IRQ_ENABLE, number)
        if self.profile.ticks:
            self.call(Command.TICK_SET, 0, self.limits.tick_cycles_minimum)
        self.call(Command.DISPATCH_ENABLE)

    # ---- commands in the middle of background work ----------------------------------------

    def hasty(self, command: Command, number: int = 0, argument: int = 0) -> Entry:
        flags = Flag.IGNORE_DISPATCH | Flag.IGNORE_HANDLER | Flag.IGNORE_DUE
        if self.chance.random() < 0.5:
            flags |= Flag.NO_ANSWER
        return Entry(
            Kind.COMMAND,
            command,
            number,
            argument,
            flags,
            delay=self.chance.choice([0, 0, 0, 1, 3]),
        )

    def disturb(self, numbers: list[int]) -> list[Entry]:
        """A few commands on tasks that just now time out or are released."""
        entries = []
        for _ in range(self.chance.randrange(1, 7)):
            command = self.chance.choice(DISTURBING)
            number = self.chance.choice(numbers or self.tasks)
            entries.append(self.hasty(command, number, self.argument(command)))
        return entries

    def race_tick(self) -> list[Entry]:
        """Wait for the next tick, then disturb the tasks whose time limit it is."""
        kernel = self.kernel
        tasks = [task for task in kernel.tasks.values() if task.deadline == kernel.now + 1]
        tasks.sort(key=lambda task: -task.priority)
        late = [task.number for task in tasks][: len(tasks) // 2 + 1]  # they leave last
        if not late:
            return []
        flags = Flag.IGNORE_DISPATCH | Flag.IGNORE_HANDLER
        limit = self.limits.tick_cycles_minimum + 300
        delay = self.chance.choice([0, 0, 0, 1, 2, 5])
        start = Entry(Kind.TICK, argument=limit, flags=flags, delay=delay)
        return [start, *self.disturb(late)]

    def race_delete(self) -> list[Entry]:
        """Delete semaphores with waiters, disturb the waiters, make the semaphores again."""
        kernel, chance = self.kernel, self.chance
        crowded = [n for n, semaphore in kernel.semaphores.items() if semaphore.waiting]
        if not crowded or chance.random() < 0.5:
            return []
        chance.shuffle(crowded)
        gone = crowded[: chance.randrange(1, 4)]
        waiting = [number for n in gone for number in kernel.semaphores[n].waiting]
        entries = [self.hasty(Command.SEMAPHORE_DELETE, n) for n in gone]
        entries += self.disturb(waiting)
        if chance.random() < 0.5:
            entries += [self.hasty(Command.SEMAPHORE_CREATE, n, self.sizes()) for n in gone]
        if chance.random() < 0.3:
            entries.insert(
                0,
                Entry(Kind.TICK, argument=self.limits.tick_cycles_minimum, flags=entries[0].flags),
            )
        return entries

    def race_edges(self) -> list[Entry]:
        """Edges of one or two lines a few cycles apart."""
        chance = self.chance
        lines = [chance.choice(self.lines) for _ in range(2)]
        delay = self.cycles(20)
        entries = []
        for _ in range(chance.randrange(2, 5)):
            entries.append(Entry(Kind.EDGE, number=chance.choice(lines), delay=delay, gap=1))
            delay += chance.randrange(2, 7)
        return entries

    # ---- one entry ----------------------------------------------------------------------------

    def cycles(self, mean: int) -> int:
        return min(2000, int(self.chance.expovariate(1 / mean))) if mean else 0

    def shape(self) -> Entry:
        """Times and flags; what is done comes later, when the state is known."""
        chance = self.chance
        flags = Flag.PREEMPT if chance.random() < 0.5 else Flag(0)
        if chance.random() < self.profile.hostile:
            for flag in (
                Flag.NO_ANSWER,
                Flag.IGNORE_DUE,
                Flag.IGNORE_DISPATCH,
                Flag.IGNORE_HANDLER,
                Flag.ANSWER_TWICE,
            ):
                if chance.random() < 0.35:
                    flags |= flag
        if chance.random() < 0.1:
            flags |= Flag.IGNORE_DISPATCH
        if chance.random() < 0.1:
            flags |= Flag.HANDLER_ENDS
        return Entry(
            Kind.COMMAND, flags=flags, delay=self.cycles(self.profile.delay), gap=self.cycles(2),
            after=self.cycles(chance.choice([0, 2, 30])), handler=chance.choice([0, 0, 1, 2, 5]),
        )  # fmt: skip

    def fill(self, entry: Entry) -> Entry:
        draw = self.chance.random()
        profile = self.profile
        if draw < profile.edge:
            width = self.chance.choice([1, 1, 1, 2, 5, 100])
            line = self.chance.choice(self.lines) if self.lines else 0
            return replace(entry, kind=Kind.EDGE, number=line, gap=width, delay=self.cycles(20))
        draw -= profile.edge
        if draw < profile.wait:
            length = self.chance.choice(
                [10, 50, self.limits.tick_cycles_minimum, 2 * self.limits.tick_cycles_minimum]
            )
            return replace(entry, kind=Kind.WAIT, argument=self.chance.randrange(1, length + 1))
        draw -= profile.wait
        if draw < profile.access:
            return self.raw(entry)
        command = self.command()
        careless = self.chance.random() < profile.careless
        number = self.careless_number(command) if careless else self.number(command)
        argument = self.careless_argument(command) if careless else self.argument(command)
        op = int(command)
        if careless and self.chance.random() < 0.2:
            op = self.chance.choice([0, 15, 20, 31, 36, 43, 47, 48, 49, 50, 62])
        return replace(entry, op=op, number=number, argument=argument & WORD)

    def raw(self, entry: Entry) -> Entry:
        chance = self.chance
        kind = chance.randrange(10)
        if chance.random() < self.profile.hostile / 4:
            offset = int(chance.choice([Register.CLAIM, Register.CLAIM, Register.DISPATCH]))
        elif kind < 3:
            number = chance.choice(self.tasks) if chance.random() < 0.9 else chance.randrange(256)
            offset = Query.TASK_STATE * 1024 + number * 4
        elif kind < 5:
            number = (
                chance.choice(self.semaphores or [0])
                if chance.random() < 0.8
                else chance.randrange(256)
            )
            offset = Query.SEMAPHORE_COUNT * 1024 + number * 4
        elif kind < 8:
            plain = [r for r in Register if r not in (Register.DISPATCH, Register.CLAIM)]
            offset = int(chance.choice(plain))
        elif chance.random() < self.profile.hostile:
            return self.illegal(entry)
        else:
            offset = 4 * chance.randrange(48 * 256)  # an answer
        raw = access(offset, delay=entry.delay)
        return replace(raw, flags=entry.flags, after=entry.after, handler=entry.handler)

    def illegal(self, entry: Entry) -> Entry:
        chance = self.chance
        if chance.random() < 0.3:  # write to a register
            return replace(
                access(int(chance.choice(list(Register))), write=True, data=chance.getrandbits(32)),
                delay=entry.delay,
            )
        offset = chance.choice([int(chance.choice(list(Register))), 4 * chance.randrange(0x3F00)])
        partial = chance.choice([1, 2, 3, 4, 7, 8, 12, 14])
        if chance.random() < 0.3:  # not aligned, or no such register
            offset = chance.choice(
                [offset + chance.randrange(1, 4), 0xFC1C, 0xFC34, 0xFE00, 0xFFFC]
            )
            partial = 15
        return replace(
            access(
                offset,
                write=chance.random() < 0.5,
                data=chance.getrandbits(32),
                byte_enable=partial,
            ),
            delay=entry.delay,
        )

    def command(self) -> Command:
        """A command that makes sense here, mostly."""
        kernel, chance = self.kernel, self.chance
        if self.rehearsal.context == Context.IDLE and chance.random() < self.profile.revive:
            return self.revival()
        for _ in range(4):
            command = chance.choices(self.commands, self.weights)[0]
            info = COMMANDS[command]
            if self.rehearsal.context not in info.callers and chance.random() < 0.9:
                continue
            blocks = info.blocks.value != "never"
            if blocks and self.rehearsal.context != Context.TASK and chance.random() < 0.95:
                continue
            core = kernel.cores[0]
            if not core.dispatch_enabled and chance.random() < 0.2:
                return Command.DISPATCH_ENABLE
            return command
        return command

    def revival(self) -> Command:
        """What gives an idle system a task, as far as there is one."""
        tasks = [task for number, task in self.kernel.tasks.items() if number in self.tasks]
        options = [Command.TASK_CREATE] if len(tasks) < len(self.tasks) else []
        if any(task.dormant for task in tasks):
            options += [Command.TASK_START] * 4
        if any(task.suspended for task in tasks):
            options.append(Command.TASK_RESUME)
        if any(task.wait for task in tasks) and self.chance.random() < 0.3:
            options += [Command.TASK_RELEASE, Command.TASK_WAKEUP]
            options += [Command.SEMAPHORE_GIVE] if self.semaphores else []
        if not self.kernel.cores[0].dispatch_enabled:
            options += [Command.DISPATCH_ENABLE] * 4
        return self.chance.choice(options or [Command.TASK_RELEASE])
