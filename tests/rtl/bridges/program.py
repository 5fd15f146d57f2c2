# SPDX-License-Identifier: Apache-2.0
"""Accesses through every bridge, directed and random, with the answer expected of each.

A program is data, the same for all buses. Expected answers of the random part come from the model.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from mel_gen import (
    ANSWER_DISPATCH_DUE,
    ANSWER_WAITING,
    IDENTITY,
    SPEC_HASH_WORD,
    Command,
    Context,
    IrqAction,
    Query,
    Register,
    Status,
    TaskState,
    parameter_hash_word,
)

from melanion.model import Kernel, Limits

SIZES: dict[str, Any] = {"tasks": 8, "priorities": 4, "semaphores": 4, "interrupts": 4}
LIMITS = Limits(**SIZES)
IDLE = LIMITS.tasks
WORD = 0xFFFF_FFFF
FOREVER = WORD
SPURIOUS = WORD
DUE_OR_NOT = WORD & ~ANSWER_DISPATCH_DUE
UNKNOWN_OPS = (0, 96)
SETTLED = 80  # cycles: an edge has been served, background work is done
NUMBERS = (2, 4, LIMITS.tasks + 1)  # a number is below one of them
LEAVES_WORK = frozenset(
    {
        Command.SEMAPHORE_DELETE,
        Command.EVENT_FLAGS_DELETE,
        Command.EVENT_FLAGS_SET,
        Command.QUEUE_DELETE,
        Command.MUTEX_DELETE,
        Command.TASK_EXIT,
        Command.TASK_TERMINATE,
        Command.IRQ_RAISE,
    }
)

PARAMETER_HASH = parameter_hash_word(**SIZES)


@dataclass(frozen=True)
class Step:
    """One access, or (`command`) a store and the load of its answer, as close as the bus allows.

    `lane`, `size` in bytes: fewer than a word is a partial access. `expected` counts in the bits of
    `mask`. Before it: the unit asks for a dispatch (`dispatch_line`); after it: `settle` cycles.
    """

    offset: int
    data: int = 0
    store: bool = False
    command: bool = False
    lane: int = 0
    size: int = 4
    expected: int = 0
    mask: int = WORD
    dispatch_line: bool = False
    settle: int = 0

    def agrees(self, answer: int) -> bool:
        """The answer is the expected one."""
        return not (answer ^ self.expected) & self.mask

    def __str__(self) -> str:
        verb = "command" if self.command else "store" if self.store else "load"
        part = "" if self.size == 4 else f" lane {self.lane} size {self.size}"
        return f"{verb} {self.offset:#06x} {self.data:#x}{part}, expected {self.expected:#x}"


def slot(op: int, number: int = 0) -> int:
    """The offset of a command or query."""
    return op << 10 | number << 2


def word(status: int) -> int:
    """A status as the bus gives it."""
    return status & WORD


def load(register: Register, expected: int, *, dispatch_line: bool = False) -> Step:
    return Step(register, expected=expected, dispatch_line=dispatch_line)


def call(op: int, number: int = 0, argument: int = 0, *, gives: int = 0, settle: int = 0) -> Step:
    return Step(
        slot(op, number), argument & WORD, command=True, expected=word(gives), settle=settle
    )


def directed() -> list[Step]:
    """Identity, tasks, semaphore, timeouts, an interrupt, partial accesses."""
    tick = LIMITS.tick_cycles_minimum
    waits = ANSWER_WAITING | ANSWER_DISPATCH_DUE
    answer = slot(Command.SEMAPHORE_TAKE, 2)
    return [
        load(Register.IDENTITY, IDENTITY),
        load(Register.SPEC_HASH, SPEC_HASH_WORD),
        load(Register.PARAMETER_HASH, PARAMETER_HASH),
        load(Register.RUNNING, IDLE),
        # Two tasks; the more urgent one takes what is not there, and the other gives it.
        call(Command.TASK_CREATE, 3, 2),
        call(Command.TASK_CREATE, 5, 1),
        call(Command.TASK_CREATE, 5, 1, gives=Status.E_OBJ),
        call(Command.TASK_CREATE, LIMITS.tasks, 1, gives=Status.E_ID),
        call(Command.SEMAPHORE_CREATE, 2, 2 << 16),
        call(Command.TASK_START, 3),
        call(Command.TASK_START, 5),
        call(Command.DISPATCH_ENABLE, gives=ANSWER_DISPATCH_DUE),
        load(Register.DISPATCH, 5),
        Step(slot(Query.TASK_STATE, 3), expected=TaskState.READY | 2 << 8),
        call(Command.SEMAPHORE_TAKE, 2, gives=Status.E_TMOUT),
        call(Command.SEMAPHORE_TAKE, 2, FOREVER, gives=waits),
        load(Register.DISPATCH, 3),
        call(Command.SEMAPHORE_GIVE, 2, gives=ANSWER_DISPATCH_DUE),
        load(Register.DISPATCH, 5),
        Step(answer, expected=Status.E_OK),
        # A partial store of a give does nothing, and is counted; so is a partial load.
        load(Register.REFUSED, 1),
        Step(slot(Command.SEMAPHORE_GIVE, 2), store=True, lane=0, size=2),
        Step(slot(Command.SEMAPHORE_GIVE, 2), store=True, lane=3, size=1),
        Step(slot(Query.TASK_STATE, 3), lane=2, size=2),
        load(Register.REFUSED, 4),
        Step(slot(Query.SEMAPHORE_COUNT, 2), expected=0),
        # Time: a limit passes.
        call(Command.TICK_SET, 0, tick - 1, gives=Status.E_PAR),
        call(Command.TICK_SET, 0, tick),
        call(Command.SEMAPHORE_TAKE, 2, 2, gives=waits),
        load(Register.DISPATCH, 3),
        load(Register.DISPATCH, 5, dispatch_line=True),
        Step(answer, expected=word(Status.E_TMOUT)),
        call(Command.TICK_SET, 0, 0, settle=2 * tick),
        # An interrupt gives the semaphore and is offered to a handler.
        call(Command.IRQ_MAP, 1, 2 << 8 | 1 << 4 | IrqAction.SEMAPHORE_GIVE),
        call(Command.IRQ_ENABLE, 1),
        call(Command.IRQ_RAISE, 1, settle=SETTLED),
        load(Register.CLAIM, 1),
        call(Command.TASK_SLEEP, 0, 1, gives=Status.E_CTX),
        load(Register.DISPATCH, 5),
        load(Register.CLAIM, SPURIOUS),
        load(Register.DISPATCH, 5),
        Step(slot(Query.SEMAPHORE_COUNT, 2), expected=1),
        call(Command.SEMAPHORE_TAKE, 2),
        load(Register.REFUSED, 6),
    ]


class Traffic:
    """Random accesses, with the model beside them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.kernel = Kernel(LIMITS)
        self.core = self.kernel.cores[0]
        self.illegal = 0
        self.steps: list[Step] = []

    def access(self) -> None:
        """One access, and a dispatch where a kernel must make one."""
        kind = self.random.choices(
            (
                self.command,
                self.operand,
                self.value,
                self.dispatch,
                self.claim,
                self.query,
                self.partial,
                self.refused,
            ),
            (12, 2, 2, 3, 1, 3, 1, 1),
        )[0]
        kind()
        context = self.kernel.context(self.core)
        if context == Context.TASK and not self.kernel.running_task(self.core).runnable:
            self.dispatch()

    def start(self) -> None:
        """A few of all objects, then tasks that run."""
        for number in range(LIMITS.semaphores):
            self._call(Command.SEMAPHORE_CREATE, number, 3 << 16 | 1)
            self._call(Command.EVENT_FLAGS_CREATE, number, 1)
            self._call(Command.QUEUE_CREATE, number, 2)
            self._call(Command.MUTEX_CREATE, number, 0)
            self._call(Command.TASK_CREATE, number, 1)
            self._call(Command.TASK_START, number, 0)
        self._call(Command.DISPATCH_ENABLE, 0, 0)
        self.dispatch()

    def command(self) -> None:
        op = self.random.choice([*Command, *UNKNOWN_OPS])
        self._call(op, self.random.randrange(self.random.choice(NUMBERS)), self._argument(op))

    def _call(self, op: int, number: int, argument: int) -> None:
        answer = self.kernel.command(0, op, number, argument)
        enabled = number < LIMITS.lines and self.kernel.interrupts[number].enabled
        if op == Command.IRQ_RAISE and not answer and enabled:
            self.kernel.irq(number)
        self.kernel.settle()
        settle = SETTLED if op in LEAVES_WORK else 0
        if op == Command.TASK_EXIT and not answer:  # it never returns: nobody loads the answer
            self.steps.append(Step(slot(op, number), argument, store=True, settle=settle))
        else:
            self.steps.append(
                Step(
                    slot(op, number), argument, command=True, settle=settle,
                    expected=word(answer), mask=DUE_OR_NOT if answer >= 0 else WORD,
                )
            )  # fmt: skip

    def operand(self) -> None:
        """A word for the commands that take one: a limit, flags, a message, its priority."""
        operand = self.random.choice((0, 0, 1, 7, 8, FOREVER))
        self.kernel.words_of(self.core).operand = operand
        self.steps.append(Step(Register.OPERAND, operand, store=True))

    def value(self) -> None:
        self.steps.append(load(Register.VALUE, self.kernel.words_of(self.core).value))

    def _argument(self, op: int) -> int:
        if op == Command.SEMAPHORE_CREATE:
            return self.random.choice((0, 1, 2, 3)) << 16 | self.random.choice((0, 0, 1, 2))
        if op == Command.IRQ_MAP:
            fields = (self.random.randrange(6) << 8, self.random.randrange(2) << 4)
            return sum(fields) | self.random.randrange(8)
        if op == Command.TICK_SET:  # ticks stay off: time is the bus's own
            return self.random.randrange(LIMITS.tick_cycles_minimum)
        if op in (Command.TASK_CREATE, Command.TASK_SET_PRIORITY, Command.TASK_ROTATE):
            return self.random.choice((0, 1, 2, 3, 3, 4, FOREVER))
        return self.random.choice((0, 1, FOREVER))

    def dispatch(self) -> None:
        running = self.kernel.dispatch(0)
        self.steps.append(load(Register.DISPATCH, IDLE if running is None else running))

    def claim(self) -> None:
        line = self.kernel.claim(0)
        self.steps.append(load(Register.CLAIM, SPURIOUS if line is None else line))

    def query(self) -> None:
        query = self.random.choice([query for query in Query if query != Query.RUN_TIME])
        number = self.random.randrange(LIMITS.tasks + 1)
        expected = word(self.kernel.query(query, number))
        self.steps.append(Step(slot(query, number), expected=expected))

    def partial(self) -> None:
        """Answered, without effect, counted; loads with a lane above 0, which every bus can ask."""
        self.illegal += 1
        store = self.random.random() < 0.7
        lane = self.random.randrange(0 if store else 1, 4)
        size = self.random.randrange(1, 4 - lane + (lane > 0))
        offset = self.random.choice((Register.DISPATCH, Register.CLAIM, slot(self._any_op())))
        data = self.random.getrandbits(32)
        self.steps.append(Step(offset, data, store=store, lane=lane, size=size))

    def _any_op(self) -> int:
        return self.random.choice(list(Command))

    def refused(self) -> None:
        self.steps.append(load(Register.REFUSED, self.kernel.refused + self.illegal))


def traffic(seed: int, count: int) -> list[Step]:
    """At least `count` accesses: objects and tasks are made, then all is random."""
    made = Traffic(seed)
    made.start()
    while len(made.steps) < count:
        made.access()
    made.refused()
    return made.steps
