# SPDX-License-Identifier: Apache-2.0
"""Sources, include folders and macros of a program without app.yaml: all that its folder holds, or
what a list names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import melanion.build.compile_commands as compile_commands
from melanion.build.compile_commands import Commands
from melanion.build.errors import BuildError

SUFFIXES = (".c", ".S", ".cpp", ".cc", ".cxx")
HEADERS = (".h", ".hpp", ".hh", ".hxx")

_COMMENT = re.compile(r"(^|\s)#.*")
_PREFIXES = ("!", "-I", "-D", "-std=")
_MACRO = re.compile(r"[A-Za-z_]\w*(\([\w\s,.]*\))?")
# Standards that the compiler and the kernel's headers know.
_STANDARD = re.compile(r"(?P<family>c|gnu|iso9899:)(?P<plus>\+\+)?(?P<year>\w+)")
_C_YEARS = {"99": "99", "1999": "99", "11": "11", "2011": "11", "17": "17", "18": "17"}
_C_YEARS |= {"2017": "17", "2018": "17", "2x": "2x", "23": "2x"}
_CPP_YEARS = {"0x": "11", "11": "11", "1y": "14", "14": "14", "1z": "17", "17": "17"}
_CPP_YEARS |= {"2a": "20", "20": "20", "2b": "23", "23": "23"}
# The headers of the kernel need more than these: such programs are compiled as C17 and C++17.
_EARLIER = {"": {"89", "90", "1990"}, "++": {"98", "03"}}


@dataclass
class Given:
    """Sources, folders and macros in the order in which they were named; `found`: include folders
    that nobody named; `options`: flags of one source; `standards`: those of all, C and C++;
    `notes`: sentences about what was named and does not count."""

    sources: list[Path] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    found: list[Path] = field(default_factory=list)
    defines: dict[str, int | str] = field(default_factory=dict)
    options: dict[Path, list[str]] = field(default_factory=dict)
    standards: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def of_folder(folder: Path) -> Given:
    """All that a folder holds, but for hidden folders, CMake's own trials, and systems that
    `melanion export` has written below it, which have sources of their own."""
    sources, headers = [], []
    for path in _files(folder):
        if path.suffix in SUFFIXES:
            sources.append(path)
        elif path.suffix in HEADERS:
            headers.append(path.parent)
    direct = sorted(set(headers) - {folder})
    above = {up for place in direct for up in place.parents if up.is_relative_to(folder)}
    # An #include that names a folder is searched in those above, behind all others.
    rest = sorted(above - {folder, *direct})
    return Given(sources=sorted(sources), found=[*direct, *rest])


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if name[0] != "." and name != "CMakeFiles" and not _is_export(Path(place, name))
        ]
        yield from (Path(place, name) for name in names)


def _is_export(folder: Path) -> bool:
    """Whether a folder holds a system or a unit that was exported (melanion/export/folder.py)."""
    return (folder / "system.json").is_file() and (folder / "rtl").is_dir()


def of_list(file: Path, folder: Path) -> Given:
    """Content of a list, or of a compile_commands.json. A list without sources stands for all that
    the program's folder holds. Raises BuildError."""
    text = _read(file)
    lines = [file.name] if file.suffix == ".json" else text.splitlines()
    words = [_COMMENT.sub("", line).strip() for line in lines]
    names_none = all(word.startswith(_PREFIXES) for word in words if word)
    given = of_folder(folder.resolve()) if names_none else Given()
    commands = Commands()
    for number, word in enumerate(words, 1):
        if word:
            where = str(file) if file.suffix == ".json" else f"{file}:{number}"
            _add(given, commands, file.parent, word, where)
    _add_commands(given, commands)
    return given


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise BuildError(
            f"--sources {file}: it cannot be read ({why}); name a list of sources or a"
            " compile_commands.json.",
            2,
        ) from error


def _add(given: Given, commands: Commands, base: Path, word: str, where: str) -> None:
    """A line of a list: a source or pattern, !pattern, -IFOLDER, -DNAME=VALUE, -std=STANDARD, a
    .json file."""
    place = f"{where}: {word!r}"
    if word.startswith("-I"):
        folder = base / word[2:].strip()
        if not folder.is_dir():
            raise BuildError(f"{place}: there is no such folder; correct the name.", 2)
        given.folders.append(folder)
    elif word.startswith("-D"):
        _define(given, word[2:], place)
    elif word.startswith("-std="):
        if (flag := standard(word, place)) is not None:
            given.standards["c++" if "++" in flag else "c"] = flag
    elif word.startswith("-"):
        raise BuildError(
            f"{place} is no line of a list; allowed are a source or a pattern of sources, !PATTERN"
            " for those that are left out, -IFOLDER, -DNAME=VALUE, -std=STANDARD, and a"
            " compile_commands.json.",
            2,
        )
    elif word.endswith(".json"):
        file = base / word
        compile_commands.read(commands, file, _read(file), SUFFIXES)
        given.sources += [path for path in commands.rows if path not in given.sources]
    else:
        _add_pattern(given, base, word, place)


def _add_pattern(given: Given, base: Path, word: str, place: str) -> None:
    pattern = word.removeprefix("!")
    found = _matching(base, pattern)
    if word.startswith("!"):
        found = [path for path in given.sources if path.resolve() in found]
        given.sources = [path for path in given.sources if path not in found]
    else:
        given.sources += [path for path in found if path not in given.sources]
    if not found:
        raise BuildError(
            f"{place} names no {', '.join(SUFFIXES)} file"
            f"{' of the lines before' if word != pattern else ''}; correct the pattern, which"
            " begins at the folder of the list.",
            2,
        )


def _matching(base: Path, pattern: str) -> list[Path]:
    """Sources of a pattern that may begin with ../ or /; of a folder: all in it."""
    path = Path(pattern)
    start = Path("/") if path.is_absolute() else base
    parts = [part for part in path.parts if part != "/"]
    while parts and parts[0] == "..":
        start, parts = start.resolve().parent, parts[1:]
    found = list(start.glob("/".join(parts))) if parts else [start]
    inside = [below for each in found if each.is_dir() for below in _files(each)]
    return sorted(path.resolve() for path in (*found, *inside) if path.suffix in SUFFIXES)


def _define(given: Given, text: str, place: str) -> None:
    name, equals, value = text.strip().partition("=")
    value = value if equals else "1"
    check_macro(name, place)
    before = given.defines.setdefault(name, value)
    if before != value:
        raise BuildError(
            f"{place}: {name} is {before} and {value}; a program has one value of a macro for all"
            " of its sources: leave one of them out.",
            2,
        )


def check_macro(name: str, place: str) -> None:
    """Raises BuildError."""
    if _MACRO.fullmatch(name) is None:
        raise BuildError(
            f"{place}: {name!r} is no name of a macro; write letters, digits and _, such as"
            " -DBAUD=115200.",
            2,
        )


def standard(word: str, place: str) -> str | None:
    """The compiler's flag for -std=…; None: an earlier standard, whose programs are compiled as
    those that name none. Raises BuildError."""
    match = _STANDARD.fullmatch(word.removeprefix("-std="))
    plus = (match["plus"] or "") if match else ""
    years = _CPP_YEARS if plus else _C_YEARS
    if word == "-std=ansi" or (match and match["year"] in _EARLIER[plus]):
        return None
    if match is None or match["year"] not in years:
        known = [*dict.fromkeys(f"c{year}" for year in _C_YEARS.values())]
        known += dict.fromkeys(f"c++{year}" for year in _CPP_YEARS.values())
        raise BuildError(
            f"{place}: {word!r} is no standard that the compiler knows; allowed are"
            f" {', '.join(known)}, each also as gnu…; correct it, or leave it out.",
            2,
        )
    family = "gnu" if match["family"] == "gnu" else "c"
    return f"-std={family}{plus}{years[match['year']]}"


def _add_commands(given: Given, commands: Commands) -> None:
    """Settings of compile_commands.json, behind those that a list names itself. A macro that has
    one value there is that of all sources, as FreeRTOSConfig.h needs it; one that has several stays
    with its sources."""
    values: dict[str, set[str]] = {}
    rows = {path: commands.rows[path] for path in given.sources if path in commands.rows}
    for row in rows.values():
        for name, value in row.defines.items():
            check_macro(name, row.place)
            values.setdefault(name, set()).add(value)
    own = {name for name, found in values.items() if len(found) > 1}
    for path, row in rows.items():
        given.folders += [folder for folder in row.folders if folder not in given.folders]
        mine = {name: v for name, v in row.defines.items() if name not in given.defines}
        options = [f"-D{name}={v}" for name, v in mine.items() if name in own]
        options += [word for header in row.included for word in ("-include", header)]
        if row.standard and (flag := standard(row.standard, row.place)) is not None:
            options.append(flag)
        given.options[path] = options
    for name, found in values.items():
        if name not in own:
            given.defines.setdefault(name, *found)
    given.notes += commands.notes()
