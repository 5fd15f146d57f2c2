# SPDX-License-Identifier: Apache-2.0
"""Measures the hardware unit over its sizes, and register banks over theirs, and writes what the
documents show of it: the blocks between `<!-- area: NAME -->` and `<!-- area: end -->` of
docs/explanation/area.md, banked.md and lock-cache.md, docs/area.csv and docs/area.svg.

`scripts/area.py unit`, `banks` or `locks`. Every design is synthesized, and placed with as
many seeds as --seeds says, but once where only cells are shown, and cores with registers in
flip-flops; what did not change comes from the cache. A design takes about six minutes of one
processor at three seeds, more than half of it nextpnr. NAND2 equivalents too, when Debian's library
osu018 is installed, or one is named with --liberty.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from melanion import area
from melanion.area import banks, locks
from melanion.area.study import Study, grid, single_kinds
from melanion.errors import MelanionError

ROOT = Path(__file__).resolve().parents[1]
PAGE, BANKS_PAGE, LOCKS_PAGE = (
    ROOT / "docs" / "explanation" / f"{name}.md" for name in ("area", "banked", "lock-cache")
)
CSV, PICTURE = (ROOT / "docs" / f"area.{kind}" for kind in ("csv", "svg"))
SHOWN = "Cells over tasks and over objects, and clock frequency over tasks"
Blocks = Mapping[str, Callable[[], str]]
BLOCK = re.compile(r"(?<=<!-- area: )(?P<name>\w+) -->\n.*?<!-- area: end -->", re.DOTALL)


def tell(design: area.Design, text: str) -> None:
    """Progress, one line per design and step."""
    print(f"{design.name}: {text or 'done'}", file=sys.stderr)


def measured(seeds: int) -> Study:
    """The unit."""
    command = f"scripts/area.py unit --seeds {seeds}"
    placed = area.measure(grid(), seeds=seeds, command=command, progress=tell).rows
    placed += area.measure(single_kinds(), seeds=1, command=command, progress=tell).rows
    try:
        library = area.liberty()
    except MelanionError as error:
        print(error, file=sys.stderr)
        return Study(placed)
    mapped = area.measure(grid(), seeds=1, command=command, library=library, progress=tell)
    return Study(placed, mapped.rows)


def of_study(study: Study) -> Blocks:
    """Block → text, of docs/explanation/area.md."""
    return {
        "picture": lambda: f"![{SHOWN}](../{PICTURE.name})\n",
        "sizes": lambda: study.sizes().markdown(),
        "kinds": lambda: study.kinds().markdown(),
        "targets": lambda: study.targets().markdown(),
    }


def of_banks(seeds: int) -> Blocks:
    """Blocks of docs/explanation/banked.md; measures first."""
    command = f"scripts/area.py banks --seeds {seeds}"
    rows = area.measure(banks.cores(), seeds=seeds, command=command, progress=tell).rows
    rows += area.measure(banks.others(), seeds=1, command=command, progress=tell).rows
    values = {row.design: row.values for row in rows}
    return {
        "registers": lambda: banks.registers(values).markdown(),
        "couplings": lambda: banks.couplings(values).markdown(),
    }


def of_locks(seeds: int, file: Path | None) -> Blocks:
    """Blocks of docs/explanation/lock-cache.md; measures first."""
    command = f"scripts/area.py locks --seeds {seeds}"
    found = area.measure(locks.designs(), seeds=seeds, command=command, progress=tell).rows
    placed = {row.design: row.values for row in found}
    try:
        library = area.liberty(file)
    except MelanionError as error:
        print(error, file=sys.stderr)
        return {"locks": lambda: locks.table(placed, None).markdown()}
    wanted = [*locks.designs(), *locks.in_flip_flops()]
    rows = area.measure(wanted, seeds=1, command=command, library=library, progress=tell).rows
    gates = {row.design: row.values for row in rows}
    return {"locks": lambda: locks.table(placed, gates).markdown()}


def rewritten(text: str, blocks: Blocks, page: Path = PAGE) -> str:
    """The page with its blocks made anew. Raises MelanionError: unknown block, or none."""

    def made(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in blocks:
            raise MelanionError(f"`area: {name}` is no block; there are {', '.join(blocks)}.")
        return f"{name} -->\n\n{blocks[name]()}\n<!-- area: end -->"

    new, count = BLOCK.subn(made, text)
    if count == 0:
        raise MelanionError(f"{page.relative_to(ROOT)} has no block `<!-- area: NAME -->`.")
    return new


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/area.py", description=__doc__)
    parser.add_argument("what", choices=["unit", "banks", "locks"])
    parser.add_argument("--seeds", type=int, default=3, help="placements of each design")
    parser.add_argument("--liberty", type=Path, help="library for gates  [default: osu018]")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    files = {}
    try:
        if options.what == "unit":
            study = measured(options.seeds)
            page, blocks = PAGE, of_study(study)
            files = {CSV: study.csv(), PICTURE: study.picture()}
        elif options.what == "locks":
            page, blocks = LOCKS_PAGE, of_locks(options.seeds, options.liberty)
        else:
            page, blocks = BANKS_PAGE, of_banks(options.seeds)
        files[page] = rewritten(page.read_text(encoding="utf-8"), blocks, page)
    except MelanionError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(f"measured in {(time.monotonic() - start) / 60:.0f} minutes", file=sys.stderr)
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
