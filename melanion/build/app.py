# SPDX-License-Identifier: Apache-2.0
"""An application: a folder with `app.yaml` and C sources."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints

from melanion import paths
from melanion.build.errors import BuildError
from melanion.errors import meant
from melanion.spec.check import PATTERN_WORDS, check, sentence
from melanion.spec.schema import Name, Row, Text
from melanion.spec.yaml_file import YamlFile, read

CONFIG = "FreeRTOSConfig.h"
INTERFACES = ("freertos", "itron")  # of kernel/compat: the others are of benchmarks
CYCLES = 100_000_000  # limit of a program that says none
MACRO = r"^[A-Z][A-Z0-9_]*$"
PATTERN_WORDS[MACRO] = "a macro name such as TASK_COUNT"

Macro = Annotated[str, StringConstraints(pattern=MACRO)]


CRATE_NAME = r"^[a-z][a-z0-9_-]*$"
CRATE_VERSION = r"^[0-9]+\.[0-9]+\.[0-9]+$"
PATTERN_WORDS[CRATE_NAME] = "the name of a crate, such as lwip"
PATTERN_WORDS[CRATE_VERSION] = "a version such as 0.4.0"


class CrateOf(Row):
    """A library that cargo fetches. `files`: a list of the crate's files that are used, with their
    SHA-256; `include`: its header folders."""

    name: Annotated[str, StringConstraints(pattern=CRATE_NAME)]
    version: Annotated[str, StringConstraints(pattern=CRATE_VERSION)]
    files: Text
    include: list[Text] = Field(default=[])


class AppFile(Row):
    """`app.yaml`. `sources`: names or patterns (`*.c`) in the folder; `defines`: -D macros;
    `compat`: the interface of another kernel that it is written for (kernel/compat); `crate`: a
    library that is compiled with it."""

    name: Name
    title: Text = ""
    sources: list[Text] = Field(default=["*.c"], min_length=1)
    defines: dict[Macro, int | str] = Field(default={})
    compat: Text | None = None
    crate: CrateOf | None = None
    max_cycles: int = Field(default=CYCLES, ge=1)


@dataclass(frozen=True)
class Crate:
    """A library of an application: its crate, the list of its files, its header folders in the
    crate. Who fetches it: crate.py."""

    name: str
    version: str
    files: Path
    include: tuple[str, ...]


@dataclass(frozen=True)
class App:
    """One application. `max_cycles`: the limit of a run that sets none; `compat`: the folder of the
    interface that is compiled with it; `optimization`: of its own sources (empty: the kernel's);
    `included`: headers that each of them sees first; `folders`: where else headers are; `loaded`:
    variables, words by name, that have another value when a run begins: so one program can be run
    in several states; `left_out`: files of FreeRTOS itself that were named with its own; `options`:
    flags of one source, by its resolved path; `named_in`: the file or folder that says which
    sources it has; `notes`: sentences about what was named and does not count; `crate`: a library
    whose sources are not among `sources` before it is built."""

    name: str
    title: str
    folder: Path
    sources: tuple[Path, ...]
    defines: dict[str, int | str]
    max_cycles: int
    compat: Path | None = None
    optimization: str = ""
    included: tuple[str, ...] = ()
    loaded: dict[str, int] = field(default_factory=dict)
    folders: tuple[Path, ...] = ()
    left_out: int = 0
    options: dict[Path, tuple[str, ...]] = field(default_factory=dict)
    named_in: str = "app.yaml"
    notes: tuple[str, ...] = ()
    crate: Crate | None = None

    @property
    def is_as_it_is(self) -> bool:
        """Whether it is a program without app.yaml."""
        return self.named_in != "app.yaml"


def application(text: str | Path) -> App:
    """An application by folder, or by name when it comes with Melanion. Raises BuildError."""
    folder = _folder(str(text))
    file = read(folder / "app.yaml", str(folder / "app.yaml"))
    settings, problems = check(AppFile, file)
    if settings is None:
        raise BuildError("\n".join(problems), 2)
    sources: list[Path] = []
    for i, pattern in enumerate(settings.sources):
        found = sorted(path for path in folder.glob(pattern) if path.suffix in (".c", ".S"))
        if not found:
            problems.append(
                sentence(
                    file,
                    ("sources", i) if "sources" in file.value else (),
                    f"is {pattern!r}; no .c or .S file of {folder} has that name; correct the name"
                    " or add the file",
                )
            )
        sources += [path for path in found if path not in sources]
    compat = _compat(settings.compat, file, problems)
    crate = _crate(settings.crate, folder, file, problems)
    if problems:
        raise BuildError("\n".join(problems), 2)
    return App(
        settings.name,
        settings.title or settings.name,
        folder,
        tuple(sources),
        settings.defines,
        settings.max_cycles,
        compat,
        crate=crate,
    )


def _compat(name: str | None, file: YamlFile, problems: list[str]) -> Path | None:
    """The folder of an interface; another problem when there is none."""
    if name is None:
        return None
    folders = {path.name: path for path in (paths.data_root() / "kernel" / "compat").iterdir()}
    if name not in folders:
        remedy = meant(name.lower(), INTERFACES, "correct the name")
        rest = f"is {name!r}; allowed are {', '.join(INTERFACES)}; {remedy}"
        problems.append(sentence(file, ("compat",), rest))
    return folders.get(name)


def _crate(
    given: CrateOf | None, folder: Path, file: YamlFile, problems: list[str]
) -> Crate | None:
    """The library; another problem when its list is missing."""
    if given is None:
        return None
    files = folder / given.files
    if not files.is_file():
        rest = f"is {given.files!r}; {folder} holds no such file; write what sha256sum says of the"
        problems.append(sentence(file, ("crate", "files"), f"{rest} crate's files"))
    return Crate(given.name, given.version, files, tuple(given.include))


def _folder(text: str) -> Path:
    given = Path(text)
    if (given / "app.yaml").is_file():
        return given
    known = {path.parent.name: path.parent for path in _delivered()}
    if text in known:
        return known[text]
    if (given / CONFIG).is_file():
        raise BuildError(
            f"{text}: this folder holds {CONFIG} and no app.yaml; add --freertos if it is a program"
            " for FreeRTOS.",
            2,
        )
    if given.is_dir():
        raise BuildError(
            f"{text}: this folder holds no app.yaml; make one with `melanion new {text}`, or name"
            " another folder.",
            2,
        )
    raise BuildError(
        f"{text!r} is neither a folder with app.yaml nor a program of Melanion"
        f" ({', '.join(sorted(known)) or 'there are none'});"
        f" {meant(text, known, 'correct the name')}, or make it with `melanion new {text}`.",
        2,
    )


def _delivered() -> list[Path]:
    return sorted((paths.data_root() / "apps").glob("**/app.yaml"))
