# SPDX-License-Identifier: Apache-2.0
"""Every scenario on the golden model, on the software kernel and on the hardware unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from mel_gen import KERNELS as KERNEL_INFO

from melanion import config
from melanion.model import ModelError
from melanion.scenario import Scenario, ScenarioError, execute, load
from melanion.scenario.executor import differences
from tests.common import scenario_run
from tests.common.planted_kernel import MUTANTS
from tests.model.planted_model import BUGS as MODEL_BUGS
from tests.model.planted_model import Plant
from tests.model.planted_mutex import MUTEX_BUGS, QUERIED_MUTEX_BUGS
from tests.model.planted_quantum import QUANTUM_BUGS

BUGS = {**MODEL_BUGS, **MUTEX_BUGS, **QUERIED_MUTEX_BUGS, **QUANTUM_BUGS}
FILES = scenario_run.files()
NAMES = [path.stem for path in FILES]
SCENARIO = pytest.mark.parametrize("path", FILES, ids=NAMES)


@cache
def loaded(path: Path) -> Scenario:
    """Each scenario is read once for all that runs it."""
    return load(path)


@SCENARIO
def test_model(path: Path) -> None:
    scenario = loaded(path)
    assert not list(differences(scenario, execute(scenario).log, "the model"))


BOOSTER = "booster"
# There what an interrupt does to an object in C is done in a handler, which the limit holds back
# (CAVEATS.md).
NOT_ON_BOOSTER = {"claim_limit_leaves_actions_alone"}
# The tick counter's value at reset is in the unit alone, which is that of hwrtos: on the others a
# simulation of its own would show nothing more.
UNIT_OF_HWRTOS = ("port", "banked", BOOSTER)


def decided(path: Path, system: str) -> bool:
    """Whether the scenario says something about this system."""
    kernel = scenario_run.kernel_of(system)
    if kernel == BOOSTER and path.stem in NOT_ON_BOOSTER:
        return False
    elsewhere = "time_reset" in scenario_run.words(path)
    return scenario_run.runs_on(path, kernel) and not (elsewhere and kernel in UNIT_OF_HWRTOS)


# Each shares all but a few files with another kernel that runs every scenario: the other coupling
# of the unit, the way of saving registers, the order of the lists.
ALIKE = ("sw-sorted", "port", "banked")
# Share of the scenarios for each coupling of a unit at the clock of the cores: every sixth of one,
# every twelfth of the second, none for another tick counter's value at reset.
SINGLE_SAMPLE = {"hwrtos-single": 6, "banked-single": 12, "port-single": 0}
RESULT = re.compile(r"^ +- \"?\w+ (\w+) (E_\w+)?", re.MULTILINE)  # row of `expect`


def covering(paths: Sequence[Path]) -> Iterator[Path]:
    """Some of the scenarios, in which each call ends with each of its results."""
    results = {path: set(RESULT.findall(path.read_text(encoding="utf-8"))) for path in paths}
    left = set().union(*results.values())
    while left:
        path = max(paths, key=lambda path: len(results[path] & left))
        left -= results[path]
        yield path


def beyond_sample(path: Path, system: str) -> bool:
    """Whether the scenario is left to `make soak` on a system of the sample."""
    every = SINGLE_SAMPLE.get(system, 1)
    resets = system in SINGLE_SAMPLE and "time_reset" in scenario_run.words(path)
    return resets or not every or FILES.index(path) % every != 0


def pairs(kernel: str) -> Iterator[ParameterSet]:
    """The scenarios of a kernel: all in every run or, of those alike, those that cover the calls
    and those that show a mutant, and the others in `make soak`."""
    told = [path for path in FILES if decided(path, kernel)]
    shown = {mutant.scenario for mutant in MUTANTS if mutant.kernel == kernel}
    chosen = {*covering(told), *(path for path in told if path.stem in shown)}
    for path in told:
        later = (kernel in ALIKE and path not in chosen) or beyond_sample(path, kernel)
        marks = [pytest.mark.soak] if later else []
        yield pytest.param(path, kernel, id=f"{kernel}-{path.stem}", marks=marks)


SYSTEMS = (*scenario_run.KERNELS, BOOSTER, *scenario_run.SINGLE)
PAIRS = [pair for system in SYSTEMS for pair in pairs(system)]


@pytest.mark.parametrize(("path", "kernel"), PAIRS)
def test_rtl(path: Path, kernel: str, tmp_path: Path) -> None:
    assert scenario_run.quick_complaint(loaded(path), kernel, tmp_path) is None


# With lanes for event flags the unit has words of its own for a set, and hears of all other waits.
LANES = "hwrtos[flag_lanes=4]"
OF_FLAGS = [path for path in FILES if "event_flags" in scenario_run.words(path)]


@pytest.mark.parametrize("path", OF_FLAGS, ids=[path.stem for path in OF_FLAGS])
def test_rtl_with_lanes_for_event_flags(path: Path, tmp_path: Path) -> None:
    assert scenario_run.quick_complaint(loaded(path), LANES, tmp_path) is None


def test_the_calls_of_a_scenario_decide_which_kernels_run_it() -> None:
    """Its words do the same, with no scenario loaded, and the tick counter's reset value."""
    for path in FILES:
        scenario = loaded(path)
        names = {call.name for calls in scenario.steps.values() for call in calls}
        names |= {call.name for call in scenario.main}
        assert bool(scenario.limits.time_reset) == ("time_reset" in scenario_run.words(path))
        for kernel, info in KERNEL_INFO.items():
            assert scenario_run.runs_on(path, kernel) == (not names & info.lacks), (path, kernel)


@pytest.mark.parametrize("kernel", (*scenario_run.KERNELS, "hwrtos-single"))
def test_refused_deadlock_is_reported_with_its_chain(kernel: str, tmp_path: Path) -> None:
    scenario = loaded(scenario_run.SCENARIOS / "mutex_deadlock_of_three_refused.yaml")
    ticks = execute(scenario).ticks
    result = scenario_run.start(scenario, config.find(kernel), ticks, tmp_path)
    assert result.replay
    (said,) = result.replay.deadlocks
    assert re.sub(r" \(.*?\)", "", said) == (
        f"deadlock refused at cycle {said.split()[4]} task 2 wants mutex 0, but task 0 owns mutex 0"
        " and waits for mutex 1, task 1 owns mutex 1 and waits for mutex 2, task 2 owns mutex 2."
    )
    assert result.as_json()["replay"]["deadlocks"] == (said,)


@pytest.mark.parametrize("plant", BUGS.values(), ids=BUGS)
def test_a_planted_model_bug_is_caught(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """By another log than the scenario's, or by its rules. `test_model` is the control."""
    scenarios = [loaded(path) for path in FILES]
    plant(monkeypatch)
    for scenario in scenarios:
        try:
            if list(differences(scenario, execute(scenario).log, "the model")):
                return
        except ScenarioError:
            return
        except (ModelError, AssertionError, KeyError, ValueError, IndexError):
            continue  # the bug broke its own model: no scenario noticed that
    pytest.fail("no scenario says that anything differs with the bug")


def test_every_call_and_status_is_in_a_scenario() -> None:
    """Each call with each status that spec/commands.yaml gives it, and its refusals."""
    from mel_gen import COMMANDS, Blocks, Context, IdKind, Status

    seen = {(e.call, e.result.split()[0]) for path in FILES for e in loaded(path).expect}
    missing = []
    for command, info in COMMANDS.items():
        name = command.name.lower()
        # E_BUSY: the C library asks again, and no call returns it.
        wanted = {status.name for status in info.statuses if status != Status.E_BUSY}
        if name == "task_terminate":
            wanted.remove("E_CTX")  # for a task that another core runs: scenarios have one core
        if name != "task_exit":  # never returns
            wanted.add("E_OK")
        if info.id != IdKind.NONE:
            wanted.add("E_ID")
        permanent = info.id in (IdKind.NONE, IdKind.INTERRUPT, IdKind.TIMER)
        if not permanent and not name.endswith("_create"):
            wanted.add("E_NOEXS")
        if info.callers != {Context.TASK, Context.HANDLER, Context.IDLE}:
            wanted.add("E_CTX")
        if info.blocks != Blocks.NEVER:
            wanted |= {"E_CTX", "E_RLWAI"}
        if info.blocks != Blocks.NEVER and not permanent:
            wanted.add("E_DLT")
        if name in PARAMETERS:
            wanted.add("E_PAR")
        missing += [f"{name} {status}" for status in wanted if (name, status) not in seen]
    assert not missing


PARAMETERS = (
    "task_create",
    "task_set_priority",
    "task_rotate",
    "semaphore_create",
    "event_flags_wait_any",
    "event_flags_wait_all",
    "event_flags_take_any",
    "event_flags_take_all",
    "queue_create",
    "queue_post",
    "mutex_create",
    "timer_start",
    "irq_map",
    "claim_limit",
    "tick_set",
    "quantum_set",
)
