# SPDX-License-Identifier: Apache-2.0
"""A compile_commands.json: JSON compilation database, as CMake, Meson and bear write it.

Read are the files and -I, -isystem, -iquote, -idirafter, -D, -U, -include, -std and @FILE; other
options are those of another compiler or another target. Headers of another C library are left out.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from melanion.build.errors import BuildError

_FOLDERS = ("-I", "-isystem", "-iquote", "-idirafter")
_OPTIONS = (*_FOLDERS, "-D", "-U", "-include")
_C_LIBRARY = ("stdio.h", "stdlib.h", "string.h")
_MOST_NESTED = 8  # levels of @FILE


@dataclass
class Row:
    """Options of one source. `place`: names its entry in messages."""

    place: str
    folders: list[Path] = field(default_factory=list)
    defines: dict[str, str] = field(default_factory=dict)
    included: list[str] = field(default_factory=list)
    standard: str = ""


@dataclass
class Commands:
    """Rows by source; `again`: sources whose second entry says something else; `libraries`: left
    out folders of other C libraries."""

    rows: dict[Path, Row] = field(default_factory=dict)
    again: list[Path] = field(default_factory=list)
    libraries: list[Path] = field(default_factory=list)

    def notes(self) -> list[str]:
        """Sentences about what does not count."""
        found = []
        if self.again:
            found.append(
                f"{self.again[0].name} has several entries of a compile_commands.json with"
                " different options: the first counts"
            )
        found += [
            f"{folder} is left out: it holds the headers of another C library"
            for folder in dict.fromkeys(self.libraries)
        ]
        return found


def read(commands: Commands, file: Path, text: str, suffixes: Collection[str]) -> None:
    """Add the entries whose files have one of `suffixes`. Raises BuildError."""
    try:
        for entry in json.loads(text):
            place = file.parent / entry["directory"]
            source = place / entry["file"]
            words = list(entry.get("arguments") or shlex.split(entry["command"]))
            if source.suffix in suffixes:
                _add(commands, place, source, words, file)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BuildError(
            f"{file}: this is no compile_commands.json ({error}); each of its entries has"
            " directory, file, and command or arguments.",
            2,
        ) from error


def _add(commands: Commands, place: Path, source: Path, words: list[str], file: Path) -> None:
    if not source.is_file():
        raise BuildError(f"{file}: there is no {source}; write the file anew, or correct it.", 2)
    row = Row(f"{file}: {source.name}")
    rest = _expanded(words, place, file)
    for word in rest:
        for option in _OPTIONS:
            if word.startswith(option):
                value = word[len(option) :] or next(rest, "")
                _set(row, commands, place, option, value)
                break
        else:
            if word.startswith("-std="):
                row.standard = word
    source = source.resolve()
    if commands.rows.setdefault(source, row) != row:
        commands.again.append(source)


def _set(row: Row, commands: Commands, place: Path, option: str, value: str) -> None:
    if option == "-D":
        name, equals, text = value.partition("=")
        row.defines[name] = text if equals else "1"
    elif option == "-U":
        row.defines.pop(value, None)
    elif option == "-include":
        header = place / value
        row.included.append(str(header.resolve()) if header.is_file() else value)
    elif (folder := place / value).is_dir():
        if all((folder / name).is_file() for name in _C_LIBRARY):
            commands.libraries.append(folder)
        elif folder not in row.folders:
            row.folders.append(folder)


def _expanded(words: list[str], place: Path, file: Path, level: int = 0) -> Iterator[str]:
    """Words, those of @FILE in its place."""
    for word in words:
        if not word.startswith("@"):
            yield word
            continue
        more = place / word[1:]
        try:
            text = more.read_text(encoding="utf-8")
        except OSError as error:
            raise BuildError(
                f"{file}: {word} cannot be read ({error.strerror}); build the project once, so"
                " that it exists, or write the file anew.",
                2,
            ) from error
        if level == _MOST_NESTED:
            raise BuildError(f"{file}: {word} names itself; correct it.", 2)
        yield from _expanded(shlex.split(text), place, file, level + 1)
