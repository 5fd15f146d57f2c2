# SPDX-License-Identifier: Apache-2.0
"""The state that the program and the model begin with: free contents of the machine's memories,
and what always holds of them (`Invariants`), which each command must preserve.

One core. Numbers of tasks, objects and priorities are free.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import z3

from melanion.micro.tables import MachineFile
from tests.symbolic.lists import Lists, Top
from tests.symbolic.paths import Expr, Paths

WAIT_DELAY, WAIT_NOTIFICATION, WAIT_SEMAPHORE, WAIT_FLAGS, WAIT_QUEUE, WAIT_MUTEX = 2, 3, 4, 5, 6, 7
KEY = 12  # width of a wait list's key: {group 2, kind 2, number 8}
NODE = 10  # {kind 2, number 8}
OBJECTS, HELD, MESSAGES = range(3)  # groups of wait lists
READY, DUE = range(2)  # keys of the ready lists


class Unsupported(Exception):
    """A word does what the executor does not know."""


@dataclass(frozen=True)
class Answer:
    """The end of a command. `status`: 8 bits; None: the caller waits. `word`: of a query."""

    status: Expr | None
    word: Expr


def const(value: int, width: int) -> Expr:
    return z3.BitVecVal(value, width)


def bit(value: Expr, number: int) -> Expr:
    """A bit as a condition."""
    return z3.Extract(number, number, value) == 1


def key(group: int, kind: Expr, number: Expr) -> Expr:
    return z3.Concat(const(group, 2), kind, number)


def node(kind: int, number: Expr) -> Expr:
    return z3.Concat(const(kind, 2), number)


@dataclass
class Dispatcher:
    """mel_dispatcher: who runs, and what programs read as status."""

    running_valid: Expr
    running: Expr
    prio: Expr
    runnable: Expr
    listed: Expr
    waits: Expr
    ended: Expr
    in_handler: Expr
    enabled: Expr
    task_result: Expr
    handler_result: Expr
    idle_result: Expr

    @property
    def apart(self) -> Expr:
        """The running task goes on and stands in no ready list."""
        return z3.And(self.running_valid, self.runnable, z3.Not(self.listed))

    @property
    def of_task(self) -> Expr:
        """A task is the caller."""
        return z3.And(z3.Not(self.in_handler), self.running_valid)


def dispatcher() -> Dispatcher:
    """One with free contents."""
    widths = {"running": 8, "prio": 8, "task_result": 8, "handler_result": 8, "idle_result": 8}
    return Dispatcher(
        **{
            name: z3.BitVec(name, widths[name]) if name in widths else z3.Bool(name)
            for name in Dispatcher.__dataclass_fields__
        }
    )


@dataclass
class Alarms:
    """Expiries or deadlines of mel_time: armed ones, and when."""

    armed: Expr
    value: Expr

    @classmethod
    def named(cls, name: str) -> Alarms:
        number = z3.BitVecSort(8)
        return cls(z3.Array(f"{name}_armed", number, z3.BoolSort()),
                   z3.Array(f"{name}_value", number, z3.BitVecSort(32)))  # fmt: skip

    def set(self, number: Expr, value: Expr | None) -> None:
        self.armed = z3.Store(self.armed, number, z3.BoolVal(value is not None))
        if value is not None:
            self.value = z3.Store(self.value, number, value)


@dataclass
class State:
    """All that a step reads and changes. `pages`: the state store, by number."""

    machine: MachineFile
    paths: Paths
    pages: dict[int, Expr]
    core: Dispatcher
    waits: Lists
    ready: Lists
    expiry: Alarms
    deadline: Alarms
    timer: Alarms
    results: Expr  # for tasks that do not run
    jobs: Expr  # a bit for each
    now: Expr
    limits: dict[str, Expr]
    noted: Expr  # timers whose line rises with the next tick
    firsts: Expr  # a ready list's first, by level: {valid, number}
    said: list[tuple[str, Expr]] = field(default_factory=list)  # to other devices

    def word(self, page: str, number: Expr) -> Expr:
        return z3.Select(self.pages[self.machine.pages[page]], number)

    def first_of(self, level: Expr) -> tuple[Expr, Expr]:
        """The first task of a ready list, before any of this step's changes."""
        found = z3.Select(self.firsts, level)
        number = z3.Extract(7, 0, found)
        member = z3.Select(self.ready.where, number) == self.ready.place(const(READY, 1), level)
        self.paths.assume(z3.Implies(bit(found, 8), member))
        return bit(found, 8), number

    def index(self, page: str, place: str) -> Expr:
        return self.word(page, const(self.machine.indexes[place], 8))


LIMITS = (
    *("priorities", "tasks", "semaphores", "event_flags", "queues", "mutexes", "messages"),
    *("timers", "lines", "tick_minimum"),
)


def begin(machine: MachineFile, paths: Paths) -> State:
    """The free state. Each call makes the same symbols."""
    number, value = z3.BitVecSort(8), z3.BitVecSort(32)
    state = State(
        machine=machine,
        paths=paths,
        pages={at: z3.Array(f"page_{name}", number, value) for name, at in machine.pages.items()},
        core=dispatcher(),
        waits=Lists(paths, "waits", KEY, NODE),
        ready=Lists(paths, "ready", 1, 8),
        expiry=Alarms.named("expiry"),
        deadline=Alarms.named("deadline"),
        timer=Alarms.named("timer"),
        results=z3.Array("results", number, z3.BitVecSort(8)),
        jobs=z3.BitVec("jobs", 16),
        now=z3.BitVec("now", 64),
        limits={name: z3.BitVec(f"limit_{name}", 16) for name in LIMITS},
        noted=z3.Array("noted", number, z3.BoolSort()),
        firsts=z3.Array("first", number, z3.BitVecSort(9)),
    )
    for name, limit in state.limits.items():
        least = 2 if name == "priorities" else 0
        paths.assume(z3.And(z3.UGE(limit, least), z3.ULE(limit, 256)) if name != "tick_minimum"
                     else z3.UGE(limit, 1))  # fmt: skip
    paths.assume(of_core(state))
    paths.assume(of_task(state, state.core.running))
    return state


# Pages whose places are tasks.
OF_TASK = frozenset(("task", "more", "base", "notification", "word", "value", "operand", "slice"))

# ---- invariants ----------------------------------------------------------------------------------


def runnable(record: Expr) -> Expr:
    """By its record: ready or running."""
    waits = z3.Extract(26, 24, record)
    return z3.And(bit(record, 27), z3.Not(bit(record, 28)), z3.Not(bit(record, 29)), waits == 0)


def of_core(state: State) -> Expr:
    core = state.core
    return z3.And(
        z3.Implies(core.listed, core.runnable),
        z3.Implies(core.runnable, core.running_valid),
        z3.Implies(core.waits, z3.And(core.running_valid, z3.Not(core.runnable))),
        z3.Implies(core.ended, z3.And(core.running_valid, z3.Not(core.waits))),
        z3.Implies(z3.And(core.ended, core.runnable), core.listed),
    )


def of_task(state: State, number: Expr) -> Expr:
    """One task: its record, where it stands, its timeout, and its core."""
    record, core = state.word("task", number), state.core
    exists, dormant, suspended, due, delays = (bit(record, n) for n in (27, 28, 29, 30, 31))
    waits, level = z3.Extract(26, 24, record), z3.Extract(7, 0, record)
    in_list, able = z3.UGE(waits, WAIT_SEMAPHORE), runnable(record)
    runs = z3.And(core.running_valid, core.running == number)
    wait_key = key(OBJECTS, z3.Extract(25, 24, record), z3.Extract(23, 16, record))
    place = state.waits.place(wait_key, level)
    stands = z3.If(in_list, z3.Select(state.waits.where, node(0, number)) == place,
                   z3.Not(state.waits.member(node(0, number))))  # fmt: skip
    listed = z3.Select(state.ready.where, number)
    in_ready = z3.And(able, z3.Not(z3.And(runs, core.apart)))
    ready = z3.If(due, listed == state.ready.place(const(DUE, 1), level),
                  z3.If(in_ready, listed == state.ready.place(const(READY, 1), level),
                        z3.Not(state.ready.member(number))))  # fmt: skip
    holds = state.waits.look(key(HELD, const(0, 2), number)).valid
    ended = z3.Extract(7, 0, state.index("system", "ended")) == number
    orphan = z3.And(bit(state.jobs, state.machine.jobs["orphan"]), ended)
    armed = z3.Select(state.expiry.armed, number)
    more = state.word("more", number)
    return z3.And(
        z3.Implies(z3.Not(exists), z3.And(record == 0, z3.Not(holds))),
        z3.Implies(dormant, z3.And(exists, waits == 0, z3.Not(suspended),
                                   z3.Not(bit(more, 27)), z3.Extract(15, 12, record) == 0)),
        z3.Implies(z3.And(dormant, holds), orphan),
        z3.Implies(z3.Or(z3.Not(exists), dormant), z3.And(
            z3.Not(z3.Select(state.deadline.armed, number)), state.word("budget", number) == 0)),
        z3.Implies(due, z3.And(waits != 0, z3.Not(armed))),
        z3.Implies(armed, waits != 0),
        delays == (waits == WAIT_DELAY),
        z3.Implies(waits == WAIT_NOTIFICATION, z3.And(
            z3.Not(bit(more, 27)), z3.Extract(17, 16, record) != 3)),
        z3.Implies(exists, z3.And(
            *(z3.ULT(z3.ZeroExt(8, prio), state.limits["priorities"]) for prio in (
                level, z3.Extract(7, 0, more), z3.Extract(7, 0, state.word("base", number)))),
            z3.ULT(z3.ZeroExt(8, number), state.limits["tasks"]),
        )),
        stands,
        ready,
        z3.Implies(runs, z3.And(
            exists,
            core.runnable == able,
            z3.Implies(z3.Not(core.ended), z3.And(z3.Not(dormant), core.waits == (waits != 0))),
            core.prio == level,
        )),
    )  # fmt: skip


def of_semaphore(state: State, number: Expr) -> Expr:
    """The room and the count make the maximum, which is not 0."""
    record = state.word("semaphore", number)
    room, count = z3.Extract(31, 16, record), z3.Extract(15, 0, record)
    maximum = z3.ZeroExt(1, room) + z3.ZeroExt(1, count)
    return z3.ULT(maximum, const(0x10000, 17))


def of_flags(state: State, number: Expr) -> Expr:
    """A group exists, or its second record is empty."""
    record = state.word("flags_more", number)
    return z3.Or(record == 0, record == 1 << 27)


def of_timer(state: State, number: Expr) -> Expr:
    """It is armed while it runs; one that was found, and is no longer, is noted."""
    record = state.word("timer", number)
    armed, noted = z3.Select(state.timer.armed, number), z3.Select(state.noted, number)
    runs, periodic = bit(record, 31), bit(record, 30)
    return z3.And(armed == runs, z3.Implies(periodic, runs),
                  z3.Implies(z3.And(noted, runs), periodic),
                  z3.Implies(periodic, state.word("period", number) != 0))  # fmt: skip


def assume_of(state: State, page: str, number: Expr) -> None:
    """Assume what holds of the task or object that a place of a page belongs to."""
    if page in OF_TASK:
        state.paths.assume(of_task(state, number))
    elif page == "flags_more":
        state.paths.assume(of_flags(state, number))
    elif page == "timer":
        state.paths.assume(of_timer(state, number))
    elif page == "semaphore":
        state.paths.assume(of_semaphore(state, number))


def look(initial: State, state: State, wait_key: Expr) -> Top:
    """The first waiter, held mutex or message of a key; of a waiter, what holds of every task."""
    top = state.waits.look(wait_key)
    group, kind = z3.Extract(KEY - 1, KEY - 2, wait_key), z3.Extract(9, 8, top.node)
    state.paths.assume(z3.Implies(top.valid, kind == group))  # tasks wait, mutexes are held
    waiter = of_task(initial, z3.Extract(7, 0, top.node))
    state.paths.assume(z3.Implies(group == OBJECTS, waiter))
    return top
