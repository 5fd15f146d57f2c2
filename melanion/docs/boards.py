# SPDX-License-Identifier: Apache-2.0
"""Systems on boards: tests/asserted/boards.csv with what they take and reach, and the blocks of it
in docs/reference/boards.md and docs/howto/board.md.

`python -m melanion.docs boards` synthesizes them, routes them with each of SEEDS, and writes the
file, with a digest of the sources of each row. Neither comments nor the words of the
microprogram decide the digest: a store is a store with any words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import melanion.area.program as program
from melanion import board, config, paths
from melanion.board import Design, Routed
from melanion.docs import sources
from melanion.docs.rows import ASSERTED, FILES, Line, lines
from melanion.docs.rows import text_of as text_of_lines
from melanion.docs.table import NONE, table

FILE = ASSERTED / "boards.csv"
COMMAND = "python -m melanion.docs boards"
NAME = FILE.relative_to(paths.data_root()).as_posix()
SYSTEMS = (  # board, system
    ("ulx3s_85f", "hwrtos"),
    ("ulx3s_85f", "port-vexriscv"),
    ("ulx3s_25f", "hwrtos-16"),
)
SEEDS = (1,)
# Kernels whose worst case stands beside a system's, on the same core at the same clock.
BESIDE = ("sw", "freertos")
USUAL_CORE = "ibex"  # systems with another core have its name in theirs
EXPERIMENT, WORST = "latency", "irq_to_task"

Key = tuple[str, str]  # board, system


def designs() -> list[Design]:
    """A design for each row."""
    return [board.design(board.find(name), config.find(system)) for name, system in SYSTEMS]


def digest(design: Design) -> str:
    """Digest of all that decides the figures of a design."""
    found = hashlib.sha256(f"{design.digest}\0{design.constraints()}".encode())
    for name, content in (*design.compiled(), *design.included()):
        text = program.filled(content) if name == program.FILE else content
        seen = sources.wired(sources.untraced(text.decode()), ethernet=False)
        found.update(f"{name}\0{sources.dense(seen)}\0".encode())
    return found.hexdigest()[:16]


def measure(report: Callable[[str], None]) -> str:
    """The file, measured. Raises MelanionError."""
    found = []
    for design in designs():
        report(design.name)
        found += [line(board.routed(design, seed, report)) for seed in SEEDS]
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


def best(rows: list[Line]) -> dict[Key, Line]:
    """Return each system's row whose seed closes at the highest clock."""
    found: dict[Key, Line] = {}
    for row in rows:
        key = row["board"], row["system"]
        if key not in found or float(found[key]["closes"]) < float(row["closes"]):
            found[key] = row
    return found


def stale(rows: list[Line]) -> list[str]:
    """A sentence for each system of which a row is missing, or of other sources."""
    known = {(row["board"], row["system"], row["seed"]): row["digest"] for row in rows}

    def current(design: Design) -> bool:
        names, now = (design.board.name, design.system.name), digest(design)
        return all(known.get((*names, str(seed))) == now for seed in SEEDS)

    return [
        f"{NAME} has no rows of the present sources for {design.name}; run `{COMMAND}` and commit"
        " the file."
        for design in designs()
        if not current(design)
    ]


def missed(rows: list[Line]) -> list[str]:
    """A sentence for each system whose timing closes with no seed."""
    return [
        f"{NAME}: {row['system']} on {row['board']} closes at {row['closes']} MHz; asked were"
        f" {row['asked']}; ask for less in the board file."
        for row in best(rows).values()
        if float(row["closes"]) < float(row["asked"])
    ]


def measured() -> str:
    """The block of docs/reference/boards.md: of each system the best seed, and what the others
    close at."""
    heads = ["board", "system", "cells", "flip-flops", "block RAMs", "asked, MHz", "core, MHz"]
    heads += ["unit, MHz", "closes, MHz", "other seeds"]
    names = ("comb", "ff", "bram", "asked", "core", "unit", "closes")
    rows = recorded()
    shown = []
    for key, row in best(rows).items():
        same = [one for one in rows if (one["board"], one["system"]) == key and one is not row]
        others = ", ".join(sorted((one["closes"] for one in same), key=float, reverse=True))
        shown.append(
            (*(f"`{name}`" for name in key), *(row[name] for name in names), others or NONE)
        )
    return table("llr", heads, shown)


def worst_cases() -> dict[str, int]:
    """Kernel → cycles from an interrupt line to the first instruction of the task that it wakes,
    in the worst case of the experiment."""
    found: dict[str, int] = {}
    for row in lines(FILES[EXPERIMENT]):
        if row["metric"] == WORST:
            found[row["kernel"]] = max(found.get(row["kernel"], 0), int(row["max"]))
    return found


def core_of(system: str) -> str:
    """The end of the names of systems with the core of this one: `-vexriscv`, or nothing."""
    core = config.find(system).core.type
    return "" if core == USUAL_CORE else f"-{core}"


def in_nanoseconds() -> str:
    """The block of docs/howto/board.md: worst cases at the clock that a system reaches, beside
    those of other kernels on its core at that clock."""
    cycles = worst_cases()
    shown = []
    for (name, system), row in best(recorded()).items():
        if system in cycles:
            clock = float(row["closes"])
            kernels = (system, *(f"{kernel}{core_of(system)}" for kernel in BESIDE))
            times = [
                f"{cycles[kernel] / clock * 1000:.0f}" if kernel in cycles else NONE
                for kernel in kernels
            ]
            shown.append((f"`{name}`", f"`{system}`", row["closes"], *times))
    heads = [
        "board",
        "system",
        "core, MHz",
        "this system, ns",
        *(f"`{kernel}`, ns" for kernel in BESIDE),
    ]
    return table("llr", heads, shown)
