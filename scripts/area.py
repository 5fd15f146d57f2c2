"""Measures the hardware unit over its sizes and writes what docs/explanation/area.md shows of it:
the blocks between `<!-- area: NAME -->` and `<!-- area: end -->`, docs/area.csv and docs/area.svg.

Every design is synthesized, and placed with as many seeds as --seeds says, but once where only
cells are shown; what did not change comes from the cache. A design takes about six minutes of one
processor at three seeds, more than half of it nextpnr. NAND2 equivalents too, when Debian's library
osu018 is installed.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

from melanion import area
from melanion.area.study import Study, grid, single_kinds
from melanion.errors import MelanionError

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "explanation" / "area.md"
CSV, PICTURE = (ROOT / "docs" / f"area.{kind}" for kind in ("csv", "svg"))
SHOWN = "Cells over tasks and over objects, and clock frequency over tasks"
BLOCK = re.compile(r"(?<=<!-- area: )(?P<name>\w+) -->\n.*?<!-- area: end -->", re.DOTALL)


def measured(seeds: int) -> Study:
    """Progress, one line per design and step, goes to standard error."""
    command = f"scripts/area.py --seeds {seeds}"

    def tell(design: area.Design, text: str) -> None:
        print(f"{design.name}: {text or 'done'}", file=sys.stderr)

    placed = area.measure(grid(), seeds=seeds, command=command, progress=tell).rows
    placed += area.measure(single_kinds(), seeds=1, command=command, progress=tell).rows
    try:
        library = area.liberty()
    except MelanionError as error:
        print(error, file=sys.stderr)
        return Study(placed)
    mapped = area.measure(grid(), seeds=1, command=command, library=library, progress=tell)
    return Study(placed, mapped.rows)


def rewritten(text: str, study: Study) -> str:
    """The page with its blocks made anew. Raises MelanionError: unknown block, or none."""
    blocks: dict[str, Callable[[], str]] = {
        "picture": lambda: f"![{SHOWN}](../{PICTURE.name})\n",
        "sizes": lambda: study.sizes().markdown(),
        "kinds": lambda: study.kinds().markdown(),
        "targets": lambda: study.targets().markdown(),
    }

    def made(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in blocks:
            raise MelanionError(f"`area: {name}` is no block; there are {', '.join(blocks)}.")
        return f"{name} -->\n\n{blocks[name]()}\n<!-- area: end -->"

    new, count = BLOCK.subn(made, text)
    if count == 0:
        raise MelanionError(f"{PAGE.relative_to(ROOT)} has no block `<!-- area: NAME -->`.")
    return new


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/area.py", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="placements of each design")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    try:
        study = measured(options.seeds)
        text = rewritten(PAGE.read_text(encoding="utf-8"), study)
    except MelanionError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(f"measured in {(time.monotonic() - start) / 60:.0f} minutes", file=sys.stderr)
    PAGE.write_text(text, encoding="utf-8")
    CSV.write_text(study.csv(), encoding="utf-8")
    PICTURE.write_text(study.picture(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
