# SPDX-License-Identifier: Apache-2.0
"""The measurements behind docs/explanation/deadlock.md: the deadlock detection unit over its
sizes, on ECP5.

`designs` says what is to be measured, `table` shows the rows. Pure:
melanion/docs/synthesis.py runs it.
"""

from __future__ import annotations

from collections.abc import Mapping

from melanion.area.design import DEADLOCK_TOP, Design
from melanion.area.present import Table

SIZES = (5, 16, 32)  # processes, and as many resources

Figures = Mapping[Design, Mapping[str, float]]


def design(size: int) -> Design:
    """A unit for one core."""
    return Design(DEADLOCK_TOP, (("Processes", size), ("Resources", size), ("Cores", 1)))


def designs() -> list[Design]:
    return [design(size) for size in SIZES]


def table(placed: Figures, digests: Mapping[Design, str]) -> Table:
    """One line per size, with a digest of the sources."""
    heads = ("processes × resources", "LUT4", "FF", "MHz", "digest")
    rows = []
    for size in SIZES:
        key = design(size)
        cells = (f"{placed[key][name]:.0f}" for name in ("comb", "ff", "fmax"))
        rows.append((f"{size} × {size}", *cells, digests[key]))
    return Table(heads, tuple(rows), left=1)
