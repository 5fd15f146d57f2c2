# SPDX-License-Identifier: Apache-2.0
"""Boots a program on the top of a board, simulated: its RTL, or a netlist of it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from melanion import build
from melanion.board import contents
from melanion.board.design import MEMORY, TOP, Design
from melanion.build import tools
from melanion.trace import EVENT, Events
from tests.board.netlist import verilog
from tests.common import verilated
from tests.common.verilated import ROOT

DRIVER = Path(__file__).with_name("boot.cpp")
FOLDER = ROOT / "build" / "board"  # RTL of each design, with headers beside it
OPTIONS = ("-DSYNTHESIS", "-DMEL_BOARD", "--no-assert", "--x-initial", "fast")
MODELS = sorted((ROOT / "soc" / "board" / "model").glob("*.sv"))
CELLS = Path(__file__).with_name("cells.sv")
NETLIST_OPTIONS = ("--no-assert", "--x-initial", "fast")
PROBE = ROOT / "soc" / "probes" / "mel_probe_unit.sv"
INCLUDED = FOLDER / "included"  # headers of designs with a trace
HEARD = ("-CFLAGS", "-DBOOT_TRACE")  # the driver listens to the trace
LIMIT = 400_000  # cycles of the core
_STATE = re.compile(r"edges (\d+) leds (\w+) gpio (\d+) (\d+)")


@dataclass(frozen=True)
class Boot:
    """`console`: what the UART sent; `edges` of clk_i until the end; `gpio`: changes of each."""

    status: int
    console: str
    edges: int
    leds: int
    gpio: tuple[int, int]


@dataclass(frozen=True)
class Traced:
    """`stream`: bytes of the trace UART; `events`: those of the simulation's probe, with cycles of
    the unit."""

    status: int
    console: str
    stream: bytes
    events: Events


def files(design: Design, folder: Path) -> list[Path]:
    """Write the RTL of a design; return what is to be compiled, in order."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (*design.included(), *design.compiled()):
        (folder / name).write_bytes(content)
    return [folder / name for name, _ in design.compiled()]


def rtl(design: Design) -> Path:
    """The simulation of the RTL. Raises BenchError."""
    place = FOLDER / f"{design.board.name}-{design.system.name}"
    sources = files(design, place)
    return verilated.build(TOP, sources, DRIVER, [*OPTIONS, f"-I{place}"])


def traced(design: Design, more: Mapping[str, str] | None = None) -> Path:
    """The simulation of the RTL of a design with a trace, and the probe of the simulation beside
    it. `more`: another text of some files. Raises BenchError."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        sources = files(design, place)
        texts = {PROBE.name: PROBE.read_text(encoding="utf-8"), **(more or {})}
        for name, text in texts.items():
            (place / name).write_text(text, encoding="utf-8")
        flags = ["-DMEL_BOARD_TRACE", *HEARD, f"-I{INCLUDED}"]
        INCLUDED.mkdir(parents=True, exist_ok=True)
        for name, content in design.included():
            (INCLUDED / name).write_bytes(content)
        return verilated.build(TOP, sources, DRIVER, [*OPTIONS, *flags])


def netlist(design: Design, text: str, words: Sequence[int]) -> Path:
    """The simulation of the netlist that synthesis made, with a program in its memory. Raises
    BenchError, UnknownCell, BoardError."""
    filled = contents.in_netlist(text, TOP, design.filling(), words)
    place = FOLDER / f"{design.board.name}-{design.system.name}-{design.trace or 'netlist'}"
    place.mkdir(parents=True, exist_ok=True)
    file = place / f"{TOP}.sv"
    file.write_text(verilog(filled, TOP), encoding="utf-8")
    heard = HEARD if design.trace else ()
    return verilated.build(TOP, [*MODELS, CELLS, file], DRIVER, [*NETLIST_OPTIONS, *heard])


def lint(design: Design, more: Mapping[str, str] | None = None) -> list[str]:
    """Warnings of Verilator about files of soc/board; `more`: another text of some."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        sources = files(design, place)
        for name, text in (more or {}).items():
            (place / name).write_text(text, encoding="utf-8")
        verilator = str(tools.verilator_root() / "bin" / "verilator")
        words = [verilator, "--lint-only", "-Wall", "-Wno-fatal", "--top-module", TOP]
        words += ["-DSYNTHESIS", "-DMEL_BOARD", f"-I{place}", *map(str, sources)]
        done = tools.run(words, environment=tools.verilator_environment())
    own = {path.name for path in (ROOT / "soc" / "board").rglob("*.sv")}
    own |= {"mel_board_pkg.sv", "mel_devices.sv"}
    lines = (line for line in done.output.splitlines() if line.startswith("%"))
    return [line for line in lines if any(f"/{name}:" in line for name in own)]


def edges(design: Design) -> int:
    """Edges of clk_i in a cycle of the core: models of the PLL divide them."""
    return 2 * design.system.clock_ratio


def program(design: Design, app: str | Path) -> list[int]:
    """Words of the memory with a program."""
    return contents.words(design, build.program(design.system, build.application(app)))


def run_traced(
    simulation: Path, design: Design, words: Sequence[int], behind: int, limit: int = LIMIT
) -> Traced:
    """Boot a program on a design with a trace, and go on for `behind` cycles of the core."""
    cycle = edges(design)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / MEMORY).write_text(contents.hexadecimal(words), encoding="ascii")
        bit = round(design.system.clock_hz / design.board.uart.baud) * cycle
        command = [str(simulation), str(bit), str(limit * cycle), ""]
        command += [str(design.trace_clocks_per_bit * 2), str(behind * cycle)]
        done = verilated.run(command, folder=place)
        events = np.fromfile(place / "events", dtype=EVENT)
        stream = (place / "stream").read_bytes()
    return Traced(done.returncode, done.stdout, stream, events)


def run(simulation: Path, design: Design, words: Sequence[int], send: str = "") -> Boot:
    """Boot a program. `send`: characters, each behind a line that the program printed."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / MEMORY).write_text(contents.hexadecimal(words), encoding="ascii")
        cycle = edges(design)
        bit = round(design.system.clock_hz / design.board.uart.baud) * cycle
        command = [str(simulation), str(bit), str(LIMIT * cycle), send]
        done = verilated.run(command, folder=Path(folder))
    state = _STATE.search(done.stderr)
    assert state is not None, done.stderr
    return Boot(
        done.returncode,
        done.stdout,
        int(state[1]),
        int(state[2], 16),
        (int(state[3]), int(state[4])),
    )
