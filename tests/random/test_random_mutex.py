# SPDX-License-Identifier: Apache-2.0
"""Random lives of tasks and mutexes on simulated hardware: the replay judges every priority.

Each task has a long list of random calls, made by the interpreter of apps/scenario; in what order
they meet is a matter of cycles, so no log is expected. The golden model, which
tests/model/mutex_walk.py judges, decides who must run after every event.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from mel_gen import ANSWER_WAITING, Command, Status, TraceKind

from melanion.model import Limits, ReplayError
from melanion.run import RunError, RunResult
from melanion.scenario import Scenario
from melanion.scenario.language import FOREVER, Call
from tests.common import scenario_run
from tests.common.planted_kernel import MUTANTS, Mutant

SEEDS = range(3)  # seeds of every run: the mutants are noticed in these
LONGER = range(3, 9)  # seeds of `make soak`
WHOLE = ("sw", "hwrtos")  # the other kernels share most of their C code with one of these
TASKS, PRIORITIES, MUTEXES, CEILINGS = 10, 8, 6, 2
CALLS = 130  # calls of each task
TICKS = 60
# Weights of the calls in a task's list: mutexes must be held, several at once, and waited for.
WEIGHTS = {
    Command.MUTEX_LOCK: 30,
    Command.MUTEX_UNLOCK: 16,
    Command.TASK_DELAY: 14,
    Command.TASK_START: 8,
    Command.TASK_SET_PRIORITY: 6,
    Command.TASK_RESUME: 6,
    Command.TASK_RELEASE: 3,
    Command.TASK_SUSPEND: 2,
    Command.MUTEX_CREATE: 2,
    Command.SEMAPHORE_TAKE: 3,
    Command.SEMAPHORE_GIVE: 2,
    Command.TASK_TERMINATE: 1,
    Command.MUTEX_DELETE: 2,
    Command.TASK_EXIT: 1,
    Command.DISPATCH_DISABLE: 3,
    Command.DISPATCH_ENABLE: 12,
}


def call(source: random.Random) -> Call:
    op = source.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    number = argument = 0
    if op.name.startswith("TASK_") and op not in (Command.TASK_DELAY, Command.TASK_EXIT):
        number = source.randrange(TASKS)
    elif op.name.startswith("MUTEX"):
        number = source.randrange(MUTEXES)
    if op in (Command.MUTEX_LOCK, Command.SEMAPHORE_TAKE):
        argument = source.choice((0, 1, 2, 3, 5, FOREVER))
    elif op == Command.TASK_DELAY:
        argument = source.randrange(1, 4)
    elif op == Command.TASK_SET_PRIORITY:
        argument = source.randrange(PRIORITIES)
    elif op == Command.MUTEX_CREATE:
        argument = source.choice((0, 0, 0x100 | source.randrange(PRIORITIES)))
    return Call(op.name.lower(), number, argument, logged=False)


def scenario(seed: int) -> Scenario:
    source = random.Random(seed)
    names = {f"task{number}": number for number in range(TASKS)}
    priorities = {name: source.randrange(PRIORITIES) for name in names}
    main = [Call("semaphore_create", 0, 9 << 16, logged=False)]
    for number in range(MUTEXES):
        ceiling = 0x100 | source.randrange(PRIORITIES) if number < CEILINGS else 0
        main.append(Call("mutex_create", number, ceiling, logged=False))
    for name, number in names.items():
        main.append(Call("task_create", number, priorities[name], logged=False))
    main += [Call("task_start", number, 0, logged=False) for number in names.values()]
    return Scenario(
        name=f"random_{seed}",
        text="random calls",
        limits=Limits(),
        tasks=names,
        interrupts={},
        main=tuple(main),
        steps={name: tuple(call(source) for _ in range(CALLS)) for name in names},
        priorities=priorities,
        expect=(),
    )


def run(seed: int, kernel: str, folder: Path) -> RunResult:
    """One run; ReplayError: it differs from the model."""
    life = scenario(seed)
    system = scenario_run.system_of(life, kernel)
    system = system.model_copy(update={"tick_us": scenario_run.FIRST // system.clock_mhz})
    return scenario_run.start(life, system, TICKS, folder, scenario_run.QUICK)


@pytest.mark.parametrize("kernel", scenario_run.KERNELS)
def test_runs_agree_with_the_model(kernel: str, tmp_path: Path) -> None:
    check_runs(SEEDS if kernel in WHOLE else SEEDS[:1], kernel, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("kernel", scenario_run.KERNELS)
def test_more_runs_agree_with_the_model(kernel: str, tmp_path: Path) -> None:
    check_runs(LONGER, kernel, tmp_path)


def check_runs(seeds: range, kernel: str, folder: Path) -> None:
    """No run differs from the model, and together they meet what is worth it."""
    met: set[str] = set()
    for seed in seeds:
        events = run(seed, kernel, folder).events
        met |= {TraceKind(kind).name for kind in np.unique(events["kind"])}
        commands = events[events["kind"] == TraceKind.COMMAND]
        locks = commands[commands["a"] & 0xFF == Command.MUTEX_LOCK]
        met |= {f"lock {status}" for status in np.unique(locks["d"].astype(np.int32))}
    assert met >= {
        "ORPHAN",
        "TIMEOUT",
        "RELEASE",
        f"lock {ANSWER_WAITING}",
        f"lock {int(Status.E_OK)}",
        f"lock {int(Status.E_ILUSE)}",
        f"lock {int(Status.E_TMOUT)}",
    }


PLANTED = [
    mutant
    for mutant in MUTANTS
    if mutant.name
    in (
        "inheritance ends at the first owner",
        "an owner that unlocks gets its base priority back, whatever it still owns",
        "an inherited change goes before the tasks of the new priority",
        "a deadlock of two is found, a longer one is not",
        "only one mutex of a task that ends goes on",
        "a running owner that inherits goes behind its new equals",
    )
]


def test_the_planted_bugs_are_there() -> None:
    assert len(PLANTED) == 6


@pytest.mark.parametrize("mutant", PLANTED, ids=lambda mutant: mutant.name.replace(" ", "_"))
def test_a_planted_bug_is_caught(
    mutant: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "root").mkdir()
    mutant.plant(monkeypatch, tmp_path / "root")
    with pytest.raises((ReplayError, RunError)):
        for seed in SEEDS:
            run(seed, mutant.kernel, tmp_path)
