# SPDX-License-Identifier: Apache-2.0
"""Reads the definitions of `experiments/` by name, and those of users by file: strictly, each with
its rules checked."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from melanion import paths
from melanion.claims.experiment import DerivedExperiment, Experiment, Synthesis
from melanion.claims.rules import broken_rules
from melanion.errors import meant
from melanion.measure.definition import ExperimentError
from melanion.spec.check import check, sentence
from melanion.spec.yaml_file import YamlFile, read


def names(folder: Path | None = None) -> list[str]:
    """The experiments that exist."""
    return sorted(
        path.stem for path in (folder or paths.data_root() / "experiments").glob("*.yaml")
    )


def is_file(name: str) -> bool:
    """The name of an experiment is a path: it is a user's."""
    return name.endswith((".yaml", ".yml")) or "/" in name


def short(name: str) -> str:
    """An experiment's name in rows and files: of a path the name of the file."""
    return Path(name).stem if is_file(name) else name


def load(name: str, folder: Path | None = None) -> Experiment:
    """Read one definition. Raises ExperimentError."""
    return load_with_origin(name, folder)[0]


def load_with_origin(name: str, folder: Path | None = None) -> tuple[Experiment, str]:
    """A definition, and the name of the experiment that measures its rows. Raises
    ExperimentError."""
    folder = folder or paths.data_root() / "experiments"
    if is_file(name):
        if short(name) in names(folder):
            raise ExperimentError(
                f"{name}: experiments/{short(name)}.yaml has this name; rename the file.", 2
            )
        file = read(Path(name), name)
    elif name in names(folder):
        file = read(folder / f"{name}.yaml", f"experiments/{name}.yaml")
    else:
        other = "name one of them, or the path of a file"
        raise ExperimentError(
            f"{name!r} is no experiment; there are: {', '.join(names(folder))};"
            f" {meant(name, names(folder), other)}.",
            2,
        )
    keys = file.value if isinstance(file.value, dict) else {}
    if "measured_by" in keys:
        found = _derived(file, folder)
    else:
        found = (_synthesis(file) if "designs" in keys else _own(file)), name
    problems = broken_rules(found[0], file)
    if is_file(name) and keys.keys().isdisjoint(("measured_by", "designs")):
        problems += _program(found[0].app, Path(name).parent, file)
    if problems:
        raise ExperimentError("\n".join(problems))
    return (_beside(found[0], Path(name).parent), found[1]) if is_file(name) else found


def _program(app: str, folder: Path, file: YamlFile) -> list[str]:
    """A sentence when the program of a user's definition is neither beside it nor Melanion's."""
    apps = paths.data_root() / "apps"
    if any((place / app / "app.yaml").is_file() for place in (folder, apps)):
        return []
    own = folder / app
    if own.is_dir() and own.resolve() == folder.resolve():
        rest = (
            f"is {app!r}, its own folder, which has no app.yaml; add one there, with at least a"
            f" line such as `name: {folder.resolve().name.replace('-', '_').lower()}`, or name the"
            " folder of the program"
        )
        return [sentence(file, ("app",), rest)]
    if own.is_dir():
        rest = f"is {app!r}, a folder without app.yaml; add one there, or name another folder"
        return [sentence(file, ("app",), rest)]
    beside = [path.parent.relative_to(folder) for path in folder.glob("*/app.yaml")]
    delivered = [path.parent.relative_to(apps) for path in apps.glob("**/app.yaml")]
    known = {path.as_posix(): path.as_posix() for path in (*delivered, *beside)}
    known |= {Path(path).name: path for path in list(known)}  # by the last part alone, too
    remedy = "name the folder of the program, from that of this file"
    close = get_close_matches(app, known, n=1)
    if close:
        remedy = f"did you mean {known[close[0]]}"
    rest = f"is {app!r}, which is no folder beside this file and no program of Melanion; {remedy}"
    return [sentence(file, ("app",), rest)]


def _beside(definition: Experiment, folder: Path) -> Experiment:
    """A user's definition: its program is in a folder beside it, or comes with Melanion."""
    own = (folder / definition.app).resolve()
    there = (own / "app.yaml").is_file()
    return definition.model_copy(update={"app": str(own)}) if there else definition


def _own(file: YamlFile) -> Experiment:
    definition, problems = check(Experiment, file)
    if definition is None:
        raise ExperimentError("\n".join(problems))
    return definition


def _synthesis(file: YamlFile) -> Experiment:
    synthesis, problems = check(Synthesis, file)
    for name, design in synthesis.designs.items() if synthesis else ():
        if (design.system is None) == (design.locks is None):
            rest = "is either a system's unit or a lock cache; name one of `system` and `locks`"
            problems.append(sentence(file, ("designs", name), rest))
    if synthesis is None or problems:
        raise ExperimentError("\n".join(problems))
    return synthesis.experiment


def _derived(file: YamlFile, folder: Path) -> tuple[Experiment, str]:
    """The definition of the other experiment with the derived one's own words."""
    derived, problems = check(DerivedExperiment, file)
    if derived is None:
        raise ExperimentError("\n".join(problems))
    others = [other for other in names(folder) if other != Path(file.name).stem]
    if derived.measured_by not in others:
        rest = (
            f"is {derived.measured_by!r}; there are the experiments {', '.join(others)}; name one"
            " of them"
        )
        raise ExperimentError(sentence(file, ("measured_by",), rest))
    other, origin = load_with_origin(derived.measured_by, folder)
    if origin != derived.measured_by:
        rest = f"is {derived.measured_by!r}, whose rows are those of {origin}; name that"
        raise ExperimentError(sentence(file, ("measured_by",), rest))
    own = {
        key: getattr(derived, key) for key in DerivedExperiment.model_fields if key != "measured_by"
    }
    return other.model_copy(update=own), origin
