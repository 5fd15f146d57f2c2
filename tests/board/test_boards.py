# SPDX-License-Identifier: Apache-2.0
"""Board files: those that come with Melanion are right, and each error is one sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from melanion import board, config, paths
from melanion.board import Board, BoardError, Trace, device, flow
from melanion.board.design import design

NAMES = board.names()
GOOD = (paths.data_root() / "boards" / "ulx3s_85f.yaml").read_text(encoding="utf-8")


def test_there_are_boards() -> None:
    assert {"ulx3s_85f", "ulx3s_25f", "orangecrab_25f"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_pins_are_in_the_package(name: str) -> None:
    """By the database with which bitstreams are packed."""
    found = board.find(name)
    there = device.packages(found.device)[found.package]
    assert set(found.pins.values()) <= there
    assert len(set(found.pins.values())) == len(found.pins)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("system", ["hwrtos", "port-vexriscv", "sw"])
def test_clocks_can_be_made(name: str, system: str) -> None:
    made = design(board.find(name), config.find(system))
    pll, oscillator = made.pll, made.board.oscillator.mhz
    fast = oscillator * pll.feedback // pll.input
    assert fast == made.system.clock_mhz * made.system.clock_ratio
    assert oscillator * pll.feedback % pll.input == 0
    assert 400 <= fast * pll.fast <= 800
    assert oscillator / pll.input >= 3.125
    package = made.package()
    assert f"PllSlow      = {2 * pll.fast};" in package
    assert made.system.memory.kib == made.board.memory_kib


def ports(found: Board) -> set[str]:
    """Ports of mel_board_top, bit by bit."""
    counts: dict[str, Sequence[object]] = {
        "leds_o": found.leds.pins,
        "buttons_i": found.buttons,
        "fixed_o": found.fixed,
    }
    vectors = {f"{port}[{i}]" for port, each in counts.items() for i in range(len(each))}
    return {"clk_i", "uart_tx_o", "uart_rx_i", "gpio_o[0]", "gpio_o[1]", *vectors}


@pytest.mark.parametrize("trace", [None, "lossless"])
@pytest.mark.parametrize("name", NAMES)
def test_every_port_has_a_place(name: str, trace: Trace | None) -> None:
    found = board.find(name)
    made = design(found, config.find("hwrtos"), trace=trace)
    text = made.constraints()
    places = dict(re.findall(r'LOCATE COMP "([^"]+)" SITE "([^"]+)"', text))
    own = {"trace_tx_o"} if trace else set()
    assert set(places) == ports(found) | own
    pins = {path: pin for path, pin in found.pins.items() if trace or path != ("trace", "tx")}
    assert sorted(places.values()) == sorted(pins.values())
    assert len(re.findall("IO_TYPE", text)) == len(places)
    assert text.count("FREQUENCY PORT") == 1
    removed = "delete -port mel_board_top/fixed_o" in flow.commands(made)
    assert removed == (not found.fixed)


# ---- errors --------------------------------------------------------------------------------------

WRONG = [
    ("pin: G2,", "pin: G99,", "oscillator.pin is 'G99', which is no pin for signals of LFE5U-85F"),
    ("pin: G2,", "pin: g2,", "is 'g2'; allowed is a pin of the package, such as G2; correct"),
    ("[B2, C2,", "[B2, B2,", "leds.pins[1] is 'B2', which line 11 uses; each pin has one signal"),
    ("speed: 6", "speed: 9", "speed is 9; allowed is 6, 7, 8; correct the value"),
    ("speed: 6", "speed: 6\nspede: 6", "spede is an unknown key; known here are title"),
    ("mhz: 25", "mhz: 1", "oscillator.mhz is 1; allowed is a whole number 8 … 200"),
    ("baud: 1000000", "baud: 1", "uart.baud is 1; allowed is a whole number 1200 … 3000000"),
    ("interrupt: 8}", "interrupt: 2}", "is 2; the interrupt generator has the lines 0 … 3"),
    ("interrupt: 9}", "interrupt: 8}", "is 8, which line 13 uses; write another line"),
    ("interrupt: 9}", "interrupt: 64}", "is 64; allowed is a whole number 0 … 63"),
    ("CABGA381", "TQFP144", "is 'TQFP144'; LFE5U-85F is made in CABGA381"),
    ("LFE5U-85F\npackage", "LFE5U-85\npackage", "device is 'LFE5U-85'; allowed is LFE5U-12F"),
    ("package: CABGA381\n", "", "package is missing; add it"),
    ("tx: A9,", "tx: B11,", "gpio.interrupt is 'B11', which line"),
    ("tx: A9, ", "", "trace.tx is missing; add it"),
    ("baud: 2000000", "baud: 1", "trace.baud is 1; allowed is a whole number 9600 … 12000000"),
]


@pytest.mark.parametrize(("old", "new", "said"), WRONG)
def test_errors_name_key_value_and_what_is_allowed(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    file = tmp_path / "mine.yaml"
    assert old in GOOD
    file.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BoardError) as error:
        board.find(str(file))
    first = error.value.message.splitlines()[0]
    assert said in first
    assert re.match(rf"{re.escape(str(file))}:\d+: ", first)
    assert error.value.exit_code == 2


def test_a_file_of_ones_own_is_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(GOOD, encoding="utf-8")
    assert board.find(str(file)).name == "mine"


def test_an_unknown_board_is_named() -> None:
    with pytest.raises(BoardError, match=r"'ulx3s' is no board; there are .*; did you mean ulx3s_"):
        board.find("ulx3s")


@pytest.mark.parametrize(
    ("system", "clock", "said"),
    [
        ("hwrtos-2", None, "hwrtos-2: it has 2 cores; the devices of a board serve one"),
        ("hwrtos@pci", None, "wait states, a slow bridge and caches in front of the memory"),
        ("hwrtos", 23, "no dividers of the PLL make 46 MHz of 25 MHz; ask for another frequency"),
        ("hwrtos", 5, "uart.baud is 1000000; at 5 MHz allowed is at most 625000; ask for a higher"),
        ("hwrtos[tick_us=10]", None, "tick_us is 10; at 20 MHz the kernel needs 576 cycles"),
    ],
)
def test_what_does_not_fit_a_board_is_refused(system: str, clock: int | None, said: str) -> None:
    with pytest.raises(BoardError) as error:
        design(board.find("ulx3s_85f"), config.find(system), clock).package()
    assert said in error.value.message


@pytest.mark.parametrize(
    ("system", "baud", "said"),
    [
        (
            "sw",
            2_000_000,
            "sw: a trace is of the hardware unit and the objects in it; name a system",
        ),
        ("booster", 2_000_000, "booster: a trace is of the hardware unit and the objects in it"),
        (
            "hwrtos[tasks=256]",
            2_000_000,
            "it has 256 tasks; the trace allows 254; lower the parameter",
        ),
        ("port", 100_000, "trace.baud is 100000; a unit at 40 MHz makes 400000 … 5000000 baud"),
        ("port", 4_200_000, "5000000 baud, whole cycles in a bit, to 2%; write another rate."),
    ],
)
def test_a_trace_that_does_not_fit_is_refused(system: str, baud: int, said: str) -> None:
    found = board.find("ulx3s_85f")
    assert found.trace is not None
    uart = found.trace.model_copy(update={"baud": baud})
    with pytest.raises(BoardError) as error:
        design(found.model_copy(update={"trace": uart}), config.find(system), trace="lossy")
    assert said in error.value.message


def test_a_board_without_a_trace_says_so(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(re.sub(r"trace: .*\n", "", GOOD), encoding="utf-8")
    found = board.find(str(file))
    assert design(found, config.find("hwrtos")).trace is None
    with pytest.raises(BoardError, match="mine: the board file has no key `trace`"):
        design(found, config.find("hwrtos"), trace="lossy")


def test_a_trace_is_no_part_of_a_board_without_one(tmp_path: Path) -> None:
    """Its pin may move, and files of soc/board/trace may change: the rows of others stand."""
    file = tmp_path / "ulx3s_85f.yaml"
    file.write_text(GOOD.replace("tx: A9", "tx: B10"), encoding="utf-8")
    first, moved = (board.find(name) for name in ("ulx3s_85f", str(file)))
    system = config.find("hwrtos")
    assert design(first, system).digest == design(moved, system).digest
    assert (
        design(first, system, trace="lossy").digest != design(moved, system, trace="lossy").digest
    )
    names = {name for name, _ in design(first, system).compiled()}
    assert not any(name.startswith("mel_trace") for name in names)
    assert "mel_trace.sv" in {name for name, _ in design(first, system, trace="lossy").compiled()}
