# SPDX-License-Identifier: Apache-2.0
"""The measurements behind docs/explanation/dmmu.md: the memory management unit over its sizes, on
ECP5.

`designs` says what is to be measured, `table` shows the rows. Pure:
melanion/docs/synthesis.py runs it.
"""

from __future__ import annotations

from collections.abc import Mapping

from melanion.area.design import DMMU_TOP, Design
from melanion.area.present import Table

SIZES = (16, 64, 256)  # blocks
OWNERS = 64

Figures = Mapping[Design, Mapping[str, float]]


def design(blocks: int) -> Design:
    """A unit for one core."""
    return Design(DMMU_TOP, (("Blocks", blocks), ("Owners", OWNERS), ("Cores", 1)))


def designs() -> list[Design]:
    return [design(blocks) for blocks in SIZES]


def table(placed: Figures, digests: Mapping[Design, str]) -> Table:
    """One line per size, with a digest of the sources."""
    heads = ("blocks", "LUT4", "FF", "MHz", "digest")
    rows = []
    for blocks in SIZES:
        key = design(blocks)
        cells = (f"{placed[key][name]:.0f}" for name in ("comb", "ff", "fmax"))
        rows.append((str(blocks), *cells, digests[key]))
    return Table(heads, tuple(rows), left=0)
