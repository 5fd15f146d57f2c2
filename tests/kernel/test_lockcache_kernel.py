# SPDX-License-Identifier: Apache-2.0
"""The kernel `lockcache`: programs, scenarios and random programs with both ways of release,
replayed against the golden model; and mutants, tests/mutants/lockcache.yaml. The unit alone:
test_components_alone.py; a unit that does not fit: test_component_boot.py. The figures:
test_database.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from melanion import paths
from melanion.model import ReplayError
from melanion.run import RunError
from melanion.scenario import load
from tests.common import scenario_run
from tests.common.planted_tree import TreeMutant
from tests.kernel.test_smp import QUICK_SEEDS, in_turn, run
from tests.random.scattered import run_random
from tests.system.test_cores import FILES

LATER = pytest.mark.soak
TOLD, GIVEN = "lockcache-3", "lockcache-given-3"  # all cores that wait, the most urgent one
SYSTEMS = ("lockcache-2", TOLD, GIVEN)
NOW = "lockcache-2"  # the system of every commit


def marked(*names: str) -> list[object]:
    return [pytest.param(name, marks=[] if name == NOW else LATER) for name in names]


@pytest.mark.parametrize("name", marked(*SYSTEMS))
def test_tasks_are_called(name: str) -> None:
    result = run(name, "called")
    assert result.code == 0
    assert result.replay and result.replay.commands > 500


@pytest.mark.soak
@in_turn(SYSTEMS, ("pipeline", "handover", "movers", "pools", "ended"))
def test_programs_in_slow_memory(
    name: str, app: str, memory: int | str, devices: int | str, seed: int
) -> None:
    assert run(name, app, memory, devices, seed).code == 0


@pytest.mark.parametrize("seed", QUICK_SEEDS)
def test_random_programs(seed: int, tmp_path: Path) -> None:
    """With both ways of release and more seeds: test_random_systems."""
    result = run_random(NOW, seed, tmp_path, crowded=True)
    assert result.replay and result.replay.commands > 50


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "path"),
    [
        pytest.param(name, path, id=f"{name}-{path.stem}")
        for name, first in (("lockcache-2", 5), (GIVEN, 9))
        for path in FILES[first::16]
        if scenario_run.runs_on(path, "lockcache")
    ],
)
def test_a_scenario_on_another_core_than_its_handlers(
    name: str, path: Path, tmp_path: Path
) -> None:
    scenario = load(path)
    system = scenario_run.system_of(scenario, name)
    assert scenario_run.complaint_on_last_core(scenario, system, tmp_path) is None


# ---- mutants -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """The program `called` on `system` shows the bug. `soak`: not in every commit."""

    system: str = NOW
    soak: bool = True


MUTANTS = paths.data_root() / "tests" / "mutants" / "lockcache.yaml"
BUGS = [Mutant(**row) for row in YAML(typ="safe").load(MUTANTS.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    "bug",
    [pytest.param(b, id=b.name.replace(" ", "_"), marks=LATER if b.soak else []) for b in BUGS],
)
def test_planted_bug_is_caught(
    bug: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bug.plant(monkeypatch, tmp_path)
    with pytest.raises((ReplayError, RunError)) as caught:
        run(bug.system, "called")
    print(caught.value.message)
