# SPDX-License-Identifier: Apache-2.0
"""The signal list of a wave: every signal is in the wave, and what is named has the right names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion import build, config
from melanion.cli import group
from melanion.run import RunError, signals
from melanion.run.tasks import task_names
from tests.system import fst

APP = str(Path(__file__).parent / "drawn")


def missing(listed: list[str], wave: set[str]) -> list[str]:
    """Signals of a list that a wave does not have. GTKWave calls `x [0:0]` x[0]."""
    known = {re.sub(r" \[(\d+):\1\]$", r"[\1]", name).replace(" ", "") for name in wave}
    return [name for name in listed if name not in known]


def listed(file: Path) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line[0] not in "[@^-"]


@pytest.mark.parametrize(
    "name",
    [
        "sw",  # its simulation with waves is needed by other tests, too
        *(pytest.param(n, marks=pytest.mark.soak) for n in ("hwrtos", "banked", "hwrtos-2")),
        *(pytest.param(n, marks=pytest.mark.soak) for n in ("hwrtos-single", "banked-2")),
        pytest.param("hwrtos-protected", marks=pytest.mark.soak),
        pytest.param("port-vexriscv", marks=pytest.mark.soak),
    ],
)
def test_every_signal_is_in_the_wave(name: str, tmp_path: Path) -> None:
    wave = tmp_path / "out.fst"
    done = CliRunner().invoke(group, ["run", APP, "--kernel", name, "--wave", str(wave)])
    assert done.exit_code == 0, done.output
    file = tmp_path / "out.gtkw"
    assert f'[dumpfile] "{wave}"' in file.read_text(encoding="utf-8")
    found, there = listed(file), fst.names(wave)
    assert len(found) > 5
    assert missing(found, there) == []
    assert missing([*found, "TOP.mel_top.nothing"], there) == ["TOP.mel_top.nothing"]
    for place in re.findall(r"^\^\d+ (.*)$", file.read_text(encoding="utf-8"), re.M):
        assert Path(place).is_file()


def test_names_of_values() -> None:
    system = config.find("hwrtos")
    program = build.program(system, build.application(APP))
    tables = signals.tables(system, program, task_names(program))
    assert tables["tasks"][1] == "1 middle"
    assert tables["tasks"][system.parameters.tasks] == "idle"
    assert tables["calls"][17 * 1024 + 3 * 4].endswith(" 3")
    assert tables["calls"][0xFC10] == "dispatch"
    assert tables["statuses"][0xCE] == "E_TMOUT"
    address = program.content.symbols["middle"]
    assert tables["places"][address] == "middle"
    assert tables["places"][address + 2] == "middle+2"


def test_a_list_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    system = config.find("hwrtos")
    program = build.program(system, build.application(APP))
    with pytest.raises(RunError) as error:
        signals.save_list(tmp_path / "nowhere" / "x.fst", system, program, {})
    assert error.value.message == (
        f"{tmp_path}/nowhere/x.gtkw: the signal list cannot be written (No such file or directory);"
        " name another place with --wave."
    )
