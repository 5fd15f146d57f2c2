# SPDX-License-Identifier: Apache-2.0
"""A program for FreeRTOS as it is, without app.yaml: a folder, or what a list or a
compile_commands.json names. FreeRTOS's own files in it are left out: the kernel brings them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from melanion import paths
from melanion.build.app import App
from melanion.build.errors import BuildError

CONFIG = "FreeRTOSConfig.h"
CYCLES = 100_000_000  # limit of a program without app.yaml
SUFFIXES = (".c", ".S", ".cpp", ".cc", ".cxx")

_UPSTREAM = "FreeRTOS Kernel"  # in the first lines of each of its files
_HEADERS_OF_UPSTREAM = ("FreeRTOS.h", "portmacro.h")


@dataclass
class _Given:
    """Sources, include folders and macros, in the order in which they were named."""

    sources: list[Path] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    defines: dict[str, int | str] = field(default_factory=dict)


def freertos_application(text: str | Path, sources: Path | None = None) -> App:
    """A program for FreeRTOS by folder, or by name when it comes with Melanion; `sources`: a list,
    or a compile_commands.json, instead of all that the folder holds. Raises BuildError."""
    folder = Path(text)
    if not folder.is_dir() and (known := _delivered().get(str(text))) is not None:
        folder = known
    _check(folder, str(text))
    given = _of_folder(folder) if sources is None else _of_file(sources)
    own = [path for path in given.sources if not _is_upstream(path)]
    if not own:
        raise BuildError(
            f"{text}: there is no {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file of its own in"
            f" {'it' if sources is None else sources}; name the folder that holds the program's"
            " sources.",
            2,
        )
    folders = [path for path in given.folders if not _holds_upstream(path)]
    place = _place_of_config(folder, folders, str(text), sources)
    name = re.sub(r"[^a-z0-9]+", "_", folder.resolve().name.lower()).strip("_") or "program"
    return App(
        name,
        name,
        folder if sources is None else place,
        tuple(own),
        given.defines,
        CYCLES,
        paths.data_root() / "kernel" / "compat" / "freertos",
        folders=tuple(dict.fromkeys([place, *folders] if place != folder else folders)),
        left_out=len(given.sources) - len(own),
    )


def _delivered() -> dict[str, Path]:
    found = (path.parent for path in (paths.data_root() / "apps").glob(f"*/*/{CONFIG}"))
    return {folder.name: folder for folder in found if not (folder / "app.yaml").is_file()}


def _check(folder: Path, text: str) -> None:
    if not folder.is_dir():
        known = ", ".join(sorted(_delivered())) or "there are none"
        raise BuildError(
            f"{text!r} is neither a folder nor a program for FreeRTOS that comes with Melanion"
            f" ({known}); with --freertos name a folder that holds {CONFIG} and sources.",
            2,
        )
    if (folder / "app.yaml").is_file():
        raise BuildError(
            f"{text}: it holds app.yaml, which says what to build; leave --freertos out, or remove"
            " app.yaml.",
            2,
        )


def _place_of_config(
    folder: Path, folders: Iterable[Path], text: str, sources: Path | None
) -> Path:
    """The folder of the program's FreeRTOSConfig.h: the first that a list names; else the
    program's; else the only one in it."""
    named = [path for path in folders if (path / CONFIG).is_file()]
    if sources is not None and named:
        return named[0]
    if (folder / CONFIG).is_file():
        return folder
    found = sorted(path.parent for path in folder.rglob(CONFIG))
    if len(found) == 1:
        return found[0]
    if found:
        raise BuildError(
            f"{text}: {CONFIG} is in several folders of it"
            f" ({', '.join(str(path.relative_to(folder)) for path in found)}); name one of them"
            " with a line -IFOLDER in a list of sources (--sources LIST).",
            2,
        )
    raise BuildError(
        f"{text}: there is no {CONFIG} in it; put the program's own there, with"
        " configTICK_RATE_HZ and configMAX_PRIORITIES at least.",
        2,
    )


# ---- what is FreeRTOS's own ----------------------------------------------------------------------


def _is_upstream(path: Path) -> bool:
    return _UPSTREAM in path.read_text(encoding="utf-8", errors="replace")[:400]


def _holds_upstream(folder: Path) -> bool:
    """A folder whose headers would stand before those that the kernel brings."""
    files = (folder / name for name in _HEADERS_OF_UPSTREAM)
    return any(path.is_file() and _is_upstream(path) for path in files)


# ---- what is named -------------------------------------------------------------------------------


def _of_folder(folder: Path) -> _Given:
    sources = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES)
    headers = {path.parent for path in folder.rglob("*.h")} - {folder}
    return _Given(sources, sorted(headers))


def _of_file(file: Path) -> _Given:
    given, text = _Given(), _read(file)
    if file.suffix == ".json":
        _add_commands(given, file, text)
        return given
    for number, line in enumerate(text.splitlines(), 1):
        if word := line.partition("#")[0].strip():
            _add_line(given, file, number, word)
    return given


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise BuildError(
            f"--sources {file}: it cannot be read ({error.strerror}); name a list of sources or a"
            " compile_commands.json.",
            2,
        ) from error


def _add_line(given: _Given, file: Path, number: int, word: str) -> None:
    """A line of a list: a source or pattern, !pattern, -IFOLDER, -DNAME=VALUE, a .json file."""
    base, where = file.parent, f"{file}:{number}: {word!r}"
    if word.startswith("-I"):
        folder = base / word[2:].strip()
        if not folder.is_dir():
            raise BuildError(f"{where}: there is no such folder; correct the name.", 2)
        given.folders.append(folder)
    elif word.startswith("-D"):
        _define(given, word[2:], where)
    elif word.startswith("-"):
        raise BuildError(
            f"{where} is no line of a list; allowed are a source or a pattern of sources, !PATTERN"
            " for those that are left out, -IFOLDER, -DNAME=VALUE, and a compile_commands.json.",
            2,
        )
    elif word.endswith(".json"):
        _add_commands(given, base / word, _read(base / word))
    else:
        pattern = word.removeprefix("!")
        found = _matching(base, pattern)
        if word.startswith("!"):
            found = [path for path in found if path in given.sources]
            given.sources = [path for path in given.sources if path not in found]
        else:
            given.sources += [path for path in found if path not in given.sources]
        if not found:
            raise BuildError(
                f"{where} names no {', '.join(SUFFIXES)} file"
                f"{' of the lines before' if word != pattern else ''}; correct the pattern, which"
                " begins at the folder of the list.",
                2,
            )


def _matching(base: Path, pattern: str) -> list[Path]:
    """Files of a pattern that may begin with ../ or /."""
    path = Path(pattern)
    start = Path("/") if path.is_absolute() else base
    parts = [part for part in path.parts if part != "/"]
    while parts and parts[0] == "..":
        start, parts = start.resolve().parent, parts[1:]
    found = start.glob("/".join(parts)) if parts else ()
    return sorted(path.resolve() for path in found if path.suffix in SUFFIXES)


def _add_commands(given: _Given, file: Path, text: str) -> None:
    """Files that a compile_commands.json names; of its options -I, -isystem and -D."""
    try:
        rows = json.loads(text)
        for row in rows:
            place = file.parent / row["directory"]
            words = list(row.get("arguments") or shlex.split(row["command"]))
            _add_command(given, place, place / row["file"], words, str(file))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BuildError(
            f"{file}: this is no compile_commands.json ({error}); each of its entries has"
            " directory, file, and command or arguments.",
            2,
        ) from error


def _add_command(given: _Given, place: Path, source: Path, words: list[str], where: str) -> None:
    if source.suffix not in SUFFIXES:
        return
    if not source.is_file():
        raise BuildError(f"{where}: there is no {source}; write the file anew, or correct it.", 2)
    if source.resolve() not in given.sources:
        given.sources.append(source.resolve())
    rest = iter(words)
    for word in rest:
        for option in ("-I", "-isystem", "-D"):
            if word.startswith(option):
                value = word[len(option) :] or next(rest, "")
                if option == "-D":
                    _define(given, value, where)
                elif (place / value).is_dir() and place / value not in given.folders:
                    given.folders.append(place / value)


def _define(given: _Given, text: str, where: str) -> None:
    name, equals, value = text.strip().partition("=")
    value = value if equals else "1"
    before = given.defines.setdefault(name, value)
    if before != value:
        raise BuildError(
            f"{where}: {name} is {before} and {value}; a program has one value of a macro for all"
            " of its sources: leave one of them out.",
            2,
        )
