"""Cycles of the hardware unit, exact: U of every command, the first of several releases, the drain.

U counts from the capture register of the access port to the result register (hw/rtl/mel_sequencer.sv):
a load of the answer that is requested right behind the store is answered U + 1 cycles after the
store was accepted. Uncontended: no tick, edge or background work, the previous step has ended.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import pytest
from mel_gen import Command, TraceKind

from tests.random import bench
from tests.random.campaign import SIZES, Case, execute
from tests.random.generate import generate
from tests.random.judge import LOAD, STORE, Run
from tests.random.profiles import Profile
from tests.random.script import Entry, Flag, Kind, access

SINGLE_RELEASE = 5  # cycles, ANCHORS: a command that releases one task
COUNT_ONLY = 3  # … that changes only a count
QUIET = 10  # cycles before a measured command: longer than any step

STILL = Profile(
    {Command.TICK_SET: 0.0, Command.IRQ_RAISE: 0.0, Command.SEMAPHORE_TAKE: 4, Command.TASK_START: 3},
    edge=0.0,
    wait=0.0,
    access=0.0,
    hostile=0.0,
    burst=0.0,
    ticks=False,
)


def measure(run: Run) -> dict[str, set[int]]:
    """U of every undisturbed command, by what it did."""
    by_cycle = {event[0]: event for event in run.events if event[1] == TraceKind.COMMAND}
    others = sorted(
        event[0] for event in run.events if event[1] in (TraceKind.RELEASE, TraceKind.IRQ)
    )
    found: dict[str, set[int]] = defaultdict(set)
    for store, load in zip(run.accesses, run.accesses[1:], strict=False):
        if store.kind != STORE or load.kind != LOAD or load.accepted != store.accepted + 1:
            continue
        if any(store.accepted - QUIET < cycle <= load.answered for cycle in others):
            continue
        events = [
            by_cycle[cycle]
            for cycle in range(store.accepted, load.answered + 1)
            if cycle in by_cycle
        ]
        if len(events) != 1:
            continue
        status = events[0][6]
        kind = "refused" if status >> 31 else "waits" if status == 2 else "ok"
        found[f"{Command(events[0][3] & 0xFF).name.lower()} {kind}"].add(
            load.answered - store.accepted - 1
        )
    return found
