# SPDX-License-Identifier: Apache-2.0
"""Memory pools (kernel/common/pool.h) on every kernel: a program that checks itself.

Pools are above the golden model: it sees the commands on a pool's semaphore, and judges those.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.model import ReplayError
from melanion.run import RunError, RunResult, Settings, run_program
from tests.common.planted_tree import TreeMutant
from tests.common.scenario_run import SINGLE
from tests.faults import whole

FILE = Path(__file__).parents[1] / "mutants" / "pools.yaml"
STATUSES, SWEEP, CROWD = range(3)  # PART of apps/faults/pools
KERNELS = ("sw", "hwrtos", "port", "banked")
SEVERAL = (
    *("hwrtos-2", "banked-4"),
    *(pytest.param(name, marks=pytest.mark.soak) for name in ("port-2", "banked-2", "hwrtos-4")),
    *("hwrtos-single", *(pytest.param(name, marks=pytest.mark.soak) for name in SINGLE[1:])),
    *(pytest.param(f"{name}-4", marks=pytest.mark.soak) for name in SINGLE[::2]),
)
# The pools are the same on all kernels: sweeps in every run on one of each kind.
SWEPT = (
    "sw",
    "hwrtos",
    *(pytest.param(name, marks=pytest.mark.soak) for name in ("port", "banked")),
)
DELAYS = {"sw": 170, "hwrtos": 140, "port": 130, "banked": 110}
SET_UP = 30  # cycles before a call in which the first pulses come
RACED = frozenset({91, 92})  # calls whose pulse comes about the end of a tick


def run(
    system: str, part: int, delays: int = 30, wait_states: str = "0", seed: int = 1
) -> RunResult:
    """Raises RunError for what the program finds, ReplayError for a wrong schedule."""
    defines: dict[str, int | str] = {"PART": part, "DELAYS": delays}
    return run_program(
        config.find(system),
        build.application(paths.data_root() / "apps" / "faults" / "pools"),
        Settings(defines=defines, wait_states=wait_states, unit_wait_states=wait_states, seed=seed),
    )


@pytest.mark.parametrize("kernel", [*KERNELS, *SEVERAL])
def test_every_status_and_the_order_of_waiting_tasks(kernel: str) -> None:
    run(kernel, STATUSES)


@pytest.mark.parametrize("kernel", SWEPT)
def test_interrupt_in_every_cycle_of_every_call(kernel: str) -> None:
    delays = DELAYS[kernel]
    result = run(kernel, SWEEP, delays)
    assert whole.cycles_missed(result, delays - SET_UP, RACED) == {}


@pytest.mark.parametrize(
    "kernel",
    [
        *("sw", "hwrtos-2"),
        *(pytest.param(name, marks=pytest.mark.soak) for name in ("banked-2", "hwrtos-single-4")),
    ],
)
def test_interrupts_in_calls_with_wait_states(kernel: str) -> None:
    run(kernel, SWEEP, wait_states="0-5", seed=3)


@pytest.mark.parametrize("wait_states", ["0", "0-3"])
@pytest.mark.parametrize("kernel", [*KERNELS, *SEVERAL])
def test_more_tasks_than_blocks(kernel: str, wait_states: str) -> None:
    run(kernel, CROWD, wait_states=wait_states)


def test_too_few_rounds_miss_cycles() -> None:
    assert len(whole.cycles_missed(run("hwrtos", SWEEP, 30), 30, RACED)) > 1


# ---- mutants -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """PART `part` shows the bug on `kernel`."""

    kernel: str
    part: int


MUTANTS = [Mutant(**row) for row in YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))]


QUICK = 4  # mutants of every commit; the sweep that shows one takes ten seconds and more


@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param(mutant, marks=[] if number < QUICK else pytest.mark.soak)
        for number, mutant in enumerate(MUTANTS)
    ],
    ids=lambda mutant: mutant.name.replace(" ", "_"),
)
def test_mutant_is_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mutant.plant(monkeypatch, tmp_path)
    with pytest.raises((RunError, ReplayError)) as caught:
        run(mutant.kernel, mutant.part, 110)
    print(caught.value.message)
