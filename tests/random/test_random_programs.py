# SPDX-License-Identifier: Apache-2.0
"""Random programs on the C code of both kernels: one right log each; the replay judges the runs.

Mutants as the counter-proof.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from melanion import config
from melanion.model import Kernel, ReplayError
from melanion.run import RunError
from melanion.scenario import Scenario, ScenarioError, execute, executor
from melanion.scenario.language import TICK_CYCLES
from tests.common import scenario_run
from tests.common.planted_kernel import MUTANTS, Mutant
from tests.common.soak import new_seed
from tests.random.programs import heirs, program_for

SEEDS = range(1, 7)
FEWER = range(1, 4)  # on kernels that share most of their C code with the first of each kind
WHOLE = ("sw", "hwrtos")
SOAK = 200
LATE_HEIRS = 795679108  # a task that ends has an heir for its second mutex, who is urgent
LATER_HEIRS = 795913322  # the same, and the heir comes two calls later
HEIRS = 5  # seed of a program in which equal tasks get the mutexes of one that ends
TICK = TICK_CYCLES // 2  # is enough for what the tasks of SEEDS do between two waits
# Mutants that these programs notice, one of each kind (all: tests/mutants/kernel.yaml).
QUICK = (
    "a waiter that timed out stays in the wait list",
    "messages of one priority are received last in, first out",
    "the value of a call that waited is not read",
)


def _run(seed: int, kernel: str, folder: Path, tick: int) -> int:
    """Run the program of a seed; returns how many calls it logged."""
    scenario = program_for(seed, scenario_run.kernel_of(kernel))
    difference = scenario_run.complaint(scenario, config.find(kernel), folder, tick_cycles=tick)
    assert difference is None, f"python -m tests.random.programs {seed}\n{difference}"
    return len(scenario.expect)


@pytest.mark.parametrize("kernel", [*scenario_run.KERNELS, "hwrtos-single"])
def test_random_programs(kernel: str, tmp_path: Path) -> None:
    seeds = SEEDS if kernel in WHOLE else FEWER
    calls = sum(_run(seed, kernel, tmp_path, TICK) for seed in seeds)
    assert calls > 42 * len(seeds)


def test_programs_reach_much() -> None:
    reached = Counter(
        (entry.call, entry.result.split()[0])
        for seed in SEEDS
        for entry in program_for(seed, "sw").expect
    )
    assert len(reached) > 90
    assert sum(status == "E_OK" for _, status in reached) > 25
    assert {status for _, status in reached} >= {"E_TMOUT", "E_RLWAI", "E_QOVR", "E_ILUSE"}


@pytest.mark.new_seeds
@pytest.mark.soak
@pytest.mark.parametrize("kernel", [*scenario_run.KERNELS, *scenario_run.SINGLE])
def test_random_programs_with_other_seeds(kernel: str, tmp_path: Path) -> None:
    first, name = new_seed(), scenario_run.kernel_of(kernel)
    slow = kernel in scenario_run.SINGLE
    seeds = [
        seed
        for seed in range(first, first + SOAK)
        if not (slow and _depends_on_late_heirs(program_for(seed, name)))
    ]
    assert len(seeds) > SOAK * 0.9
    calls = sum(_run(seed, kernel, tmp_path, TICK_CYCLES) for seed in seeds)
    print(f"{kernel}: {calls} calls of {len(seeds)} programs")


class _NewestFirst(Kernel):
    """Hands on the mutexes of a task that ended in the reverse of the model's order, as sw does."""

    def may_hand(self) -> bool:
        """The next mutex now, not at the next occasion."""
        return True

    def settle(self) -> None:
        while self.orphans and self.may_hand():
            ended = min(self.orphans)
            self.orphan(self.tasks[ended].owned[-1].number, ended)
        later, self.orphans = self.orphans, set()
        super().settle()
        self.orphans |= later


class _OneHeirAtOnce(_NewestFirst):
    """… and the next one behind `calls` more, or when no task runs: a unit that takes as long for a
    mutex as a core for these."""

    calls = 1
    called = calls

    def command(self, *words: int) -> int:
        self.called += 1
        return super().command(*words)

    def may_hand(self) -> bool:
        may = self.called >= self.calls or self.cores[0].running is None
        if may:
            self.called = 0
        return may


class _OneHeirInTwoCalls(_OneHeirAtOnce):
    calls = called = 2


def _depends_on_late_heirs(scenario: Scenario) -> bool:
    """Whether a less urgent task can go on before the heirs of a task that ended are ready."""
    try:
        return any(
            tuple(execute(scenario, kernel(scenario.limits)).log) != scenario.expect
            for kernel in (_OneHeirAtOnce, _OneHeirInTwoCalls)
        )
    except ScenarioError:
        return True


@pytest.mark.parametrize("seed", [LATE_HEIRS, LATER_HEIRS])
def test_a_program_that_depends_on_late_heirs_is_known(seed: int) -> None:
    assert _depends_on_late_heirs(program_for(seed, "hwrtos"))
    assert not any(_depends_on_late_heirs(program_for(seed, "hwrtos")) for seed in SEEDS)


@pytest.mark.parametrize("seed", [HEIRS, 1, 6, 9])  # the others: several heirs, none equal
def test_no_log_depends_on_the_order_of_heirs(seed: int) -> None:
    scenario = heirs(seed)
    assert tuple(execute(scenario, _NewestFirst(scenario.limits)).log) == scenario.expect


def test_a_log_depends_on_the_order_of_heirs_without_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Control of the test above: the same seed, when the executor refuses no end of a task."""
    monkeypatch.setattr(executor._Executor, "check_heirs", lambda *_: None)
    scenario = heirs(HEIRS)
    assert tuple(execute(scenario, _NewestFirst(scenario.limits)).log) != scenario.expect


def _notices(mutant: Mutant, folder: Path) -> bool:
    try:
        for seed in SEEDS:
            scenario = program_for(seed, mutant.kernel)
            system = config.find(mutant.kernel)
            if scenario_run.complaint(scenario, system, folder, tick_cycles=TICK) is not None:
                return True
    except (ReplayError, RunError):
        return True
    return False


@pytest.mark.parametrize("name", QUICK)
def test_a_planted_bug_is_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (mutant,) = (mutant for mutant in MUTANTS if mutant.name == name)
    (tmp_path / "root").mkdir()
    mutant.plant(monkeypatch, tmp_path / "root")
    assert _notices(mutant, tmp_path)
