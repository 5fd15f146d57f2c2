# SPDX-License-Identifier: Apache-2.0
"""Lanes for event flags (mel_flag_lanes): the unit does what it does without them, and a set is
answered within 30 cycles, whatever waits.

Random commands of all sizes with lanes: `python -m tests.random --size lanes_…`. The search alone:
hw/formal/mel_flag_lanes.sv.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from mel_gen import Command, TraceKind

from melanion.micro.bounds import Formula
from tests.common import schemata
from tests.common.verilated import BenchError
from tests.faults.stage import FOREVER, Stage, perform
from tests.random import bench, steps
from tests.random.campaign import LANES, Case, Result, run_case
from tests.random.records import RejectedError
from tests.random.script import Entry, Kind

PROFILES_OF_FLAGS = ("flags", "mixed", "interrupts", "hostile")
LIMIT = 30  # cycles of the unit: decision 0050
SET = ("command event_flags_set", "", "ok")
GROUP = 3
FIRST, LAST = 1, 63  # waiters
COMMANDS = 300


@pytest.mark.parametrize("profile", PROFILES_OF_FLAGS)
@pytest.mark.parametrize("size", ["lanes_small", "lanes_two"])
def test_random_commands_agree_with_the_model(size: str, profile: str) -> None:
    case = Case(size, profile, 1, COMMANDS)
    result = run_case(case, case.build())
    assert result.commands > COMMANDS // 2


# ---- 63 waiters ----------------------------------------------------------------------------------


def pattern(number: int) -> int:
    """Two flags, another pair for every task."""
    return 1 << number // 8 | 1 << 24 + number % 8


def waiting(priorities: dict[int, int], timeout: int = FOREVER) -> Stage:
    """All tasks of `priorities` wait for both flags of theirs, and nothing runs. Those of one
    priority come in the order of the mapping."""
    stage = Stage(LANES["lanes_default"])
    stage.call(Command.EVENT_FLAGS_CREATE, GROUP)
    for number, priority in priorities.items():
        stage.call(Command.TASK_CREATE, number, priority)
        stage.call(Command.TASK_START, number)
    stage.call(Command.DISPATCH_ENABLE)
    for number in sorted(priorities, key=lambda n: priorities[n]):
        stage.call(Command.EVENT_FLAGS_TAKE_ALL, GROUP, pattern(number), operand=timeout)
    return stage


@cache
def program() -> Path:
    return bench.build(LANES["lanes_default"])


def run(stage: Stage, unit: Path | None = None) -> Result:
    stage.add(Entry(Kind.WAIT, argument=500))  # the step behind the last answer
    return perform(unit or program(), stage.limits, stage.entries, 1)


def answers(result: Result) -> list[int]:
    """U of the sets that were answered with E_OK, the longest of each kind of step."""
    return [step.answer for step in result.steps if step.key == SET]


def released(result: Result) -> list[int]:
    return [event[3] for event in result.run.events if event[1] == TraceKind.RELEASE]


def test_a_set_passes_over_62_waiters_in_24_cycles() -> None:
    """The least urgent one is the only one that matches. Without lanes that takes 43 + 7 · 62."""
    stage = waiting({number: number // 2 for number in range(FIRST, LAST + 1)})
    stage.call(Command.EVENT_FLAGS_SET, GROUP, pattern(LAST))
    result = run(stage)
    assert released(result) == [LAST]
    assert answers(result) == [24]


def test_a_set_that_nobody_waits_for_passes_over_63() -> None:
    stage = waiting({number: number // 2 for number in range(FIRST, LAST + 1)})
    stage.call(Command.EVENT_FLAGS_SET, GROUP, 1 << 16)
    result = run(stage)
    assert released(result) == []
    assert max(answers(result)) <= 24


def test_a_suspended_waiter_is_released_in_time() -> None:
    stage = waiting({number: number // 2 for number in range(FIRST, LAST + 1)})
    stage.call(Command.TASK_SUSPEND, LAST)
    stage.call(Command.EVENT_FLAGS_SET, GROUP, pattern(LAST))
    result = run(stage)
    assert released(result) == [LAST]
    assert max(answers(result)) <= LIMIT


def expiring(delay: int, unit: Path | None = None) -> Result:
    """Eight waits end with the tick in which a set releases the most urgent one: it is due, and it
    leaves the due list, in which others are left. `delay`: cycles between tick and set."""
    priorities = {number: number for number in range(FIRST, FIRST + 8)}
    stage = waiting(priorities, timeout=1)
    stage.call(Command.TICK_SET, argument=2000)
    stage.add(Entry(Kind.TICK, argument=4000))
    stage.add(Entry(Kind.COMMAND, Command.EVENT_FLAGS_SET, GROUP, pattern(FIRST), delay=delay))
    return run(stage, unit)


def test_a_waiter_that_is_due_is_released_in_time() -> None:
    """Somewhere between the tick and the ends of the waits, exactly in the bound."""
    found = [u for delay in range(0, 160, 3) for u in answers(expiring(delay))]
    assert max(found) == LIMIT


def test_a_bound_that_is_a_cycle_lower_is_noticed() -> None:
    of = frozenset({"flag_lanes"})
    assert steps.asserted(of)[SET].answer == Formula(LIMIT)
    low = steps.lowered(SET, "answer", of)
    with pytest.raises(RejectedError, match="its bound is 29"):
        for delay in range(0, 160, 3):
            result = expiring(delay)
            steps.check(result.run.limits, result.steps, low)


# ---- order ---------------------------------------------------------------------------------------


def in_order(priorities: dict[int, int]) -> list[int]:
    """As they leave: most urgent first, of one priority in the order of the mapping."""
    return sorted(priorities, key=lambda number: priorities[number])


def shuffled(seed: int) -> dict[int, int]:
    chance = random.Random(seed)
    numbers = list(range(FIRST, LAST + 1))
    chance.shuffle(numbers)
    return {number: chance.randrange(1, 5) for number in numbers}


def order_of(
    priorities: dict[int, int],
    moved: Iterable[tuple[int, int]] = (),
    unit: Path | None = None,
) -> list[int]:
    """Tasks as one set releases them all, after changes of priority."""
    stage = waiting(priorities)
    for number, priority in moved:
        stage.call(Command.TASK_SET_PRIORITY, number, priority)
    stage.call(Command.EVENT_FLAGS_SET, GROUP, 0xFFFF_FFFF)
    stage.add(Entry(Kind.WAIT, argument=63 * 60))
    return released(run(stage, unit))


@pytest.mark.parametrize("seed", [1, 2])
def test_waiters_leave_by_priority_and_in_the_order_in_which_they_came(seed: int) -> None:
    priorities = shuffled(seed)
    assert order_of(priorities) == in_order(priorities)


def test_a_waiter_whose_priority_changes_goes_behind_its_equals() -> None:
    assert complaint_of_changes() == ""


def complaint_of_changes(unit: Path | None = None) -> str:
    priorities = shuffled(3)
    first, second = in_order(priorities)[:2]
    last = in_order(priorities)[-1]
    moved = [(first, 4), (last, 1), (second, priorities[second])]
    behind = {n: p for n, p in priorities.items() if n not in (first, second, last)}
    behind |= {first: 4, last: 1, second: priorities[second]}
    found = order_of(priorities, moved, unit)
    return "" if found == in_order(behind) else f"they leave as {found}"


# ---- mutants -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """`old` occurs once in `file`, of hw/engine. The module alone: tests/mutants/proofs.yaml."""

    name: str
    file: str
    old: str
    new: str


MUTANTS = (
    Mutant(
        "a task that leaves goes on waiting there",
        "mel_unit.sv",
        "(of_flags && waits_idle && waits_op == ListsRemove)",
        "(1'b0)",
    ),
    Mutant(
        "all waiters are as urgent",
        "mel_unit.sv",
        "(ObjectW'(object)),\n      .prio_i        (list_level)",
        "(ObjectW'(object)),\n      .prio_i        (8'd0)",
    ),
    Mutant(
        "nobody waits for all flags",
        "mel_unit.sv",
        "(stores && stores_page == PageMode)",
        "(1'b0)",
    ),
    Mutant(
        "a task that is due leaves a ready list",
        "mel_unit.sv",
        "word.due && !(Lanes && word.unless_held && !memory[30])",
        "word.due && !(Lanes && word.unless_held)",
    ),
    Mutant(
        "the search is not waited for", "mel_engine.sv", "(awaits_q && search_busy_i)", "(1'b0)"
    ),
    Mutant(
        "a set is about the flags that were there",
        "mel_unit.sv",
        "(memory | argument_q)",
        "(memory)",
    ),
    Mutant("nobody becomes older", "mel_flag_lanes.sv", "age - age_t'(1)", "age"),
)


@cache
def with_mutants() -> Path:
    files = schemata.plant(bench.sources(), MUTANTS)
    return bench.build(LANES["lanes_default"], files=files, assertions=False)


def complaint(unit: Path) -> str:
    """The first difference that scripts of this file find; empty: none."""
    try:
        if found := complaint_of_changes(unit):
            return found
        for delay in range(0, 160, 8):
            expiring(delay, unit)
    except (RejectedError, BenchError) as error:
        return str(error)
    return ""


def test_without_a_mutant_nothing_is_noticed() -> None:
    with schemata.chosen(0):
        assert complaint(with_mutants()) == ""


@pytest.mark.parametrize("number", range(len(MUTANTS)), ids=[each.name for each in MUTANTS])
def test_a_mutant_is_noticed(number: int) -> None:
    with schemata.chosen(1 + number):
        finding = complaint(with_mutants())
    assert finding, f"nothing was noticed of: {MUTANTS[number].name}"
    print(finding)
