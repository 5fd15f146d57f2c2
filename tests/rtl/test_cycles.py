# SPDX-License-Identifier: Apache-2.0
"""Cycles of the hardware unit, exact: U of every command, the first of several releases, the drain.

What U is, and what it may be: tests/random/cycles.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from itertools import pairwise, product

import pytest
from mel_gen import COMMANDS, Command, IdKind, IrqAction, Register, TraceKind

from tests.random import bench
from tests.random.campaign import SIZES, execute
from tests.random.cycles import JUDGING, LANES, PLAIN, QUIET, STATED, alone, stated
from tests.random.generate import generate
from tests.random.operands import FLAG_WAITS
from tests.random.profiles import NOTIFICATIONS, Profile
from tests.random.records import EDGE, LINES, LOAD, STORE, Run
from tests.random.script import NO_FLAGS, Entry, Kind, access

FOREVER = 0xFFFF_FFFF
TIME_POLICIES = (Command.QUANTUM_SET, Command.DEADLINE_SET, Command.BUDGET_SET)


def _still(
    objects: set[IdKind], weights: dict[Command, float], notifications: bool = False
) -> Profile:
    """Random states, but still: what is measured is alone."""
    still = {
        Command.TICK_SET: 0.0,
        Command.IRQ_RAISE: 0.0,
        Command.TASK_START: 4.0,
        **dict.fromkeys(TIME_POLICIES, 0.0),
    }
    return Profile(
        {**still, **weights}, objects=frozenset(objects), notifications=notifications,
        edge=0.0, wait=0.0, access=0.0, hostile=0.0, burst=0.0, ticks=False,
    )  # fmt: skip


STILL = {
    "semaphores": _still(
        {IdKind.SEMAPHORE},
        {
            **dict.fromkeys(TIME_POLICIES, 0.5),
            Command.QUANTUM_SET: 0.05,  # from then on a task that lost its turn alone has it again
            Command.SEMAPHORE_TAKE: 4.0,
            Command.TASK_DELAY: 3.0,
            Command.TASK_ROTATE: 2.0,
        },
    ),
    "flags": _still(
        {IdKind.EVENT_FLAGS},
        {
            **dict.fromkeys(FLAG_WAITS, 5.0),
            Command.EVENT_FLAGS_SET: 5.0,
            Command.EVENT_FLAGS_CLEAR: 4.0,
            Command.TASK_SUSPEND: 3.0,
            Command.TASK_ROTATE: 4.0,
        },
    ),
    "queues": _still(
        {IdKind.QUEUE},
        {
            Command.QUEUE_SEND: 8.0,
            Command.QUEUE_RECEIVE: 8.0,
            Command.QUEUE_POST: 4.0,
            Command.QUEUE_DELETE: 0.2,
            Command.TASK_SUSPEND: 3.0,
        },
    ),
    "mutexes": _still(
        {IdKind.MUTEX},
        {
            Command.MUTEX_LOCK: 12.0,
            Command.MUTEX_UNLOCK: 5.0,
            Command.MUTEX_CREATE: 2.0,
            Command.MUTEX_DELETE: 0.5,
        },
    ),
    "timers": _still({IdKind.TIMER}, {Command.TIMER_START: 3.0, Command.TIMER_STOP: 3.0}),
    "notifications": _still(
        set(),
        {
            Command.NOTIFICATION_WAIT: 6.0,
            Command.NOTIFICATION_TAKE: 6.0,
            Command.NOTIFICATION_TAKE_ALL: 4.0,
            Command.TASK_SUSPEND: 3.0,
            Command.TASK_ROTATE: 4.0,
        },
        notifications=True,
    ),
}
SEEDS = range(1, 5)

FIRST_TIMEOUT = 3  # cycles from the tick's event to that of the most urgent timeout
NEXT_TIMEOUT = {3, 4}
FIRST_RELEASE = 4  # cycles from the deletion's event to that of the most urgent waiter
NEXT_RELEASE = {4, 5}


def still_script(size: str, profile: Profile, seed: int) -> list[Entry]:
    """Every command alone, its answer loaded at once."""
    return [
        entry._replace(gap=0, delay=QUIET + entry.delay % 5, after=QUIET, flags=NO_FLAGS)
        if entry.kind == Kind.COMMAND
        else entry
        for entry in generate(seed, SIZES[size], profile, 1500)
    ]


MEASURED = ["tiny", "default", "large"]  # 4, 64, 256 tasks


def measure(size: str, profile: str, seed: int) -> dict[str, set[int]]:
    """U of one script, none of which is another than the stated."""
    limits = SIZES[size]
    script = still_script(size, STILL[profile], seed)
    unit = execute(bench.build(limits), limits, script, seed).unit
    table = stated(limits)
    others = {name: cycles for name, cycles in unit.items() if not allowed(table, name, cycles)}
    assert not others, size
    return {name: set(cycles) for name, cycles in unit.items()}


def allowed(table: Mapping[str, Collection[int]], name: str, cycles: Collection[int]) -> bool:
    return set(cycles) <= set(table.get(name, PLAIN))


Found = dict[str, dict[str, set[int]]]  # by size and name


def missing(profile: str, found: Found) -> list[str]:
    """Stated commands and cycles that no run showed: the tests prove less than they seem to.

    Commands without an object must occur in the profile `semaphores`.
    """
    kinds = set(STILL[profile].objects)
    if profile == "semaphores":
        kinds |= {IdKind.TASK, IdKind.NONE, IdKind.INTERRUPT}
    own = {command for command in Command if COMMANDS[command].id in kinds} - {
        Command.IRQ_RAISE,  # contended by the edge that it makes
        Command.TICK_SET,
    }
    own = set(NOTIFICATIONS) if profile == "notifications" else own - NOTIFICATIONS
    everywhere: dict[str, set[int]] = defaultdict(set)
    for of_size in found.values():
        for name, cycles in of_size.items():
            everywhere[name] |= cycles
    seen = {name.split()[0] for name in everywhere}
    absent = [command.name.lower() for command in own if command.name.lower() not in seen]
    rare = {
        name: cycles - everywhere[name]
        for name, cycles in STATED.items()
        if Command[name.split()[0].upper()] in own
    }
    absent += [f"{name}: {sorted(cycles)}" for name, cycles in rare.items() if cycles]
    if profile == "flags":  # the number of rows is that of the size
        for size, of_size in found.items():
            table = stated(SIZES[size])
            for name in (f"{op.name.lower()} ok" for op in JUDGING):
                if less := set(table[name]) - of_size.get(name, set()):
                    absent.append(f"{size}: {name}: {sorted(less)}")
    return absent


def merge(found: Found, size: str, cycles: Mapping[str, set[int]]) -> None:
    for name, some in cycles.items():
        found[size].setdefault(name, set()).update(some)


@pytest.mark.parametrize("profile", STILL)
def test_every_command_takes_its_cycles(profile: str) -> None:
    """At every size no other than the stated; together all of the stated, after the first script of
    each size in as many as it takes."""
    found: Found = {size: {} for size in MEASURED}
    absent = ["all"]
    for seed, size in product(SEEDS, MEASURED):
        if seed > SEEDS[0] and not absent:
            break
        merge(found, size, measure(size, profile, seed))
        absent = missing(profile, found)
    assert not absent


@pytest.mark.soak
@pytest.mark.parametrize("profile", STILL)
@pytest.mark.parametrize("size", MEASURED)
def test_every_command_takes_its_cycles_in_all_scripts(size: str, profile: str) -> None:
    for seed in SEEDS:
        measure(size, profile, seed)


# ---- several releases --------------------------------------------------------------------------


def waiting_tasks(size: str, count: int, call: Entry) -> list[Entry]:
    """`count` tasks of several priorities, each of which makes the call and waits."""
    limits = SIZES[size]
    entries = [Entry(Kind.COMMAND, Command.TICK_SET, argument=limits.tick_cycles_minimum)]
    entries.append(Entry(Kind.COMMAND, Command.SEMAPHORE_CREATE, 0, 1 << 16))
    entries.append(Entry(Kind.COMMAND, Command.EVENT_FLAGS_CREATE))
    entries.append(Entry(Kind.COMMAND, Command.QUEUE_CREATE, 0, 1))
    for number in range(count):
        priority = number * 7 % limits.priorities
        entries.append(Entry(Kind.COMMAND, Command.TASK_CREATE, number, priority))
        entries.append(Entry(Kind.COMMAND, Command.TASK_START, number))
    entries.append(Entry(Kind.COMMAND, Command.DISPATCH_ENABLE))
    return entries + [call] * count


def times(run: Run, kind: TraceKind) -> list[int]:
    return [event[0] for event in run.events if event[1] == kind]


def timeouts_of_one_tick(size: str, count: int) -> list[int]:
    """Cycles from the tick to each timeout."""
    limits = SIZES[size]
    ticks = 40 * count // limits.tick_cycles_minimum + 8
    until = limits.time_reset + ticks
    call = Entry(Kind.COMMAND, Command.TASK_DELAY_UNTIL, argument=until & FOREVER)
    script = waiting_tasks(size, count, call)
    script += [access(Register.RUNNING, delay=0xFFFF)]
    result = execute(bench.build(limits), limits, script, 1)
    (tick,) = (event[0] for event in result.run.events if event[1:6] == (3, 0, 0, until, 0))
    return [cycle - tick for cycle in times(result.run, TraceKind.TIMEOUT)]


def releases_of_one_delete(size: str, count: int) -> list[int]:
    """Cycles from the deletion to each release."""
    limits = SIZES[size]
    script = waiting_tasks(
        size, count, Entry(Kind.COMMAND, Command.SEMAPHORE_TAKE, argument=FOREVER)
    )
    script.append(Entry(Kind.COMMAND, Command.SEMAPHORE_DELETE, delay=0))
    script += [access(Register.RUNNING, delay=0xFFF)]
    result = execute(bench.build(limits), limits, script, 1)
    (deleted,) = (
        event[0] for event in result.run.events
        if event[1] == TraceKind.COMMAND and event[3] & 0xFF == Command.SEMAPHORE_DELETE
    )  # fmt: skip
    return [cycle - deleted for cycle in times(result.run, TraceKind.RELEASE)]


@pytest.mark.parametrize(
    ("size", "count"), [("default", n) for n in (1, 8, 16, 32, 64)] + [("large", 200)]
)
def test_first_of_several_timeouts_is_flat(size: str, count: int) -> None:
    found = timeouts_of_one_tick(size, count)
    assert len(found) == count
    assert found[0] == FIRST_TIMEOUT
    assert {later - sooner for sooner, later in pairwise(found)} <= NEXT_TIMEOUT


@pytest.mark.parametrize(
    ("size", "count"), [("default", n) for n in (1, 8, 16, 32, 64)] + [("large", 200)]
)
def test_first_of_several_releases_is_flat(size: str, count: int) -> None:
    found = releases_of_one_delete(size, count)
    assert len(found) == count
    assert found[0] == FIRST_RELEASE
    assert {later - sooner for sooner, later in pairwise(found)} <= NEXT_RELEASE


@pytest.mark.parametrize("op", JUDGING)
@pytest.mark.parametrize(
    ("size", "count"), [("default", n) for n in (1, 8, 32, 63)] + [("large", 200)]
)
def test_first_of_several_tasks_that_flags_release_is_flat(
    size: str, count: int, op: Command
) -> None:
    limits = SIZES[size]
    rows = -(-limits.tasks // LANES)
    wait = Entry(Kind.COMMAND, Command.EVENT_FLAGS_WAIT_ANY, 0, 1, operand=FOREVER)
    script = waiting_tasks(size, count, wait)
    argument = int(op == Command.EVENT_FLAGS_SET)
    script.append(Entry(Kind.COMMAND, op, 0, argument, delay=QUIET))
    script += [access(Register.RUNNING, delay=0x3FFF)]
    result = execute(bench.build(limits), limits, script, 1)
    (store,) = (
        log.accepted for log in result.run.accesses
        if log.kind == STORE and log.address == op * 1024
    )  # fmt: skip
    found = [cycle - store - 1 for cycle in times(result.run, TraceKind.RELEASE)]
    assert len(found) == count
    assert found[0] == 4 + rows  # 8 at 64 tasks: that is U
    assert {later - sooner for sooner, later in pairwise(found)} <= {3 + rows}


# ---- inheritance ---------------------------------------------------------------------------------

# Task 0 waits, or is to wait, for mutex 1, the owner of mutex n for mutex n + 1; that of the last
# one, the deepest, runs meanwhile. `crowded`: every mutex has a second, less urgent waiter, every
# owner a second mutex, so that every list must look up its next priority.
SPARE = 8  # number of an owner's second mutex, above that of its first


def chain(depth: int, crowded: bool) -> list[Entry]:
    """Build it up to the lock of task 0, which runs."""

    def call(op: Command, number: int = 0, argument: int = 0) -> None:
        entries.append(Entry(Kind.COMMAND, op, number, argument, delay=QUIET, after=QUIET))

    entries: list[Entry] = []
    call(Command.TASK_CREATE, 0, 1)
    for n in range(1, depth + 1):
        call(Command.TASK_CREATE, 2 * n, 2 * n + 2)
        call(Command.TASK_CREATE, 2 * n + 1, 2 * n + 1)
        call(Command.MUTEX_CREATE, n)
        call(Command.MUTEX_CREATE, n + SPARE)
    call(Command.DISPATCH_ENABLE)
    for n in range(depth, 0, -1):
        call(Command.TASK_START, 2 * n)  # it is the most urgent so far
        call(Command.MUTEX_LOCK, n, FOREVER)
        if crowded:
            call(Command.MUTEX_LOCK, n + SPARE, FOREVER)
        if n < depth:
            call(Command.MUTEX_LOCK, n + 1, FOREVER)
        if crowded:
            call(Command.TASK_START, 2 * n + 1)
            call(Command.MUTEX_LOCK, n, FOREVER)
    call(Command.TASK_START, 0)
    return entries


def chain_cycles(depth: int, crowded: bool, last: list[Entry]) -> tuple[int, Run]:
    """U of the last command that was answered at once; the run."""
    limits = SIZES["default"]
    script = [*chain(depth, crowded), *last, access(Register.RUNNING, delay=400)]
    run = execute(bench.build(limits), limits, script, 1).run
    *_, (store, load, event) = alone(run)
    assert event[3] & 0xFF == next(e.op for e in reversed(last) if e.kind == Kind.COMMAND)
    return load.answered - store.accepted - 1, run


def lock(timeout: int) -> Entry:
    return Entry(Kind.COMMAND, Command.MUTEX_LOCK, 1, timeout, delay=QUIET, after=QUIET)


DEPTHS = range(1, 7)


@pytest.mark.parametrize(
    ("crowded", "first", "link"), [(False, 5, 6), (True, 5, 7)], ids=["bare", "crowded"]
)
def test_lock_that_raises_a_chain(crowded: bool, first: int, link: int) -> None:
    """Looks for a cycle, waits, and makes every owner as urgent as the caller."""
    for depth in DEPTHS:
        cycles, _ = chain_cycles(depth, crowded, [lock(FOREVER)])
        assert cycles == first + link * depth <= 5 + 7 * depth


@pytest.mark.parametrize("op", [Command.TASK_RELEASE, Command.TASK_TERMINATE])
@pytest.mark.parametrize(("crowded", "link"), [(False, 4), (True, 6)], ids=["bare", "crowded"])
def test_waiter_that_leaves_lowers_a_chain(op: Command, crowded: bool, link: int) -> None:
    for depth in DEPTHS:
        last = [lock(FOREVER), Entry(Kind.COMMAND, op, 0, delay=QUIET)]
        cycles, _ = chain_cycles(depth, crowded, last)
        assert cycles == 3 + link * depth <= 5 + 7 * depth


@pytest.mark.parametrize(("crowded", "link"), [(False, 4), (True, 6)], ids=["bare", "crowded"])
def test_timeout_that_lowers_a_chain(crowded: bool, link: int) -> None:
    """From the tick to the end of the step, which is reported then."""
    limits = SIZES["default"]
    for depth in DEPTHS:
        length = limits.tick_cycles_minimum
        last = [
            Entry(Kind.COMMAND, Command.TICK_SET, argument=length, delay=QUIET),
            Entry(Kind.TICK, argument=2 * length),
            lock(2),
            Entry(Kind.WAIT, argument=4 * length),
        ]
        _, run = chain_cycles(depth, crowded, last)
        (end,) = times(run, TraceKind.TIMEOUT)
        tick = max(cycle for cycle in times(run, TraceKind.TICK) if cycle < end)
        assert end - tick == FIRST_TIMEOUT + link * depth <= 5 + 7 * depth


@pytest.mark.parametrize("op", [Command.MUTEX_UNLOCK, Command.MUTEX_DELETE])
@pytest.mark.parametrize(("crowded", "cycles"), [(False, 5), (True, 6)], ids=["bare", "crowded"])
def test_owner_that_gives_back_what_it_inherits(op: Command, crowded: bool, cycles: int) -> None:
    """Only the last link of any chain behind the owner is looked at."""
    for depth in DEPTHS:
        last = [lock(FOREVER), Entry(Kind.COMMAND, op, depth, delay=QUIET)]
        assert chain_cycles(depth, crowded, last)[0] == cycles


# ---- interrupts, dispatch ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "wait", "cycles"),
    [
        (IrqAction.TASK_WAKEUP, Entry(Kind.COMMAND, Command.TASK_SLEEP, 0, FOREVER), 5),
        (IrqAction.SEMAPHORE_GIVE, Entry(Kind.COMMAND, Command.SEMAPHORE_TAKE, 0, FOREVER), 6),
        (IrqAction.QUEUE_POST, Entry(Kind.COMMAND, Command.QUEUE_RECEIVE, 0, FOREVER), 6),
        (
            IrqAction.EVENT_FLAGS_SET,
            Entry(Kind.COMMAND, Command.EVENT_FLAGS_TAKE_ANY, 0, 1, operand=FOREVER),
            6,  # and one for each row of tasks
        ),
        (
            IrqAction.NOTIFICATION_SET,
            Entry(Kind.COMMAND, Command.NOTIFICATION_WAIT, 0, 1, operand=FOREVER),
            5,
        ),
        (
            IrqAction.NOTIFICATION_GIVE,
            Entry(Kind.COMMAND, Command.NOTIFICATION_TAKE, 0, FOREVER),
            5,
        ),
    ],
    ids=lambda value: value.name.lower() if isinstance(value, IrqAction) else "",
)
@pytest.mark.parametrize("size", ["tiny", "default", "large"])
def test_edge_to_dispatch_interrupt(size: str, action: IrqAction, wait: Entry, cycles: int) -> None:
    limits = SIZES[size]
    if action == IrqAction.EVENT_FLAGS_SET:
        cycles += -(-limits.tasks // LANES)
    script = waiting_tasks(size, 1, wait)
    script += [
        Entry(Kind.COMMAND, Command.IRQ_MAP, 1, action, operand=1),
        Entry(Kind.COMMAND, Command.IRQ_ENABLE, 1),
        Entry(Kind.EDGE, number=1, delay=20, gap=1),
        Entry(Kind.WAIT, argument=100),
        access(Register.RUNNING),
    ]
    result = execute(bench.build(limits), limits, script, 1)
    (edge,) = (log.accepted for log in result.run.accesses if log.kind == EDGE)
    lines = [log.accepted for log in result.run.accesses if log.kind == LINES and log.read == 1]
    assert lines[-1] - edge == cycles
    (dispatch,) = (
        log for log in result.run.accesses
        if log.kind == LOAD and log.address == Register.DISPATCH and log.accepted > edge
    )  # fmt: skip
    assert dispatch.answered - dispatch.accepted == 2  # U is 1
    assert dispatch.read == 0
