# SPDX-License-Identifier: Apache-2.0
"""A sweep file: systems × parameters × measured quantities, and how the points are chosen."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from melanion.spec.schema import Name, Row, Text

POINTS, BATCH = 100, 8


class Range(Row):
    """Whole numbers from `start` to `end`, both included: `step` apart, or each `times` the one
    before."""

    start: int = Field(alias="from", ge=0)
    end: int = Field(alias="to", ge=0)
    step: int | None = Field(default=None, ge=1)
    times: int | None = Field(default=None, ge=2)

    @property
    def values(self) -> tuple[int, ...]:
        if not self.times:
            return tuple(range(self.start, self.end + 1, self.step or 1))
        found, value = [], self.start
        while 0 < value <= self.end:
            found.append(value)
            value *= self.times
        return tuple(found)


class Search(Row):
    """Search by Optuna: `points` different ones at most, proposed `batch` at a time, so that a seed
    gives the same points with any number of workers."""

    points: int = Field(default=POINTS, ge=1, le=100_000)
    batch: int = Field(default=BATCH, ge=1, le=1000)
    seed: int = Field(default=1, ge=0, lt=2**32)


class SweepFile(Row):
    """`systems`: names without sizes. `parameters`: key → values. Measured, at least one of:
    `experiments` (experiment → metric: its largest value in cycles), `programs` (cycles of a run),
    `bounds` (actions of an interrupt: computed, nothing runs)."""

    title: Text
    systems: list[Text] = Field(min_length=1)
    parameters: dict[Name, list[int | str] | Range] = Field(default={})
    experiments: dict[Text, Name] = Field(default={})
    programs: list[Text] = Field(default=[])
    bounds: list[Name] = Field(default=[])
    mode: Literal["grid", "search"] = "grid"
    search: Search | None = None
