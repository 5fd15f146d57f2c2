# SPDX-License-Identifier: Apache-2.0
"""Seeds: the documents whose measurements are reproduced. `experiments/seeds/<name>.yaml` lists the
experiments of one, in the order of its figures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from melanion import paths
from melanion.experiments.definition import ExperimentError
from melanion.experiments.reader import names as experiment_names
from melanion.spec.check import check, sentence
from melanion.spec.schema import KernelName, Row, Text
from melanion.spec.yaml_file import read

ALL = "all"


class _SeedFile(Row):
    title: Text
    notes: list[Text] = Field(default=[])
    experiments: list[KernelName] = Field(min_length=1)


@dataclass(frozen=True)
class Seed:
    """One document. `notes`: where it contradicts itself, or leaves something out."""

    name: str
    title: str
    experiments: tuple[str, ...]
    notes: tuple[str, ...] = ()


def seed_names(folder: Path | None = None) -> list[str]:
    """The seeds that can be reproduced."""
    return sorted(path.stem for path in _folder(folder).joinpath("seeds").glob("*.yaml"))


def load_seeds(name: str, folder: Path | None = None) -> list[Seed]:
    """One seed, or with the name `all` every one. Raises ExperimentError."""
    known = seed_names(folder)
    if name == ALL:
        return [_load(each, _folder(folder)) for each in known]
    if name not in known:
        raise ExperimentError(
            f"{name!r} is no document that is reproduced; there are: {', '.join([*known, ALL])}."
            " Name one of them.",
            2,
        )
    return [_load(name, _folder(folder))]


def _load(name: str, folder: Path) -> Seed:
    file = read(folder / "seeds" / f"{name}.yaml", f"experiments/seeds/{name}.yaml")
    seed, problems = check(_SeedFile, file)
    known = experiment_names(folder)
    for i, experiment in enumerate(seed.experiments if seed else []):
        if experiment not in known:
            rest = f"is {experiment!r}; the experiments are {', '.join(known)}; correct the name"
            problems.append(sentence(file, ("experiments", i), rest))
    if seed is None or problems:
        raise ExperimentError("\n".join(problems))
    return Seed(name, seed.title, tuple(seed.experiments), tuple(seed.notes))


def _folder(folder: Path | None) -> Path:
    return folder or paths.data_root() / "experiments"
