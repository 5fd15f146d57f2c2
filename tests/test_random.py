"""The hardware unit against the golden model: random scripts over several sizes, with planted bugs as the counter-proof.

Each failure prints the command that repeats it. `make soak` runs other seeds every time, and every planted bug.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import pytest
from mel_gen import Command, TraceKind

from tests.random import bench, coverage, mutants
from tests.random.campaign import SIZES, Case, Failed, Result, cases, cycle_bound, execute, run_case, shrink
from tests.random.generate import PROFILES, generate
from tests.random.judge import EDGE, LINES, Access, Rejected, Run, judge, parse

COMMANDS_IN_A_SCRIPT = 1000
SEEDS = range(1, 4)
WORKERS = os.cpu_count() or 1
# Mutants that a quick run plants; `make soak` plants all.
QUICK_MUTANTS = 4


def _run(case: Case) -> Result:
    result = run_case(case, bench.build(case.limits))
    result.accesses.clear()
    return result


def _campaign(seeds: range) -> tuple[int, Counter[str]]:
    """Runs all cases; prints one line for each size."""
    with ProcessPoolExecutor(WORKERS) as pool:
        list(pool.map(bench.build, SIZES.values()))
        chosen = cases(SIZES, seeds, COMMANDS_IN_A_SCRIPT)
        results = list(pool.map(_run, chosen))
    total: Counter[str] = Counter()
    for size in SIZES:
        here = [result for case, result in zip(chosen, results, strict=True) if case.size == size]
        print(
            f"{size}: seeds {seeds.start} … {seeds.stop - 1}, {sum(r.commands for r in here)} commands,"
            f" {sum(r.cycles for r in here)} cycles, longest answer {max(r.longest_answer for r in here)} cycles"
        )
        for result in here:
            total += result.coverage
    return sum(result.commands for result in results), total


def test_random_scripts_agree_with_the_model() -> None:
    commands, reached = _campaign(SEEDS)
    assert commands >= 100_000
    # A random test that no longer reaches a situation has silently become shallow.
    never = sorted(name for name in coverage.expected() if not reached[name])
    assert not never, f"never reached: {never}"


@pytest.mark.soak
def test_random_scripts_with_other_seeds() -> None:
    first = int(time.time()) % 1_000_000_000
    print(f"seeds from {first}")
    _campaign(range(first, first + 30))
