"""`Result`: what one experiment gave on several kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from melanion.experiments.definition import Definition
from melanion.experiments.rows import Measurement, Parameters


@dataclass(frozen=True)
class Result:
    """`measurements`: kernel after kernel, each in the order of the definition.

    `provenance`: command, commit, tools and, under `systems`, one mapping per kernel.
    """

    experiment: str
    definition: Definition
    kernels: tuple[str, ...]
    measurements: tuple[Measurement, ...]
    provenance: dict[str, Any]

    def get(self, kernel: str, metric: str, parameters: Parameters) -> Measurement:
        """One row, which the definition promises."""
        return next(
            each
            for each in self.measurements
            if (each.row.kernel, each.row.metric, each.row.parameters)
            == (kernel, metric, parameters)
        )

    def lines(self) -> list[tuple[str, Parameters, list[Measurement]]]:
        """Metric, parameters and one measurement per kernel: the lines of a comparing table."""
        return [
            (name, parameters, [self.get(kernel, name, parameters) for kernel in self.kernels])
            for name, metric in self.definition.metrics.items()
            for parameters in metric.combinations
        ]
