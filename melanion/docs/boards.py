# SPDX-License-Identifier: Apache-2.0
"""Systems on boards: tests/asserted/boards.csv with what they take and reach, and the block of it
in docs/reference/boards.md.

`python -m melanion.docs boards` synthesizes and routes them until their timing closes, and writes
the file, with a digest of the sources of each row. Neither comments nor the words of the
microprogram decide the digest: a store is a store with any words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import melanion.area.program as program
from melanion import board, config, paths
from melanion.board import Design, Routed
from melanion.docs import sources
from melanion.docs.rows import ASSERTED, Line, lines
from melanion.docs.rows import text_of as text_of_lines
from melanion.docs.table import table

FILE = ASSERTED / "boards.csv"
COMMAND = "python -m melanion.docs boards"
NAME = FILE.relative_to(paths.data_root()).as_posix()
SYSTEMS = (("ulx3s_85f", "hwrtos"), ("ulx3s_85f", "port-vexriscv"))  # board, system
SEEDS = 8


def designs() -> list[Design]:
    """A design for each row."""
    return [board.design(board.find(name), config.find(system)) for name, system in SYSTEMS]


def digest(design: Design) -> str:
    """Digest of all that decides the figures of a design."""
    found = hashlib.sha256(f"{design.digest}\0{design.constraints()}".encode())
    for name, content in (*design.compiled(), *design.included()):
        text = program.filled(content) if name == program.FILE else content
        found.update(f"{name}\0{sources.dense(text.decode())}\0".encode())
    return found.hexdigest()[:16]


def measure(report: Callable[[str], None]) -> str:
    """The file, measured. Raises MelanionError."""
    found = []
    for design in designs():
        report(design.name)
        found.append(line(board.closed(design, SEEDS, report)[-1]))
    return text_of_lines(found)


def line(routed: Routed) -> Line:
    """The row of a routed design: clocks in MHz, `closes` the highest clock of the core with which
    everything closes."""
    design, timing = routed.design, routed.timing
    unit = timing.clocks.get("unit", timing.clocks["core"])
    return {
        "board": design.board.name,
        "system": design.system.name,
        "seed": str(routed.seed),
        **{kind: str(timing.used[kind]) for kind in ("comb", "ff", "bram", "dsp")},
        "asked": str(design.system.clock_mhz),
        "core": f"{timing.clocks['core'].reached:.1f}",
        "unit": f"{unit.reached:.1f}",
        "closes": f"{timing.core_mhz:.1f}",
        "digest": digest(design),
    }


def recorded() -> list[Line]:
    """The rows of the file."""
    return lines(FILE)


def stale(rows: list[Line]) -> list[str]:
    """A sentence for each system whose row is missing, or of other sources."""
    known = {(row["board"], row["system"]): row["digest"] for row in rows}
    return [
        f"{NAME} has no row of the present sources for {design.name}; run `{COMMAND}` and commit"
        " the file."
        for design in designs()
        if known.get((design.board.name, design.system.name)) != digest(design)
    ]


def missed(rows: list[Line]) -> list[str]:
    """A sentence for each system whose timing does not close."""
    return [
        f"{NAME}: {row['system']} on {row['board']} closes at {row['closes']} MHz; asked were"
        f" {row['asked']}; ask for less in the board file."
        for row in rows
        if float(row["closes"]) < float(row["asked"])
    ]


def measured() -> str:
    """The block of docs/reference/boards.md."""
    heads = ["board", "system", "cells", "flip-flops", "block RAMs", "asked, MHz", "core, MHz"]
    heads += ["unit, MHz", "closes, MHz"]
    names = ("comb", "ff", "bram", "asked", "core", "unit", "closes")
    shown = [
        (f"`{row['board']}`", f"`{row['system']}`", *(row[name] for name in names))
        for row in recorded()
    ]
    return table("llr", heads, shown)
