# SPDX-License-Identifier: Apache-2.0
"""docs/calls_measured.csv, from which docs/reference/datasheet.md and its tests take the largest
value of every row of every call, of each system and core variant.

The experiment `calls` runs on all of them: some minutes each, equal runs come from the cache.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from melanion import build, config, datasheet, paths
from melanion.claims import load
from melanion.config import System
from melanion.datasheet import work
from melanion.datasheet.measured import Largest, text
from melanion.datasheet.program import APP, Program

MEASURED = paths.data_root() / "docs" / "calls_measured.csv"
BOTH = ("main", "small")
# Systems with a unit: those with the microprogrammed one, which has bounds.
UNITS = ("hwrtos", "port", "banked")
VARIANTS = {"sw": ("main",), **dict.fromkeys(UNITS, BOTH)}


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


def measure(report: Callable[[str], None]) -> str:
    """Measure all systems, each reported when its program is built; returns the text of the file.
    Raises MelanionError."""
    found: list[Largest] = []
    for system in systems():
        built = build.program(system, build.application(APP))
        program = Program(built.elf, built.tracepoints, load("calls"))
        report(f"{system.name}, {system.core.variant}")
        found += work.measure(system, built, program)
    return text(found)
