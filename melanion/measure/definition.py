# SPDX-License-Identifier: Apache-2.0
"""Definition of what an experiment measures: program, systems, metrics; or (`designs`) hardware
that is synthesized, and no program. What is said about its rows: melanion/claims."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Annotated, Literal

from pydantic import Field

from melanion.build.app import Macro
from melanion.config import SystemName, memories
from melanion.errors import MelanionError
from melanion.measure.rows import Parameters
from melanion.spec.schema import Name, Row, Text

Statistic = Literal["min", "median", "p99", "max"]
Word = Annotated[int, Field(ge=0, lt=2**32)]
Choice = int | str | list[int | str]


class ExperimentError(MelanionError):
    """An experiment is unknown, wrongly defined, or its run gave no usable measurement."""


class Target(Row):
    """A promise: on this kernel the statistic is at most this, in every row whose parameters agree
    with `where`."""

    kernel: SystemName
    statistic: Literal["min", "median", "p99", "max", "jitter", "spread"]
    at_most: int = Field(ge=0)
    where: dict[Name, int | str] = Field(default={})


class Reference(Row):
    """A value that another kernel had on the same core and memory."""

    statistic: Statistic
    value: int = Field(ge=0)
    where: dict[Name, int | str] = Field(default={})


class Extractor(Row):
    """Rule that takes the samples of a metric from the events of a phase; the kinds are those of
    melanion/measure/extractors. `start`, `end`: tracepoints. `switch`: whether tasks are switched
    between them; None: either."""

    kind: Literal["span", "irq_off", "tick_wake", "tick_irq_off", "tick_share", "period", "reading"]
    phase: Name
    start: Name = "start"
    end: Name = "end"
    switch: bool | None = None


class Metric(Row):
    """`start` and `to` are the edges in words; `to` is absent when the quantity has only one.
    `needs`: a command or query, or `short_lock`, a lock between cores around the critical sections
    of a kernel in C, or `atomics`, instructions that the core may have; where it is lacking there
    are no rows. `extractor`: how it is measured; without
    one the experiment has Python for it (melanion/measure/measure). `unit`: of its values, if
    they are no cycles."""

    title: Text
    start: Text = Field(alias="from")
    to: Text | None = None
    parameters: dict[Name, list[int | str]] = Field(default={})
    total: bool = False
    samples: int = Field(ge=1)
    needs: Name | None = None
    extractor: Extractor | None = None
    unit: Text | None = None
    targets: list[Target] = Field(default=[])
    freertos: list[Reference] = Field(default=[])

    @property
    def combinations(self) -> list[Parameters]:
        """The parameters of its rows, in order."""
        every = [
            dict(zip(self.parameters, choice, strict=True))
            for choice in product(*self.parameters.values())
        ]
        return [{}, *every] if self.total and self.parameters else every

    @property
    def edges(self) -> str:
        return self.start if self.to is None else f"{self.start} → {self.to}"


class ProgramOf(Row):
    """One of several programs of an experiment, made from its application: other sources, more
    macros, another `compat`, another optimization of its own sources than the kernel's; with other
    wait states of memory, or of the unit and devices, than the system's. `memory`: those of a
    place of code and data (configs/places/memories.yaml). `loaded`: variables, words by name, that
    have another value when its run begins: it is built once for all of them."""

    sources: list[Text] = Field(min_length=1)
    defines: dict[Macro, int | str] = Field(default={})
    compat: Name | None = None
    optimization: Literal["", "-O0", "-O1", "-Os", "-O2", "-O3"] = ""
    wait_states: int | None = Field(default=None, ge=0, le=1000)
    memory: Name | None = None
    unit_wait_states: int | None = Field(default=None, ge=0, le=1000)
    loaded: dict[Name, Word] = Field(default={})

    @property
    def waits(self) -> tuple[int | None, int | None, int | None]:
        """Wait states of instructions, of data, of the unit; None: the system's."""
        if self.memory is None:
            return self.wait_states, None, self.unit_wait_states
        place = memories()[self.memory]
        return place.wait_states, place.data_wait_states, self.unit_wait_states


class DesignOf(Row):
    """Design to synthesize: the hardware unit of a system, or a lock cache with `locks` short and
    as many long locks for `cores` cores. `whole`: a second time with its memories in flip-flops."""

    system: SystemName | None = None
    locks: int | None = Field(default=None, ge=1, le=64)
    cores: int = Field(default=3, ge=2, le=4)
    whole: bool = False


class Definition(Row):
    """`marks`, `phases`, `tracepoints`, `lines` are the numbers that its program uses; `programs`:
    several, whose phases together are measured; `source`: its place in a reference document.
    `designs`: synthesized instead, in the place of systems (melanion/area/experiment.py)."""

    title: Text
    source: Text = "ours"
    app: Text
    kernels: list[SystemName] = Field(min_length=1)
    max_cycles: int = Field(ge=1)
    programs: list[ProgramOf] = Field(default=[])
    designs: dict[SystemName, DesignOf] = Field(default={})
    marks: dict[Name, int]
    phases: dict[Name, int]
    tracepoints: dict[Name, int]
    lines: dict[Name, int]
    metrics: dict[Name, Metric] = Field(min_length=1)

    @property
    def measured(self) -> str:
        """Part of the definition that decides the rows, as JSON: all but title, source and kernels,
        and nothing that a subclass says about them."""
        decides = Definition.model_fields.keys() - {"title", "source", "kernels"}
        return self.model_dump_json(include=decides)


def agrees(parameters: Parameters, where: Mapping[str, Choice]) -> bool:
    """A row with these parameters is meant. A list means any of its values."""
    return all(
        parameters.get(key) in (value if isinstance(value, list) else [value])
        for key, value in where.items()
    )
