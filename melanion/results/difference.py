# SPDX-License-Identifier: Apache-2.0
"""Two collections side by side: which rows changed, which are only in one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from melanion.measure.rows import Row
from melanion.results.assemble import Collection

Kind = Literal["changed", "only in A", "only in B"]


@dataclass(frozen=True)
class Change:
    """One row that differs. `before`, `after`: the row in A and in B; None: it is not there."""

    experiment: str
    kernel: str
    label: str
    before: Row | None
    after: Row | None

    @property
    def kind(self) -> Kind:
        if self.before is None:
            return "only in B"
        return "changed" if self.after is not None else "only in A"

    @property
    def word(self) -> str:
        """`faster`, `slower` (of cycles: the worst case, and where that is the same the median),
        `less`, `more` (of other units), `other` (only other statistics differ); `gone`, `new`."""
        if self.before is None:
            return "new"
        if self.after is None:
            return "gone"
        words = ("faster", "slower") if self.after.unit == "cycles" else ("less", "more")
        for name in ("max", "median"):
            old, new = getattr(self.before, name), getattr(self.after, name)
            if old != new:
                return words[new > old]
        return "other"


def compare(first: Collection, second: Collection) -> Iterator[Change]:
    """The rows that differ, in the order of A; what only B has follows."""
    before, after = _rows(first), _rows(second)
    for key in [*before, *(key for key in after if key not in before)]:
        old, new = before.get(key), after.get(key)
        if old is None or new is None or not _same(old, new):
            experiment, kernel, label = key
            yield Change(experiment, kernel, label, old, new)


def _same(old: Row, new: Row) -> bool:
    def figures(row: Row) -> tuple[object, ...]:
        return row.unit, row.n, row.min, row.median, row.p99, row.max

    return figures(old) == figures(new)


def _rows(collection: Collection) -> dict[tuple[str, str, str], Row]:
    return {
        (unit.experiment, unit.kernel, each.row.label): each.row
        for unit in collection.units.values()
        for each in unit.measurements
    }
