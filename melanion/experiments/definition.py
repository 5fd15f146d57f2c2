"""Definitions of experiments: `experiments/<name>.yaml`, read strictly.

An experiment has a program of its own, or (`measured_by`) other claims about the rows of another.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Literal

from pydantic import Field

from melanion import paths
from melanion.build.app import Macro
from melanion.errors import MelanionError
from melanion.experiments.claim import Bars, Choice, Claim, Figure
from melanion.experiments.claim_rules import broken_rules
from melanion.experiments.rows import Parameters
from melanion.spec.check import check, sentence
from melanion.spec.schema import KernelName, Name, Row, Text
from melanion.spec.yaml_file import YamlFile, read

Statistic = Literal["min", "median", "p99", "max"]


class ExperimentError(MelanionError):
    """An experiment is unknown, wrongly defined, or its run gave no usable measurement."""


class Target(Row):
    """A promise: on this kernel the statistic is at most this, in every row whose parameters agree
    with `where`."""

    kernel: KernelName
    statistic: Literal["min", "median", "p99", "max", "jitter", "spread"]
    at_most: int = Field(ge=0)
    where: dict[Name, int | str] = Field(default={})


class Reference(Row):
    """A value that another kernel had on the same core and memory."""

    statistic: Statistic
    value: int = Field(ge=0)
    where: dict[Name, int | str] = Field(default={})


class Gauge(Row):
    """How the samples of a metric are taken from the events of a phase; the kinds are those of
    melanion/experiments/gauge. `start`, `end`: points. `switch`: between them tasks are switched,
    or are not."""

    kind: Literal["span", "irq_off", "tick_wake", "tick_irq_off", "tick_share", "period"]
    phase: Name
    start: Name = "start"
    end: Name = "end"
    switch: bool | None = None


class Metric(Row):
    """`start` and `to` are the edges in words; `to` is absent when the quantity has only one.
    `needs`: a command or query; kernels that lack it are not measured. `gauge`: how it is measured;
    without one the experiment has Python for it (melanion/experiments/measure)."""

    title: Text
    start: Text = Field(alias="from")
    to: Text | None = None
    parameters: dict[Name, list[int | str]] = Field(default={})
    total: bool = False
    samples: int = Field(ge=1)
    needs: Name | None = None
    gauge: Gauge | None = None
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
    macros, another optimization of its own sources than the kernel's."""

    sources: list[Text] = Field(min_length=1)
    defines: dict[Macro, int | str] = Field(default={})
    optimization: Literal["", "-O0", "-O1", "-Os", "-O2", "-O3"] = ""


class Definition(Row):
    """One experiment. `marks`, `phases`, `points`, `lines` are the numbers that its program
    uses; `programs`: several, whose phases together are measured; `source`: its place in a seed."""

    title: Text
    source: Text = "ours"
    app: Text
    kernels: list[KernelName] = Field(min_length=1)
    max_cycles: int = Field(ge=1)
    programs: list[ProgramOf] = Field(default=[])
    marks: dict[Name, int]
    phases: dict[Name, int]
    points: dict[Name, int]
    lines: dict[Name, int]
    metrics: dict[Name, Metric] = Field(min_length=1)
    claims: list[Claim] = Field(default=[])
    figures: list[Figure] = Field(default=[])
    bars: list[Bars] = Field(default=[])

    @property
    def measured(self) -> str:
        """What decides the rows, as text: all but what is said about them."""
        said = {"title", "source", "kernels", "claims", "figures", "bars"}
        return self.model_dump_json(exclude=said)


class Reading(Row):
    """An experiment that says something about the rows of another."""

    title: Text
    source: Text
    measured_by: KernelName
    kernels: list[KernelName] = Field(min_length=1)
    claims: list[Claim] = Field(min_length=1)
    figures: list[Figure] = Field(default=[])
    bars: list[Bars] = Field(default=[])


def names(folder: Path | None = None) -> list[str]:
    """The experiments that exist."""
    return sorted(
        path.stem for path in (folder or paths.data_root() / "experiments").glob("*.yaml")
    )


def load(name: str, folder: Path | None = None) -> Definition:
    """Read one definition. Raises ExperimentError."""
    return load_with_origin(name, folder)[0]


def load_with_origin(name: str, folder: Path | None = None) -> tuple[Definition, str]:
    """A definition, and the name of the experiment that measures its rows. Raises
    ExperimentError."""
    folder = folder or paths.data_root() / "experiments"
    if name not in names(folder):
        raise ExperimentError(
            f"{name!r} is no experiment; there are: {', '.join(names(folder))}. Name one of them.",
            2,
        )
    file = read(folder / f"{name}.yaml", f"experiments/{name}.yaml")
    borrowed = isinstance(file.value, dict) and "measured_by" in file.value
    found = _reading(file, folder) if borrowed else (_own(file), name)
    problems = broken_rules(found[0], file)
    if problems:
        raise ExperimentError("\n".join(problems))
    return found


def _own(file: YamlFile) -> Definition:
    definition, problems = check(Definition, file)
    if definition is None:
        raise ExperimentError("\n".join(problems))
    return definition


def _reading(file: YamlFile, folder: Path) -> tuple[Definition, str]:
    """The definition of the other experiment with the reading's own words."""
    reading, problems = check(Reading, file)
    if reading is None:
        raise ExperimentError("\n".join(problems))
    others = [other for other in names(folder) if other != Path(file.name).stem]
    if reading.measured_by not in others:
        rest = (
            f"is {reading.measured_by!r}; there are the experiments {', '.join(others)}; name one"
            " of them"
        )
        raise ExperimentError(sentence(file, ("measured_by",), rest))
    other, origin = load_with_origin(reading.measured_by, folder)
    if origin != reading.measured_by:
        rest = f"is {reading.measured_by!r}, whose rows are those of {origin}; name that"
        raise ExperimentError(sentence(file, ("measured_by",), rest))
    own = {key: getattr(reading, key) for key in Reading.model_fields if key != "measured_by"}
    return other.model_copy(update=own), origin


def agrees(parameters: Parameters, where: Mapping[str, Choice]) -> bool:
    """A row with these parameters is meant. A list means any of its values."""
    return all(
        parameters.get(key) in (value if isinstance(value, list) else [value])
        for key, value in where.items()
    )
