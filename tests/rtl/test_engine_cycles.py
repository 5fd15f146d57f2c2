# SPDX-License-Identifier: Apache-2.0
"""Cycles of the microprogrammed unit, measured: U of every command that is alone at the default
size, against the bounds of its words (tests/asserted/engine_bounds.csv) and, in `make soak`, the
asserted ones. `python -m tests.rtl.test_engine_cycles` writes these anew.

U: tests/random/cycles.py.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping

from mel_gen import Command, IdKind

from melanion import paths
from melanion.micro import bound_files
from melanion.micro.__main__ import ASSERTED
from melanion.micro.bounds import Bound
from tests.random.campaign import SIZES, Case, execute
from tests.random.cycles import QUIET
from tests.random.generate import generate
from tests.random.operands import FLAG_WAITS
from tests.random.profiles import Profile
from tests.random.script import NO_FLAGS, Entry, Kind

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

SIZE = "default"
FILE = paths.data_root() / ASSERTED / "engine_measured.csv"
COLUMNS = ["command", "least", "most"]
SEEDS = dict.fromkeys(STILL, (1, 2))
QUICK = {"semaphores": (1,), "mutexes": (1,)}
REST = 150  # cycles before and behind each command: longer than what a dispatch leaves to do
Measured = dict[str, set[int]]  # by command and outcome


def still_script(size: str, profile: Profile, seed: int) -> list[Entry]:
    """Every command alone, its answer loaded at once."""
    return [
        entry._replace(gap=0, delay=QUIET + entry.delay % 5, after=QUIET, flags=NO_FLAGS)
        if entry.kind == Kind.COMMAND
        else entry
        for entry in generate(seed, SIZES[size], profile, 1500)
    ]


def measure(profiles: Mapping[str, Iterable[int]]) -> Measured:
    """U of the scripts of these profiles and seeds."""
    case = Case(SIZE, "", 1, 0)
    program = case.build()
    found: defaultdict[str, set[int]] = defaultdict(set)
    for profile, seeds in profiles.items():
        for seed in seeds:
            script = [
                entry._replace(delay=REST + entry.delay, after=REST) if entry.after else entry
                for entry in still_script(SIZE, STILL[profile], seed)
            ]
            unit = execute(program, case.limits, script, seed).unit
            for name, cycles in unit.items():
                found[name] |= set(cycles)
    return dict(found)


def bounds() -> dict[str, int]:
    """The longest answer of each command and outcome, whatever waits or was passed over."""
    limits = SIZES[SIZE]
    most = dict.fromkeys(("owners", "passed", "released", "messages"), limits.tasks)
    rows = bound_files.read_table((FILE.parent / bound_files.BOUNDS).read_text(encoding="utf-8"))
    found: dict[str, int] = {}
    for row in rows:
        if row.answer is not None and row.request.startswith("command "):
            name = f"{row.request.removeprefix('command ')} {row.outcome}"
            found[name] = max(found.get(name, 0), row.answer.at({**most, "cores": 1}))
    refused = max(row.answer.base for row in rows if _refuses(row) and row.answer)
    return {
        name: max(cycles, refused) if name.endswith("refused") else cycles
        for name, cycles in found.items()
    }


def _refuses(row: Bound) -> bool:
    return row.request in ("refuse", "refuse_other")


def beyond(measured: Measured, most: Mapping[str, int]) -> list[str]:
    """Commands that took longer than their words can."""
    return [
        f"{name}: {max(cycles)} cycles, at most {most[name]} by its words"
        for name, cycles in sorted(measured.items())
        if name in most and max(cycles) > most[name]
    ]


def test_no_command_takes_longer_than_its_words() -> None:
    measured, most = measure(QUICK), bounds()
    assert beyond(measured, most) == []
    assert len(measured.keys() & most.keys()) > 30
    reached = [name for name in measured.keys() & most.keys() if max(measured[name]) == most[name]]
    assert len(reached) >= 15, "bounds that no run reaches say little"
    # Control: what takes a cycle more is named.
    longer = {name: {max(measured[name]) + 1} for name in reached}
    assert len(beyond(longer, most)) == len(reached)


def test_cycles_are_the_asserted_ones() -> None:
    with FILE.open(encoding="utf-8", newline="") as file:
        recorded = list(csv.reader(file))
    assert recorded == table(measure(SEEDS)), (
        "cycles changed; when that is meant: `python -m tests.rtl.test_engine_cycles`"
    )


def table(measured: Measured) -> list[list[str]]:
    """The rows of the file."""
    rows = [[name, str(min(c)), str(max(c))] for name, c in sorted(measured.items())]
    return [COLUMNS, *rows]


if __name__ == "__main__":
    with FILE.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(table(measure(SEEDS)))
