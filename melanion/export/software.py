# SPDX-License-Identifier: Apache-2.0
"""The software of a system in its folder: the kernel library's sources and headers, and the
example."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import melanion.export.included as included
from melanion import paths
from melanion.build import App, library, linkage
from melanion.config import System
from melanion.export.errors import ExportError

FOLDER = Path("sw")
# Folders for generated headers and for the example.
GENERATED = FOLDER / "gen"
EXAMPLE = FOLDER / "example"


@dataclass(frozen=True)
class Software:
    """Places in the folder. `kernel`: the library's sources in the order in which they are linked;
    `streams`: of the archive of stdio; `flags`: of all sources, `kernel_flags`, `program_flags`: of
    the library's and a program's."""

    files: dict[str, bytes]
    kernel: tuple[str, ...]
    streams: tuple[str, ...]
    example: tuple[str, ...]
    flags: tuple[str, ...]
    kernel_flags: tuple[str, ...]
    program_flags: tuple[str, ...]
    link_flags: tuple[str, ...]


def software(system: System, app: App) -> Software:
    """Software of a system, with the sources of an application as its example. Raises ExportError:
    the kernel is not ours."""
    if library.is_freertos(system):
        raise ExportError(
            f"{system.name}: its kernel is FreeRTOS, which Melanion does not redistribute; take it"
            " from its authors, or export the kernel sw.",
            2,
        )
    root = paths.data_root()
    kernel, streams = library.sources(system), library.streams()
    interface = [Path(flag.removeprefix("-I")) for flag in library.interface(system, root)]
    folders = [*interface, root / "kernel", root / "gen" / "c"]
    public = [path for f in interface for path in sorted(f.rglob("*.h"))]
    chosen = {name: each.header for name, each in library.implementations(system).items()}
    headers = included.of_c([*kernel, *streams, *public, *app.sources], folders, chosen)
    files = {_place(p, root): p.read_bytes() for p in [*kernel, *streams, *public, *headers]}
    example = {(EXAMPLE / p.name).as_posix(): p.read_bytes() for p in app.sources}
    return Software(
        files={**files, **example},
        kernel=tuple(_place(path, root) for path in kernel),
        streams=tuple(_place(path, root) for path in streams),
        example=tuple(example),
        flags=(*linkage.flags(system), f"-I{FOLDER}", f"-I{GENERATED}"),
        kernel_flags=tuple(library.flags(system, FOLDER)),
        program_flags=(*library.interface(system, FOLDER), *library.WARNINGS),
        link_flags=tuple(linkage.LINK_FLAGS),
    )


def _place(path: Path, root: Path) -> str:
    generated = root / "gen" / "c"
    if path.is_relative_to(generated):
        return (GENERATED / path.relative_to(generated)).as_posix()
    return (FOLDER / path.relative_to(root)).as_posix()
