# SPDX-License-Identifier: Apache-2.0
"""Find the includes of source files in their text: an export needs no compiler."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

# A file of include folders, or an implementation's header (kernel/common/interface.h).
_C = re.compile(
    r'^\s*#\s*include(?:_next)?\s+(?:[<"](?P<file>[^>"]+)[>"]|MEL_TEXT\(MEL_INTERFACE_(?P<name>\w+)\))',
    re.M,
)
_SV = re.compile(r'^\s*`include\s+"(?P<file>[^"]+)"', re.M)


def of_c(sources: Iterable[Path], folders: list[Path], headers: dict[str, str]) -> list[Path]:
    """Headers of ours that C or assembly files reach: in each folder that has one of that name,
    whichever the compiler would take. `headers`: of the implementation of each interface. Names
    that no folder has are those of the C library and of the system's own files."""

    def names(text: str) -> Iterator[str]:
        for match in _C.finditer(text):
            if match["file"]:
                yield match["file"]
            elif match["name"].lower() in headers:
                yield headers[match["name"].lower()]

    def places(name: str, beside: Path) -> list[Path]:
        return [path for f in (beside, *folders) if (path := f / name).is_file()]

    return _reached(sources, names, places)


def of_sv(sources: Iterable[Path], folders: Iterable[Path]) -> list[Path]:
    """Files that SystemVerilog files include. Not those that the core's package does not hold: they
    are included only for its authors' proofs, under a macro."""
    kept = tuple(folders)

    def places(name: str, beside: Path) -> list[Path]:
        return [path for f in (*kept, beside) if (path := f / name).is_file()][:1]

    return _reached(sources, lambda text: (m["file"] for m in _SV.finditer(text)), places)


def _reached(
    sources: Iterable[Path],
    names: Callable[[str], Iterable[str]],
    places: Callable[[str, Path], list[Path]],
) -> list[Path]:
    found: set[Path] = set()
    todo = list(sources)
    while todo:
        path = todo.pop()
        for name in names(path.read_text(encoding="utf-8")):
            new = {place.resolve() for place in places(name, path.parent)} - found
            found |= new
            todo += new
    return sorted(found)
