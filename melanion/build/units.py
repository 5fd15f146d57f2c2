# SPDX-License-Identifier: Apache-2.0
"""Object files: sources compiled with the flags that each needs."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import melanion.build.cache as cache
import melanion.build.tools as tools
from melanion.build.cache import Contents
from melanion.build.errors import BuildError

JOBS = 2
CPP_SUFFIXES = (".cpp", ".cc", ".cxx")
# Names of files that a source includes; others are no part of a key.
INCLUDED = (".c", ".h", ".inc", ".hpp", ".hh", ".hxx", ".ipp", ".tpp", ".inl", ".def")
# Nothing of the C++ library is there: no exceptions, no types at run time, and constructors of
# local variables run without a lock. The headers of the kernel are C11.
_CPP_FLAGS = shlex.split(
    "-std=gnu++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit"
    " '-D_Noreturn=__attribute__((noreturn))' -D_Static_assert=static_assert"
)

_ERROR = re.compile(r"(?P<place>[^\s:]+:\d+)(:\d+)?: (fatal )?[Ee]rror: (?P<text>.*)")
_NEXT = re.compile(r":\d+: (fatal )?(?:[Ee]rror|warning): ")
# Use of a macro whose text has an error; quotes may be those of UTF-8.
_EXPANSION = re.compile(
    r"(?P<place>[^\s:]+:\d+)(:\d+)?: note: in expansion of macro .(?P<name>\w+)."
)
_QUOTED = re.compile(rb'^\s*#\s*include\s*"([^"\n]+)"', re.MULTILINE)
_INCLUDED = re.compile(rb'^#include "([^"]+\.c)"', re.MULTILINE)


Remedy = Callable[[str, str, Path], tuple[str, str, str]]
"""Of an error in a source, its place and text: both as they are told, and what to do about it."""


@dataclass(frozen=True)
class Unit:
    """One source file, its flags, and the name of its object file."""

    source: Path
    flags: tuple[str, ...]
    target: str


def contents(units: Iterable[Unit], places: dict[Path, str]) -> Contents:
    """Inputs of the units' objects, except headers: sources, and flags with the paths of this
    machine replaced (`places`: folder → its name in the key), so that equal units have equal
    keys."""
    found = []
    for unit in units:
        words = " ".join(unit.flags)
        for folder, name in places.items():
            words = words.replace(str(folder), name)
        found.append((f"unit/{unit.target}", words.encode()))
        found.append((f"source/{unit.target}", unit.source.read_bytes()))
    return found


def headers(folders: Iterable[tuple[str, Path]]) -> Contents:
    """Everything that a source may include from named folders."""
    return [
        (f"{name}/{path.relative_to(base)}", path.read_bytes())
        for name, base in folders
        for path in sorted(base.rglob("*"))
        if path.suffix in INCLUDED and path.is_file()
    ]


def beyond(base: Path, sources: Iterable[Path], folders: Sequence[Path]) -> Contents:
    """Files outside the folders that sources, and headers of the folders, include by a path, and
    files that these include in turn; named by their way from `base`."""
    known = [folder.resolve() for folder in folders]
    waiting = [path for folder in known for path in folder.rglob("*") if path.suffix in INCLUDED]
    waiting += sources
    found: dict[Path, bytes] = {}
    while waiting:
        path = waiting.pop()
        if not path.is_file():
            continue
        for name in _QUOTED.findall(path.read_bytes()):
            for folder in (path.parent, *known):
                other = (folder / name.decode(errors="replace")).resolve()
                inside = any(other.is_relative_to(each) for each in known)
                if not inside and other not in found and other.is_file():
                    found[other] = other.read_bytes()
                    waiting.append(other)
    return [(f"beyond/{os.path.relpath(path, base)}", found[path]) for path in sorted(found)]


def included(found: Contents) -> Contents:
    """Filter `headers`: drop the .c files that no #include names."""
    named = {name for _, text in found for name in _INCLUDED.findall(text)}
    return [
        (name, text)
        for name, text in found
        if not name.endswith(".c") or any(name.endswith(f"/{path.decode()}") for path in named)
    ]


def objects(
    work: Path,
    units: Sequence[Unit],
    places: dict[Path, str],
    shared: Contents,
    compile_into: Callable[[Path, Sequence[Unit]], None],
) -> None:
    """The object file of each unit comes into `work`, compiled when the cache has none: after a
    change of one source only that one is compiled. `shared`: what decides them all."""

    common = ("shared", cache.key_of(shared).encode())

    def one(unit: Unit) -> Path:
        key = cache.key_of([common, *contents([unit], places)])
        what = f"compiling {unit.source.name}"
        return cache.entry("object", key, lambda at: compile_into(at, [unit]), lambda _: None, what)

    with ThreadPoolExecutor(JOBS) as pool:
        for unit, place in zip(units, pool.map(one, units), strict=True):
            cache.same_file(place / unit.target, work / unit.target)


def compile_all(
    work: Path,
    gcc: Sequence[str],
    units: Sequence[Unit],
    what: str,
    key: str,
    remedy: Remedy = lambda place, text, source: (place, text, "correct it"),
) -> None:
    """The object file of each unit, in `work`. Raises BuildError; `what`: whose sources."""

    def one(unit: Unit) -> tools.Finished:
        words = [
            *compiler(gcc, unit.source),
            *unit.flags,
            "-c",
            str(unit.source),
            "-o",
            str(work / unit.target),
        ]
        return tools.run(words, folder=work)  # a source's folder for debug information

    with ThreadPoolExecutor(JOBS) as pool:
        for unit, done in zip(units, pool.map(one, units), strict=True):
            if done.status != 0:
                raise failed(what, key, done.output, unit.source, remedy)


def is_cpp(source: Path) -> bool:
    """Whether a source is in C++, by its name."""
    return source.suffix in CPP_SUFFIXES


def compiler(gcc: Sequence[str], source: Path) -> list[str]:
    """`gcc`: the C compiler and its flags; the same for a source in C++."""
    if not is_cpp(source):
        return list(gcc)
    flags = [word for word in gcc[1:] if not word.startswith("-std=")]
    return [tools.find(tools.CROSS_GXX), *flags, *_CPP_FLAGS]


def failed(what: str, key: str, output: str, source: Path, remedy: Remedy) -> BuildError:
    """One sentence about a failed compilation: the first error with file and line. Of an error in
    the text of a macro the line that uses the macro; where that text is, comes behind it."""
    if match := _ERROR.search(output):
        place, text, advice = remedy(match["place"], match["text"], source)
        own = output[match.end() :]
        end = _NEXT.search(own)
        uses = list(_EXPANSION.finditer(own[: end.start()] if end else own))
        if uses:  # the last one is the outermost
            text += f" in the macro {uses[-1]['name']} ({place})"
            place = uses[-1]["place"]
            advice = "correct it, or what stands before it" if advice == "correct it" else advice
        sentence = f"{place}: {what} does not compile: {text}; {advice}"
    else:
        sentence = f"{what} does not build: {source.name} failed; see its output"
    return BuildError(cache.tool_failed(key, output, sentence))
