# SPDX-License-Identifier: Apache-2.0
"""The page beside a bitstream: what it is, how large and how fast, and what made it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from melanion import __version__
from melanion.area.present import Table
from melanion.area.tools import versions
from melanion.board.design import Design
from melanion.board.flow import Routed
from melanion.board.timing import Timing
from melanion.build import Program
from melanion.run.provenance import origin

KINDS = {"comb": "cells", "ff": "flip-flops", "bram": "block RAMs", "dsp": "multipliers"}


def page(tried: Sequence[Routed], program: Program, bit: Path, command: str) -> str:
    """Markdown. `tried`: one a seed, the last is in the bitstream; `command`: as typed."""
    last = tried[-1]
    system, board = last.design.system, last.design.board
    lines = [
        f"# {program.app.name} on {system.name}, {board.title}",
        "",
        f"Written by `{command}`: `{bit.name}`, {bit.stat().st_size} bytes.",
        "",
        f"* Core: {system.core.text}, {system.clock_mhz} MHz"
        + (f"; unit at {system.clock_ratio} times that" if system.clock_ratio > 1 else ""),
        f"* Memory: {system.memory.kib} KiB; the program takes {len(program.content.data)} bytes",
        f"* UART: {board.uart.baud} baud, 8 data bits, no parity, 1 stop bit",
        *_trace(last.design),
        f"* Device: {board.device}, {board.package}, speed grade {board.speed}",
        "",
        *_table(("", "used", "of", "%"), _utilization(last.timing)),
        "",
        *_table(("clock", "asked, MHz", "reached, MHz"), _clocks(last.timing)),
        "",
        f"Highest clock of the core with which everything closes: {last.timing.core_mhz:.1f} MHz.",
        "",
        "Longest paths:",
        "",
        *_table(("from", "to", "ns", "on wires", "begins", "ends"), _paths(last.timing)),
        "",
        "The longest path of the core's clock, by module:",
        "",
        *_table(("module", "ns", "levels of logic"), _steps(last.timing)),
        "",
        *_table(("seed", "core, MHz", "misses"), _seeds(tried)),
        "",
        *_table(("made with", ""), _provenance(last)),
    ]
    return "\n".join(lines) + "\n"


def _trace(design: Design) -> list[str]:
    """Nothing without a trace."""
    uart = design.board.trace
    if design.trace is None or uart is None:
        return []
    return [
        f"* Trace: {design.trace}, pin {uart.tx}, {uart.baud} baud, a queue of"
        f" {design.trace_depth} entries"
    ]


def _table(heads: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> list[str]:
    return Table(heads, tuple(rows), left=len(heads)).markdown().splitlines()


def _utilization(timing: Timing) -> Iterator[tuple[str, ...]]:
    for kind, title in KINDS.items():
        used, available = timing.used[kind], timing.available[kind]
        yield title, str(used), str(available), f"{100 * used / max(available, 1):.0f}"


def _clocks(timing: Timing) -> Iterator[tuple[str, ...]]:
    for name, clock in timing.clocks.items():
        yield name, f"{clock.asked:g}", f"{clock.reached:.1f}"


def _paths(timing: Timing) -> Iterator[tuple[str, ...]]:
    for each in timing.paths:
        ends = (f"`{each.start}`", f"`{each.end}`")
        yield each.source, each.target, f"{each.delay:.1f}", f"{each.wires:.1f}", *ends


def _steps(timing: Timing) -> Iterator[tuple[str, ...]]:
    for name, delay, levels in timing.critical.steps:
        yield f"`{name}`", f"{delay:.1f}", str(levels)


def _seeds(tried: Sequence[Routed]) -> Iterator[tuple[str, ...]]:
    for each in tried:
        yield str(each.seed), f"{each.timing.core_mhz:.1f}", "; ".join(each.timing.misses) or "none"


def _provenance(routed: Routed) -> Iterator[tuple[str, ...]]:
    yield "melanion", __version__
    yield from ((name, str(value)) for name, value in origin().items())
    yield from versions().items()
    yield "board and system", routed.design.digest
    yield "routed design", routed.key
