# SPDX-License-Identifier: Apache-2.0
"""Colours of kernels: each kernel has the same one on every page and in every picture."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Light page, dark page. A slot is a place in this list, and the class `s<slot>` in a page.
PALETTE = (
    ("#b4521a", "#f0965c"),
    ("#1d63a8", "#74b4f2"),
    ("#2c7d55", "#6ccb9c"),
    ("#7048ad", "#bda2f2"),
    ("#94356a", "#ec8fc0"),
    ("#6b6b64", "#b4b4ab"),
)
KERNELS = {"sw": 0, "hwrtos": 1, "booster": 2, "port": 3, "banked": 4, "freertos": 5}


def slots(kernels: Iterable[str]) -> dict[str, int]:
    """Slot of each kernel or system, no two alike. A system without a slot of its own has that of
    its kernel where it is free, else the next free one; beyond the palette there is no colour."""
    names = list(kernels)
    found = {name: KERNELS[name] for name in names if name in KERNELS}
    for name in names:
        if name not in found:
            taken = set(found.values())
            wanted = KERNELS.get(re.split(r"[@[+-]", name)[0], 0)
            free = [slot for slot in range(len(names) + len(PALETTE)) if slot not in taken]
            found[name] = wanted if wanted in free else free[0]
    return {name: found[name] for name in names}
