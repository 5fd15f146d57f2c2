# SPDX-License-Identifier: Apache-2.0
"""Experiments: `experiments/<name>.yaml`, what is measured and what is claimed about it.

An experiment has a program of its own; or (`measured_by`) other claims about the rows of another;
or (`designs`) hardware that is synthesized, and no program.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from melanion.claims.claim import Bars, Claim, Figure
from melanion.config import SystemName
from melanion.measure.definition import Definition, DesignOf, Metric
from melanion.spec.schema import KernelName, Name, Row, Text

Size = Literal[
    "cores",
    "tasks",
    "priorities",
    "semaphores",
    "event_flags",
    "mutexes",
    "queues",
    "messages",
    "timers",
    "interrupts",
    "monitor",
]


class Experiment(Definition):
    """A definition, the claims that judge its rows, and the figures that show them. `needs`: the
    least sizes of a system, which its program asserts; they decide no row."""

    needs: dict[Size, Annotated[int, Field(ge=1)]] = Field(default={})
    claims: list[Claim] = Field(default=[])
    figures: list[Figure] = Field(default=[])
    bars: list[Bars] = Field(default=[])

    @property
    def least(self) -> dict[str, int]:
        """`needs`, by name."""
        return {str(name): number for name, number in self.needs.items()}


class DerivedExperiment(Row):
    """An experiment without rows of its own: further claims about those of another."""

    title: Text
    source: Text
    measured_by: KernelName
    kernels: list[SystemName] = Field(min_length=1)
    claims: list[Claim] = Field(min_length=1)
    figures: list[Figure] = Field(default=[])
    bars: list[Bars] = Field(default=[])


class Synthesis(Row):
    """An experiment without a program."""

    title: Text
    source: Text
    designs: dict[SystemName, DesignOf] = Field(min_length=1)
    metrics: dict[Name, Metric] = Field(min_length=1)
    claims: list[Claim] = Field(min_length=1)

    @property
    def experiment(self) -> Experiment:
        """With everything that only a program has empty."""
        keys: dict[str, Any] = {key: getattr(self, key) for key in Synthesis.model_fields}
        keys |= {key: {} for key in ("marks", "phases", "tracepoints", "lines")}
        return Experiment(**keys, app="none", kernels=list(self.designs), max_cycles=1)
