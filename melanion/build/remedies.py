# SPDX-License-Identifier: Apache-2.0
"""Remedies for a program that does not compile or link, in the words of the program:
one with app.yaml names its sources there, one for FreeRTOS as it is in a folder or a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

import melanion.build.cache as cache
import melanion.build.library as library
import melanion.build.settings as settings
from melanion import paths
from melanion.build.app import App
from melanion.build.errors import BuildError
from melanion.build.source_names import APP, SYSTEM
from melanion.build.units import Remedy, Unit, is_cpp
from melanion.config import System

_NO_HEADER = re.compile(r"(?P<name>\S+): No such file or directory")
_UNDEFINED = re.compile(r"(?:(?P<place>[^\s:]+:\d+): |: )?undefined reference to `(?P<name>[^']+)'")
_TWICE = re.compile(
    r"(?P<second>[^\s:]+\.o):(?: in function .*\n)?.*multiple definition of `(?P<name>[^']+)';"
    r" (?P<first>[^\s:]+\.o):"
)
# Variables of the C library that each task would have one of → functions that need them, and what
# to call instead. `errno` is not among them: most who link it only write it when a call fails.
_THREAD_LOCAL = {
    "_rand_next": ("rand, srand or random", "rand_r"),
    "_strtok_last": ("strtok", "strtok_r"),
    "_rand48": ("drand48 or one of its family", "rand_r"),
    "_localtime_buf": ("localtime or gmtime", "localtime_r or gmtime_r"),
    "_asctime_buf": ("asctime or ctime", "asctime_r or ctime_r"),
}
_TLS = "STT_TLS"
# Interface that not every system has → the word for it in a system's name.
WORDS = {"isolation": "isolated", "deadlock": "deadlock", "dmmu": "dmmu", "ethernet": "ethernet"}
_HEAP = ("pvPortMalloc", "vPortFree")


def of_compiler(app: App, system: System) -> Remedy:
    """What to do about an error in a source of an application."""

    def remedy(place: str, text: str, source: Path) -> tuple[str, str, str]:
        return settings.told(app, system, text) or (place, text, advice(text, source))

    def advice(text: str, source: Path) -> str:
        match = _NO_HEADER.fullmatch(text)
        if match is not None and (name := _with_header(system, match["name"])):
            return f"take a system that has it, such as {name}"
        if match is None or not app.is_as_it_is:
            return "correct it"
        if is_cpp(source) and "." not in match["name"]:
            return "there is no C++ library: include a header of C, or leave it out"
        return "name its folder with a line -IFOLDER in a list of sources (--sources LIST)"

    return remedy


def _with_header(system: System, header: str) -> str:
    """Name of a system like this one that has a header of ours; empty: none does."""
    kernel = paths.data_root() / "kernel"
    for interface, implementations in library.kernels().interfaces.items():
        folders = [folder for each in implementations.values() for folder in each.include]
        if interface in WORDS and any((kernel / each / header).is_file() for each in folders):
            return f"{system.kernel}-{WORDS[interface]}"
    return ""


def of_linker(app: App, system: System, units: Sequence[Unit], key: str, output: str) -> BuildError:
    """One sentence about a program that does not link."""
    match = _UNDEFINED.search(output)
    missing = settings.missing(
        app, ((m["name"], _own_place(m)) for m in _UNDEFINED.finditer(output))
    )
    if missing:
        sentence = f"{app.name} does not link on {system.name}: {'; '.join(missing)}"
    elif match and match["name"].startswith("__atomic_"):
        sentence = (
            f"{app.name} does not link: {match['name']} is called, and the core has no atomic"
            " instructions; use the functions of FreeRTOS's atomic.h, or leave them out"
        )
    elif match:
        where = _own_place(match)
        sentence = (
            f"{where}: " * bool(where) + f"{app.name} does not link: {match['name']} is called and"
            f" nowhere defined; add the source that defines it to {app.named_in}, or correct the"
            " name"
        )
    elif match := _TWICE.search(output):
        sources = {unit.target: unit.source for unit in units}
        first, second = (sources.get(Path(match[key]).name) for key in ("first", "second"))
        sentence = _twice(app, match["name"], first, second)
    else:
        sentence = f"{app.name} does not build: the linker failed; see its output"
    return BuildError(cache.tool_failed(key, output, sentence))


def _own_place(match: re.Match[str]) -> str:
    """`main.c:5`, by its path in the program's folder; empty: the call is in no source of it."""
    head, found, place = (match["place"] or "").partition(f"{APP}/")
    return place if found and head in ("", f"{SYSTEM}/") else ""


def _twice(app: App, name: str, first: Path | None, second: Path | None) -> str:
    """The sources that define a name; None: a library does."""
    own = [path for path in (first, second) if path is not None and not _is_ours(path)]
    remedy = (
        "leave one out with a line !PATTERN in a list of sources (--sources LIST)"
        if app.is_as_it_is
        else f"leave one out of the sources in {app.named_in}"
    )
    where = " and in ".join(_shown(app, path) for path in own)
    if len(own) == 2:
        return f"{app.name} does not link: {name} is defined in {where}; {remedy}"
    why = "every kernel allocates as heap_4.c does" if name in _HEAP else "correct the name"
    return (
        f"{app.name} does not link: {name} is defined in {where or 'a library'}, and the kernel"
        f" brings it: {why}; {remedy.replace('leave one', 'leave it')}"
    )


def _is_ours(path: Path) -> bool:
    return path.resolve().is_relative_to((paths.data_root() / "kernel").resolve())


def _shown(app: App, path: Path) -> str:
    folder = app.folder.resolve()
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)


def refuse_thread_local(app: App, system: System, elf: Path) -> None:
    """Refuse functions of the C library that keep their state for each task apart where several
    cores have no memory for it: tp belongs to the kernel there (common/current), and on one core
    points to the only block. Raises BuildError."""
    if system.core.count == 1:
        return
    with elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        symbols = table.iter_symbols() if isinstance(table, SymbolTableSection) else ()
        found = {each.name for each in symbols if each["st_info"]["type"] == _TLS}
    for name, (calls, instead) in _THREAD_LOCAL.items():
        if name in found:
            raise BuildError(
                f"{app.name} calls {calls}, whose state the C library keeps for each task apart,"
                f" and tasks of several cores ({system.name}) have no memory for that; use"
                f" {instead}, or a function of your own."
            )
