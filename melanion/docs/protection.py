# SPDX-License-Identifier: Apache-2.0
"""Cells and clock of the protected unit (docs/decisions/0051): tests/asserted/protection_area.csv,
and the table of docs/explanation/protection.md.

`python -m melanion.docs area protection` measures and writes the file, with a digest of all that
decides a row: the unit's sources, and what adds the protection to them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from melanion import paths
from melanion.area.design import Design, guard
from melanion.docs import engine_area, injection
from melanion.docs.engine_area import FIGURES
from melanion.docs.rows import ASSERTED, Line, lines, text_of
from melanion.docs.table import number, table

FILE = ASSERTED / "protection_area.csv"
COMMAND = "python -m melanion.docs area protection"
NAME = FILE.relative_to(paths.data_root()).as_posix()
GUARD = "guard"  # mel_guard, of which there is one for each core
WORDS = {
    "none": "`none`",
    "memories": "`memories`: parity",
    "all": "`all`: parity, and registers doubled",
    GUARD: "mel_guard, for each core",
}


@dataclass(frozen=True)
class Limit:
    """At most so many cells and block RAMs, at least so many MHz (median; 0: none)."""

    protection: str
    comb: int
    fmax: float
    bram: int

    @property
    def design(self) -> Design:
        if self.protection == GUARD:
            return guard(64)
        return replace(engine_area.TARGETS[0].design, protection=self.protection)


# 15 % of cells are wanted, and 0.95 of the clock; of all registers it is what was reached.
LIMITS = (
    Limit("memories", comb=3818, fmax=75, bram=45),
    Limit("all", comb=5000, fmax=74, bram=45),
    Limit(GUARD, comb=80, fmax=0, bram=0),
)


def digest(design: Design) -> str:
    """Digest of all that decides the figures of a design."""
    own = paths.data_root() / "melanion"
    code = [*sorted((own / "protect").glob("*.py")), own / "build" / "protected.py"]
    found = hashlib.sha256(f"{design.protection} {engine_area.digest(design)}".encode())
    for path in code if design.unit else ():
        found.update(f"{path.name}\0{injection.code(path)}\0".encode())
    return found.hexdigest()[:16]


def written(measured: Sequence[Mapping[str, float]]) -> str:
    """The file, of the figures in the order of LIMITS."""
    found: list[Line] = []
    for limit, values in zip(LIMITS, measured, strict=True):
        figures = {name: f"{values[name]:g}" for name in FIGURES}
        found.append({"protection": limit.protection, **figures, "digest": digest(limit.design)})
    return text_of(found)


def recorded(file: Path = FILE) -> dict[str, Line]:
    """Protection → row."""
    return {row["protection"]: row for row in lines(file)}


def complaints(rows: Mapping[str, Line]) -> list[str]:
    """A sentence for each row that is missing or of other sources, and each figure beyond its
    limit."""
    found = []
    for limit in LIMITS:
        row = rows.get(limit.protection)
        if row is None or row["digest"] != digest(limit.design):
            found.append(
                f"{NAME} has no row of the present sources for {limit.protection}; run `{COMMAND}`"
                " and commit the file."
            )
            continue
        for name in ("comb", "bram"):
            if float(row[name]) > getattr(limit, name):
                found.append(_beyond(limit, name, row[name]))
        if float(row["fmax"]) < limit.fmax:
            found.append(_beyond(limit, "fmax", row["fmax"]))
    return found


def _beyond(limit: Limit, name: str, value: str) -> str:
    return f"{NAME}: {limit.protection}: {name} is {value}; its limit is {getattr(limit, name):g}."


def shown() -> str:
    """The table of docs/explanation/protection.md."""
    plain = engine_area.recorded()[0]
    found = []
    for name, row in {"none": plain, **recorded()}.items():
        cells = int(row["comb"])
        beside = ("–", "–")
        if name not in ("none", GUARD):
            more = 100 * (cells / int(plain["comb"]) - 1)
            beside = f"+{more:.0f} %", f"{float(row['fmax']) / float(plain['fmax']):.2f}"
        clock = "–" if name == GUARD else f"{float(row['fmax']):.1f}"
        found.append(
            (
                WORDS[name],
                number(cells),
                beside[0],
                number(int(row["ff"])),
                row["bram"],
                clock,
                beside[1],
            )
        )
    heads = (
        "`unit_protection`",
        "cells",
        "more",
        "flip-flops",
        "block RAMs",
        "MHz",
        "of the clock",
    )
    return table("lrrrrrr", heads, found)
