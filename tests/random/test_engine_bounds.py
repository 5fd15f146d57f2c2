# SPDX-License-Identifier: Apache-2.0
"""No step of the microprogrammed unit takes longer than its bound, and bounds are no guesses.

Every random run on hw/engine is held against them (campaign.execute); here: that one too low is
noticed, how many are reached to the cycle, and that the bench measures what the ports see. The
bounds themselves: tests/micro/test_bounds.py.
"""

from __future__ import annotations

from functools import cache

import pytest
from mel_gen import Command

from tests.common.soak import new_seed
from tests.random import steps
from tests.random.campaign import SIZES, Case, Result, execute, run_case
from tests.random.profiles import PROFILES
from tests.random.records import RejectedError
from tests.random.script import Entry, Kind
from tests.random.steps import Key, Reached, Step, asserted, check

SIZE, COMMANDS = "small", 300
HERE = ("mixed", "semaphores", "queues", "mutexes")  # profiles that run here
EXACT = 0.5  # share of the bounds of steps that came which is reached to the cycle
EXACT_SOAK = 0.75


@cache
def results() -> list[Result]:
    cases = [Case(SIZE, profile, 1, COMMANDS) for profile in HERE]
    return [run_case(case, case.build()) for case in cases]


@cache
def reached() -> Reached:
    found = Reached()
    for result in results():
        found.add(SIZES[SIZE], result.steps)
    return found


def exact(found: Reached) -> list[tuple[Key, str]]:
    return [place for place, gap in found.least.items() if gap == 0]


def test_many_bounds_are_reached_to_the_cycle() -> None:
    share = len(exact(reached())) / len(reached().least)
    print(f"{len(exact(reached()))} of {len(reached().least)} bounds are reached to the cycle")
    assert share > EXACT


def test_a_bound_that_is_a_cycle_too_low_is_noticed() -> None:
    """Whichever is reached, so that no measure or row is left out of the comparison."""
    for key, measure in exact(reached()):
        low = steps.lowered(key, measure)
        with pytest.raises(RejectedError, match=measure):
            for result in results():
                check(SIZES[SIZE], result.steps, low)
    assert {measure for _, measure in exact(reached())} == {"answer", "step", "after"}


def test_commands_take_at_their_ports_what_the_bench_measures() -> None:
    """A load of the answer right behind the store is answered U + 1 cycles after it."""
    case = Case(SIZE, "semaphores", 1, 0)
    alone = Entry(Kind.COMMAND, delay=500)
    script = [
        Entry(Kind.WAIT, argument=5000),  # memories are being cleared
        alone._replace(op=Command.SEMAPHORE_CREATE, argument=0x20001),
        *[alone._replace(op=Command.SEMAPHORE_GIVE)] * 3,
        *[alone._replace(op=Command.SEMAPHORE_TAKE)] * 3,
        alone._replace(op=Command.TASK_CREATE, argument=1),
        alone._replace(op=Command.TASK_START),
        alone._replace(op=Command.DISPATCH_ENABLE),
        alone._replace(op=Command.SEMAPHORE_TAKE, argument=0xFFFF_FFFF),
        alone._replace(op=Command.SEMAPHORE_GIVE),
        alone._replace(op=Command.DISPATCH_ENABLE),
    ]
    result = execute(case.build(), case.limits, script, 1)
    measured = {}
    for step in result.steps:
        request, _, outcome = step.key
        measured[f"{request.removeprefix('command ')} {outcome}"] = step.answer
    assert len(result.unit) >= 8
    for name, found in result.unit.items():
        assert max(found) == measured[name], name


def of(key: Key, answer: int, step: int, **rounds: int) -> Step:
    counts = {"owners": 0, "passed": 0, "released": 0, **rounds}
    return Step(key, answer, step, step - answer, 1, counts, 200, 100)


def test_rounds_of_a_loop_count() -> None:
    key = ("command event_flags_set", "", "ok")
    row, limits = asserted()[key], SIZES[SIZE]
    assert row.answer is not None
    cycles = dict(row.answer.rounds)["passed"]
    late = of(key, row.answer.base + 2 * cycles, 1, passed=2)
    check(limits, [late])
    with pytest.raises(RejectedError) as error:
        check(limits, [late._replace(rounds={**late.rounds, "passed": 1})])
    assert str(error.value) == (
        f"cycle 100: command event_flags_set ok: answer takes {late.answer} cycles, its bound is"
        f" {late.answer - cycles}"
    )


def test_a_step_without_a_row_is_an_error() -> None:
    with pytest.raises(
        RejectedError, match="cycle 200: a step that has no bound: load_plain waits"
    ):
        check(SIZES[SIZE], [of(("load_plain", "", "waits"), 3, 4)])


@pytest.mark.soak
def test_most_bounds_are_reached_in_long_runs() -> None:
    """Prints those that never are."""
    found, seed = Reached(), new_seed()
    for size in ("small", "two"):
        for profile in PROFILES:
            for number in range(seed, seed + 4):
                case = Case(size, profile, number, 600)
                found.add(case.limits, run_case(case, case.build()).steps)
    for key in sorted(asserted().keys() - found.steps.keys()):
        print("never:", *key)
    for (key, measure), gap in sorted(found.least.items()):
        if gap:
            print(*key, measure, f"stays {gap} below its bound")
    assert len(exact(found)) > EXACT_SOAK * len(found.least)
