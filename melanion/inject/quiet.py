# SPDX-License-Identifier: Apache-2.0
"""Flips that need no run, because an earlier one tells what they lead to.

A row of a memory with parity is compared whenever it is read, so a flip in it that is masked, and
still there when its run ends, was not read (or not before the run's last moments), and the row was
not written. A flip of the same row in the same or a later cycle, of whichever bit, then meets no
access that the first did not meet: it is masked and stays, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from melanion.config import System
from melanion.inject.flips import Flip
from melanion.inject.space import Field

UNIT = "u_unit."  # instances of a protected unit


class Known(Protocol):
    """The part of a finished flip that counts (campaign.Record)."""

    @property
    def number(self) -> int: ...
    @property
    def cycle(self) -> int: ...
    @property
    def module(self) -> str: ...
    @property
    def variable(self) -> str: ...
    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def left(self) -> bool: ...
    @property
    def evidence(self) -> str: ...
    @property
    def teller(self) -> int | None: ...


class Quiet:
    """Rows that nothing reads any more, as far as finished flips tell."""

    def __init__(self, system: System, fields: Iterable[Field]) -> None:
        self._rows = {
            (each.module, each.name)
            for each in fields
            if system.unit_protection != "none"
            and each.kind in ("memories", "configuration")
            and each.module.startswith(UNIT)
        }
        # Row → first cycle from which it is known to be quiet, number of the flip that told it.
        self._from: dict[tuple[str, str, int], tuple[int, int]] = {}

    def learn(self, records: Iterable[Known]) -> None:
        for each in records:
            if (each.module, each.variable) not in self._rows or each.teller is not None:
                continue
            if each.name == "masked" and each.left and not each.evidence:
                row = each.module, each.variable, each.index
                told = each.cycle, each.number
                self._from[row] = min(self._from.get(row, told), told)

    def teller(self, flip: Flip) -> int | None:
        """Number of the flip that tells what this one leads to; None: it has to be run."""
        row = flip.field.module, flip.field.name, flip.element
        told = self._from.get(row)
        return told[1] if told is not None and flip.cycle >= told[0] else None
