# SPDX-License-Identifier: Apache-2.0
"""The measurements behind the prices in docs/explanation/banked.md: the core with one set of
registers and with 2 … 32 banks, in LUT-RAM or in flip-flops; and what attaches the unit to it.

`cores` and `others` say what is to be measured, `registers` and `couplings` show the rows. Pure:
melanion/docs/synthesis.py runs it and writes the page.
"""

from __future__ import annotations

from collections.abc import Mapping

from melanion.area.design import BANKED_CORE_TOP, CORE, Design
from melanion.area.present import Table

BANKS = (2, 4, 8, 16, 32)
# With 8 the placer had not ended after 40 minutes: so many multiplexers read the registers.
BANKS_IN_FLIP_FLOPS = (2, 4)
TASKS = 64
USUAL_BANKS = 16


def core(banks: int, *, flip_flops: bool = False) -> Design:
    """The core with registers for so many tasks; 0: without banks."""
    if banks == 0:
        return CORE
    sizes = (("Tasks", TASKS), ("Banks", banks))
    return Design(BANKED_CORE_TOP, sizes, flip_flops=flip_flops)


def table(banks: int, cores: int = 1) -> Design:
    return Design("mel_bank_table", (("Tasks", TASKS), ("Banks", banks), ("Cores", cores)))


SINGLE = tuple(
    Design(top) for top in ("mel_bank_switch", "mel_bank_fetch", "mel_bank_ask", "mel_port")
)


def cores() -> list[Design]:
    """The core with one set of registers, and with banks of them in LUT-RAM."""
    return [core(banks) for banks in (0, *BANKS)]


def others() -> list[Design]:
    """Every other design of both tables, once: registers in flip-flops, and what attaches the
    unit."""
    found = [core(banks, flip_flops=True) for banks in BANKS_IN_FLIP_FLOPS]
    found += [table(banks) for banks in BANKS]
    return [*found, table(USUAL_BANKS, 2), table(USUAL_BANKS, 4), *SINGLE]


def registers(values: Mapping[Design, Mapping[str, float]]) -> Table:
    """Core and table of banks over the number of banks."""
    figures = ("comb", "ff", "fmax")
    heads = ["banks", "core's cells", "FF", "MHz", "in flip-flops: cells", "FF", "MHz"]
    heads += ["table: cells", "FF"]
    rows = []
    for banks in (0, *BANKS):
        cells = [str(banks) if banks else "none"]
        cells += [f"{values[core(banks)][name]:.0f}" for name in figures]
        if banks in BANKS_IN_FLIP_FLOPS:
            found = values[core(banks, flip_flops=True)]
            cells += [f"{found[name]:.0f}" for name in figures]
        else:
            cells += ["", "", ""]
        cells += (
            [f"{values[table(banks)][name]:.0f}" for name in ("comb", "ff")] if banks else ["", ""]
        )
        rows.append(tuple(cells))
    return Table(tuple(heads), tuple(rows))


def couplings(values: Mapping[Design, Mapping[str, float]]) -> Table:
    """Cells and flip-flops of each module between a core and the unit."""
    named = {f"`{design.top}`": design for design in SINGLE}
    named |= {
        f"`mel_bank_table`, {cores} core{'s' if cores > 1 else ''}": table(USUAL_BANKS, cores)
        for cores in (1, 2, 4)
    }
    rows = [
        (name, *(f"{values[design][figure]:.0f}" for figure in ("comb", "ff")))
        for name, design in named.items()
    ]
    return Table(("module", "cells", "FF"), tuple(rows))
