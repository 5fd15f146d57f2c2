# SPDX-License-Identifier: Apache-2.0
"""The top of a board boots programs: its RTL, simulated with a model of the PLL and talked to over
its UART."""

from __future__ import annotations

from pathlib import Path

import pytest

from melanion import board, config, paths
from melanion.board.design import Design, design
from tests.board import boot

PINGPONG = "pingpong: 100 rounds\n\nexit 00000000\n"
DEVICES = Path(__file__).with_name("devices")


def of(name: str, system: str) -> Design:
    return design(board.find(name), config.find(system))


# Their simulations take half a minute.
SLOW = [pytest.param(name, marks=pytest.mark.soak) for name in ("banked", "port-vexriscv")]


@pytest.mark.parametrize("system", ["hwrtos", "sw", *SLOW])
def test_pingpong_prints_over_the_uart(system: str) -> None:
    """Couplings, both ratios of clocks, both cores, and a kernel with timer and controller."""
    made = of("ulx3s_85f", system)
    result = boot.run(boot.rtl(made), made, boot.program(made, "pingpong"))
    assert (result.status, result.console) == (0, PINGPONG)
    assert result.leds == 0x80  # ended, exit code 0


def test_each_device_of_a_board_works() -> None:
    made = of("ulx3s_85f", "hwrtos")
    result = boot.run(boot.rtl(made), made, boot.program(made, DEVICES), "xB")
    assert result.console == "a\nb\n\nexit 00000028\n"
    assert result.leds == 0x80 | 40
    # Each interrupt rises and each marker lets it fall; a pressed button stays.
    assert result.gpio == (3, 2)


def test_a_wrong_program_is_seen() -> None:
    """The bench does not say what it did not hear."""
    made = of("ulx3s_85f", "hwrtos")
    words = boot.program(made, "pingpong")
    silent = [0] * len(words)
    result = boot.run(boot.rtl(made), made, silent)
    assert (result.status, result.console) == (1, "")


@pytest.mark.parametrize("name", board.names())
def test_the_top_of_every_board_lints(name: str) -> None:
    """Verilator elaborates it, and finds nothing in the files of soc/board."""
    assert boot.lint(of(name, "hwrtos")) == []


def test_the_top_lints_with_one_clock() -> None:
    assert boot.lint(of("ulx3s_85f", "sw")) == []


def test_lint_finds_something() -> None:
    text = (paths.data_root() / "soc" / "board" / "mel_input.sv").read_text(encoding="utf-8")
    wrong = text.replace("endmodule", "  logic never;\nendmodule")
    found = boot.lint(of("ulx3s_85f", "hwrtos"), {"mel_input.sv": wrong})
    assert any("never" in line for line in found)
