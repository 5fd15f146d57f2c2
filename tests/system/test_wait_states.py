# SPDX-License-Identifier: Apache-2.0
"""Wait states that each access draws for itself: no command is lost or doubled (row 9).

Mutants: test_faults_mutants.py. Repeat a failed run with `melanion run … --seed N`.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from mel_gen import TraceKind

from melanion import build, config
from melanion.cli.run import command
from melanion.run import RunError, Settings, Waits, run_program
from melanion.scenario import load
from tests.common import bare, scenario_run
from tests.faults import whole

MEMORY, UNIT = "0-7", "0-20"  # cycles, of each access
SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (2, 3))]
CALLS = 70  # calls of apps/faults/interrupted, at least
SOME = scenario_run.files()[::12]
LATER = [pytest.param(name, marks=pytest.mark.soak) for name in scenario_run.SINGLE]
KERNEL = pytest.mark.parametrize("kernel", [*scenario_run.KERNELS, *LATER])


@KERNEL
@pytest.mark.parametrize("seed", SEEDS)
def test_interrupts_in_calls(kernel: str, seed: int) -> None:
    """The program checks every status; each call is made in each round, each pulse is handled."""
    result = whole.interrupted_at_random(config.find(kernel), seed)
    made = whole.rounds_made(result)
    assert len(made) >= CALLS
    assert set(made.values()) == {whole.ROUNDS}
    for kind in (TraceKind.IRQ_WIRE, TraceKind.CLAIM):
        assert np.count_nonzero(result.events["kind"] == kind) == sum(made.values())


@scenario_run.each(SOME, scenario_run.KERNELS)
def test_scenario(path: Path, kernel: str, tmp_path: Path) -> None:
    """Each with a seed of its own."""
    seed = 1 + SOME.index(path) % 3
    check_scenario(path, seed, kernel, tmp_path)


@pytest.mark.soak
@scenario_run.each(scenario_run.files(), scenario_run.KERNELS)
def test_every_scenario(path: Path, kernel: str, tmp_path: Path) -> None:
    """Once on each kernel, with a seed of its own: 272 scenarios of a kernel draw 272 times."""
    seed = zlib.crc32(f"{kernel} {path.stem}".encode())
    print(f"seed {seed}")
    check_scenario(path, seed, kernel, tmp_path)


def check_scenario(path: Path, seed: int, kernel: str, folder: Path) -> None:
    scenario = load(path)
    system = scenario_run.system_of(scenario, kernel)
    settings = {"seed": seed, "wait_states": MEMORY, "unit_wait_states": UNIT}
    assert scenario_run.complaint(scenario, system, folder, **settings) is None, settings


# ---- what is drawn -------------------------------------------------------------------------------

MARKS = "int main(void) { for (int i = 0; i < 400; i++) MARK(0) = i; return 0; }"


def marks(folder: Path, waits: int | str, seed: int = 1) -> list[int]:
    """The cycles between 400 stores to a device."""
    events = bare.run(folder / "app", MARKS, unit_wait_states=waits, seed=seed).events
    found = events[events["kind"] == TraceKind.MARKER]["cycle"].astype(int)
    return list(np.diff(found).tolist())


def test_every_number_of_the_range_is_drawn_about_as_often(tmp_path: Path) -> None:
    (alone,) = set(marks(tmp_path, 0))
    drawn = np.array(marks(tmp_path, "2-5")) - alone
    counts = np.bincount(drawn)
    assert counts[:2].tolist() == [0, 0]
    assert len(counts) == 6
    assert min(counts[2:]) > len(drawn) // 8


def test_the_seed_decides(tmp_path: Path) -> None:
    first = marks(tmp_path, "0-9", seed=7)
    assert marks(tmp_path, "0-9", seed=7) == first
    assert marks(tmp_path, "0-9", seed=8) != first
    assert len(set(marks(tmp_path, "9", seed=8))) == 1


def test_memory_ports_draw_too() -> None:
    hello = build.application("hello")
    cycles = {
        run_program(config.find("sw"), hello, Settings(wait_states=waits, seed=seed)).cycles
        for waits, seed in ((0, 1), (3, 1), ("0-3", 1), ("0-3", 2))
    }
    assert len(cycles) == 4


def test_a_run_says_what_repeats_it() -> None:
    words = ["hello", "--kernel", "sw", "--seed", "9", "--wait-states"]
    drawn = CliRunner().invoke(command, [*words, "0-3", "--unit-wait-states", "2"]).output
    assert drawn.endswith("ticks; drawn by --seed 9 --wait-states 0-3\n")
    assert CliRunner().invoke(command, [*words, "3"]).output.endswith(" ticks\n")


@pytest.mark.parametrize("text", ["7-0", "x", "-1", "1001", "0-1001", "1-", "1-2-3"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(RunError) as raised:
        Waits.of(text)
    assert raised.value.exit_code == 2
    assert raised.value.message == (
        f"wait states {text}: allowed is a number of cycles 0 … 1000, as 3, or a range of them from"
        " which each access draws, as 0-7."
    )
