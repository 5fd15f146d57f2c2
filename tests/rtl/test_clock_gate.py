# SPDX-License-Identifier: Apache-2.0
"""The unit sleeps only when it may: with ClockGate = 1 it does in every cycle what it does with 0.

The same random scripts run on both; all that the bench sees of the unit, events and answers with
their cycles, must be equal. The counter-proof: a unit that forgets a reason to stay awake.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.common.verilated import BenchError
from tests.random import bench
from tests.random.bench import Outcome
from tests.random.campaign import SIZES, Case, cases, cycle_bound
from tests.random.generate import generate
from tests.random.profiles import PROFILES

FREE, GATED = (f"parameter bit          ClockGate     = 1'b{value}" for value in (0, 1))
COMMANDS = 500
# What the unit forgets → texts of mel_unit.sv, before and after.
FORGETS = {
    "a request": [("(|{req_valid, taken, ", "(|{")],
    # The cycles for which it lingers have place for a response.
    "a response": [
        ("taken, rsp_valid});", "taken});"),
        ("linger_q <= busy ? '1 : linger_q - 2'd1;", "linger_q <= '0;"),
    ],
    "a job": [("aging || (|jobs) || ", "aging || ")],
    "what it executes": [("clear || engine_busy || ", "clear || ")],
}
SEEDS = range(1, 6)
QUICK = "a job"


@contextmanager
def gated(size: str, forgets: str = "") -> Iterator[Path]:
    """The bench of the unit with its clock gated, without assertions; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="melanion-gated-") as folder:
        copy = Path(folder) / "engine"
        shutil.copytree(bench.RTL, copy)
        file = copy / "mel_unit.sv"
        text = file.read_text(encoding="utf-8")
        for old, new in [(FREE, GATED), *FORGETS.get(forgets, [])]:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")
        program = bench.build(SIZES[size], copy, assertions=False)
        try:
            yield program
        finally:
            shutil.rmtree(program.parent, ignore_errors=True)


def outcome(case: Case, program: Path) -> Outcome:
    entries = generate(case.seed, case.limits, PROFILES[case.profile], case.commands)
    return bench.run(program, case.limits, entries, case.seed, cycle_bound(case.limits))


def differs(case: Case, program: Path) -> bool:
    try:
        return outcome(case, program) != outcome(case, case.build())
    except BenchError:
        return True


@pytest.mark.parametrize(
    ("size", "seeds"),
    [
        ("small", 1),
        *(pytest.param(size, 3, marks=pytest.mark.soak) for size in ("tiny", "odd", "two")),
    ],
)
def test_every_cycle_is_the_same(size: str, seeds: int) -> None:
    with gated(size) as program:
        for case in cases([size], range(1, 1 + seeds), COMMANDS):
            assert not differs(case, program), case.replay_command()


@pytest.mark.parametrize(
    "forgets",
    [pytest.param(name, marks=[] if name == QUICK else [pytest.mark.soak]) for name in FORGETS],
)
def test_sleeping_too_early_is_noticed(forgets: str) -> None:
    with gated("small", forgets) as program:
        assert any(differs(case, program) for case in cases(["small"], SEEDS, COMMANDS))
