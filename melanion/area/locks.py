# SPDX-License-Identifier: Apache-2.0
"""The measurements behind docs/explanation/lock-cache.md: the lock cache over cores and locks, on
ECP5 and in gates.

`designs` says what is to be measured, `table` shows the rows. Pure:
melanion/docs/synthesis.py runs it.
"""

from __future__ import annotations

from collections.abc import Mapping

from melanion.area.design import LOCKS_TOP, Design
from melanion.area.present import Table

# Locks of each kind, cores, and whether long locks are handed over by priority.
SIZES = ((64, 3, False), (64, 4, False), (64, 4, True))

Figures = Mapping[Design, Mapping[str, float]]


def design(locks: int, cores: int, hand_over: bool, *, flip_flops: bool = False) -> Design:
    """`flip_flops`: the words of the locks are no memory."""
    sizes = (
        ("ShortLocks", locks),
        ("LongLocks", locks),
        ("Cores", cores),
        ("HandOver", int(hand_over)),
    )
    return Design(LOCKS_TOP, sizes, flip_flops=flip_flops)


def designs() -> list[Design]:
    """Those placed, with memories; gates are counted of these and of all in flip-flops."""
    return [design(*size) for size in SIZES]


def in_flip_flops() -> list[Design]:
    return [design(*size, flip_flops=True) for size in SIZES]


def table(placed: Figures, gates: Figures | None) -> Table:
    """One line per size. Without a library for gates their columns are missing."""
    heads = ["locks", "cores", "long locks", "LUT4", "FF", "MHz"]
    heads += ["NAND2", "memory bits", "NAND2, no memory"] if gates is not None else []
    rows = []
    for size in SIZES:
        locks, cores, hand_over = size
        cells = [f"{locks} + {locks}", str(cores), "handed over" if hand_over else "all told"]
        values = placed[design(*size)]
        cells += [f"{values[name]:.0f}" for name in ("comb", "ff", "fmax")]
        if gates is not None:
            with_memory, without = gates[design(*size)], gates[design(*size, flip_flops=True)]
            cells += [f"{with_memory[name]:.0f}" for name in ("nand2", "memory_bits")]
            cells.append(f"{without['nand2']:.0f}")
        rows.append(tuple(cells))
    return Table(tuple(heads), tuple(rows), left=3)
