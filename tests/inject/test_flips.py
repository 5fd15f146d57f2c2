# SPDX-License-Identifier: Apache-2.0
"""Flips are drawn from their seed and number alone, and evenly; the plan for the simulation."""

from __future__ import annotations

from collections import Counter

import pytest
from mel_gen import TraceKind

from melanion.inject import InjectError
from melanion.inject.flips import Flip, Plan, draw
from melanion.inject.space import Contexts, Field, Space
from melanion.trace import events_of

CONTEXTS = Contexts({0: 0x1000, 2: 0x1040, 5: 0x10A0}, (13, 29))
FIELDS = (
    Field("registers", "u_time", "count_q", 1, 32, "TOP.u_time"),
    Field("registers", "u_time.gen_timers", "notes_q", 1, 8, "TOP.u_time.gen_timers"),
    Field("memories", "u_lists", "next_mem", 64, 6, "TOP.u_lists"),
    Field("data", "software/task.c", "mel_tasks", 100, 8, address=0x10000002),
    Field("contexts", "task 2", "context", 29, 32),
)
SPACE = Space(FIELDS, CONTEXTS)
CYCLES = 5000


def test_the_same_seed_gives_the_same_flips() -> None:
    """As literals, because every machine must draw them."""
    found = [draw(7, n, SPACE, CYCLES) for n in range(4)]
    shown = [(f.cycle, f.field.name, f.element, f.bit) for f in found]
    assert shown == [
        (1531, "count_q", 0, 26),
        (750, "next_mem", 30, 1),
        (4006, "context", 6, 0),
        (3351, "mel_tasks", 72, 1),
    ]
    assert [draw(7, n, SPACE, CYCLES) for n in (3, 0)] == [found[3], found[0]]
    assert [draw(8, n, SPACE, CYCLES) for n in range(4)] != found


def test_kinds_take_turns_and_bits_are_equally_likely() -> None:
    found = [draw(1, n, SPACE, CYCLES) for n in range(8000)]
    kinds = Counter(f.field.kind for f in found)
    assert kinds == dict.fromkeys(SPACE.kinds, 2000)
    fields = Counter(f.field.name for f in found if f.field.kind == "registers")
    assert fields["count_q"] == pytest.approx(1600, abs=80)
    assert {f.element for f in found if f.field.name == "next_mem"} == set(range(64))
    assert {f.bit for f in found if f.field.name == "count_q"} == set(range(32))
    cycles = [f.cycle for f in found]
    assert min(cycles) >= 0 and max(cycles) < CYCLES
    assert sum(cycles) / len(cycles) == pytest.approx(CYCLES / 2, rel=0.03)


def test_lines_of_the_plan() -> None:
    switches = [(100, TraceKind.DISPATCH, 0, 2, 0, 0, 0), (200, TraceKind.DISPATCH, 0, 0, 2, 0, 0)]
    plan = Plan(SPACE, events_of(switches))
    registers, data, context = FIELDS[0], FIELDS[3], FIELDS[4]
    assert plan.line(Flip(3, 40, registers, 0, 5)) == "3 40 state TOP.u_time count_q 0 5\n"
    # A byte of a word, which is the unit of the memory.
    assert plan.line(Flip(4, 40, data, 5, 1)) == f"4 40 memory {0x10000004} 25\n"
    # From the drawn task on, without the one that runs.
    waiting = f"5 250 context 7 31 1 13 29 {0x1040} {0x10A0}\n"
    assert plan.line(Flip(5, 250, context, 7, 31)) == waiting
    running = f"5 150 context 7 31 1 13 29 {0x10A0} {0x1000}\n"
    assert plan.line(Flip(5, 150, context, 7, 31)) == running
    # On another core one more runs.
    several = Plan(SPACE, events_of([*switches, (120, TraceKind.DISPATCH, 1, 5, 64, 0, 0)]))
    alone = f"5 150 context 7 31 1 13 29 {0x1000}\n"
    assert several.line(Flip(5, 150, context, 7, 31)) == alone


def test_a_part_of_the_space() -> None:
    assert [f.name for f in SPACE.only("u_time").fields] == ["count_q", "notes_q"]
    assert [f.name for f in SPACE.only("memories").fields] == ["next_mem"]
    assert SPACE.only("u_time.gen_timers").kinds == ("registers",)
    with pytest.raises(
        InjectError, match=r"u_tim: no module or kind .* did you mean u_time"
    ) as err:
        SPACE.only("u_tim")
    assert err.value.exit_code == 2
    with pytest.raises(InjectError, match="there are contexts, data, memories, registers, softw"):
        SPACE.only("zzz")
