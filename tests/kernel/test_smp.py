# SPDX-License-Identifier: Apache-2.0
"""The software kernel on several cores: programs, scenarios and random programs, replayed against
the golden model; and the mutants that these runs must catch: tests/mutants/smp.yaml.

What several cores share with the hardware unit is in test_cores.py, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from mel_gen import Command, TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.build import symbols
from melanion.model import ReplayError
from melanion.run import RunError, RunResult, Settings, run_program
from melanion.scenario import load
from tests.common import scenario_run
from tests.common.planted_tree import TreeMutant
from tests.random.scattered import run_random
from tests.system.test_cores import FILES, cores_of

LATER = pytest.mark.soak
# Memory, devices, seed.
WAITS: list[tuple[int | str, int | str, int]] = [(0, 0, 1), ("0-2", 0, 2), ("0-1", "0-8", 3)]
SEEDS = range(1, 21)
QUICK_SEEDS = (3,)
SYSTEMS = ("sw-2", "sw-3", "sw-4", "sw-poll-3")
SOAK = 40


def marked(name: str) -> object:
    """Two cores for every commit: each further system takes a minute to build."""
    return pytest.param(name, marks=LATER if name != "sw-2" else [])


# Least work of a program that ends with exit code 0: 200 words through two queues; a give in every
# second of 800 rounds; 120 rounds of each of six movers, in turns of four kinds.
DONE = {
    "pipeline": {Command.QUEUE_SEND: 400, Command.QUEUE_RECEIVE: 400},
    "handover": {Command.SEMAPHORE_GIVE: 400},
    "movers": {Command.TASK_ROTATE: 180, Command.MUTEX_LOCK: 180, Command.TASK_TERMINATE: 5},
    "pools": {Command.TASK_EXIT: 6, Command.SEMAPHORE_TAKE: 30},
}


def left_undone(app: str, result: RunResult) -> dict[str, int]:
    """Calls that a program made less often than it must, and how often it made them."""
    events = result.events
    ops = events["a"][events["kind"] == TraceKind.COMMAND] & 0xFF
    made = {op: int(np.count_nonzero(ops == op)) for op in DONE[app]}
    return {op.name: made[op] for op, least in DONE[app].items() if made[op] < least}


each_system = pytest.mark.parametrize("name", [marked(name) for name in SYSTEMS])


def run(
    name: str, app: str, memory: int | str = 0, devices: int | str = 0, seed: int = 1
) -> RunResult:
    """In slow memory the edges of `handover` come less often, or core 0 has no time for a tick."""
    system, application = config.find(name), build.application(app)
    defines = {"LEAST": 1200, "MOST": 2700} if app == "handover" and memory != 0 else {}
    return run_program(
        system,
        application,
        Settings(defines=defines, wait_states=memory, unit_wait_states=devices, seed=seed),
    )


@each_system
def test_the_pipeline_uses_a_core_for_each_stage(name: str) -> None:
    result = run(name, "pipeline")
    used = min(3, config.find(name).core.count)
    assert result.console == f"pipeline: 200 words through 3 stages on {used} cores\n"
    assert cores_of(result, TraceKind.COMMAND) >= set(range(used))
    assert left_undone("pipeline", result) == {}


def test_the_idle_context_of_every_core_is_a_whole_task() -> None:
    """Calls look at the block of the running task, whichever that is."""
    system = config.find("sw-2")
    program = build.program(system, build.application("pingpong"))
    block = symbols.size(program.elf, "mel_tasks") // (system.parameters.tasks + 1)
    assert symbols.size(program.elf, "idle") == (system.core.count - 1) * block > 0


def in_turn(systems: tuple[str, ...], apps: tuple[str, ...]) -> pytest.MarkDecorator:
    """Each application on each system once; on the systems of a row it meets each of WAITS."""
    names = ("name", "app", "memory", "devices", "seed")
    found = [
        (name, app, *WAITS[(row + column) % len(WAITS)])
        for row, app in enumerate(apps)
        for column, name in enumerate(systems)
    ]
    return pytest.mark.parametrize(names, found)


@pytest.mark.soak
@in_turn(SYSTEMS, ("pipeline", "handover", "movers", "pools"))
def test_programs_in_slow_memory(
    name: str, app: str, memory: int | str, devices: int | str, seed: int
) -> None:
    result = run(name, app, memory, devices, seed)
    assert (result.code, left_undone(app, result)) == (0, {})
    if app == "movers":
        count = config.find(name).core.count
        assert cores_of(result, TraceKind.DISPATCH) == set(range(count))
        assert cores_of(result, TraceKind.CLAIM) == {0}


# ---- who tells whom ------------------------------------------------------------------------------


@pytest.mark.soak
def test_no_core_is_interrupted_by_another_where_cores_poll() -> None:
    """… and where they ring, they are."""
    software = 3 | 1 << 15  # cause of a trap, as the trace has it
    for name, rings in (("sw-poll-3", False), ("sw-3", True)):
        events = run(name, "pipeline").events
        traps = events[events["kind"] == TraceKind.TRAP]
        assert bool(np.any((traps["a"] & 0x1F) == software & 0x1F)) is rings


# ---- scenarios with their tasks on the last core -------------------------------------------------

SAMPLES = [
    *(("sw-2", path) for path in FILES[3::16]),
    *(("sw-4", path) for path in FILES[1::4]),
    *(("sw-2", path) for path in FILES[2::4]),
    *(("sw-poll-3", path) for path in FILES[3::8]),
]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        pytest.param(name, path, id=f"{name}-{path.stem}", marks=LATER)
        for name, path in SAMPLES
        if scenario_run.runs_on(path, "sw")
    ],
)
def test_a_scenario_on_another_core_than_its_handlers(
    name: str, path: Path, tmp_path: Path
) -> None:
    scenario = load(path)
    system = scenario_run.system_of(scenario, name)
    found = scenario_run.complaint_on_last_core(scenario, system, tmp_path)
    assert found is None


# ---- random programs -----------------------------------------------------------------------------


@pytest.mark.parametrize("crowded", [True, False], ids=["crowd", "sparse"])
@pytest.mark.parametrize("seed", QUICK_SEEDS)
def test_random_programs(seed: int, crowded: bool, tmp_path: Path) -> None:
    """On every system with more seeds: test_random_systems."""
    result = run_random("sw-2", seed, tmp_path, crowded)
    assert result.replay and result.replay.commands > 50


@pytest.mark.soak
@each_system
def test_random_programs_with_other_seeds(name: str, tmp_path: Path) -> None:
    """Crowds: there the cores of a software kernel meet at its locks."""
    for seed in range(100, 100 + SOAK):
        replayed = run_random(name, seed, tmp_path, crowded=True).replay
        assert replayed and replayed.commands > 50


# ---- mutants -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """The application on `system` shows the bug; without one, random programs do, `crowded` or
    not. `soak`: not in every commit."""

    system: str = "sw-2"
    soak: bool = True
    crowded: bool = True
    app: str = ""


MUTANTS = paths.data_root() / "tests" / "mutants" / "smp.yaml"
BUGS = [Mutant(**row) for row in YAML(typ="safe").load(MUTANTS.read_text(encoding="utf-8"))]


def attempts(bug: Mutant, folder: Path) -> Iterator[str]:
    """Yield the findings of the runs, in order."""
    if bug.app:
        runs = [partial(run, bug.system, bug.app, *waits) for waits in WAITS]
    else:
        runs = [partial(run_random, bug.system, n, folder, bug.crowded) for n in SEEDS[1:]]
    for number, each in enumerate(runs, 1):
        try:
            each()
        except (ReplayError, RunError) as error:
            yield f"run {number}: {error.message}"


@pytest.mark.parametrize(
    "bug",
    [pytest.param(b, id=b.name.replace(" ", "_"), marks=LATER if b.soak else []) for b in BUGS],
)
def test_planted_bug_is_caught(
    bug: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "root").mkdir()
    bug.plant(monkeypatch, tmp_path / "root")
    caught = next(attempts(bug, tmp_path), None)
    assert caught is not None, f"every run passed with the bug: {bug.name}"
    print(caught)
