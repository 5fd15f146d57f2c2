# SPDX-License-Identifier: Apache-2.0
"""The hardware unit with one core against the golden model: random scripts over several sizes.

Several cores: test_random_cores.py. Planted bugs as the counter-proof: test_random_mutants.py. Each
failure prints the command that repeats it. `make soak` runs other seeds every time.
"""

from __future__ import annotations

import os
import pickle
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from mel_gen import ANSWER_WAITING, Command, TraceKind
from mel_gen import COMMANDS as INFO

from tests.random import bench, coverage, document, script, ticks
from tests.random.campaign import (
    SINGLE,
    SIZES,
    Case,
    CaseError,
    Result,
    cases,
    cycle_bound,
    execute,
    rehearse_case,
    run_case,
    shrink,
)
from tests.random.generate import generate
from tests.random.judge import judge
from tests.random.profiles import NOTIFICATIONS, OBJECTS, PROFILES
from tests.random.records import LOAD, STORE, RejectedError, parse
from tests.random.script import Flag, Kind

COMMANDS = 1000  # in a script
SEEDS = range(1, 4)
WORKERS = os.cpu_count() or 1


def _run(case: Case) -> Result:
    result = run_case(case, bench.build(case.limits))
    result.run.events.clear()
    result.run.accesses.clear()
    return result


def _campaign(seeds: range) -> tuple[int, Counter[str]]:
    """Run all cases; print one line for each size."""
    chosen = cases(SINGLE, seeds, COMMANDS)
    with ProcessPoolExecutor(WORKERS) as pool:
        list(pool.map(bench.build, (SIZES[size] for size in SINGLE)))
        results = list(pool.map(_run, chosen))
    total: Counter[str] = Counter()
    for size in SINGLE:
        here = [result for case, result in zip(chosen, results, strict=True) if case.size == size]
        print(
            f"{size}: seeds {seeds.start} … {seeds.stop - 1},"
            f" {sum(result.commands for result in here)} commands,"
            f" {sum(result.cycles for result in here)} cycles,"
            f" longest answer {max(result.longest_answer for result in here)} cycles"
        )
        for result in here:
            total += result.coverage
    return sum(result.commands for result in results), total


def test_random_scripts_agree_with_the_model() -> None:
    commands, reached = _campaign(SEEDS)
    assert commands >= 100_000
    # A random test that no longer reaches a situation has silently become shallow.
    wanted = coverage.expected() | set(ticks.SITUATIONS)
    never = sorted(name for name in wanted if not reached[name])
    assert not never, f"never reached: {never}"


def test_an_edge_in_the_cycle_of_an_enable_may_be_pending() -> None:
    """The next edge is then lost; `lost_irqs` counts it, and no event shows either."""
    _run(Case("tiny", "semaphores", 4, COMMANDS))


@pytest.mark.soak
def test_scripts_reach_every_status_on_the_model_alone() -> None:
    """What the generator is good for shows without the RTL; only accesses are missing."""
    total: Counter[str] = Counter()
    for case in cases(SINGLE, SEEDS, COMMANDS):
        total += rehearse_case(case)
    never = {name for name in coverage.expected() if not total[name]}
    assert never <= coverage.BY_ACCESSES | coverage.BY_RACES | coverage.BY_CYCLES


@pytest.mark.parametrize("profile", ["plain", "semaphores", "flags", "queues", "mutexes", "timers"])
def test_a_profile_touches_its_objects_only(profile: str) -> None:
    """So a noun of the RTL is tested before the others are there."""
    objects = PROFILES[profile].objects
    others = {int(c) for c in Command if INFO[c].id in OBJECTS - objects} | set(NOTIFICATIONS)
    for seed in range(1, 6):
        for size in ("tiny", "small", "no_interrupts"):
            entries = generate(seed, SIZES[size], PROFILES[profile], 500)
            commands = [entry for entry in entries if entry.kind == Kind.COMMAND]
            assert not {entry.op for entry in commands} & others
            if not PROFILES[profile].words:
                assert all(entry.operand is None for entry in commands)
                assert not any(entry.flags & Flag.VALUE for entry in entries)


@pytest.mark.soak
def test_random_scripts_with_other_seeds() -> None:
    first = int(time.time()) % 1_000_000_000
    print(f"seeds from {first}")
    _campaign(range(first, first + 30))


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
    for seed in range(1, 11):
        entries = [
            replace(entry, flags=entry.flags | Flag.WILD)
            for entry in generate(seed, limits, PROFILES["hostile"], 500)
        ]
        outcome = bench.run(program, limits, entries, seed, cycle_bound(limits))
        assert not outcome.complaint, f"seed {seed}: {outcome.complaint}"


# ---- the test itself -------------------------------------------------------------------------

CASE = Case("small", "mixed", 1, 300)


@pytest.fixture(scope="module")
def good() -> Result:
    return run_case(CASE, bench.build(CASE.limits))


def test_same_seed_gives_same_script() -> None:
    first, second = (generate(7, CASE.limits, PROFILES["hostile"], 200) for _ in range(2))
    assert first == second
    assert first != generate(8, CASE.limits, PROFILES["hostile"], 200)


def test_script_file_keeps_every_entry(tmp_path: Path) -> None:
    entries = generate(3, CASE.limits, PROFILES["hostile"], 200)
    script.write(tmp_path / "script", entries)
    assert script.read(tmp_path / "script") == entries


def test_judge_accepts_the_run_and_rejects_a_lost_event(good: Result) -> None:
    judge(good.run)
    # Without any one dispatch of a task or wait of one the rest cannot be right. (A refused command
    # may be lost unseen: it changes a count, and its answer counts only if it is loaded.)
    chosen = [
        index
        for index, (_, kind, _, subject, _, _, result) in enumerate(good.run.events)
        if (kind == TraceKind.DISPATCH and subject < CASE.limits.tasks)
        or (kind == TraceKind.COMMAND and result == ANSWER_WAITING)
    ]
    assert len(chosen) > 10
    for index in chosen[:10]:
        events = good.run.events[:index] + good.run.events[index + 1 :]
        with pytest.raises(RejectedError):
            judge(replace(good.run, events=events))


def test_judge_rejects_a_wrong_load(good: Result) -> None:
    loads = [i for i, access in enumerate(good.run.accesses) if access.kind == LOAD]
    for index in loads[5::40]:
        accesses = list(good.run.accesses)
        accesses[index] = replace(accesses[index], read=accesses[index].read ^ 1)
        with pytest.raises(RejectedError, match=rf"script entry {accesses[index].entry}:"):
            judge(replace(good.run, accesses=accesses))


def test_failure_names_seed_and_replay_command() -> None:
    error = pickle.loads(pickle.dumps(CaseError(CASE, "status differs")))  # from a worker
    text = str(error)
    assert text.splitlines() == [
        "python -m tests.random --size small --profile mixed --seed 1 --commands 300",
        "status differs",
    ]


def test_parse_orders_by_time(good: Result) -> None:
    times = [access.answered for access in good.run.accesses]
    assert times == sorted(times)
    assert {access.kind for access in good.run.accesses} >= {LOAD, STORE}
    assert parse(CASE.limits, b"", b"").events == []


def test_any_part_of_a_script_is_a_script() -> None:
    program = bench.build(CASE.limits)
    entries = generate(5, CASE.limits, PROFILES["mixed"], 200)
    for part in (entries[::2], entries[1::3], entries[100:]):
        execute(program, CASE.limits, part + entries[-3:], 5)


def test_shrink_of_a_good_script_is_empty() -> None:
    assert shrink(CASE, bench.build(CASE.limits)) == []
