"""Definitions of experiments: `experiments/<name>.yaml`, read strictly."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Literal

from pydantic import Field

from melanion import paths
from melanion.errors import MelanionError
from melanion.experiments.rows import Parameters
from melanion.spec.check import check
from melanion.spec.schema import KernelName, Name, Row, Text
from melanion.spec.yaml_file import read

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


class Metric(Row):
    """`start` and `to` are the edges in words; `to` is absent when the quantity has only one.
    `needs`: a command or query; kernels that lack it are not measured."""

    title: Text
    start: Text = Field(alias="from")
    to: Text | None = None
    parameters: dict[Name, list[int | str]] = Field(default={})
    total: bool = False
    samples: int = Field(ge=1)
    needs: Name | None = None
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


class Definition(Row):
    """One experiment. `marks`, `phases`, `points`, `lines` are the numbers that its program
    uses."""

    title: Text
    app: Text
    kernels: list[KernelName] = Field(min_length=1)
    max_cycles: int = Field(ge=1)
    marks: dict[Name, int]
    phases: dict[Name, int]
    points: dict[Name, int]
    lines: dict[Name, int]
    metrics: dict[Name, Metric] = Field(min_length=1)


def names(folder: Path | None = None) -> list[str]:
    """The experiments that exist."""
    return sorted(
        path.stem for path in (folder or paths.data_root() / "experiments").glob("*.yaml")
    )


def load(name: str, folder: Path | None = None) -> Definition:
    """Read one definition. Raises ExperimentError."""
    folder = folder or paths.data_root() / "experiments"
    if name not in names(folder):
        raise ExperimentError(
            f"{name!r} is no experiment; there are: {', '.join(names(folder))}. Name one of them.",
            2,
        )
    file = read(folder / f"{name}.yaml", f"experiments/{name}.yaml")
    definition, problems = check(Definition, file)
    if definition is None:
        raise ExperimentError("\n".join(problems))
    return definition


def agrees(parameters: Parameters, where: dict[str, int | str]) -> bool:
    """A row with these parameters is meant."""
    return all(parameters.get(key) == value for key, value in where.items())
