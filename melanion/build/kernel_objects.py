# SPDX-License-Identifier: Apache-2.0
"""Functions and variables of the kernel in a linked program: where each lies in memory."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

import melanion.build.library as library
from melanion.build.footprint import ALLOCATED, WRITABLE
from melanion.build.linkage import Program

_LOCAL, _FILE = "STB_LOCAL", "STT_FILE"


@dataclass(frozen=True)
class KernelObject:
    """A function or variable: bytes from `address` on; `source`: its file; `is_data`: the program
    may write there."""

    source: str
    name: str
    address: int
    size: int
    is_data: bool


def kernel_objects(program: Program) -> tuple[KernelObject, ...]:
    """In the order of addresses. Labels of assembly, which state no size, reach to the next symbol;
    its variables are left out."""
    return _objects(program.folder, program.elf)


@lru_cache(maxsize=8)
def _objects(folder: Path, elf_file: Path) -> tuple[KernelObject, ...]:
    """One program is asked about often; its folder in the cache has the name of its content."""
    local, shown = _sources(folder)
    with elf_file.open("rb") as file:
        elf = ELFFile(file)
        flags = [section["sh_flags"] for section in elf.iter_sections()]
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        symbols = list(table.iter_symbols())
    starts = sorted({s["st_value"] for s in symbols if isinstance(s["st_shndx"], int)})
    found: dict[int, KernelObject] = {}
    source = ""  # file of the local symbols that follow
    for symbol in symbols:
        if symbol["st_info"]["type"] == _FILE:
            source = symbol.name
        if not isinstance(symbol["st_shndx"], int) or not symbol.name:
            continue
        names = local.get(source, {}) if symbol["st_info"]["bind"] == _LOCAL else shown
        flag = flags[symbol["st_shndx"]]
        if symbol.name not in names or not flag & ALLOCATED:
            continue
        address, size = symbol["st_value"], symbol["st_size"]
        if not size and not flag & WRITABLE:
            after = bisect_right(starts, address)
            size = starts[after] - address if after < len(starts) else 0
        if size:
            is_data = bool(flag & WRITABLE)
            found[address] = KernelObject(names[symbol.name], symbol.name, address, size, is_data)
    return tuple(found[address] for address in sorted(found))


def _sources(folder: Path) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """The symbols that the kernel's object files define, and the file of each: local ones by the
    name of the file that the linker notes, and those that all files see."""
    local: dict[str, dict[str, str]] = {}
    shown: dict[str, str] = {}
    for path in sorted((*folder.glob("kernel_*.o"), *folder.glob("freertos_*.o"))):
        source = library.source_name(path)
        for name, is_local in _defined(path):
            names = local.setdefault(source.split("/")[-1], {}) if is_local else shown
            names[name] = source
    return local, shown


def _defined(path: Path) -> Iterator[tuple[str, bool]]:
    """Names that an object file defines, and whether it alone sees them."""
    with path.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        for symbol in table.iter_symbols():
            if symbol.name and isinstance(symbol["st_shndx"], int):
                yield symbol.name, symbol["st_info"]["bind"] == _LOCAL
