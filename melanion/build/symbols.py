# SPDX-License-Identifier: Apache-2.0
"""Addresses of a program in words: function, and file and line when known."""

from __future__ import annotations

from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

import melanion.build.tools as tools
from melanion.build.source_names import APP, SYSTEM

ADDR2LINE = tools.CROSS_GCC.removesuffix("gcc") + "addr2line"


def location(elf: Path, address: int) -> str:
    """`worker (main.c:12)`; the bare address when the program has no name for it."""
    if tools.optional(ADDR2LINE) is None:
        return f"0x{address:08x}"
    words = [ADDR2LINE, "-f", "-s", "-e", str(elf), f"0x{address:x}"]
    function, _, place = tools.run(words).output.strip().partition("\n")
    if function in ("", "??"):
        return f"0x{address:08x}"
    place = place.split(" ")[0]
    return f"{function} ({place})" if place and not place.startswith("??") else function


def place(elf: Path, address: int) -> str | None:
    """`main.c:12`, by its path in the program's folder; None: the program has no line for it."""
    if tools.optional(ADDR2LINE) is None:
        return None
    found = tools.run([ADDR2LINE, "-e", str(elf), f"0x{address:x}"]).output.strip().split(" ")[0]
    known = not found.startswith("??") and not found.endswith((":0", ":?"))
    return found.removeprefix(f"{SYSTEM}/").removeprefix(f"{APP}/") if known else None


def size(elf: Path, name: str) -> int:
    """Bytes of an object of a program; 0 when there is none of that name."""
    with elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        found = table.get_symbol_by_name(name) if isinstance(table, SymbolTableSection) else None
        return int(found[0]["st_size"]) if found else 0
