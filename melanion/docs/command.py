# SPDX-License-Identifier: Apache-2.0
"""The command line `python -m melanion.docs`: without a command it writes the documents; each
command measures what documents show or tests assert. Nothing else here prints.

Exit codes: 0; 1 something failed, or `--check` found what is out of date; 2 wrong use.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from melanion import config
from melanion.docs import (
    asserted,
    boards,
    compiler,
    documents,
    largest,
    rows,
    sources,
    sweep,
    synthesis,
)
from melanion.docs.errors import DocsError
from melanion.docs.facts import Facts
from melanion.docs.manual import site
from melanion.docs.rows import KERNELS
from melanion.errors import MelanionError

PROGRAM = "python -m melanion.docs"
CHECK = "write nothing, name what differs"


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code."""
    name = arguments[0] if arguments and arguments[0] in COMMANDS else "documents"
    command = COMMANDS.get(name, write_documents)
    try:
        return command(arguments[1:] if name in COMMANDS else arguments)
    except MelanionError as error:
        print(f"{name}: {error.message}", file=sys.stderr)
        return error.exit_code


def write_documents(arguments: Sequence[str]) -> int:
    """Write the made parts of documents."""
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Writes what documents show of measurements and runs: blocks, whole pages,"
        " pictures.",
        epilog=f"Commands, each with --help: {', '.join(COMMANDS)}.",
    )
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="these alone; all when left out")
    parser.add_argument("--check", action="store_true", help=CHECK)
    options = parser.parse_args(arguments)
    among = documents.chosen(options.pages)
    if not documents.WHOLE.keys() >= set(among):
        compiler.require("figures", "written or checked")
    found = list(documents.stale(Facts(), among, settle=not options.check))
    for path, text in found:
        if not options.check:
            path.write_text(text, encoding="utf-8")
        state = "out of date" if options.check else "written"
        print(f"{path.relative_to(documents.ROOT)}: {state}")
    return 1 if options.check and found else 0


def measure_asserted(arguments: Sequence[str]) -> int:
    """Measure rows that tests assert."""
    parser = _parser(
        "asserted",
        "Measures anew the rows that tests assert to the cycle, and names each that moved: of the"
        f" experiments that are named, or of all but {sweep.EXPERIMENT}, which has a command of its"
        f" own. These take about an hour of processor time. Then `{PROGRAM}` writes the documents.",
    )
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=", ".join(rows.FILES))
    parser.add_argument("--kernels", default="", help="systems, by commas; all when left out")
    parser.add_argument("--check", action="store_true", help=CHECK)
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.experiments if name not in rows.FILES]:
        parser.error(f"'{unknown[0]}' has no asserted rows; there are {', '.join(rows.FILES)}")
    compiler.require("rows", "measured")
    kernels = list(filter(None, config.listed(options.kernels)))
    count = sum(
        asserted.renew(name, kernels, _said, check=options.check)
        for name in options.experiments or [each for each in rows.FILES if each != sweep.EXPERIMENT]
    )
    return 1 if options.check and count else 0


def measure_interference(arguments: Sequence[str]) -> int:
    """Measure the files of docs/reference/interference.md."""
    parser = _parser(
        "interference",
        "Measures an interrupt at every cycle of every call (a quarter of an hour) and writes"
        " docs/interference.csv, docs/interference_histogram.csv and"
        f" tests/asserted/interference_cycles.csv. Then `{PROGRAM}` writes page and pictures.",
    )
    parser.add_argument("--kernels", default=",".join(KERNELS), help="some of them, as sw,hwrtos")
    kernels = config.listed(parser.parse_args(arguments).kernels)
    if unknown := [kernel for kernel in kernels if kernel not in KERNELS]:
        words = ", ".join(KERNELS)
        raise DocsError(f"--kernels names {unknown[0]!r}; it knows {words}.", 2)
    results = {}
    for kernel in kernels:
        _progress(kernel)
        results[kernel] = sweep.measure(kernel)
    sweep.write(results)
    sources.write(sources.present(sweep.EXPERIMENT, results))
    return 0


def measure_datasheet(arguments: Sequence[str]) -> int:
    """Measure the largest value of every call."""
    _parser(
        "datasheet",
        "Measures the largest value of every row of every call, of each system and core variant"
        " (some minutes each), and writes docs/calls_measured.csv. Then"
        f" `{PROGRAM}` writes the page.",
    ).parse_args(arguments)
    text = largest.measure(_progress)
    largest.MEASURED.write_text(text, encoding="utf-8")
    return 0


def measure_area(arguments: Sequence[str]) -> int:
    """Synthesize, and write the chapter of it."""
    parser = _parser(
        "area",
        "Synthesizes the hardware unit over its sizes, the store of contexts, the lock cache or a"
        " component, and writes the tables of docs/explanation/area.md, banked.md, lock-cache.md,"
        " deadlock.md or dmmu.md; or the microprogrammed unit, for tests/asserted/engine_area.csv.",
    )
    parser.add_argument("what", choices=list(synthesis.CHAPTERS))
    parser.add_argument("--seeds", type=int, default=3, help="placements of each design")
    parser.add_argument("--liberty", type=Path, help="library for gates  [default: osu018]")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    wanted = synthesis.Synthesis(options.what, options.seeds, options.liberty, _progress)
    files = synthesis.CHAPTERS[options.what](wanted)
    _progress(f"measured in {(time.monotonic() - start) / 60:.0f} minutes")
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    return 0


def measure_boards(arguments: Sequence[str]) -> int:
    """Synthesize and route systems for boards."""
    _parser(
        "boards",
        "Synthesizes systems for boards, routes them (five minutes each), and"
        f" writes {boards.NAME}. Then `{PROGRAM}` writes the tables of boards.",
    ).parse_args(arguments)
    boards.FILE.write_text(boards.measure(_progress), encoding="utf-8")
    return 0


def build_manual(arguments: Sequence[str]) -> int:
    """Build the manual as a site."""
    parser = _parser(
        "manual",
        "Builds the pages of docs/ as a site that any static host serves (`make docs`). A dead"
        " link, an unknown reference or a page that no contents page names stops it.",
    )
    parser.add_argument(
        "folder", nargs="?", type=Path, default=site.FOLDER, help="[default: build/manual]"
    )
    print(site.build(parser.parse_args(arguments).folder))
    return 0


COMMANDS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "manual": build_manual,
    "asserted": measure_asserted,
    "interference": measure_interference,
    "datasheet": measure_datasheet,
    "area": measure_area,
    "boards": measure_boards,
}


def _parser(name: str, description: str) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(prog=f"{PROGRAM} {name}", description=description)


def _said(sentence: str) -> None:
    print(sentence, flush=True)


def _progress(line: str) -> None:
    print(line, file=sys.stderr)
