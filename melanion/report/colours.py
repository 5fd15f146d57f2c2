# SPDX-License-Identifier: Apache-2.0
"""Colours of kernels: each kernel has the same one on every page and in every picture."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

# Light page, dark page. A slot is a place in this list, and the class `s<slot>` in a page. KERNELS
# have the first ones; the others are for further systems, and for parts of a bar.
PALETTE = (
    ("#b4521a", "#f0965c"),
    ("#1d63a8", "#74b4f2"),
    ("#2c7d55", "#6ccb9c"),
    ("#7048ad", "#bda2f2"),
    ("#94356a", "#ec8fc0"),
    ("#6b6b64", "#b4b4ab"),
    ("#0f7480", "#5fc9d4"),
    ("#8a6a00", "#e0c04a"),
    ("#6d4534", "#c9a48f"),
    ("#5b6b12", "#a9bd3f"),
)
KERNELS = {"sw": 0, "hwrtos": 1, "booster": 2, "port": 3, "banked": 4, "freertos": 5}
OTHERS = range(len(KERNELS), len(PALETTE))  # slots of no kernel


def slots(kernels: Iterable[str]) -> dict[str, int]:
    """Slot of each kernel or system, no two alike. A system without a slot of its own has that of
    its kernel where it is free, else the next one of no kernel; where these are all taken, that of
    a kernel that is not there; beyond the palette there is no colour."""
    names = list(kernels)
    found: dict[str, int] = {}
    for name in sorted(names, key=_distance):
        taken = set(found.values())
        wanted = KERNELS.get(re.split(r"[@[+ -]", name)[0])
        found[name] = free(taken) if wanted is None or wanted in taken else wanted
    return {name: found[name] for name in names}


def _distance(name: str) -> int:
    """0: a kernel of KERNELS; 1: one with other sizes, cores or memory, as `sw-3`; 2: another."""
    return 0 if name in KERNELS else 1 if re.split(r"[@[+ ]|-\d", name)[0] in KERNELS else 2


def free(taken: Collection[int]) -> int:
    """The next slot that is not taken, those of no kernel first."""
    beyond = range(len(PALETTE), len(PALETTE) + len(taken) + 1)
    order: list[int] = [*OTHERS, *KERNELS.values(), *beyond]
    return next(slot for slot in order if slot not in taken)
