# SPDX-License-Identifier: Apache-2.0
"""The booster: its register view, the two replays of its runs, random programs, two cores.

Scenarios: test_scenarios; proofs of the view: test_proofs; mutants in C:
test_scenario_mutants.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from mel_gen import Command, Status, TraceKind

from melanion import build, config, paths
from melanion.model import lower
from melanion.model.lower import BY_UNIT, HANDS_OVER, OPERAND_OF_C
from melanion.model.replay import Event
from melanion.run import RunResult, run_program
from tests.common import scenario_run
from tests.common.planted_tree import NOTICED, TreeMutant
from tests.common.soak import new_seed
from tests.random.programs import program_for

KERNEL = "booster"
SEEDS = [*range(1, 6), *(pytest.param(n, marks=pytest.mark.soak) for n in range(6, 11))]
SOAK = 100
TASKS = 4
WAITING = 2
C = 3 << 8  # the context of a tracepoint: unknown


def run(app: str, system: str = KERNEL) -> RunResult:
    """An application that comes with Melanion; RunError and ReplayError pass."""
    return run_program(config.find(system), build.application(paths.data_root() / "apps" / app))


# ---- the register view ---------------------------------------------------------------------------


@pytest.mark.parametrize("system", [KERNEL, pytest.param("booster-single", marks=pytest.mark.soak)])
def test_a_program_reaches_the_unit_through_the_view_alone(system: str) -> None:
    events = run("faults/view", system).events
    ops = set((events["a"][events["kind"] == TraceKind.COMMAND] & 0xFF).tolist())
    assert ops >= {
        Command.TICK_SET,
        Command.TASK_DELAY_UNTIL,
        Command.TASK_WAKEUP,
        Command.QUANTUM_SET,
        Command.NOTIFICATION_WAIT,
        0,
    }


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """A bug in the kernel's C that a run of `app` shows."""

    app: str


# ---- the kernel ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("system", [KERNEL, pytest.param("booster-single", marks=pytest.mark.soak)])
def test_random_programs(system: str, seed: int, tmp_path: Path) -> None:
    assert scenario_run.complaint(program_for(seed, KERNEL), config.find(system), tmp_path) is None


@pytest.mark.new_seeds
@pytest.mark.soak
def test_random_programs_with_other_seeds(tmp_path: Path) -> None:
    first = new_seed()
    for seed in range(first, first + SOAK):
        difference = scenario_run.complaint(
            program_for(seed, KERNEL), config.find(KERNEL), tmp_path
        )
        assert difference is None, f"seed {seed}: {difference}"


def test_ticks_take_no_cycle_of_the_core() -> None:
    """Not one trap of a tick that wakes nobody: the idle task of `hello` would see them."""
    result = run("faults/view")
    ticks = result.events[result.events["kind"] == TraceKind.TICK]
    assert len(ticks) > 2
    causes = result.events["a"][result.events["kind"] == TraceKind.TRAP] & 0x7FFF
    assert 7 not in causes.tolist()  # the machine timer's


# ---- from commands of the unit to kernel calls ---------------------------------------------------


def command(
    cycle: int, op: int, number: int, argument: int, status: int, context: int = 0
) -> Event:
    a = op | context << 8 if context != 3 else op | C
    return (cycle, int(TraceKind.COMMAND), 0, a, number, argument, status & 0xFFFF_FFFF)


def event(cycle: int, kind: TraceKind, a: int = 0, b: int = 0, d: int = 0) -> Event:
    return (cycle, int(kind), 0, a, b, 0, d)


def kinds(events: list[Event]) -> list[tuple[int, TraceKind, int]]:
    return [(e[0], TraceKind(e[1]), e[3] & 0xFF) for e in events]


TAKE, GIVE, SET = Command.SEMAPHORE_TAKE, Command.SEMAPHORE_GIVE, Command.EVENT_FLAGS_SET
DISPATCH_1 = event(1, TraceKind.DISPATCH, 1, TASKS)


def test_a_wait_is_the_call_in_the_cycle_of_the_unit_and_ends_as_a_timeout() -> None:
    trace = [
        DISPATCH_1,
        command(5, TAKE, 7, 9, BY_UNIT | WAITING, 3),
        command(8, Command.TASK_DELAY, 0, 9, WAITING),
        event(20, TraceKind.TIMEOUT, 1, d=0),
        event(30, TraceKind.ANSWER, 1),
    ]
    assert lower.unit(trace) == [trace[0], *trace[2:]]
    assert lower.calls(trace, TASKS) == [
        DISPATCH_1,
        command(8, TAKE, 7, 9, WAITING, 3),
        event(20, TraceKind.TIMEOUT, 1, d=Status.E_TMOUT & 0xFFFF_FFFF),
    ]


def test_a_refused_wait_is_a_refused_call() -> None:
    trace = [
        DISPATCH_1,
        command(5, TAKE, 7, 9, BY_UNIT | WAITING, 3),
        command(8, Command.TASK_DELAY, 0, 9, Status.E_CTX),
    ]
    assert lower.calls(trace, TASKS)[1:] == [command(8, TAKE, 7, 9, Status.E_CTX, 3)]


def test_a_refused_hand_over_did_not_happen() -> None:
    trace = [
        DISPATCH_1,
        command(5, GIVE, 7, 0, HANDS_OVER, 3),
        command(8, Command.TASK_RELEASE, 2, 0, Status.E_OBJ),
        command(15, GIVE, 7, 0, HANDS_OVER, 3),
        command(18, Command.TASK_RELEASE, 3, 0, 0),
    ]
    assert lower.calls(trace, TASKS)[1:] == [command(18, GIVE, 7, 0, 0, 3)]


def test_a_set_counts_with_its_first_release() -> None:
    trace = [
        DISPATCH_1,
        (5, int(TraceKind.RELEASE), 0, 2, 0, 0, 0),
        command(8, Command.TASK_RELEASE, 2, 0, 0),
        event(10, TraceKind.TICK),
        (15, int(TraceKind.RELEASE), 0, 3, 0, 0, 0),
        command(18, Command.TASK_RELEASE, 3, 0, 0),
        command(20, SET, 0, 6, 0, 3),
    ]
    assert kinds(lower.calls(trace, TASKS)[1:]) == [
        (20, TraceKind.COMMAND, SET),
        (8, TraceKind.RELEASE, 2),
        (10, TraceKind.TICK, 0),
        (18, TraceKind.RELEASE, 3),
    ]


def test_a_set_counts_behind_a_timeout_that_ends_a_wait_meanwhile() -> None:
    trace = [
        DISPATCH_1,
        (5, int(TraceKind.RELEASE), 0, 2, 0, 0, 0),
        command(8, Command.TASK_RELEASE, 2, 0, 0),
        event(10, TraceKind.TIMEOUT, 3),
        (15, int(TraceKind.RELEASE), 0, 3, 0, 0, 0),
        command(18, Command.TASK_RELEASE, 3, 0, Status.E_OBJ),
        command(20, SET, 0, 6, 0, 3),
    ]
    assert kinds(lower.calls(trace, TASKS)[1:]) == [
        (10, TraceKind.TIMEOUT, 3),
        (20, TraceKind.COMMAND, SET),
        (8, TraceKind.RELEASE, 2),
    ]


def test_operands_of_c_are_not_the_units() -> None:
    mine = (5, int(TraceKind.OPERAND), 0, OPERAND_OF_C, 0, 9, 0)
    assert lower.unit([mine]) == []
    assert lower.calls([mine], TASKS) == [(5, int(TraceKind.OPERAND), 0, 0, 0, 9, 0)]


# ---- two cores -----------------------------------------------------------------------------------


@pytest.mark.parametrize("app", ["examples/pipeline", "faults/handover"])
@pytest.mark.parametrize(
    "system", ["booster-2", pytest.param("booster-single-2", marks=pytest.mark.soak)]
)
def test_two_cores(system: str, app: str) -> None:
    assert run(app, system).code == 0


MUTANTS = [
    Mutant(
        "the second core does not wait for C's section",
        "kernel/common/cores/several.c",
        "while (pair->wants[1 - side] != 0 && pair->last == side) {\n    }",
        "while (pair->wants[1 - side] != 0 && pair->last == side && false) {\n    }",
        "examples/pipeline",
    ),
]


@pytest.mark.soak
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_bug_is_noticed(
    mutant: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    with pytest.raises(NOTICED):
        run(mutant.app, "booster-2")
