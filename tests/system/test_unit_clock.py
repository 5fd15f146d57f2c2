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
        "hwrtos",
        "banked",
        pytest.param("port", marks=LATER),
        pytest.param("hwrtos-4", marks=LATER),
    ],
)
def test_a_program_runs_on_each_coupling(name: str) -> None:
    result = run(name, "pingpong")
    assert result.code == 0
    assert result.console == "pingpong: 100 rounds\n"


@pytest.mark.parametrize(
    ("name", "used"),
    [
        ("banked-2", 2),
        pytest.param("hwrtos-4", 3, marks=LATER),
        pytest.param("banked-4", 3, marks=LATER),
    ],
)
def test_a_program_runs_on_several_cores(name: str, used: int) -> None:
    result = run(name, "pipeline")
    assert result.console == f"pipeline: 200 words through 3 stages on {used} cores\n"


@pytest.mark.parametrize("name", ["hwrtos", pytest.param("hwrtos-single", marks=LATER)])
def test_a_tick_has_its_length_in_cycles_of_the_cores(name: str) -> None:
    events = run(name, "blinker").events
    ticks = events["cycle"][events["kind"] == TraceKind.TICK]
    length = config.find(name).clock_hz // 10_000  # the program's: 100 µs
    assert len(ticks) > 10
    # A tick may wait for the steps of a command; none is lost.
    assert np.abs(np.diff(ticks.astype(np.int64)) - length).max() < 64
    assert abs(int(ticks[-1] - ticks[0]) - length * (len(ticks) - 1)) < 64


@pytest.mark.parametrize("name", ["hwrtos", "banked"])
def test_twice_the_clock_takes_fewer_cycles(name: str) -> None:
    twice, once = (run(name + kind, "pingpong").cycles for kind in ("", unit_clock.SINGLE))
    assert once > 1.02 * twice


def test_no_row_is_slower_at_twice_the_clock() -> None:
    now, before = unit_clock.now(), unit_clock.before()
    for name in unit_clock.SYSTEMS:
        once = now.get(name + unit_clock.SINGLE, {})
        assert now[name].keys() == before[name].keys()
        assert [label for label, most in once.items() if most < now[name][label]] == []
    assert {"hwrtos-single", "banked-single"} <= now.keys()


def test_rows_that_are_late_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    row = "yield", ""
    for name in ("now", "before"):
        found = {system: {row: 5} for system in unit_clock.SYSTEMS}
        monkeypatch.setattr(unit_clock, name, lambda found=found: found)
    rows = unit_clock.now()
    rows["port"][row] = 6
    assert unit_clock.late() == []
    assert unit_clock.missed().startswith("No row is slower")
    rows["banked"][row] = 7
    assert unit_clock.late() == [("banked", row, 2)]
    assert "| `banked` | Yield to another task | 2 |" in unit_clock.missed()


def test_programs_are_the_same() -> None:
    once, twice = (config.find(name) for name in ("hwrtos-single", "hwrtos"))
    files = [soc.files(system, {}) for system in (once, twice)]
    header, other = (each["mel_system.h"] for each in files)
    assert header.replace(once.name, twice.name) == other
    assert kernel_sources(once) == kernel_sources(twice)


def test_other_systems_have_one_clock() -> None:
    package = soc.system_package(config.find("hwrtos-single"))
    assert "MEL_UNIT_CLOCK_2" not in package
    assert "MEL_UNIT_CLOCK_2" in soc.system_package(config.find("hwrtos"))
    for path in soc.top_sources(config.find("hwrtos-single")):
        if path.name in TOPS:
            text = path.read_text(encoding="utf-8")
            assert "clk_unit_i," in sources.chosen(text, double=True)
            assert "clk_unit_i," not in sources.chosen(text, double=False)


def test_only_the_other_branch_is_left_out() -> None:
    begin, end = "`ifdef MEL_UNIT_CLOCK_2\n", "`endif\n"
    text = f"a\n{begin}b\n`else\nc\n{end}d\n{begin}e\n{end}"
    assert sources.chosen(text, double=True) == "a\nb\nd\ne\n"
    assert sources.chosen(text, double=False) == "a\nc\nd\n"


def test_the_branch_of_a_board_is_left_out() -> None:
    text = "a\n`ifdef MEL_BOARD\nb\n`else\nc\n`endif\n`ifdef MEL_BOARD\nd\n`endif\ne\n"
    for double in (True, False):
        assert sources.chosen(text, double=double) == "a\nc\ne\n"
    for path in soc.top_sources(config.find("hwrtos")):
        seen = sources.chosen(path.read_text(encoding="utf-8"), double=True)
        assert "MEL_BOARD" not in seen.replace("With MEL_BOARD", "")
