# SPDX-License-Identifier: Apache-2.0
"""Makes scripts from a seed: state-aware, to reach deep states; hostile where a profile says so."""

from __future__ import annotations

import random

from mel_gen import COMMANDS, Command, Context, Query, Register

from melanion.model import Kernel, Limits
from melanion.model.kernel import QUERY_KINDS
from tests.random.bursts import MAKE_AND_DELETE
from tests.random.driver import Driver
from tests.random.profiles import Profile
from tests.random.rare import Rarities
from tests.random.records import Run
from tests.random.rehearsal import Program, Rehearsal
from tests.random.script import Entry, Flag, Kind, access

WORD = 0xFFFF_FFFF
SIDE_EFFECTS = (Register.DISPATCH, Register.CLAIM)
LAST = (Register.RUNNING, Register.REFUSED, Register.LOST_IRQS)
GIVING = (
    Command.SEMAPHORE_GIVE,
    Command.EVENT_FLAGS_SET,
    Command.QUEUE_POST,
    Command.QUEUE_SEND,
    Command.NOTIFICATION_SET,
)


def generate(seed: int, limits: Limits, profile: Profile, commands: int) -> list[Entry]:
    """A script with this many commands (accesses, edges and waits not counted)."""
    return rehearse(seed, limits, profile, commands)[0]


def rehearse(
    seed: int,
    limits: Limits,
    profile: Profile,
    commands: int,
    kernel: type[Kernel] | None = None,
) -> tuple[list[Entry], Run]:
    """Return the script of `generate`, and its run on the model alone (`kernel`: on this one)."""
    generator = _Generator(random.Random(seed), (kernel or Kernel)(limits), profile)
    return generator.script(commands), generator.rehearsal.run


def tail(limits: Limits) -> int:
    """Entries at a script's end that let the unit come to rest."""
    return len(LAST) + (limits.cores if limits.cores > 1 else 0)


class _Generator(Rarities):
    """Chooses for `driver`, whose program is resumed just now."""

    def __init__(self, chance: random.Random, kernel: Kernel, profile: Profile) -> None:
        self.rehearsal = Rehearsal(kernel)
        super().__init__(chance, kernel.limits, kernel, profile)
        self.entries: list[Entry] = []
        self.weights = [profile.commands.get(command, 1.0) for command in self.commands]
        self.drivers = [Driver(self.rehearsal, core.number) for core in self.kernel.cores]
        self.driver = self.drivers[0]
        self.left = 0  # commands
        self.meetings = 0
        self.boots_alone = len(self.drivers) > 1 and chance.random() < 0.85

    def script(self, commands: int) -> list[Entry]:
        self.left = commands
        self.rehearsal.play([self.turns(driver, self.program(driver)) for driver in self.drivers])
        self.rehearsal.play([self.turns(driver, self.rest(driver)) for driver in self.drivers])
        return self.entries

    def turns(self, driver: Driver, program: Program) -> Program:
        """The program, with `driver` set whenever it is resumed."""
        self.driver, self.core = driver, driver.core
        for cycles in program:
            yield cycles
            self.driver, self.core = driver, driver.core

    def program(self, driver: Driver) -> Program:
        """One core's part of the script."""
        if driver.core.number == 0:
            yield from self.prologue()
        if self.boots_alone:
            self.meetings = 1
            yield from self.meet(driver)
        yield from self.call(Command.DISPATCH_ENABLE)
        while self.left > 0:
            if driver.met < self.meetings:
                yield from self.meet(driver)
            elif len(self.drivers) > 1 and self.chance.random() < self.profile.meet:
                self.meetings += 1
                continue
            yield from self.some()
        while driver.met < self.meetings:
            yield from self.meet(driver)

    def some(self) -> Program:
        """An entry, and now and then several that belong together."""
        if self.chance.random() < self.profile.burst:
            burst = self.burst()
            self.left -= len(burst)
            for entry in burst:
                yield from self.add(entry)
        if self.profile.rare and self.chance.random() < self.profile.rare:
            for entry in self.rarity():
                yield from self.add(entry)
        if self.lines and self.chance.random() < self.profile.edge / 2:
            for entry in self.race_edges():
                yield from self.add(entry)
        entry = self.shape()._replace(core=self.driver.core.number)
        driver = self.driver
        yield from driver.begin(entry)
        entry = self.fill(entry)
        self.left -= entry.kind == Kind.COMMAND
        self.entries.append(entry)
        yield from driver.finish(entry)

    def rest(self, driver: Driver) -> Program:
        """Time for everything that is owed."""
        if len(self.drivers) > 1:
            yield from self.add(Entry(Kind.MEET, argument=WORD))
        if driver.core.number == 0:
            delay = min(0xFFFF, 2 * self.limits.tick_cycles_minimum + 1000)
            for register in LAST:
                yield from self.add(access(register, delay=delay))

    def meet(self, driver: Driver) -> Program:
        driver.met += 1
        yield from self.add(Entry(Kind.MEET, argument=driver.met))
        driver.hurries = True

    def add(self, entry: Entry) -> Program:
        entry = entry._replace(core=self.driver.core.number)
        self.entries.append(entry)
        yield from self.driver.begin(entry)
        yield from self.driver.finish(entry)

    def call(self, command: Command, number: int = 0, argument: int = 0) -> Program:
        gap = self.chance.randrange(3)
        operand = self.operand(command) if self.profile.words else None
        return self.add(Entry(Kind.COMMAND, command, number, argument, gap=gap, operand=operand))

    def prologue(self) -> Program:
        """Boot, most of the time as a program would do it."""
        for number in self.tasks:
            if self.chance.random() < 0.8:
                yield from self.call(Command.TASK_CREATE, number, self.creation())
            if self.chance.random() < 0.7:
                yield from self.call(Command.TASK_START, number)
        for kind, (make, _) in MAKE_AND_DELETE.items():
            for number in self.numbers.get(kind, ()):
                if self.chance.random() < 0.8:
                    yield from self.call(make, number, self.argument(make))
        for number in self.all_lines:
            if self.chance.random() < 0.7:
                yield from self.call(Command.IRQ_MAP, number, self.mapping())
                yield from self.call(Command.IRQ_ENABLE, number)
        if self.profile.ticks:
            yield from self.call(Command.TICK_SET, 0, self.limits.tick_cycles_minimum)

    # ---- one entry ----------------------------------------------------------------------------

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
        delay = self.cycles(self.profile.delay)
        if self.driver.hurries:  # as the other cores, which met
            delay = chance.choice([0, 0, 0, 1, 2])
            self.driver.hurries = False
        return Entry(
            Kind.COMMAND, flags=flags, delay=delay, gap=self.cycles(2),
            after=self.cycles(chance.choice([0, 2, 30])), handler=chance.choice([0, 0, 1, 2, 5]),
        )  # fmt: skip

    def fill(self, entry: Entry) -> Entry:
        draw = self.chance.random()
        profile = self.profile
        if draw < profile.edge:
            width = self.chance.choice([1, 1, 1, 2, 5, 100])
            line = self.chance.choice(self.lines) if self.lines else 0
            return entry._replace(kind=Kind.EDGE, number=line, gap=width, delay=self.cycles(20))
        draw -= profile.edge
        if draw < profile.wait:
            length = self.chance.choice(
                [10, 50, self.limits.tick_cycles_minimum, 2 * self.limits.tick_cycles_minimum]
            )
            return entry._replace(kind=Kind.WAIT, argument=self.chance.randrange(1, length + 1))
        draw -= profile.wait
        if draw < profile.access:
            return self.raw(entry)
        command = self.command()
        careless = self.chance.random() < profile.careless
        number = self.careless_number(command) if careless else self.number(command)
        argument = self.careless_argument(command) if careless else self.argument(command)
        operand = self.careless_operand(command) if careless else self.operand(command)
        op = int(command)
        if careless and self.chance.random() < 0.2:
            op = self.chance.choice(self.wild)
        if not self.profile.words:
            operand = None
        elif self.chance.random() < (0.6 if COMMANDS[command].value else 0.1):
            entry = entry._replace(flags=entry.flags | Flag.VALUE)
        return entry._replace(op=op, number=number, argument=argument & WORD, operand=operand)

    def raw(self, entry: Entry) -> Entry:
        chance = self.chance
        kind = chance.randrange(10)
        if chance.random() < self.profile.hostile / 4:
            offset = int(chance.choice([Register.CLAIM, Register.CLAIM, Register.DISPATCH]))
        elif kind < 5:
            query = chance.choice([q for q in Query if QUERY_KINDS[q] in self.numbers])
            number = chance.choice(self.numbers[QUERY_KINDS[query]] or [0])
            if chance.random() < 0.15:
                number = chance.randrange(256)
            offset = query * 1024 + number * 4
        elif kind < 8:
            offset = int(chance.choice([r for r in self.registers() if r not in SIDE_EFFECTS]))
        elif chance.random() < self.profile.hostile:
            return self.illegal(entry)
        else:
            offset = 4 * chance.randrange(48 * 256)  # an answer
        raw = access(offset, delay=entry.delay)
        return raw._replace(flags=entry.flags, after=entry.after, handler=entry.handler)

    def registers(self) -> list[Register]:
        """All, or those that a script without operands and values touches."""
        words = (Register.OPERAND, Register.VALUE)
        return [r for r in Register if self.profile.words or r not in words]

    def illegal(self, entry: Entry) -> Entry:
        chance = self.chance
        if chance.random() < 0.3:  # write to a register
            register = int(chance.choice(self.registers()))
            data = chance.getrandbits(32)
            return access(register, write=True, data=data, delay=entry.delay)
        offset = chance.choice([int(chance.choice(self.registers())), 4 * chance.randrange(0x3F00)])
        partial = chance.choice([1, 2, 3, 4, 7, 8, 12, 14])
        if chance.random() < 0.3:  # not aligned, or no such register
            offset = chance.choice(
                [offset + chance.randrange(1, 4), 0xFC1C, 0xFC3C, 0xFE00, 0xFFFC]
            )
            partial = 15
        return access(
            offset,
            write=chance.random() < 0.5,
            data=chance.getrandbits(32),
            byte_enable=partial,
            delay=entry.delay,
        )

    def command(self) -> Command:
        """A command that makes sense here, mostly."""
        chance = self.chance
        if self.driver.context == Context.IDLE and chance.random() < self.profile.revive:
            return self.revival()
        for _ in range(4):
            command = chance.choices(self.commands, self.weights)[0]
            info = COMMANDS[command]
            if self.driver.context not in info.callers and chance.random() < 0.9:
                continue
            blocks = info.blocks.value != "never"
            if blocks and self.driver.context != Context.TASK and chance.random() < 0.95:
                continue
            if not self.core.dispatch_enabled and chance.random() < 0.2:
                return Command.DISPATCH_ENABLE
            return command
        return command

    def revival(self) -> Command:
        """Return a command that may give an idle system a task."""
        tasks = [task for number, task in self.kernel.tasks.items() if number in self.tasks]
        options = [Command.TASK_CREATE] if len(tasks) < len(self.tasks) else []
        if any(task.dormant for task in tasks):
            options += [Command.TASK_START] * 4
        if any(task.suspended for task in tasks):
            options.append(Command.TASK_RESUME)
        if any(task.wait for task in tasks) and self.chance.random() < 0.3:
            options += [Command.TASK_RELEASE, Command.TASK_WAKEUP]
            options += [command for command in GIVING if command in self.commands]
        if not self.core.dispatch_enabled:
            options += [Command.DISPATCH_ENABLE] * 4
        return self.chance.choice(options or [Command.TASK_RELEASE])
