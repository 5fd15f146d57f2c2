# SPDX-License-Identifier: Apache-2.0
"""Cycles of the hardware unit, exact, where several tasks or owners are concerned: the first of
several releases, chains of owners, from an edge to the interrupt of a core.

U of every command: tests/rtl/test_engine_cycles.py, tests/random/test_engine_cycles.py.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from mel_gen import Command, IrqAction, Register, TraceKind

from tests.random import bench
from tests.random.campaign import SIZES, execute
from tests.random.cycles import JUDGING, alone
from tests.random.records import EDGE, LINES, LOAD, STORE, Run
from tests.random.script import Entry, Kind, access

FOREVER = 0xFFFF_FFFF
QUIET = 200  # cycles between commands: longer than any step, and what it leaves to do

FIRST_TIMEOUT = {21, 22}  # cycles from the tick's event to that of the most urgent timeout
NEXT_TIMEOUT = {14, 15}
FIRST_RELEASE = 11  # cycles from the deletion's event to that of the most urgent waiter
NEXT_RELEASE = {22, 36, 39}  # more when it is the first of another priority
# From the store to the first release; to the second; to the third, before which the core loads whom
# it should run; to each further one. Of a set, more when that is the first of another priority.
BY_FLAGS = {
    Command.EVENT_FLAGS_SET: ({24, 27}, {41}, {49, 57}, {35, 40}),
    Command.EVENT_FLAGS_DELETE: ({23}, {22}, {36, 39}, {22}),
}

# ---- several releases --------------------------------------------------------------------------


def waiting_tasks(size: str, count: int, call: Entry) -> list[Entry]:
    """`count` tasks of several priorities, each of which makes the call and waits."""
    limits = SIZES[size]
    entries = [Entry(Kind.COMMAND, Command.SEMAPHORE_CREATE, 0, 1 << 16)]
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
    script = [Entry(Kind.COMMAND, Command.TICK_SET, argument=limits.tick_cycles_minimum)]
    script += waiting_tasks(size, count, call)
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
    script.append(Entry(Kind.COMMAND, Command.SEMAPHORE_DELETE, delay=QUIET))
    script += [access(Register.RUNNING, delay=0x3FFF)]
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
    assert found[0] in FIRST_TIMEOUT
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
    first, second, third, further = BY_FLAGS[op]
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
    assert found[0] in first
    gaps = [later - sooner for sooner, later in pairwise(found)]
    assert set(gaps[:1]) <= second
    assert set(gaps[1:2]) <= third
    assert set(gaps[2:]) <= further


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
# A chain that is lowered: cycles of a link, and those by which that of the last owner, which waits
# for nothing, is shorter; when lists look up their next priorities.
LINK = {False: 56, True: 61}
LAST = {False: 6, True: 9}


def links(depth: int, crowded: bool, begin: int) -> list[int]:
    """Cycles from the event of the first owner, to that of each further one. `begin`: more before
    the first link."""
    found = [LINK[crowded]] * (depth - 1)
    if found:
        found[0] += begin
        found[-1] -= LAST[crowded]
    return found


def inherited(run: Run, since: int) -> list[int]:
    """Cycles from this one to each further owner of the chain, one after the other."""
    found = [cycle for cycle in times(run, TraceKind.INHERIT) if cycle > since]
    return [later - sooner for sooner, later in pairwise([since, *found])]


@pytest.mark.parametrize("crowded", [False, True], ids=["bare", "crowded"])
def test_lock_that_raises_a_chain(crowded: bool) -> None:
    """It looks for a cycle and waits; every owner becomes as urgent as the caller behind that."""
    for depth in DEPTHS:
        cycles, _ = chain_cycles(depth, crowded, [lock(FOREVER)])
        assert cycles == 23 + 8 * depth


@pytest.mark.parametrize(
    ("op", "one", "begin"), [(Command.TASK_RELEASE, 59, -2), (Command.TASK_TERMINATE, 76, 1)]
)
@pytest.mark.parametrize("crowded", [False, True], ids=["bare", "crowded"])
def test_waiter_that_leaves_lowers_a_chain(
    op: Command, one: int, begin: int, crowded: bool
) -> None:
    """It is answered when the first owner is lowered, which takes longer when that waits, however
    long the chain is; then each link takes the same."""
    for depth in DEPTHS:
        last = [lock(FOREVER), Entry(Kind.COMMAND, op, 0, delay=QUIET)]
        cycles, run = chain_cycles(depth, crowded, last)
        assert cycles == one + 2 * crowded + (LAST[crowded] if depth > 1 else 0)
        *_, (_, _, event) = alone(run)
        assert inherited(run, event[0]) == links(depth, crowded, begin)


@pytest.mark.parametrize("crowded", [False, True], ids=["bare", "crowded"])
def test_timeout_that_lowers_a_chain(crowded: bool) -> None:
    """From the tick to the end of the step in which the first owner is lowered, which is reported
    then; and each link."""
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
        assert end - tick == 69 + 2 * crowded + (LAST[crowded] if depth > 1 else 0)
        assert inherited(run, end) == links(depth, crowded, begin=-2)


@pytest.mark.parametrize(
    ("op", "crowded", "cycles"),
    [
        (Command.MUTEX_UNLOCK, False, 57),
        (Command.MUTEX_UNLOCK, True, 63),
        (Command.MUTEX_DELETE, False, 56),
        (Command.MUTEX_DELETE, True, 59),
    ],
)
def test_owner_that_gives_back_what_it_inherits(op: Command, crowded: bool, cycles: int) -> None:
    """Only the last link of any chain behind the owner is looked at."""
    for depth in DEPTHS:
        last = [lock(FOREVER), Entry(Kind.COMMAND, op, depth, delay=QUIET)]
        assert chain_cycles(depth, crowded, last)[0] == cycles


# ---- interrupts, dispatch ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "wait", "cycles"),
    [
        (IrqAction.TASK_WAKEUP, Entry(Kind.COMMAND, Command.TASK_SLEEP, 0, FOREVER), 13),
        (IrqAction.SEMAPHORE_GIVE, Entry(Kind.COMMAND, Command.SEMAPHORE_TAKE, 0, FOREVER), 14),
        (IrqAction.QUEUE_POST, Entry(Kind.COMMAND, Command.QUEUE_RECEIVE, 0, FOREVER), 18),
        (
            IrqAction.EVENT_FLAGS_SET,
            Entry(Kind.COMMAND, Command.EVENT_FLAGS_TAKE_ANY, 0, 1, operand=FOREVER),
            34,
        ),
        (
            IrqAction.NOTIFICATION_SET,
            Entry(Kind.COMMAND, Command.NOTIFICATION_WAIT, 0, 1, operand=FOREVER),
            22,
        ),
        (
            IrqAction.NOTIFICATION_GIVE,
            Entry(Kind.COMMAND, Command.NOTIFICATION_TAKE, 0, FOREVER),
            25,
        ),
    ],
    ids=lambda value: value.name.lower() if isinstance(value, IrqAction) else "",
)
@pytest.mark.parametrize("size", ["tiny", "default", "large"])
def test_edge_to_dispatch_interrupt(size: str, action: IrqAction, wait: Entry, cycles: int) -> None:
    limits = SIZES[size]
    script = waiting_tasks(size, 1, wait)
    script += [
        Entry(Kind.COMMAND, Command.IRQ_MAP, 1, action, operand=1),
        Entry(Kind.COMMAND, Command.IRQ_ENABLE, 1),
        Entry(Kind.EDGE, number=1, delay=QUIET, gap=1),
        Entry(Kind.WAIT, argument=2 * QUIET),
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
    assert dispatch.read == 0
