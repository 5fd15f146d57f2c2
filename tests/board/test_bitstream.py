# SPDX-License-Identifier: Apache-2.0
"""The whole way to a bitstream, with yosys, nextpnr and ecppack; and the netlist boots the program
as the RTL does. Minutes each, for `make soak`; what did not change comes from the build cache."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from melanion import board, build, cli, config
from melanion.board import flow
from melanion.board.design import Design, design
from tests.board import boot

pytestmark = pytest.mark.soak

SYSTEMS = ("hwrtos", "banked", "port-vexriscv")
SEEDS = 8
_INIT = re.compile(r"\.bram_init \d+\n((?:[0-9a-f]{3}[ \n]+)+)")


def of(system: str) -> Design:
    return design(board.find("ulx3s_85f"), config.find(system))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_netlist_boots_as_the_rtl_does(system: str) -> None:
    made = of(system)
    words = boot.program(made, "pingpong")
    text = (flow.netlist(made) / "netlist.json").read_text(encoding="utf-8")
    gates = boot.run(boot.netlist(made, text, words), made, words)
    rtl = boot.run(boot.rtl(made), made, words)
    assert (gates.status, gates.console, gates.leds) == (rtl.status, rtl.console, rtl.leds)
    assert rtl.console == "pingpong: 100 rounds\n\nexit 00000000\n"


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_memory_is_inferred_once(system: str) -> None:
    """16 block RAMs for 32 KiB."""
    made = of(system)
    text = (flow.netlist(made) / "netlist.json").read_text(encoding="utf-8")
    names = set(re.findall(r'"([\w.\[\]]*u_memory\.words[\w.\[\]]*)": \{\n\s+"hide_name"', text))
    rams = [name for name in names if re.fullmatch(r".*\.words\.\d+\.\d+", name)]
    assert len(rams) == made.system.memory.kib // 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_timing_closes_and_the_bitstream_has_the_program(system: str, tmp_path: Path) -> None:
    made = of(system)
    routed = board.closed(made, SEEDS)[-1]
    sizes = []
    for app in ("pingpong", "sample_pipeline"):
        program = build.program(made.system, build.application(app))
        bit = tmp_path / f"{app}.bit"
        board.bitstream(routed, program, bit)
        sizes.append(bit.read_bytes())
        unpacked = tmp_path / f"{app}.unpacked"
        tool = Path(sys.executable).with_name("yowasp-ecpunpack")
        words = [str(tool), "--input", bit.name, "--textcfg", unpacked.name]
        subprocess.run(words, cwd=tmp_path, check=True, timeout=600)
        wanted, there = (
            sorted("".join(found.split()) for found in _INIT.findall(file.read_text()))
            for file in (bit.with_suffix(".config"), unpacked)
        )
        assert wanted == there
    assert sizes[0] != sizes[1]


def test_the_command_writes_bitstream_and_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board.closed(of("hwrtos"), SEEDS)
    for words in (["pingpong"], ["--load", "sample_pipeline"]):
        with pytest.raises(SystemExit) as end:
            cli.main(["board", "ulx3s_85f", "hwrtos", *words, "--output", str(tmp_path)])
        assert end.value.code == 0
        folder = tmp_path / "ulx3s_85f-hwrtos"
        assert (folder / f"{words[-1]}.bit").stat().st_size > 100_000
        report = (folder / "report.md").read_text(encoding="utf-8")
        assert f"# {words[-1]} on hwrtos" in report
        assert "| block RAMs |" in report
        assert "| commit |" in report
    assert "cells" in capsys.readouterr().out
