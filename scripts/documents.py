# SPDX-License-Identifier: Apache-2.0
"""Writes what documents show of measurements and runs, so that no figure in them is typed by hand.

`python scripts/documents.py` rewrites every block between `<!-- made: NAME -->` and
`<!-- made: end -->` in README.md and docs/, and docs/latency.svg; with --check it only names those
that are out of date, and its exit code is 1 when there are any. Machine code and cycles depend on
the compiler: with another than the asserted one (melanion/doctor/needs.py) nothing is written.

A commit alone makes no block out of date: it is that of the measurement, older than the document's.
So: commit the change, run this, commit the documents.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import aquila
import attached
import calls
import datasheet
import debugged
import freertos
import front
import interference
import itron
import numbering
import reproduced
import rtu_memories
import thread_metric
import tour
from facts import Facts
from walk import fenced

from melanion import paths
from melanion.build import tools
from melanion.datasheet import present
from melanion.doctor.needs import RISCV_GCC_ASSERTED
from melanion.errors import MelanionError

ROOT = paths.data_root()
BLOCK = re.compile(
    r"(?<=<!-- made: )(?P<name>[\w-]+) -->\n(?P<body>.*?)<!-- made: end -->", re.DOTALL
)
COMMIT = re.compile(r"commit `[\w-]+`")


# ---- the blocks ----------------------------------------------------------------------------------


def datasheet_sheet(facts: Facts) -> str:
    """The sheet of the default system."""
    sheet = datasheet.sheet(datasheet.PAGE_SYSTEM)
    return f"{present.tightness(sheet)}\n\n{present.markdown(sheet)}"


def datasheet_tightness(facts: Facts) -> str:
    """Measured share of the bounds, on every system of the file."""
    lines = ["| system | core | measured of counted |", "|---|---|---|"]
    for system in datasheet.systems():
        sheet = datasheet.sheet(system.name, system.core.variant)
        lines.append(f"| `{system.name}` | {system.core.variant} | {present.seen(sheet)} |")
    return "\n".join(lines) + "\n"


BLOCKS: dict[str, Callable[[Facts], str]] = {
    "worst": lambda facts: front.shown(),
    "measurements": lambda facts: front.measurements(),
    "tour-address": tour.address,
    "tour-code": tour.code,
    "tour-timeline": tour.steps,
    "tour-marks": tour.marks,
    "debug-threads": lambda facts: fenced([debugged.threads()]),
    "port-cycles": attached.port_cycles,
    "booster-cycles": attached.booster_cycles,
    "port-forms": attached.port_forms,
    "port-give-take": attached.port_give_take,
    "port-give-switch": attached.port_give_switch,
    "banked-cycles": attached.banked_cycles,
    "banked-give-take": attached.banked_give_take,
    "banked-yield": attached.banked_yield,
    "banked-give-switch": attached.banked_give_switch,
    "banked-interrupt": attached.banked_interrupt,
    "vexriscv-cycles": attached.vexriscv_cycles,
    "vexriscv-give-take": attached.vexriscv_give_take,
    "vexriscv-interrupt": attached.vexriscv_interrupt,
    "calls-cycles": lambda facts: calls.cycles(),
    "calls-states": lambda facts: calls.states_table(),
    "interference-worst": lambda facts: interference.worst_table(),
    "interference-targets": lambda facts: interference.targets(),
    "interference-random": lambda facts: interference.random_table(),
    "interference-calls": lambda facts: interference.calls_table(),
    "white-paper-verdicts": lambda facts: reproduced.verdicts("white-paper"),
    "white-paper-curves": lambda facts: reproduced.curves("white-paper"),
    "thread-metric-optimized": lambda facts: thread_metric.cycles("O2"),
    "thread-metric-reasons": lambda facts: thread_metric.reasons(),
    "thread-metric-plain": lambda facts: thread_metric.cycles("O0"),
    "thread-metric-entry": lambda facts: thread_metric.entry(),
    "thread-metric-verdicts": lambda facts: reproduced.verdicts("thread-metric"),
    "rtu-memories": lambda facts: rtu_memories.rows(),
    "rtu-memories-verdicts": lambda facts: rtu_memories.verdicts(),
    "rtu-verdicts": lambda facts: reproduced.verdicts("rtu"),
    "rtu-curves": lambda facts: reproduced.curves("rtu"),
    "lock-cache-hand-over": lambda facts: reproduced.hand_over(),
    "aquila-notes": aquila.notes,
    "aquila-switch": aquila.switches,
    "aquila-totals": aquila.totals,
    "aquila-sync": aquila.locks,
    "aquila-verdicts": aquila.verdicts,
    "booster-verdicts": lambda facts: reproduced.verdicts("booster"),
    "booster-curves": lambda facts: reproduced.curves("booster"),
    "datasheet-sheet": datasheet_sheet,
    "datasheet-tightness": datasheet_tightness,
    "command-numbers": numbering.commands,
    "itron-kernels": itron.kernels,
    "itron-count": itron.count,
    "itron-calls": itron.calls,
    "itron-absent": itron.absent,
    "freertos-count": freertos.count,
    "freertos-calls": freertos.calls,
    "freertos-absent": freertos.absent,
    "freertos-uncalled": freertos.uncalled,
}


# ---- files ---------------------------------------------------------------------------------------


def documents() -> list[Path]:
    """The files that may hold blocks."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def rewritten(text: str, facts: Facts, *, settle: bool = False) -> str:
    """The text of a document with its blocks made anew. `settle`: replace the commit of a tree that
    was not clean, once it is. Raises MelanionError: unknown block."""

    def made(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in BLOCKS:
            raise MelanionError(f"`made: {name}` is no block; there are {', '.join(BLOCKS)}.")
        body = BLOCKS[name](facts)
        old = match["body"].strip("\n")
        settled = settle and "-dirty`" in old and "-dirty`" not in body
        if not settled and COMMIT.sub("", old) == COMMIT.sub("", body.strip("\n")):
            return match[0]
        return f"{name} -->\n\n{body}\n<!-- made: end -->"

    return BLOCK.sub(made, text)


def stale(facts: Facts, *, settle: bool = False) -> Iterator[tuple[Path, str]]:
    """The files that differ from what would be written now, and that text. `settle`: rewritten."""
    for path in documents():
        text = path.read_text(encoding="utf-8")
        new = rewritten(text, facts, settle=settle)
        if new != text:
            yield path, new
    path, new = front.PICTURE, front.picture()
    if not path.is_file() or path.read_text(encoding="utf-8") != new:
        yield path, new


def asserted_compiler() -> bool:
    """Machine code and cycles are those of the documents."""
    return f" {RISCV_GCC_ASSERTED}" in tools.version(tools.CROSS_GCC)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, name what is stale")
    check = parser.parse_args(arguments).check
    if not asserted_compiler():
        have = tools.version(tools.CROSS_GCC)
        print(
            f"documents: the compiler is {have}; figures are those of {RISCV_GCC_ASSERTED}, so"
            " nothing was written or checked. Install that version.",
            file=sys.stderr,
        )
        return 1
    try:
        found = list(stale(Facts(), settle=not check))
    except MelanionError as error:
        print(f"documents: {error.message}", file=sys.stderr)
        return error.exit_code
    for path, text in found:
        if not check:
            path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {'out of date' if check else 'written'}")
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
