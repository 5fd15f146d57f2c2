# SPDX-License-Identifier: Apache-2.0
"""The rows of a result: what was measured, as statistics and as the counted values behind them.

A statistic is always a value that was observed (no interpolation): `median` and `p99` are the
smallest value that at
least 50 and 99 % of the samples do not exceed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.int64]
Parameters = dict[str, int | str]
Found = Iterator[tuple[Parameters, Samples]]  # rows of a metric, in the order of the definition

SCHEMA = 1


@dataclass(frozen=True)
class Row:
    """One line of the result. `min` … `max` in `unit`; `parameters` in the order of the
    definition."""

    experiment: str
    kernel: str
    metric: str
    parameters: Parameters
    unit: str
    n: int
    min: int
    median: int
    p99: int
    max: int

    @property
    def label(self) -> str:
        """`tick_wake n=8 first`: the metric and its parameters, words without their key."""
        words = [
            value if isinstance(value, str) else f"{key}={value}"
            for key, value in self.parameters.items()
        ]
        return " ".join([self.metric, *words])


@dataclass(frozen=True)
class Measurement:
    """A row and its histogram: ascending (value, count) pairs."""

    row: Row
    histogram: tuple[tuple[int, int], ...]


def measurement(
    experiment: str,
    kernel: str,
    metric: str,
    parameters: Parameters,
    samples: Samples,
    unit: str = "cycles",
) -> Measurement:
    """Summarize samples, at least one."""
    ordered = np.sort(samples)
    n = len(ordered)

    def rank(share: float) -> int:
        return int(ordered[max(1, math.ceil(share * n)) - 1])

    row = Row(
        experiment=experiment,
        kernel=kernel,
        metric=metric,
        parameters=parameters,
        unit=unit,
        n=n,
        min=int(ordered[0]),
        median=rank(0.5),
        p99=rank(0.99),
        max=int(ordered[-1]),
    )
    values, counts = np.unique(ordered, return_counts=True)
    return Measurement(row, tuple(zip(values.tolist(), counts.tolist(), strict=True)))


def as_json(measurements: list[Measurement], provenance: dict[str, Any]) -> dict[str, Any]:
    """The document of `--json`."""
    return {
        "schema": SCHEMA,
        "provenance": provenance,
        "rows": [asdict(each.row) for each in measurements],
    }
