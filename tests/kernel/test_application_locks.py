# SPDX-License-Identifier: Apache-2.0
"""Locks of an application (melanion/lock.h): a task on each core, two on any and a handler count
under them, with wait states, too; their cycles while they are free; mutants."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from melanion import build, config, paths
from melanion.build import BuildError
from melanion.run import RunError, RunResult, Settings, run_program
from tests.common import exact_cycles
from tests.common.planted_tree import TreeMutant

FOLDER = Path(__file__).parent / "application_locks"
HEADER = "kernel/include/melanion/lock.h"
OPERATIONS = ("take long", "release long", "take short", "release short")
SOAK = pytest.mark.soak
SYSTEMS = ("sw-3", "lockcache-3")
MOST = 2_000_000  # cycles
PLAIN = Settings(max_cycles=MOST)


def run(system: str, settings: Settings = PLAIN) -> RunResult:
    """Raises RunError: a count was lost, or the run differs from the model."""
    return run_program(config.find(system), build.application(FOLDER), settings)


def ranges(console: str) -> dict[str, tuple[int, int]]:
    found = re.findall(r"^([a-z ]+?) (\d+) (\d+)$", console, re.MULTILINE)
    return {name: (int(least), int(most)) for name, least, most in found}


@pytest.mark.parametrize(
    "system",
    [
        *SYSTEMS,
        *(pytest.param(name, marks=SOAK) for name in ("sw", "sw-poll-3", "lockcache-given-3")),
    ],
)
def test_nobody_is_inside_with_another(system: str) -> None:
    console = run(system).console
    waits, handled = (int(n) for n in re.findall(r"^waits (\d+) handled (\d+)$", console, re.M)[0])
    assert handled > 10
    assert (waits > 50) == (system != "sw")


@pytest.mark.parametrize("system", [SYSTEMS[1], pytest.param(SYSTEMS[0], marks=SOAK)])
def test_nobody_is_inside_with_another_with_wait_states(system: str) -> None:
    run(system, Settings(max_cycles=MOST, wait_states="0-7", unit_wait_states="0-9"))


@exact_cycles.pinned
def test_a_free_lock_takes_the_same_cycles_each_time_and_fewer_with_the_cache() -> None:
    found = {system: ranges(run(system).console) for system in SYSTEMS}
    for each in found.values():
        assert all(each[name][0] == each[name][1] for name in OPERATIONS)
    software, cache = (found[system]["take long"][1] for system in SYSTEMS)
    assert cache <= 8 < software


def test_kernels_without_such_locks_are_told() -> None:
    with pytest.raises(BuildError, match="neither a lock cache nor test-and-set registers; take"):
        build.program(config.find("hwrtos-3"), build.application(FOLDER))


# Each is noticed by the program on one of the systems, or it never ends.
MUTANTS = {
    "a taken long lock is taken (software)": (
        "sw-3",
        "const bool taken = lock->held == 0;",
        "const bool taken = true;",
    ),
    "a taken long lock is taken (lock cache)": (
        "lockcache-3",
        "TRY_LONG(lock->number)) == MEL_LOCK_CACHE_ANSWER_TAKEN;",
        "TRY_LONG(lock->number)) <= MEL_LOCK_CACHE_ANSWER_TAKEN;",
    ),
    "a taken short lock is taken": (
        "lockcache-3",
        "while ((word = MEL_SPIN_WORD(lock)) != MEL_SPIN_TAKEN) {",
        "if ((word = MEL_SPIN_WORD(lock)) != MEL_SPIN_TAKEN) {",
    ),
    "nobody is woken": (
        "sw-3",
        "(void)mel_sem_give(lock->sem);",
        "(void)0;",
    ),
    "the release names the core that releases": (
        "lockcache-3",
        "= holder + 1;",
        "= holder * 0 + mel_core_self() * 0;",
    ),
}
PLANTED = {name: TreeMutant(name, HEADER, old, new) for name, (_, old, new) in MUTANTS.items()}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_lock_is_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    PLANTED[name].plant(monkeypatch, tmp_path)
    with pytest.raises(RunError) as caught:
        run(MUTANTS[name][0])
    assert paths.data_root() == tmp_path
    assert re.search("application_locks: |cycles|differs|refused", caught.value.message)
