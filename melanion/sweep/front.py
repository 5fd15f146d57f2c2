# SPDX-License-Identifier: Apache-2.0
"""Answers of points, their three costs, and the front: points that no other one beats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from melanion.area.recorded import Figure
from melanion.sweep.plan import Point, Quantity

BLOCK_BYTES = 18 * 1024 // 8  # bytes of a block RAM
COSTS = ("worst", "cells", "memory")

State = Literal["done", "failed", "refused"]


@dataclass(frozen=True)
class Answer:
    """One point. `found`: it was in the results store; `refused`: no system has these values, so
    that nothing was evaluated; `evidence`: what a failed run left."""

    point: Point
    state: State
    area: Figure | None = None
    worst: int | None = None
    rom: int | None = None
    ram: int | None = None
    seconds: float = 0.0
    found: bool = False
    failure: str = ""
    evidence: tuple[str, ...] = ()
    provenance: dict[str, Any] | None = None

    @property
    def memory(self) -> int | None:
        """Bytes of the program and of the unit's block RAMs."""
        if self.area is None or self.area.block_rams is None:
            return None
        return (self.rom or 0) + (self.ram or 0) + BLOCK_BYTES * self.area.block_rams

    @property
    def costs(self) -> tuple[int, int, int] | None:
        """Cycles, cells, bytes; None: one of them is not known."""
        cells = self.area.cells if self.area else None
        if self.worst is None or cells is None or self.memory is None:
            return None
        return self.worst, cells, self.memory


def front(answers: Iterable[Answer]) -> list[Answer]:
    """Answers of one quantity that no other one equals in all costs and beats in one, the fastest
    first."""
    known = sorted(
        ((each.costs, each.point.system, each) for each in answers if each.costs),
        key=lambda each: each[:2],
    )
    found: list[tuple[tuple[int, int, int], Answer]] = []
    for costs, _, each in known:
        # Ascending order: what beats an answer comes before it.
        if not any(_beats(other, costs) for other, _ in found):
            found.append((costs, each))
    return [each for _, each in found]


def unknown(answers: Iterable[Answer]) -> list[Answer]:
    """Answers that no front can have, because cells or memory of their systems are not known; the
    fastest first."""
    found = [
        (each.worst, each.point.system, each)
        for each in answers
        if each.worst is not None and each.costs is None
    ]
    return [each for *_, each in sorted(found, key=lambda each: each[:2])]


def _beats(one: Sequence[int], other: Sequence[int]) -> bool:
    return tuple(one) != tuple(other) and all(a <= b for a, b in zip(one, other, strict=True))


def by_quantity(answers: Iterable[Answer]) -> dict[Quantity, list[Answer]]:
    """Answers of each quantity, in their order."""
    found: dict[Quantity, list[Answer]] = {}
    for each in answers:
        found.setdefault(each.point.quantity, []).append(each)
    return found
