# SPDX-License-Identifier: Apache-2.0
"""Area and clock of the microprogrammed unit (hw/engine): the sizes that are measured, what they
may take, and tests/asserted/engine_area.csv with what they take.

`python -m melanion.docs area engine` measures and writes the file, with a digest of the sources of
each row. The program does not decide the figures (melanion/area/program.py), comments neither.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from melanion import paths
from melanion.area.design import Design
from melanion.area.study import unit
from melanion.docs import sources
from melanion.docs.rows import ASSERTED, Line, lines
from melanion.docs.rows import text_of as text_of_lines

FILE = ASSERTED / "engine_area.csv"
COMMAND = "python -m melanion.docs area engine"
NAME = FILE.relative_to(paths.data_root()).as_posix()
KEY = ("tasks", "objects", "cores", "lanes")
# Figures of the placement with the median clock; fmax_min is the worst of all placements.
FIGURES = ("comb", "ff", "bram", "fmax", "fmax_min")
TITLES = {"comb": "cells", "fmax": "MHz", "bram": "block RAMs"}

# Tasks, objects (a quarter of each kind), cores, lanes for event flags.
Sizes = tuple[int, int, int, int]
Figures = Mapping[str, float]


@dataclass(frozen=True)
class Target:
    """At most so many cells and block RAMs, at least so many MHz (median of the placements)."""

    tasks: int
    objects: int
    cores: int
    comb: int
    fmax: float
    bram: int
    lanes: int = 0

    @property
    def sizes(self) -> Sizes:
        return self.tasks, self.objects, self.cores, self.lanes

    @property
    def name(self) -> str:
        lanes = f", {self.lanes} lanes" if self.lanes else ""
        return f"{self.tasks} tasks, {self.objects} objects, {self.cores} cores{lanes}"

    @property
    def design(self) -> Design:
        plain = unit(self.tasks, self.objects, self.cores)
        sizes = {**dict(plain.sizes), "flag_lanes": self.lanes}
        return replace(plain, sizes=tuple(sizes.items()))


TARGETS = (
    Target(64, 256, 1, comb=3800, fmax=80, bram=45),
    Target(16, 64, 1, comb=3300, fmax=80, bram=30),
    Target(4, 0, 1, comb=2800, fmax=80, bram=20),
    Target(256, 256, 1, comb=4200, fmax=70, bram=70),
    Target(64, 256, 4, comb=5500, fmax=70, bram=60),
    Target(64, 256, 1, comb=4400, fmax=75, bram=45, lanes=4),
)


def digest(design: Design) -> str:
    """Digest of all that decides the figures of a design."""
    found = hashlib.sha256(str(sorted(design.parameters.items())).encode())
    for name, content in design.contents():
        found.update(f"{name}\0{sources.dense(content.decode())}\0".encode())
    return found.hexdigest()[:16]


def text_of(measured: Sequence[Figures]) -> str:
    """The file, of the figures in the order of TARGETS."""
    found: list[Line] = []
    for target, values in zip(TARGETS, measured, strict=True):
        sizes = dict(zip(KEY, map(str, target.sizes), strict=True))
        figures = {name: f"{values[name]:g}" for name in FIGURES}
        found.append({**sizes, **figures, "digest": digest(target.design)})
    return text_of_lines(found)


def recorded() -> list[Line]:
    """The rows of the file."""
    return lines(FILE)


def stale(rows: Sequence[Line]) -> list[str]:
    """A sentence for each size whose row is missing, or of other sources."""
    known = {_sizes(row): row["digest"] for row in rows}
    return [
        f"{NAME} has no row of the present sources for {target.name}; run `{COMMAND}` and commit"
        " the file."
        for target in TARGETS
        if known.get(target.sizes) != digest(target.design)
    ]


def misses(rows: Sequence[Line]) -> list[str]:
    """A sentence for each figure beyond its limit."""
    found = []
    figures = {_sizes(row): row for row in rows}
    for target in TARGETS:
        for name, title in TITLES.items():
            limit, value = getattr(target, name), float(figures[target.sizes][name])
            if value < limit if name == "fmax" else value > limit:
                allowed = f"{'at least' if name == 'fmax' else 'at most'} {limit:g}"
                found.append(
                    f"{NAME}: {target.name}: {value:g} {title}; allowed are {allowed}; improve"
                    " hw/engine."
                )
    return found


def _sizes(row: Line) -> Sizes:
    tasks, objects, cores, lanes = (int(row[name]) for name in KEY)
    return tasks, objects, cores, lanes
