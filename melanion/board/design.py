# SPDX-License-Identifier: Apache-2.0
"""A system on a board: what both decide together, and the files for the tools."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import jinja2

import melanion.board.device as device
from melanion import paths, soc
from melanion.board.errors import BoardError
from melanion.board.schema import Board
from melanion.build import own
from melanion.config import System
from melanion.templates import environment

TOP = "mel_board_top"
PACKAGE = "mel_board_pkg.sv"
HOST = "mel_host_pkg.sv"
MEMORY = "mel_memory.hex"
SEED = 24  # decides the words that a design is synthesized and routed with
USUAL_IO = "LVCMOS33"
BUTTON_MS = 10  # between two looks at a button
# The trace: entries of its queue; tasks of a system with one, for their numbers are bytes; clocks
# of the unit in a bit; how far its baud rate may be off.
TRACE_DEPTH = 512
TRACE_TASKS = 254
TRACE_CLOCKS = (8, 100)
TRACE_ERROR = 0.02
# Folders of soc/ that only a simulation has; mel_host is the simulation's own device.
_SIMULATION = ("probes", "debug")
_REPLACED = ("mel_host.sv",)


Trace = Literal["lossless", "lossy"]


@dataclass(frozen=True)
class Design:
    """`system`: as it is on the board, with its clock and memory there; `trace`: what the unit does
    goes out (soc/board/trace), and the cores wait for it, or records are lost."""

    board: Board
    system: System
    trace: Trace | None = None
    trace_depth: int = TRACE_DEPTH

    @property
    def name(self) -> str:
        traced = f" with a {self.trace} trace" if self.trace else ""
        return f"{self.system.name} on {self.board.name}{traced}"

    @property
    def unit_hz(self) -> int:
        """Clock of the unit."""
        return self.system.clock_hz * self.system.clock_ratio

    @property
    def clocks(self) -> dict[str, int]:
        """Net of a clock → MHz."""
        core = self.system.clock_mhz
        if self.system.clock_ratio == 1:
            return {"clk_fast": core}
        return {"clk_slow": core, "clk_fast": 2 * core}

    @property
    def defines(self) -> tuple[str, ...]:
        traced = ("MEL_BOARD_TRACE",) if self.trace else ()
        return ("SYNTHESIS", "MEL_BOARD", *traced)

    @cached_property
    def pll(self) -> device.Pll:
        fast = self.system.clock_mhz * self.system.clock_ratio
        return device.pll(self.board.oscillator.mhz, fast)

    def package(self) -> str:
        """mel_board_pkg. Raises BoardError."""
        board, clock_hz = self.board, self.system.clock_hz
        folder = (paths.data_root() / "soc" / "board").resolve()
        lines = [64 if each.interrupt is None else each.interrupt for each in board.buttons]
        template = environment(jinja2.FileSystemLoader(folder)).get_template(f"{PACKAGE}.j2")
        return template.render(
            board=board,
            clock_mhz=self.system.clock_mhz,
            ratio=self.system.clock_ratio,
            pll=self.pll,
            clocks_per_bit=round(clock_hz / board.uart.baud),
            sample_bits=(clock_hz * BUTTON_MS // 1000).bit_length() - 1,
            generated=device.GENERATED,
            button_lines=lines,
            receiver_line=64 if board.uart.interrupt is None else board.uart.interrupt,
            trace=self.trace,
            trace_depth=self.trace_depth,
            trace_clocks_per_bit=self.trace_clocks_per_bit,
        )

    @property
    def trace_clocks_per_bit(self) -> int:
        """Cycles of the unit; 0: no trace."""
        return round(self.unit_hz / self.board.trace.baud) if self.board.trace else 0

    def constraints(self) -> str:
        """Pins and the oscillator's clock, in nextpnr's format (LPF)."""
        board = self.board
        found = [_placed("clk_i", board.oscillator.pin)]
        found.append(f'FREQUENCY PORT "clk_i" {board.oscillator.mhz} MHZ;\n')
        found += [_placed("uart_tx_o", board.uart.tx), _placed("uart_rx_i", board.uart.rx, "UP")]
        if self.trace and board.trace:
            found.append(_placed("trace_tx_o", board.trace.tx))
        found += [_placed(f"leds_o[{i}]", pin) for i, pin in enumerate(board.leds.pins)]
        for i, button in enumerate(board.buttons):
            pull = "DOWN" if button.active == "high" else "UP"
            found.append(_placed(f"buttons_i[{i}]", button.pin, pull, button.io))
        found.append(_placed("gpio_o[0]", board.gpio.interrupt))
        found.append(_placed("gpio_o[1]", board.gpio.marker))
        found += [_placed(f"fixed_o[{i}]", each.pin) for i, each in enumerate(board.fixed)]
        return "".join(found)

    def sources(self) -> soc.Sources:
        """Files that both packages do not need, in compile order; those of `tops` come behind."""
        found = soc.rtl_sources(self.system)
        here = _here()
        files = [
            here.get(path.name, path)
            for path in own.replaced(self.system, found.files)
            if path.parent.name not in _SIMULATION and path.name not in _REPLACED
        ]
        return soc.Sources((here[HOST], *files), found.includes)

    def tops(self) -> tuple[Path, ...]:
        """Files behind the packages of the system and of the board."""
        there = {path.name for path in self.sources().files}
        more = [path for name, path in _here().items() if name not in there]
        traced = _trace() if self.trace else ()
        return (*more, *traced, *soc.top_sources(self.system), _folder() / f"{TOP}.sv")

    def compiled(self) -> list[tuple[str, bytes]]:
        """Name and content of every file, in compile order."""
        made = [
            ("mel_system_pkg.sv", soc.system_package(self.system).encode()),
            (PACKAGE, self.package().encode()),
        ]
        first = [(path.name, path.read_bytes()) for path in self.sources().files]
        return [*first, *made, *((path.name, path.read_bytes()) for path in self.tops())]

    def included(self) -> list[tuple[str, bytes]]:
        """Name and content of every header that these files may include."""
        compiled = {path.name for path in self.sources().files}
        return [
            (path.name, path.read_bytes())
            for folder in self.sources().includes
            for path in sorted(folder.glob("*.sv*"))
            if path.name not in compiled
        ]

    def filling(self) -> list[int]:
        """Random words in the place of a program: so each block RAM of the memory is found again
        in the netlist, in the routed design and in its configuration."""
        numbers = random.Random(SEED)
        return [numbers.getrandbits(32) for _ in range(self.system.memory.kib * 256)]

    @property
    def digest(self) -> str:
        """Short digest over all keys of board and system."""
        board = self.board.model_dump()
        traced = [self.trace, self.trace_depth] if self.trace else []
        if not traced:
            del board["trace"]
        system = self.system.model_dump(exclude={"unit_protection"})  # none: others are refused
        text = json.dumps([board, system, *traced], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def design(
    board: Board, system: System, clock_mhz: int | None = None, trace: Trace | None = None
) -> Design:
    """A system as it is on a board: at that clock, with the memory that fits. Raises BoardError."""
    if system.core.count != 1:
        raise BoardError(
            f"{system.name}: it has {system.core.count} cores; the devices of a board serve one;"
            " name a system with one core.",
            2,
        )
    if system.bridge is not None or system.memory.cache is not None or system.unit_wait_states:
        raise BoardError(
            f"{system.name}: wait states, a slow bridge and caches in front of the memory are"
            " models of another machine; name a system without them.",
            2,
        )
    if sentence := soc.refuse_protection(system, "a board"):
        raise BoardError(sentence, 2)
    clock = clock_mhz or board.usual_clock(system.core.type)
    memory = system.memory.model_copy(
        update={
            "kib": min(system.memory.kib, board.memory_kib),
            "wait_states": 0,
            "data_wait_states": None,
        }
    )
    there = system.model_copy(update={"clock_mhz": clock, "memory": memory})
    _check(board, there)
    found = Design(board, there, trace)
    if trace:
        _check_trace(found)
    return found


def _check(board: Board, system: System) -> None:
    """Raises BoardError."""
    if system.tick_cycles < system.tick_cycles_minimum:
        raise BoardError(
            f"{system.name}: tick_us is {system.tick_us}; at {system.clock_mhz} MHz the kernel"
            f" needs {system.tick_cycles_minimum} cycles, it has {system.tick_cycles}; ask for a"
            " higher clock with --clock, or a longer tick.",
            2,
        )
    if round(system.clock_hz / board.uart.baud) < 8:
        raise BoardError(
            f"{board.name}: uart.baud is {board.uart.baud}; at {system.clock_mhz} MHz allowed is"
            f" at most {system.clock_hz // 8}; ask for a higher clock with --clock, or lower it.",
            2,
        )


def _check_trace(design: Design) -> None:
    """Raises BoardError."""
    board, system = design.board, design.system
    if board.trace is None:
        raise BoardError(
            f"{board.name}: the board file has no key `trace`, the UART of the trace; add it with"
            " its pin, or leave --trace out.",
            2,
        )
    if not system.unit or system.kernel_info.in_c:
        raise BoardError(
            f"{system.name}: a trace is of the hardware unit and the objects in it; name a system"
            " with both, such as hwrtos, or leave --trace out.",
            2,
        )
    if system.parameters.tasks > TRACE_TASKS:
        raise BoardError(
            f"{system.name}: it has {system.parameters.tasks} tasks; the trace allows"
            f" {TRACE_TASKS}; lower the parameter, or leave --trace out.",
            2,
        )
    clocks = design.trace_clocks_per_bit
    off = abs(design.unit_hz / (max(clocks, 1) * board.trace.baud) - 1)
    if not TRACE_CLOCKS[0] <= clocks <= TRACE_CLOCKS[1] or off > TRACE_ERROR:
        raise BoardError(
            f"{board.name}: trace.baud is {board.trace.baud}; a unit at"
            f" {design.unit_hz // 1_000_000} MHz makes {design.unit_hz // TRACE_CLOCKS[1]} …"
            f" {design.unit_hz // TRACE_CLOCKS[0]} baud, whole cycles in a bit, to"
            f" {TRACE_ERROR:.0%}; write another rate.",
            2,
        )


def _placed(port: str, pin: str, pull: str | None = None, io: str = USUAL_IO) -> str:
    """`pull`: resistor to a level, which other standards of pins do not have."""
    pulled = f" PULLMODE={pull}" if pull and io == USUAL_IO else ""
    return f'LOCATE COMP "{port}" SITE "{pin}";\nIOBUF PORT "{port}" IO_TYPE={io}{pulled};\n'


def _here() -> dict[str, Path]:
    """Files of soc/board by name, without the top."""
    folders = (_folder() / "ecp5", _folder() / "model", _folder())
    files = [path for folder in folders for path in sorted(folder.glob("*.sv"))]
    return {path.name: path for path in files if path.stem != TOP}


def _trace() -> tuple[Path, ...]:
    """Files of the trace, in compile order: its package first."""
    files = sorted((_folder() / "trace").glob("*.sv"))
    return tuple(sorted(files, key=lambda path: not path.stem.endswith("_pkg")))


def _folder() -> Path:
    return paths.data_root() / "soc" / "board"
