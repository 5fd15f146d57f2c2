# SPDX-License-Identifier: Apache-2.0
"""Random programs for FreeRTOS (apps/freertos/freertos_random). FreeRTOS itself and the layer on
every kernel print what each call returned, and in which order; that must be equal. With mutexes,
whose order is another one (docs/decisions/0026), each difference must be one of those explained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

import pytest

from melanion import build, config, paths
from melanion.model import ReplayError
from melanion.run import RunError, run_program
from tests.common import needed
from tests.common.fetched import cargo_problem, needs_cargo
from tests.common.planted_tree import ProgramMutant, programs
from tests.common.scenario_run import SINGLE

FILE = Path(__file__).parents[1] / "mutants" / "freertos_random.yaml"
SOAK = pytest.mark.soak


def first_difference(one: str, two: str) -> str | None:
    """Return the first difference of two runs of the same seeds, in words; None: there is none."""
    for left, right in zip(one.splitlines(), two.splitlines(), strict=False):
        if left != right:
            words = list(zip(left.split(), right.split(), strict=False))
            place = next((i for i, (a, b) in enumerate(words) if a != b), len(words))
            behind = " ".join(left.split()[max(0, place - 6) : place])
            ways = [" ".join(line.split()[place : place + 3]) for line in (left, right)]
            return f"{' '.join(left.split()[:2])}: behind {behind}: {ways[0]} | {ways[1]}"
    return None if one == two else "one of them has more seeds"


@lru_cache(maxsize=8)
def random_run(system: str, first: int, seeds: int, mutexes: int) -> str:
    app = build.application(paths.data_root() / "apps" / "freertos" / "freertos_random")
    defines: dict[str, int | str] = {"FIRST": first, "SEEDS": seeds, "MUTEXES": mutexes}
    console = run_program(config.find(system), replace(app, defines=defines)).console
    assert "memory was lost" not in console
    assert console.count("seed ") == seeds
    return console


REPEAT = (
    "repeat: melanion run freertos_random --define FIRST={} --define SEEDS=1 --define MUTEXES={}"
)


def disagreement(pair: tuple[str, str], runs: tuple[str, str], mutexes: int) -> str | None:
    """Return the first difference of two systems' runs, and the way to run its seed alone, or
    None."""
    parted = first_difference(*runs)
    if parted is None:
        return None
    seed = parted.split()[1].rstrip(":") if parted.startswith("seed ") else "?"
    return f"{pair[0]} | {pair[1]}: {parted}; {REPEAT.format(seed, mutexes)}"


def agree(first: int, seeds: int, mutexes: int, pair: tuple[str, str]) -> None:
    one, two = (random_run(system, first, seeds, mutexes) for system in pair)
    told = disagreement(pair, (one, two), mutexes)
    assert told is None, told


NOW = 20  # programs of every commit


def test_random_programs_do_the_same_on_every_kernel() -> None:
    agree(1, NOW, 0, ("sw", "hwrtos"))
    if cargo_problem():
        pytest.skip(needed.reason("cargo", cargo_problem()))
    agree(1, NOW, 0, ("freertos", "sw"))


# All kernels run a batch before the next one: FreeRTOS's run of it is needed once. `-k` and a
# kernel's name run the 500 on that one.
BATCH = 50
MANY = range(101, 601, BATCH)


@SOAK
@needs_cargo
@pytest.mark.parametrize("kernel", ["sw", "hwrtos", "banked"])
@pytest.mark.parametrize("first", MANY)
def test_many_random_programs_do_what_freertos_does(kernel: str, first: int) -> None:
    agree(first, BATCH, 0, ("freertos", kernel))


@SOAK
@pytest.mark.parametrize("kernel", ["port", *SINGLE])
@pytest.mark.parametrize("first", MANY[:2])
def test_many_random_programs_do_the_same_on_other_kernels(first: int, kernel: str) -> None:
    agree(first, BATCH, 0, ("sw", kernel))


def test_enough_programs_are_drawn() -> None:
    assert BATCH * len(MANY) >= 500


def test_a_difference_is_found_and_told() -> None:
    one, two = "seed 1 @0 1s1 2r5\nseed 2 @0 1g1\n", "seed 1 @0 1s1 2r5\nseed 2 @0 1g0\n"
    assert first_difference(one, one) is None
    assert first_difference(one, two) == "seed 2: behind seed 2 @0: 1g1 | 1g0"
    assert first_difference(one, one.splitlines()[0]) == "one of them has more seeds"
    assert disagreement(("sw", "hwrtos"), (one, one), 0) is None
    assert disagreement(("sw", "hwrtos"), (one, two), 0) == (
        "sw | hwrtos: seed 2: behind seed 2 @0: 1g1 | 1g0; repeat: melanion run freertos_random"
        " --define FIRST=2 --define SEEDS=1 --define MUTEXES=0"
    )


# ---- with mutexes --------------------------------------------------------------------------------

HANDED_OVER = "a mutex that was given is taken again before the task that waits for it runs"
LOWERED = "a task stopped waiting for a mutex, and its owner is less urgent again at once"
# Seeds 1001 to 1100 that part, by the reason; all others print the same.
PARTED = {
    HANDED_OVER: [1001, 1002, 1004, 1006, 1012, 1013, 1030, 1043, 1050, 1064, 1094, 1100],
    LOWERED: [1027],
}


def reason(freertos: str, ours: str) -> str | None:
    """Why one seed's line parts, by the last event of the mutex before and the first behind.
    None: decision 0026 does not explain it."""
    one, two = freertos.split(), ours.split()
    common = [a for a, b in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False))]
    owner = ""  # nobody has had it
    for note in common:
        owner = note[0] if taken(note) else "given" if note[1:] == "v1" else owner
    left, right = one[len(common)], two[len(common)]
    if owner == "given" and taken(left):
        return HANDED_OVER
    if left[:2] == f"{owner}a" and right[0] != owner:
        return LOWERED
    return None


def taken(note: str) -> bool:
    """`3m107`: task 3, then of priority 7, got the mutex."""
    return note[1:2] == "m" and int(note[2:]) >= 100


def partings(freertos: str, ours: str) -> Iterator[tuple[int, str]]:
    """Seeds whose lines differ, with the reason. Raises AssertionError: nothing explains it."""
    for one, two in zip(freertos.splitlines(), ours.splitlines(), strict=True):
        if one != two:
            why = reason(one, two)
            assert why is not None, f"{first_difference(one, two)}: explained by nothing"
            yield int(one.split()[1]), why


@SOAK
@needs_cargo
def test_with_mutexes_only_what_is_explained_differs_from_freertos() -> None:
    upstream = random_run("freertos", 1001, 100, 1)
    found = dict(partings(upstream, random_run("sw", 1001, 100, 1)))
    assert found == {seed: why for why, seeds in PARTED.items() for seed in seeds}


@SOAK
@pytest.mark.parametrize("kernel", ["hwrtos", "port", "banked", *SINGLE])
def test_random_programs_with_mutexes_do_the_same_on_our_kernels(kernel: str) -> None:
    agree(1001, 100, 1, ("sw", kernel))


def test_a_difference_that_nothing_explains_is_noticed() -> None:
    same = "seed 1 @4 4m109 3t1 4v1"
    assert reason(f"{same} 4m109 3m7", f"{same} 4m9 3m107") == HANDED_OVER
    assert reason("seed 1 @4 2m109 3t1 2a1 4m9", "seed 1 @4 2m109 3t1 4m9 2a1") == LOWERED
    for one, two in (
        (f"{same} 3g1 4m109", f"{same} 3g0 4m109"),  # no call of the mutex
        (f"{same} 4m9", f"{same} 4m109"),  # the reverse
        ("seed 1 @4 4m109 3t1 2m5", "seed 1 @4 4m109 3t1 2m105"),  # it has an owner
        ("seed 1 @4 3t1 4m109", "seed 1 @4 3t1 4m9"),  # nobody has given it
        ("seed 1 @4 2m109 3t1 3a1 4m9", "seed 1 @4 2m109 3t1 4m9 3a1"),  # not by the owner
    ):
        assert reason(one, two) is None, (one, two)
        with pytest.raises(AssertionError, match="explained by nothing"):
            list(partings(f"{one}\n", f"{two}\n"))


# ---- mutants -------------------------------------------------------------------------------------


FEW = (1, 10)  # first seed, number of seeds
NOTICED_BY = {
    "an item that is put in front is the second": (11, 10),
    "a rendezvous leaves its bits": FEW,
    "a suspended task goes on waiting": (101, 60),
    "a handler says that it has woken a task whenever one waits": (101, 60),
}


@needs_cargo
@pytest.mark.parametrize("mutant", programs(FILE, quick=1))
def test_a_planted_bug_is_noticed_by_the_comparison_with_freertos(
    mutant: ProgramMutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever the layer's own checks say: the sequences part, or the run ends."""
    first, seeds = NOTICED_BY[mutant.name]
    wanted = random_run("freertos", first, seeds, 0)
    random_run.cache_clear()
    mutant.plant(monkeypatch, tmp_path)
    try:
        parted = first_difference(wanted, random_run(mutant.kernel, first, seeds, 0))
    except (RunError, ReplayError) as error:
        parted = error.message
    finally:
        random_run.cache_clear()
    print(parted)
    assert parted is not None
