# SPDX-License-Identifier: Apache-2.0
"""A unit at twice the clock of its cores (docs/decisions/0035): programs on all couplings, one core
and several, replayed; ticks and times stay those of the cores. Refused configurations:
test_config.py; random commands: tests/random/test_random_engine.py."""

from __future__ import annotations

import numpy as np
import pytest
from mel_gen import TraceKind

from melanion import build, config, soc
from melanion.build.library import sources as kernel_sources
from melanion.docs import sources
from melanion.docs.pages import unit_clock
from melanion.run import RunResult, run_program

LATER = pytest.mark.soak
TOPS = ("mel_top.sv", "mel_unit_tile.sv")


def run(name: str, app: str) -> RunResult:
    """An application that comes with Melanion; RunError and ReplayError pass."""
    return run_program(config.find(name), build.application(app))


@pytest.mark.parametrize(
    "name",
    [
        "hwrtos-micro-double",
        "banked-micro-double",
        pytest.param("port-micro-double", marks=LATER),
        pytest.param("hwrtos-micro-double-4", marks=LATER),
    ],
)
def test_a_program_runs_on_each_coupling(name: str) -> None:
    result = run(name, "pingpong")
    assert result.code == 0
    assert result.console == "pingpong: 100 rounds\n"


@pytest.mark.parametrize(
    ("name", "used"),
    [
        ("banked-micro-double-2", 2),
        pytest.param("hwrtos-micro-double-4", 3, marks=LATER),
        pytest.param("banked-micro-double-4", 3, marks=LATER),
    ],
)
def test_a_program_runs_on_several_cores(name: str, used: int) -> None:
    result = run(name, "pipeline")
    assert result.console == f"pipeline: 200 words through 3 stages on {used} cores\n"


@pytest.mark.parametrize("name", ["hwrtos-micro-double", pytest.param("hwrtos-micro", marks=LATER)])
def test_a_tick_has_its_length_in_cycles_of_the_cores(name: str) -> None:
    events = run(name, "blinker").events
    ticks = events["cycle"][events["kind"] == TraceKind.TICK]
    length = config.find(name).clock_hz // 10_000  # the program's: 100 µs
    assert len(ticks) > 10
    # A tick may wait for the steps of a command; none is lost.
    assert np.abs(np.diff(ticks.astype(np.int64)) - length).max() < 64
    assert abs(int(ticks[-1] - ticks[0]) - length * (len(ticks) - 1)) < 64


@pytest.mark.parametrize("old", ["hwrtos", "banked"])
def test_twice_the_clock_makes_up_for_the_program(old: str) -> None:
    """A run takes at most 2 % more cycles than on the unit with a path per command; the program at
    the cores' clock takes more."""
    before, twice = (run(f"{old}{kind}", "pingpong").cycles for kind in ("", "-micro-double"))
    assert twice <= 1.02 * before
    assert run(f"{old}-micro", "pingpong").cycles > 1.02 * before


def test_no_row_is_slower_at_twice_the_clock() -> None:
    values = unit_clock.largest()
    found = [old for old in unit_clock.OLD if f"{old}-micro-double" in values]
    assert "hwrtos" in found
    for old in found:
        twice, once = values[f"{old}-micro-double"], values.get(f"{old}-micro", {})
        assert twice.keys() == values[old].keys()
        assert [label for label, most in once.items() if most < twice[label]] == []


def test_rows_that_are_late_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [old + kind for old in unit_clock.OLD for kind in unit_clock.KINDS]
    rows = {name: {("yield", ""): 5} for name in names}
    monkeypatch.setattr(unit_clock, "largest", lambda: rows)
    rows["port-micro-double"]["yield", ""] = 6
    assert unit_clock.late() == []
    assert unit_clock.missed().startswith("No row is slower")
    rows["banked-micro-double"]["yield", ""] = 7
    assert unit_clock.late() == [("banked", ("yield", ""), 2)]
    assert "| `banked` | Yield to another task | 2 |" in unit_clock.missed()


def test_programs_are_the_same() -> None:
    once, twice = (config.find(name) for name in ("hwrtos-micro", "hwrtos-micro-double"))
    files = [soc.files(system, {}) for system in (once, twice)]
    header, other = (each["mel_system.h"] for each in files)
    assert header.replace(once.name, "") == other.replace(twice.name, "")
    assert kernel_sources(once) == kernel_sources(twice)


def test_other_systems_have_one_clock() -> None:
    package = soc.system_package(config.find("hwrtos-micro"))
    assert "MEL_UNIT_CLOCK_2" not in package
    assert "MEL_UNIT_CLOCK_2" in soc.system_package(config.find("hwrtos-micro-double"))
    for path in soc.top_sources(config.find("hwrtos")):
        if path.name in TOPS:
            text = path.read_text(encoding="utf-8")
            assert "clk_unit_i," in sources.chosen(text, double=True)
            assert "clk_unit_i," not in sources.chosen(text, double=False)


def test_only_the_other_branch_is_left_out() -> None:
    begin, end = "`ifdef MEL_UNIT_CLOCK_2\n", "`endif\n"
    text = f"a\n{begin}b\n`else\nc\n{end}d\n{begin}e\n{end}"
    assert sources.chosen(text, double=True) == "a\nb\nd\ne\n"
    assert sources.chosen(text, double=False) == "a\nc\nd\n"
