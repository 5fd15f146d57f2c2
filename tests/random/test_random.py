# SPDX-License-Identifier: Apache-2.0
"""The hardware unit with one core against the golden model: random scripts over several sizes.

Several cores: test_random_cores.py. The scripts and their judge themselves: test_random_judge.py.
Mutants as the counter-proof: test_random_mutants.py. Each failure prints the command that
repeats it. `make soak` runs other seeds every time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor

import pytest
from mel_gen import Command

from tests.common.soak import new_seed
from tests.random import bench, coverage, document, ticks
from tests.random.campaign import (
    SINGLE,
    SIZES,
    Case,
    Result,
    cases,
    cycle_bound,
    rehearse_case,
    run_case,
)
from tests.random.generate import generate
from tests.random.profiles import PROFILES
from tests.random.script import Flag

COMMANDS = 1000  # in a script of `make soak`
FEWER = 500  # in one of every run
SEEDS = range(1, 5)  # after the first, scripts run until every situation was reached
LONG = ("rare", "slices", "deadlines")
# Profiles that most often reach the situations which the first scripts seldom reach.
SCARCE = ("mutexes", "flags", "hostile")
# Without interrupts the bench is one of its own; that it can be built, test_rtl_lint.py shows.
EVERY_RUN = [size for size in SINGLE if size != "no_interrupts"]


def _run(case: Case) -> Result:
    result = run_case(case, bench.build(case.limits))
    result.run.events.clear()
    result.run.accesses.clear()
    return result


def _told(chosen: Sequence[Case], found: Iterable[Result]) -> tuple[int, Counter[str]]:
    """Commands and situations of the cases; print one line for each size."""
    sizes: dict[str, list[Result]] = {}
    for case, result in zip(chosen, found, strict=True):
        sizes.setdefault(case.size, []).append(result)
    for size, results in sizes.items():
        print(
            f"{size}: {len(results)} scripts,"
            f" {sum(result.commands for result in results)} commands,"
            f" {sum(result.cycles for result in results)} cycles,"
            f" longest answer {max(result.longest_answer for result in results)} cycles"
        )
    every = [result for results in sizes.values() for result in results]
    total = sum((result.coverage for result in every), Counter[str]())
    return sum(result.commands for result in every), total


def _first() -> list[Case]:
    """Every profile on every size; on `large`, which simulates slowest, without those that let time
    pass, and half as long. All of it, twice as long: `test_random_scripts_with_other_seeds`."""
    others = [size for size in EVERY_RUN if size != "large"]
    shorter = cases(["large"], SEEDS[:1], FEWER // 2)
    return cases(others, SEEDS[:1], FEWER) + [c for c in shorter if c.profile not in LONG]


def _later() -> list[Case]:
    """More seeds, on the sizes that simulate fast."""
    later = cases([size for size in EVERY_RUN if size != "large"], SEEDS[1:], FEWER)
    return sorted(later, key=lambda case: (case.profile not in SCARCE, case.seed))


def test_random_scripts_agree_with_the_model() -> None:
    chosen = _first()
    commands, reached = _told(chosen, map(_run, chosen))
    # A random test that no longer reaches a situation has silently become shallow.
    wanted = coverage.expected() - coverage.RARE | set(ticks.SITUATIONS)
    never = {name for name in wanted if not reached[name]}
    for case in _later():
        if not never:
            break
        result = _run(case)
        commands += result.commands
        never = {name for name in never if not result.coverage[name]}
    assert not never, f"never reached: {sorted(never)}"
    assert commands >= 50_000


def test_an_edge_in_the_cycle_of_an_enable_may_be_pending() -> None:
    """The next edge is then lost; `lost_irqs` counts it, and no event shows either."""
    _run(Case("tiny", "semaphores", 4, COMMANDS))


@pytest.mark.soak
def test_scripts_reach_every_status_on_the_model_alone() -> None:
    """The generator's reach shows without the RTL; accesses, races and cycles are excepted, and
    E_BUSY: the model alone does at once what a command leaves."""
    total: Counter[str] = Counter()
    for case in cases(SINGLE, SEEDS, COMMANDS):
        total += rehearse_case(case)
    never = {name for name in coverage.expected() if not total[name]}
    busy = {name for name in never if name.endswith(": E_BUSY")}
    assert never <= coverage.BY_ACCESSES | coverage.BY_RACES | coverage.BY_CYCLES | busy


@pytest.mark.new_seeds
@pytest.mark.soak
def test_random_scripts_with_other_seeds() -> None:
    first = new_seed()
    chosen = cases(SINGLE, range(first, first + 30), COMMANDS)
    for size in SINGLE:
        bench.build(SIZES[size])
    with ProcessPoolExecutor() as pool:
        _told(chosen, pool.map(_run, chosen))


def test_document_shows_every_command_and_nothing_that_was_not_reached() -> None:
    text = document.PAGE.read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    assert {command.name.lower() for command in Command} <= {row[0] for row in rows}
    situations = {name for name in coverage.expected() if ": " not in name and " by " not in name}
    assert situations <= {row[0] for row in rows}
    assert not [row for row in rows if "0" in row[1:]]


@pytest.mark.parametrize("size", ["tiny", "small", "odd"])
def test_task_that_should_have_been_switched_away_does_no_harm(size: str) -> None:
    """Calls of a waiting, suspended or dormant task: no model says what they give, but the unit

    answers every access within the bound, and its own assertions hold.
    """
    limits = SIZES[size]
    program = bench.build(limits)
    for seed in range(1, 4):
        entries = [
            entry._replace(flags=entry.flags | Flag.WILD)
            for entry in generate(seed, limits, PROFILES["hostile"], 500)
        ]
        outcome = bench.run(program, limits, entries, seed, cycle_bound(limits))
        assert not outcome.complaint, f"seed {seed}: {outcome.complaint}"
