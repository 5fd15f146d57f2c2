# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/datasheet.md."""

from __future__ import annotations

from melanion.datasheet import present
from melanion.docs import largest
from melanion.docs.table import table

SYSTEM = "hwrtos"


def sheet() -> str:
    """The sheet of the default system."""
    found = largest.sheet(SYSTEM)
    return f"{present.tightness(found)}\n\n{present.markdown(found)}"


def tightness() -> str:
    """Measured share of the bounds, on every system of the file."""
    rows = [
        (
            f"`{each.name}`",
            each.core.variant,
            present.seen(largest.sheet(each.name, each.core.variant)),
        )
        for each in largest.systems()
    ]
    return table("l", ("system", "core", "measured of counted"), rows)
