# SPDX-License-Identifier: Apache-2.0
"""`Result`: what one experiment gave on several kernels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from melanion import config
from melanion.claims.experiment import Experiment
from melanion.measure.rows import Measurement, Parameters
from melanion.measure.worst_case import WorstCase


def _known(kernels: Iterable[str]) -> list[str]:
    """Names of systems, not of designs."""
    return [kernel for kernel in kernels if config.is_name(kernel)]


def unreplayed(kernels: Iterable[str]) -> list[str]:
    """Those whose runs the golden model does not replay: the program's self-checks decide."""
    return [name for name in _known(kernels) if not config.find(name).kernel_info.replayed]


def described(kernels: Iterable[str]) -> dict[str, str]:
    """Systems by name, and what their kernel is in words."""
    return {name: config.find(name).kernel_info.text for name in _known(kernels)}


@dataclass(frozen=True)
class Result:
    """`measurements`: kernel after kernel, each in the order of the definition.

    `provenance`: command, commit, tools and, under `systems`, one mapping per kernel.
    `worst_cases`: of the kernels whose worst case was kept.
    """

    experiment: str
    definition: Experiment
    kernels: tuple[str, ...]
    measurements: tuple[Measurement, ...]
    provenance: dict[str, Any]
    worst_cases: Mapping[str, WorstCase] = field(default_factory=dict)

    def get(self, kernel: str, metric: str, parameters: Parameters) -> Measurement:
        """One row, which the definition promises of this kernel."""
        found = self.find(kernel, metric, parameters)
        assert found is not None
        return found

    def find(self, kernel: str, metric: str, parameters: Parameters) -> Measurement | None:
        """One row; None: the kernel lacks what the metric needs."""
        return self._rows.get((kernel, metric, *parameters.items()))

    @cached_property
    def _rows(self) -> dict[tuple[object, ...], Measurement]:
        return {
            (each.row.kernel, each.row.metric, *each.row.parameters.items()): each
            for each in self.measurements
        }

    def lines(self) -> list[tuple[str, Parameters, list[Measurement | None]]]:
        """Metric, parameters and one measurement per kernel: the lines of a comparing table.
        None: that kernel lacks it; a line has at least one measurement."""
        every = [
            (name, parameters, [self.find(kernel, name, parameters) for kernel in self.kernels])
            for name, metric in self.definition.metrics.items()
            for parameters in metric.combinations
        ]
        return [line for line in every if any(each is not None for each in line[2])]
