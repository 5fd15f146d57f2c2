# SPDX-License-Identifier: Apache-2.0
"""U of the commands of a run, in cycles.

U counts from the cycle in which the request is chosen to that of the answer
(docs/reference/microprogram.md): a load of the answer that is requested right behind the store is
answered U + 1 cycles after the store was accepted. It is measured of commands that are alone: no
edge, tick, other core or background work is near, and the previous step has ended. What it may be:
steps.py.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from mel_gen import ANSWER_WAITING, Command, TraceKind

from melanion.model import Kernel
from melanion.model.replay import Event
from tests.random import coverage_objects
from tests.random.coverage import KNOWN
from tests.random.records import LOAD, STORE, Access, Run

# By command and outcome ("semaphore_give ok", "… waits", "… refused"), or by the chain of owners
# that it walks ("mutex_lock, owners 2"): how often each U came.
Cycles = dict[str, Counter[int]]

# Cycles before a measured command: longer than most steps. A script that measures waits itself for
# the others.
QUIET = 32
STEP = 8  # likewise, after a step that a core asked for and that does not walk owners
CLEARED = 300  # cycles after reset: the memories of 256 tasks are cleared
LOST, LOWERS = "mutex_lock when its turn was lost", "what lowers owners"
OF_MUTEX = (Command.MUTEX_LOCK, Command.MUTEX_UNLOCK, Command.MUTEX_DELETE)
OF_WAITER = (Command.TASK_RELEASE, Command.TASK_SET_PRIORITY, Command.TASK_TERMINATE)
JUDGING = (Command.EVENT_FLAGS_SET, Command.EVENT_FLAGS_DELETE)
ASKED = frozenset({TraceKind.DISPATCH, TraceKind.CLAIM, TraceKind.VALUE, TraceKind.ANSWER})


def chain(kernel: Kernel, event: Event) -> str:
    """The tasks whose priorities a command may change: the owner of its mutex, or of the one for

    which its task waits, the owner of what that one waits for, … How many, and who asks; empty when
    there are none. The model has not executed the command yet.
    """
    op, number, core = event[3] & 0xFF, event[4], kernel.cores[event[2]]
    if op in OF_MUTEX:
        mutex = kernel.mutexes.get(number)
    elif op in OF_WAITER and number in kernel.tasks:
        mutex = kernel.tasks[number].awaited
    else:
        return ""
    count = 0 if mutex is None else len(coverage_objects.chain(kernel, mutex))
    if not count:
        return ""
    who = LOWERS if op != Command.MUTEX_LOCK else "mutex_lock" if core.apart else LOST
    return f"{who}, owners {count}"


def alone(run: Run) -> Iterator[tuple[Access, Access, Event]]:
    """A store, the load of the answer right behind it, and the event of the command."""
    commands = {
        (event[2], event[0]): event for event in run.events if event[1] == TraceKind.COMMAND
    }
    before: dict[int, Access] = {}  # by core
    for access in run.accesses:
        if access.kind not in (STORE, LOAD):
            continue
        store = before.get(access.core)
        before[access.core] = access
        if store is None or store.kind != STORE or access.kind != LOAD:
            continue
        if access.accepted != store.accepted + 1:
            continue
        window = range(store.accepted + 1, access.answered + 1)
        found = [
            commands[access.core, cycle] for cycle in window if (access.core, cycle) in commands
        ]
        if len(found) == 1:
            yield store, access, found[0]


def measure(run: Run, chains: Mapping[tuple[int, int], str]) -> Cycles:
    """U of every command that is alone. `chains`: `chain` of commands by cycle and core."""
    noise = _Noise(run)
    found: Cycles = defaultdict(Counter)
    for store, load, event in alone(run):
        op = event[3] & 0xFF
        # The first task that flags release leaves in the step of the command.
        releases = op in JUDGING and event[6] == 0
        end = event[0] - 1 if releases else load.answered
        if store.accepted < CLEARED or noise.near(store, end, event):
            continue
        name = Command(op).name.lower() if op in KNOWN else "unknown"
        key = chains.get((event[0], event[2])) or f"{name} {_outcome(event[6])}"
        found[key][load.answered - store.accepted - 1] += 1
    return found


def _outcome(status: int) -> str:
    return "refused" if status >> 31 else "waits" if status == ANSWER_WAITING else "ok"


class _Noise:
    """When a run is busy with something else than one command."""

    def __init__(self, run: Run) -> None:
        self.asked: list[int] = []  # cycles of steps that a core asked for
        self.work: list[int] = []  # cycles of everything else
        self.accesses: dict[int, list[int]] = {core: [] for core in range(run.limits.cores)}
        for event in run.events:
            cycle, kind = event[:2]
            if kind == TraceKind.COMMAND or kind in ASKED:
                self.asked.append(cycle)
            elif kind != TraceKind.OPERAND:  # the command behind it does not wait for it
                self.work.append(cycle)
        for first, last in run.work:
            self.work += (*range(first, last, QUIET), last)
        for access in run.accesses:
            if access.kind in (STORE, LOAD):
                self.accesses[access.core] += (access.accepted, access.answered)
        self.work.sort()
        for cycles in self.accesses.values():
            cycles.sort()

    def near(self, store: Access, end: int, own: Event) -> bool:
        """Anything but the command's own event and that of its answer."""
        start, served = store.accepted, own[0]
        return (
            _between(self.work, start - QUIET, end)
            or _between(self.asked, start - STEP, served - 1)
            or _between(self.asked, served + 1, end - 1)
            or any(
                _between(cycles, start - STEP, end)
                for core, cycles in self.accesses.items()
                if core != store.core
            )
        )


def _between(cycles: list[int], first: int, last: int) -> bool:
    return bisect_left(cycles, first) < bisect_right(cycles, last)
