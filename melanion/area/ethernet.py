# SPDX-License-Identifier: Apache-2.0
"""The measurements behind docs/explanation/network.md: the Ethernet MAC with the traffic generator
at its wire over the number of slots for received frames, on ECP5.

`designs` says what is to be measured, `table` shows the rows. Pure:
melanion/docs/synthesis.py runs it.
"""

from __future__ import annotations

from collections.abc import Mapping

from melanion.area.design import ETHERNET_TOP, Design
from melanion.area.present import Table

SIZES = (2, 4, 16)  # slots

Figures = Mapping[Design, Mapping[str, float]]


def design(slots: int) -> Design:
    """A MAC for one core."""
    return Design(ETHERNET_TOP, (("Slots", slots), ("Cores", 1)))


def designs() -> list[Design]:
    return [design(slots) for slots in SIZES]


def table(placed: Figures, digests: Mapping[Design, str]) -> Table:
    """One line per size, with a digest of the sources."""
    heads = ("slots", "LUT4", "FF", "MHz", "digest")
    rows = []
    for slots in SIZES:
        key = design(slots)
        cells = (f"{placed[key][name]:.0f}" for name in ("comb", "ff", "fmax"))
        rows.append((str(slots), *cells, digests[key]))
    return Table(heads, tuple(rows), left=0)
