# SPDX-License-Identifier: Apache-2.0
"""Measures what docs/reference/datasheet.md and its tests take from docs/calls_measured.csv: the
largest value of every row of every call, of each system and core variant.

`python scripts/datasheet.py` runs the experiment `calls` on all of them (some minutes each, equal
runs come from the cache) and writes the file; then `python scripts/documents.py` writes the page.
"""

from __future__ import annotations

import sys
from functools import cache

from melanion import build, config, datasheet, experiments, paths
from melanion.config import System
from melanion.datasheet import work
from melanion.datasheet.measured import Largest, text
from melanion.datasheet.program import APP, Program
from melanion.errors import MelanionError

MEASURED = paths.data_root() / "docs" / "calls_measured.csv"
BOTH = ("main", "small")
VARIANTS = {"sw": ("main",), "hwrtos": BOTH, "port": BOTH, "banked": BOTH}
PAGE_SYSTEM = "hwrtos"


def systems() -> list[System]:
    """Systems in the file."""
    return [variant(name, core) for name, cores in VARIANTS.items() for core in cores]


def variant(name: str, core: str) -> System:
    """A system by name, on a core variant."""
    system = config.find(name)
    return system.model_copy(update={"core": system.core.model_copy(update={"variant": core})})


@cache
def sheet(name: str, core: str = "main") -> datasheet.Sheet:
    """From the file; several blocks of a page show one sheet."""
    return datasheet.make(variant(name, core), MEASURED)


def main() -> int:
    found: list[Largest] = []
    try:
        for system in systems():
            built = build.program(system, build.application(APP))
            program = Program(built.elf, built.points, experiments.load("calls"))
            print(f"{system.name}, {system.core.variant}", file=sys.stderr)
            found += work.measure(system, built, program)
    except MelanionError as error:
        print(f"datasheet: {error.message}", file=sys.stderr)
        return error.exit_code
    MEASURED.write_text(text(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
