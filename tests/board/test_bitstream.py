# SPDX-License-Identifier: Apache-2.0
"""The whole way to a bitstream, with yosys, nextpnr and ecppack; and the netlist boots the program
as the RTL does. Minutes each, for `make soak`; what did not change comes from the build cache."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from melanion import board, build, cli, config
from melanion.area import tools
from melanion.board import flow
from melanion.board.design import TOP, Design, design
from melanion.board.device import OPTIONS
from tests.board import boot

pytestmark = pytest.mark.soak

SYSTEMS = ("hwrtos", "port-vexriscv")  # routed within minutes; banked is not
SEEDS = 8
_INIT = re.compile(r"\.bram_init \d+\n((?:[0-9a-f]{3}[ \n]+)+)")


def of(system: str) -> Design:
    return design(board.find("ulx3s_85f"), config.find(system))


@pytest.mark.parametrize("system", [*SYSTEMS, "banked"])
def test_the_netlist_boots_as_the_rtl_does(system: str) -> None:
    """Console, exit, LEDs, and the cycle in which the last bit is sent."""
    made = of(system)
    words = boot.program(made, "pingpong")
    text = (flow.netlist(made) / "netlist.json").read_text(encoding="utf-8")
    gates = boot.run(boot.netlist(made, text, words), made, words)
    rtl = boot.run(boot.rtl(made), made, words)
    assert gates == rtl
    assert rtl.console == "pingpong: 100 rounds\n\nexit 00000000\n"


def test_a_wrong_gate_is_seen() -> None:
    """The LUT in front of the flip-flop that drives the UART, inverted."""
    made = of("sw")
    words = boot.program(made, "pingpong")
    text = (flow.netlist(made) / "netlist.json").read_text(encoding="utf-8")
    wrong = json.loads(text)
    module = wrong["modules"][TOP]
    (sent,) = module["ports"]["uart_tx_o"]["bits"]
    cells = module["cells"].values()
    (last,) = [c for c in cells if c["type"] == "TRELLIS_FF" and c["connections"]["Q"] == [sent]]
    (lut,) = [
        c
        for c in cells
        if c["type"] == "LUT4" and c["connections"]["Z"] == last["connections"]["DI"]
    ]
    lut["parameters"]["INIT"] = lut["parameters"]["INIT"].translate({48: "1", 49: "0"})
    good = boot.run(boot.netlist(made, text, words), made, words)
    bad = boot.run(boot.netlist(made, json.dumps(wrong), words), made, words)
    assert good.status == 0
    assert bad.status != 0


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
    for app in ("pingpong", "hello"):
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


@pytest.mark.parametrize("name", board.names())
def test_nextpnr_takes_the_pins(name: str, tmp_path: Path) -> None:
    """A design of nothing but pins is placed."""
    found = board.find(name)
    made = design(found, config.find("hwrtos"))
    counts: dict[str, Sequence[object]] = {
        "output leds_o": found.leds.pins,
        "input buttons_i": found.buttons,
    }
    counts |= {"output fixed_o": found.fixed} if found.fixed else {}
    ports = ["input clk_i", "input uart_rx_i", "output uart_tx_o", "output [1:0] gpio_o"]
    ports += [port.replace(" ", f" [{len(each) - 1}:0] ") for port, each in counts.items()]
    driven = ["leds_o = {32{^buttons_i}}", "gpio_o = {clk_i, uart_rx_i}", "uart_tx_o = uart_rx_i"]
    driven += ["fixed_o = 1"] if found.fixed else []
    (tmp_path / "pins.v").write_text(
        f"module {TOP}({', '.join(ports)}); assign {', '.join(driven)}; endmodule\n"
    )
    (tmp_path / "run.ys").write_text(
        f"read_verilog pins.v\nsynth_ecp5 -top {TOP}\nwrite_json netlist.json\n"
    )
    (tmp_path / "board.lpf").write_text(made.constraints())
    place = [tools.nextpnr(), OPTIONS[found.device], "--package", found.package, "-q"]
    place += ["--speed", str(found.speed), "--json", "netlist.json", "--lpf", "board.lpf"]
    for words in (tools.yosys("run.ys"), [*place, "--textcfg", "board.config"]):
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "board.config").stat().st_size > 1000


def test_the_command_writes_bitstream_and_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board.closed(of("hwrtos"), SEEDS)
    for words in (["pingpong"], ["--load", "hello"]):
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
