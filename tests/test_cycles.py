"""Cycles of the hardware unit, exact: U of every command, the first of several releases, the drain.

U counts from the capture register of the access port to the result register (mel_sequencer.sv): a
load of the answer that is requested right behind the store is answered U + 1 cycles after the store
was accepted. Uncontended: no edge or background work, and the previous step has ended.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import pytest
from mel_gen import Command, IrqAction, Register, TraceKind

from tests.random import bench
from tests.random.campaign import SIZES, execute
from tests.random.generate import generate
from tests.random.profiles import SEMAPHORES, Profile
from tests.random.records import EDGE, LINES, LOAD, STORE, Run
from tests.random.script import NO_FLAGS, Entry, Kind, access

QUIET = 10  # cycles before a measured command: longer than any step
CLEARED = 300  # cycles after reset: the memories of 256 tasks are cleared
FOREVER = 0xFFFF_FFFF

# Random states, but still: what is measured is alone.
STILL = Profile(
    {
        Command.TICK_SET: 0.0,
        Command.IRQ_RAISE: 0.0,
        Command.SEMAPHORE_TAKE: 4.0,
        Command.TASK_START: 3.0,
    },
    objects=SEMAPHORES,
    edge=0.0,
    wait=0.0,
    access=0.0,
    hostile=0.0,
    burst=0.0,
    ticks=False,
)

# U of the commands that do not always take 2 cycles, by what they did: over all states, any size.
# 3: a task enters the ready set; 4: one leaves it, or also leaves a wait list; 5: it leaves and
# enters, rotates, or the next priority must be looked up. ANCHORS allows 5, and 3 for counts.
LISTED = {2, 4, 5}  # 4, 5: the caller had lost its turn and stood in the ready set
CYCLES = {
    "semaphore_give ok": {2, 3, 4},  # a count; a waiter that is suspended; one that gets ready
    "semaphore_take waits": LISTED,
    "task_delay waits": LISTED,
    "task_delay_until waits": LISTED,
    "task_sleep waits": LISTED,
    "task_exit ok": LISTED,
    "task_suspend ok": {2, 4, 5},
    "task_terminate ok": {2, 4, 5},
    "task_release ok": {2, 3},
    "task_resume ok": {2, 3},
    "task_wakeup ok": {2, 3},
    "task_start ok": {3},
    "task_rotate ok": {3, 4, 5},
    "task_set_priority ok": {2, 3, 4, 5},
}
KNOWN = frozenset(map(int, Command))
PLAIN = {2}  # refusals, counts, creation, interrupt map, dispatch disable and enable

FIRST_TIMEOUT = 3  # cycles from the tick's event to that of the most urgent timeout
NEXT_TIMEOUT = {3, 4}
FIRST_RELEASE = 4  # cycles from the deletion's event to that of the most urgent waiter
NEXT_RELEASE = {4, 5}


def _outcome(status: int) -> str:
    return "refused" if status >> 31 else "waits" if status == 2 else "ok"


def measure(run: Run) -> dict[str, set[int]]:
    """U of every undisturbed command, by what it did."""
    commands = {event[0]: event for event in run.events if event[1] == TraceKind.COMMAND}
    noise = {event[0] for event in run.events if event[1] in (TraceKind.RELEASE, TraceKind.IRQ)}
    found: dict[str, set[int]] = defaultdict(set)
    for store, load in zip(run.accesses, run.accesses[1:], strict=False):
        if (store.kind, load.kind, load.accepted) != (STORE, LOAD, store.accepted + 1):
            continue
        start, end = store.accepted, load.answered
        if start < CLEARED or noise & set(range(start - QUIET, end + 1)):
            continue
        (event,) = (commands[cycle] for cycle in range(start + 1, end + 1) if cycle in commands)
        op = event[3] & 0xFF
        name = Command(op).name.lower() if op in KNOWN else "unknown"
        found[f"{name} {_outcome(event[6])}"].add(end - start - 1)
    return found


def still_script(size: str, seed: int) -> list[Entry]:
    """Every command alone, its answer loaded at once."""
    return [
        replace(entry, gap=0, delay=QUIET + entry.delay % 5, after=QUIET, flags=NO_FLAGS)
        if entry.kind == Kind.COMMAND
        else entry
        for entry in generate(seed, SIZES[size], STILL, 1500)
    ]


def measure_size(size: str) -> dict[str, set[int]]:
    program = bench.build(SIZES[size])
    total: dict[str, set[int]] = defaultdict(set)
    for seed in range(1, 9):
        result = execute(program, SIZES[size], still_script(size, seed), seed)
        for name, cycles in measure(result.run).items():
            total[name] |= cycles
    return total


@pytest.mark.parametrize("size", ["tiny", "default", "large"])  # 4, 64, 256 tasks
def test_every_command_takes_its_cycles(size: str) -> None:
    found = measure_size(size)
    assert {name: cycles for name, cycles in found.items() if cycles != PLAIN} == CYCLES
    assert {name.split()[0] for name in found} >= {command.name.lower() for command in Command} - {
        "irq_raise",  # contended by the edge that it makes
        "tick_set",
    }


# ---- several releases --------------------------------------------------------------------------


def waiting_tasks(size: str, count: int, call: Entry) -> list[Entry]:
    """`count` tasks of several priorities, each of which makes the call and waits."""
    limits = SIZES[size]
    entries = [Entry(Kind.COMMAND, Command.TICK_SET, argument=limits.tick_cycles_minimum)]
    entries.append(Entry(Kind.COMMAND, Command.SEMAPHORE_CREATE, 0, 1 << 16))
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


# ---- interrupts, dispatch ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "wait", "cycles"),
    [
        (IrqAction.TASK_WAKEUP, Command.TASK_SLEEP, 5),
        (IrqAction.SEMAPHORE_GIVE, Command.SEMAPHORE_TAKE, 6),
    ],
)
@pytest.mark.parametrize("size", ["tiny", "large"])
def test_edge_to_dispatch_interrupt(
    size: str, action: IrqAction, wait: Command, cycles: int
) -> None:
    limits = SIZES[size]
    script = waiting_tasks(size, 1, Entry(Kind.COMMAND, wait, argument=FOREVER))
    script += [
        Entry(Kind.COMMAND, Command.IRQ_MAP, 1, action),
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
