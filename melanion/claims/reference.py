# SPDX-License-Identifier: Apache-2.0
"""Reference documents: those whose measurements are reproduced.
`experiments/references/<name>.yaml` lists the experiments of one, in the order of its figures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from melanion import paths
from melanion.claims.reader import names as experiment_names
from melanion.errors import meant
from melanion.measure.definition import ExperimentError
from melanion.spec.check import check, sentence
from melanion.spec.schema import KernelName, Row, Text
from melanion.spec.yaml_file import read

ALL = "all"


class _File(Row):
    title: Text
    notes: list[Text] = Field(default=[])
    experiments: list[KernelName] = Field(min_length=1)


@dataclass(frozen=True)
class ReferenceDocument:
    """One document. `notes`: where it contradicts itself, or leaves something out."""

    name: str
    title: str
    experiments: tuple[str, ...]
    notes: tuple[str, ...] = ()


def reference_names(folder: Path | None = None) -> list[str]:
    """The documents that can be reproduced."""
    return sorted(path.stem for path in _folder(folder).joinpath("references").glob("*.yaml"))


def load_references(name: str, folder: Path | None = None) -> list[ReferenceDocument]:
    """One document, or with the name `all` every one. Raises ExperimentError."""
    known = reference_names(folder)
    if name == ALL:
        return [_load(each, _folder(folder)) for each in known]
    if name not in known and name in experiment_names(folder):
        raise ExperimentError(
            f"{name!r} is an experiment, and no document that is reproduced; measure it with"
            f" `melanion compare {name}`, or name one of {', '.join([*known, ALL])}.",
            2,
        )
    if name not in known:
        raise ExperimentError(
            f"{name!r} is no document that is reproduced; there are: {', '.join([*known, ALL])};"
            f" {meant(name, [*known, ALL], 'name one of them')}.",
            2,
        )
    return [_load(name, _folder(folder))]


def _load(name: str, folder: Path) -> ReferenceDocument:
    file = read(folder / "references" / f"{name}.yaml", f"experiments/references/{name}.yaml")
    document, problems = check(_File, file)
    known = experiment_names(folder)
    for i, experiment in enumerate(document.experiments if document else []):
        if experiment not in known:
            rest = f"is {experiment!r}; the experiments are {', '.join(known)}; correct the name"
            problems.append(sentence(file, ("experiments", i), rest))
    if document is None or problems:
        raise ExperimentError("\n".join(problems))
    return ReferenceDocument(
        name, document.title, tuple(document.experiments), tuple(document.notes)
    )


def _folder(folder: Path | None) -> Path:
    return folder or paths.data_root() / "experiments"
