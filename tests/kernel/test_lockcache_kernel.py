# SPDX-License-Identifier: Apache-2.0
"""The kernel `lockcache`: programs, scenarios and random programs with both ways of release,
replayed against the golden model; what boot code says of a lock cache that does not fit; and
mutants, tests/mutants/lockcache.yaml. The unit alone: test_lock_cache.py. The figures:
test_database.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mel_gen.lock_cache import FACTS_HASH_WORD, IDENTITY
from ruamel.yaml import YAML

from melanion import config, paths
from melanion.model import ReplayError
from melanion.run import RunError
from melanion.scenario import load
from tests.common import scenario_run
from tests.common.planted_tree import TreeMutant
from tests.kernel import test_kernel_boot
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


# ---- boot ----------------------------------------------------------------------------------------


def boot(folder: Path, hardware: str, of: config.System, **changes: Any) -> str:
    """Return the message of a program for `of` that does not begin on other hardware."""
    text, code = test_kernel_boot.run(
        folder, config.find(hardware), of, header="mel_lock_cache.h", **changes
    )
    assert code == test_kernel_boot.EXIT_CODE_BOOT
    return text


def test_no_lock_cache(tmp_path: Path) -> None:
    assert boot(tmp_path, "sw-2", config.find(NOW)) == (
        "melanion: no lock cache answers at its address (bus error): run the program on a system"
        " with one\n"
    )


def test_other_device(tmp_path: Path) -> None:
    text = boot(tmp_path, NOW, config.find(NOW), MEL_LOCK_CACHE_IDENTITY=0x12345678)
    assert text == (
        "melanion: what answers at the lock cache's address is none: its identity is"
        f" {IDENTITY:#010x} instead of 0x12345678; run the program on a system with one\n"
    )


def test_other_facts(tmp_path: Path) -> None:
    text = boot(tmp_path, NOW, config.find(NOW), MEL_LOCK_CACHE_FACTS_HASH=0x12345678)
    assert text == (
        "melanion: the program was built for another lock cache: its facts hash is 0x12345678,"
        f" the unit's is {FACTS_HASH_WORD:#010x}; build it again for this system\n"
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"short_locks": 32}, "its sizes are 0x00024020, the unit's are 0x00024040"),
        ({"hand_over": 1}, "its priorities are 0x00000020, the unit's are 0x00000000"),
    ],
)
def test_other_sizes(tmp_path: Path, change: dict[str, int], says: str) -> None:
    other = config.find(NOW).model_copy(update={"lock_cache": config.LockCache(**change)})
    assert boot(tmp_path, NOW, other) == (
        f"melanion: the program was built for another lock cache: {says}; build it again for this"
        " system\n"
    )


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
