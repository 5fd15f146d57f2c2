# SPDX-License-Identifier: Apache-2.0
"""The library of a system's kernel: its files, and the flags that choose them
(kernel/sources.yaml)."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from pydantic import Field

import melanion.build.freertos as freertos
from melanion import paths
from melanion.build.app import App
from melanion.build.errors import BuildError
from melanion.config import System
from melanion.spec.check import check
from melanion.spec.schema import Row
from melanion.spec.yaml_file import read

FILE = "kernel/sources.yaml"
LACKS = "<lacks>"  # the entry for stubs
WARNINGS = ["-Wall", "-Wextra"]


class Implementation(Row):
    """One of an interface: the header behind it, include folders for programs, its sources."""

    header: str
    include: list[str] = Field(default_factory=list)
    sources: list[str] = Field(default_factory=list)


class Kernels(Row):
    """Sources in the order of linking, <interface> among them: of `every` kernel, then of one of
    `kernels`; `original`: instead, for a program that is written for FreeRTOS itself; `several` and
    `original_several`: in their place on several cores, where a kernel has another list there;
    `streams`: of the archive behind them (stdio.py)."""

    every: list[str]
    kernels: dict[str, list[str]]
    original: list[str]
    several: dict[str, list[str]]
    original_several: list[str]
    streams: list[str]
    interfaces: dict[str, dict[str, Implementation]]


@cache
def kernels() -> Kernels:
    """Content of FILE. Raises BuildError."""
    found, problems = check(Kernels, read(paths.data_root() / FILE, FILE))
    if found is None:
        raise BuildError("\n".join(problems), 2)
    return found


def implementations(system: System) -> dict[str, Implementation]:
    """Interface → the implementation that the system has."""
    known = kernels().interfaces
    return {name: known[name][chosen] for name, chosen in system.implementations.items()}


def sources(system: System, app: App | None = None) -> list[Path]:
    """The kernel's files in the order in which they are linked; those that a program links, when it
    is one for the kernel itself."""
    table, chosen = kernels(), implementations(system)
    of, one = system.kernel_info.of, system.core.count == 1
    if app is not None and is_original(system, app):
        own = table.original if one else table.original_several
    else:
        own = table.kernels[of] if one else table.several.get(of, table.kernels[of])
    names: list[str] = []
    for entry in (*table.every, *own):
        if not entry.startswith("<"):
            names.append(entry)
        elif entry == LACKS:
            names.append(f"../gen/c/lacks/{system.kernel_info.of}.c")
        elif entry[1:-1] in chosen:
            names += chosen[entry[1:-1]].sources
    root = paths.data_root() / "kernel"
    return [Path(os.path.normpath(root / name)) for name in names]


def streams() -> list[Path]:
    """Sources of the C library's streams, the same for every kernel."""
    return [paths.data_root() / "kernel" / name for name in kernels().streams]


def object_name(place: int, source: Path) -> str:
    """The object file of the source at this place of the list, for example of unit/task.c."""
    return f"kernel_{place}_{source.parent.name}+{source.name}.o"


def source_name(target: Path) -> str:
    """Folder and name of an object file's source: `unit/task.c`."""
    return target.name.removesuffix(".o").split("_", 2)[2].replace("+", "/")


def interface(system: System, root: Path) -> list[str]:
    """Compiler flags by which a program finds the kernel's interface: where the coupling has a
    folder of its own, its headers come first, with calls inline."""
    folders = [folder for each in implementations(system).values() for folder in each.include]
    if is_freertos(system):
        folders += [f"{freertos.KERNEL}/include", *own_port(system)]
    return [f"-I{root / 'kernel' / folder}" for folder in (*folders, "include")]


def flags(system: System, root: Path, *, plain: bool = False) -> list[str]:
    """Compiler flags of the kernel's own files beside those of every source of the system; `plain`:
    without inline calls."""
    first = [f"-I{root / 'kernel' / 'include'}"]
    if is_freertos(system) and not plain:
        first = interface(system, root)
    first += [f"-I{root / 'kernel' / folder}" for folder in own_port(system)]
    chosen = implementations(system).items()
    headers = [f"-DMEL_INTERFACE_{name.upper()}={each.header}" for name, each in chosen]
    return [*first, f"-I{root / 'kernel'}", *WARNINGS, *headers]


def is_freertos(system: System) -> bool:
    """The kernel is that of others, whose files are fetched."""
    return system.kernel_info.of == freertos.KERNEL


def own_port(system: System) -> list[str]:
    """Folders in kernel/ with the headers of the port of FreeRTOS that is ours: several cores."""
    return [freertos.OWN_PORT] if is_freertos(system) and system.core.count > 1 else []


def is_original(system: System, app: App) -> bool:
    """The program's interface is that of the kernel itself: no layer is between them."""
    return is_freertos(system) and app.compat is not None and app.compat.name == freertos.KERNEL
