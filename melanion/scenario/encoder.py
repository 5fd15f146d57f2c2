# SPDX-License-Identifier: Apache-2.0
"""A scenario as the table of the C interpreter, and the log that its run left (apps/scenario).

The table and the log are described in apps/scenario/scenario.h, whose numbers stand here again.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from mel_gen import Query, Status

from melanion.scenario.language import (
    COMMAND_OF,
    EDGE,
    IDLE,
    SPIN,
    TICK_CYCLES,
    Call,
    Entry,
    Scenario,
)
from melanion.scenario.result import result_text

MAGIC = 0x3243_534D
HEADER_WORDS = 6
PROGRAM_WORDS = 4
TABLE_WORDS = 8192
MAIN, TASK, HANDLER = 0, 1, 2
BUSY = "busy"  # a task computes for `argument` cycles: not in files, only in random programs
OPS = {SPIN: 0xF0, EDGE: 0xF1, BUSY: 0xF2}
LOGGED = 1
AGAIN_LSB = 8
MARK_STATUS, MARK_VALUE, MARK_UPPER = 1, 2, 3

EDGES = 5  # in a tick: an edge comes after what tasks do between two edges
END_TICKS = 3  # ticks that the run goes on after the last one in which something happens


def programs(
    scenario: Scenario, tick_cycles: int = TICK_CYCLES
) -> list[tuple[str, int, int, tuple[Call, ...]]]:
    """(who, kind, number, calls) in the order of the table."""
    tick = Call("tick_set", 0, tick_cycles, logged=False)
    found = [(IDLE, MAIN, 0, (tick, *scenario.main))]
    for name, number in scenario.tasks.items():
        found.append((name, TASK, number, scenario.steps[name]))
    for name, number in scenario.interrupts.items():
        found.append((name, HANDLER, number, scenario.steps[name]))
    return found


def encode(
    scenario: Scenario, ticks: int, first_tick: int, tick_cycles: int = TICK_CYCLES
) -> bytes:
    """The table. `ticks` that the scenario takes; `first_tick`: cycles that the first one may; the
    others have `tick_cycles`, which must hold what tasks do between two waits."""
    parts = programs(scenario, tick_cycles)
    end = first_tick + (ticks + END_TICKS) * tick_cycles
    end_line = scenario.limits.interrupts - 1
    if end_line in scenario.interrupts.values():
        raise ValueError(f"{scenario.name} uses every interrupt line; the end of the run needs one")
    first = HEADER_WORDS + PROGRAM_WORDS * len(parts)
    table: list[int] = []
    steps: list[int] = []
    for _, kind, number, calls in parts:
        table += [kind, number, first + len(steps), len(calls)]
        for call in calls:
            flags = (LOGGED if call.logged else 0) | call.times - 1 << AGAIN_LSB
            steps += [_op(call.name), call.number, call.argument, call.operand, flags]
    words = first + len(steps)
    if words > TABLE_WORDS:
        raise ValueError(f"{scenario.name} needs {words} words, the interpreter has {TABLE_WORDS}")
    header = [MAGIC, words, end, end_line, tick_cycles // EDGES, len(parts)]
    return struct.pack(f"<{words}I", *header, *table, *steps)


def decode(scenario: Scenario, marks: Iterable[tuple[int, int]]) -> list[Entry]:
    """The log of a run from its marker stores (marker, value), in order."""
    parts = programs(scenario)
    log = []
    upper: dict[int, int] = {}  # by program and step: another task's entry may come between
    for marker, word in marks:
        place, half = word >> 16, word & 0xFFFF
        if marker == MARK_UPPER:
            upper[place] = half
            continue
        who, _, _, calls = parts[place >> 8]
        call = calls[place & 0xFF]
        if marker == MARK_STATUS:
            status, value = half - (half >> 15 << 16), 0
        else:
            status, value = Status.E_OK, upper.pop(place, 0) << 16 | half
        log.append(Entry(who, call.name, result_text(call.name, status, value, scenario.tasks)))
    return log


def _op(name: str) -> int:
    if name in OPS:
        return OPS[name]
    upper = name.upper()
    return int(Query[upper] if upper in Query.__members__ else COMMAND_OF[name].command)
