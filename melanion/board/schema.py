# SPDX-License-Identifier: Apache-2.0
"""The shape of a board file (boards/*.yaml), and the rules between its keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

import melanion.board.device as device
from melanion import paths
from melanion.board.errors import BoardError
from melanion.errors import meant
from melanion.spec.check import PATTERN_WORDS, check, sentence
from melanion.spec.schema import Row, Text
from melanion.spec.yaml_file import KeyPath, YamlFile, read

FOLDER = "boards"
PIN = r"^[A-Z]{1,2}[0-9]{1,2}$"
PATTERN_WORDS[PIN] = "a pin of the package, such as G2"

Pin = Annotated[str, StringConstraints(pattern=PIN)]
Line = Annotated[int, Field(ge=0, le=63)]
Level = Literal["high", "low"]
Megahertz = Annotated[int, Field(ge=1, le=400)]


class Oscillator(Row):
    pin: Pin
    mhz: int = Field(ge=8, le=200)


class Uart(Row):
    """`tx`: output of the FPGA; `interrupt`: line that is high while a received character waits."""

    tx: Pin
    rx: Pin
    baud: int = Field(default=115_200, ge=1200, le=3_000_000)
    interrupt: Line | None = None


class TraceUart(Row):
    """UART of the trace (`melanion board --trace`). `tx`: output of the FPGA."""

    tx: Pin
    baud: int = Field(default=2_000_000, ge=9600, le=12_000_000)


class Leds(Row):
    """From the lowest bit on. `active`: level that lights them."""

    pins: list[Pin] = Field(min_length=2, max_length=32)
    active: Level = "high"


class Button(Row):
    """`active`: level while it is pressed; `io`: standard of its pin, which the voltage of its bank
    decides; `interrupt`: line that rises then."""

    name: Text
    pin: Pin
    active: Level = "high"
    io: Literal["LVCMOS33", "SSTL135_I"] = "LVCMOS33"
    interrupt: Line | None = None


class Gpio(Row):
    """Pins for an oscilloscope (soc/board/mel_board_top.sv)."""

    interrupt: Pin
    marker: Pin


class FixedPin(Row):
    """A pin that must have a constant level."""

    name: Text
    pin: Pin
    level: Literal[0, 1]


class UsualClock(Row):
    """Clock of cores of each type when nobody asks for another, in MHz."""

    ibex: Megahertz
    vexriscv: Megahertz


class BoardFile(Row):
    """One board. `memory_kib`: memory of a system that would have more; `programmer`: how
    openFPGALoader calls the board."""

    title: Text
    device: Literal["LFE5U-12F", "LFE5U-25F", "LFE5U-45F", "LFE5U-85F"]
    package: Literal[
        "CABGA256", "CABGA381", "CABGA554", "CABGA756", "CSFBGA285", "CSFBGA381", "TQFP144"
    ]
    speed: Literal[6, 7, 8]
    memory_kib: Literal[32, 64, 128, 256]
    clock_mhz: UsualClock
    oscillator: Oscillator
    uart: Uart
    trace: TraceUart | None = None
    leds: Leds
    buttons: list[Button] = Field(min_length=1, max_length=32)
    gpio: Gpio
    fixed: list[FixedPin] = Field(default=[], max_length=32)
    programmer: Text | None = None


class Board(BoardFile):
    """A checked board. `name`: that of its file."""

    name: Text

    @property
    def pins(self) -> dict[KeyPath, str]:
        """Key → pin."""
        return dict(_pins(self))

    def usual_clock(self, core: str) -> int:
        """Clock of cores of a type, in MHz."""
        clock: int = getattr(self.clock_mhz, core)
        return clock


def names() -> list[str]:
    """Boards that come with Melanion."""
    return sorted(path.stem for path in (paths.data_root() / FOLDER).glob("*.yaml"))


def find(text: str) -> Board:
    """A board by name (`ulx3s_85f`) or by file (`./my.yaml`). Raises BoardError."""
    if text.endswith((".yaml", ".yml")) or "/" in text:
        return load(Path(text))
    if text not in names():
        hint = meant(text, names(), "name one of them, or the path of a file")
        raise BoardError(
            f"{text!r} is no board; there are {', '.join(names())}; {hint}.",
            2,
        )
    return load(paths.data_root() / FOLDER / f"{text}.yaml", f"{FOLDER}/{text}.yaml")


def load(path: Path, name: str | None = None) -> Board:
    """Read one board file; messages call it `name`. Raises BoardError with every error."""
    file = read(path, name or str(path))
    found, problems = check(BoardFile, file)
    if found is not None:
        problems = list(_broken(found, file))
        if not problems:
            return Board(
                name=path.stem, **{key: getattr(found, key) for key in type(found).model_fields}
            )
    raise BoardError("\n".join(problems), 2)


def _pins(board: BoardFile) -> Iterator[tuple[KeyPath, str]]:
    yield ("oscillator", "pin"), board.oscillator.pin
    yield ("uart", "tx"), board.uart.tx
    yield ("uart", "rx"), board.uart.rx
    if board.trace is not None:
        yield ("trace", "tx"), board.trace.tx
    for i, pin in enumerate(board.leds.pins):
        yield ("leds", "pins", i), pin
    for i, button in enumerate(board.buttons):
        yield ("buttons", i, "pin"), button.pin
    yield ("gpio", "interrupt"), board.gpio.interrupt
    yield ("gpio", "marker"), board.gpio.marker
    for i, fixed in enumerate(board.fixed):
        yield ("fixed", i, "pin"), fixed.pin


def _lines(board: BoardFile) -> Iterator[tuple[KeyPath, int]]:
    for i, button in enumerate(board.buttons):
        if button.interrupt is not None:
            yield ("buttons", i, "interrupt"), button.interrupt
    if board.uart.interrupt is not None:
        yield ("uart", "interrupt"), board.uart.interrupt


def _broken(board: BoardFile, file: YamlFile) -> Iterator[str]:
    """A sentence for each rule between keys that is broken."""
    packages = device.packages(board.device)
    if board.package not in packages:
        rest = f"is {board.package!r}; {board.device} is made in {', '.join(sorted(packages))}"
        yield sentence(file, ("package",), f"{rest}; correct the value")
        return
    there = packages[board.package]
    used: dict[str, KeyPath] = {}
    for path, pin in _pins(board):
        if pin not in there:
            rest = f"is {pin!r}, which is no pin for signals of {board.device} in {board.package}"
            yield sentence(file, path, f"{rest}; correct the value")
        elif pin in used:
            first = file.line(used[pin])
            yield sentence(
                file, path, f"is {pin!r}, which line {first} uses; each pin has one signal"
            )
        used.setdefault(pin, path)
    lines: dict[int, KeyPath] = {}
    for path, line in _lines(board):
        if line < device.GENERATED:
            rest = f"is {line}; the interrupt generator has the lines 0 … {device.GENERATED - 1}"
            yield sentence(file, path, f"{rest}; allowed is {device.GENERATED} … 63")
        elif line in lines:
            first = file.line(lines[line])
            yield sentence(file, path, f"is {line}, which line {first} uses; write another line")
        lines.setdefault(line, path)
