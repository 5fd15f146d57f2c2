# SPDX-License-Identifier: Apache-2.0
"""The measurements behind the prices in docs/explanation/banked.md: the core with one set of
registers and with those of 16 … 256 tasks; and what attaches the unit to it.

`cores` and `others` say what is to be measured, `registers` and `couplings` show the rows. Pure:
melanion/docs/synthesis.py runs it and writes the page.
"""

from __future__ import annotations

from collections.abc import Mapping

from melanion.area.design import BANKED_CORE_TOP, CORE, STORE_TOP, Design
from melanion.area.present import Table

RESIDENT = 4  # contexts at hand: the default of `core.resident`
# Tasks, contexts at hand. With more than 4 the LUT-RAM of each register has two levels.
SIZES = ((16, RESIDENT), (64, RESIDENT), (64, 8), (128, RESIDENT), (256, RESIDENT))
TASKS = 64


def core(tasks: int, resident: int = RESIDENT) -> Design:
    """The core with registers for so many tasks; 0: of one context."""
    if tasks == 0:
        return CORE
    return Design(BANKED_CORE_TOP, (("Tasks", tasks), ("Resident", resident)))


def store(cores: int = 1) -> Design:
    """The registers of one of so many cores."""
    return Design(STORE_TOP, (("Tasks", TASKS), ("Cores", cores)))


def exchange(cores: int) -> Design:
    """The connection of several cores' registers."""
    return Design("mel_context_exchange", (("Tasks", TASKS), ("Cores", cores)))


SINGLE = tuple(
    Design(top) for top in ("mel_bank_switch", "mel_bank_fetch", "mel_bank_ask", "mel_port")
)
# The core with the registers of all tasks has the first two.
BESIDE_CORE = SINGLE[2:]


def cores() -> list[Design]:
    """The core with one set of registers, and with those of many tasks."""
    return [core(0), *(core(*size) for size in SIZES)]


def others() -> list[Design]:
    """Every other design of both tables, once."""
    return [store(), store(2), exchange(2), exchange(4), *SINGLE]


def registers(values: Mapping[Design, Mapping[str, float]]) -> Table:
    """Core over the number of tasks whose registers it has."""
    heads = ("tasks", "at hand", "core's cells", "FF", "block RAMs", "MHz")
    rows = []
    for tasks, resident in ((0, 0), *SIZES):
        found = values[core(tasks, resident)]
        figures = [f"{found[name]:.0f}" for name in ("comb", "ff", "bram")]
        names = [str(tasks), str(resident)] if tasks else ["none", ""]
        rows.append((*names, *figures, f"{found['fmax']:.1f}"))
    return Table(heads, tuple(rows))


def couplings(values: Mapping[Design, Mapping[str, float]]) -> Table:
    """Cells, flip-flops and block RAMs of each module between a core and the unit."""
    named = {
        "`mel_context_store`, 1 core": store(),
        "`mel_context_store`, one of several": store(2),
        "`mel_context_exchange`, 2 cores": exchange(2),
        "`mel_context_exchange`, 4 cores": exchange(4),
    }
    named |= {f"`{design.top}`": design for design in SINGLE}
    rows = [
        (name, *(f"{values[design][figure]:.0f}" for figure in ("comb", "ff", "bram")))
        for name, design in named.items()
    ]
    return Table(("module", "cells", "FF", "block RAMs"), tuple(rows))
