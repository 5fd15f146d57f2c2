# SPDX-License-Identifier: Apache-2.0
"""Cycles in a SoC that LiteX made: tests/asserted/litex.csv, and the block of it in
docs/howto/litex.md. `python -m tests.litex.measure` writes the file."""

from __future__ import annotations

from melanion.docs.rows import ASSERTED, lines
from melanion.docs.table import table

FILE = ASSERTED / "litex.csv"
_TEXTS = {
    "give_take": "give and take a semaphore, no switch",
    "ping_pong": "give and take to another task and back: two switches",
    "interrupt_mean": "interrupt line → task, mean",
    "interrupt_worst": "interrupt line → task, worst",
}


def recorded() -> dict[tuple[str, str], int]:
    """Kernel, measure → cycles."""
    return {(row["kernel"], row["measure"]): int(row["cycles"]) for row in lines(FILE)}


def cycles() -> str:
    """The block of docs/howto/litex.md."""
    found = recorded()
    kernels = list(dict.fromkeys(kernel for kernel, _ in found))
    shown = [
        (text, *(str(found[kernel, name]) for kernel in kernels)) for name, text in _TEXTS.items()
    ]
    return table("lr", ["cycles", *(f"`{kernel}`" for kernel in kernels)], shown)
