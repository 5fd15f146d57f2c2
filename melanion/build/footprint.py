# SPDX-License-Identifier: Apache-2.0
"""Bytes of the kernel in a linked program, by source file: only what is linked counts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section, SymbolTableSection

import melanion.build.library as library
import melanion.build.tools as tools
from melanion.build.errors import BuildError
from melanion.build.linkage import LINK_FLAGS, Program

# Lines of the linker script (soc/tops/link.ld.j2): the one that keeps the tracepoints, and its
# replacement that discards them.
TRACEPOINTS, DISCARDED = (
    ".mel_tracepoints 0 (INFO) : { KEEP(*(.mel_tracepoints)) }",
    "/DISCARD/ : { *(.mel_tracepoints) }",
)
EXECUTABLE, WRITABLE, ALLOCATED = 0x4, 0x1, 0x2  # flags of an ELF section


@dataclass(frozen=True)
class Part:
    """Bytes of one source file of the kernel. `ram`: initialized or not."""

    name: str
    code: int
    constants: int
    ram: int


def parts(program: Program) -> Iterator[Part]:
    """The source files of the kernel that are linked, in order of their names."""
    linked = _linked(program.elf)
    for path in sorted(program.folder.glob("kernel_*.o"), key=library.source_name):
        code = constants = ram = 0
        with path.open("rb") as file:
            for section, names in _sections(ELFFile(file)):
                if not names & linked and names:
                    continue
                flags, size = section["sh_flags"], section["sh_size"]
                if flags & EXECUTABLE:
                    code += size
                elif flags & WRITABLE:
                    ram += size
                elif names:
                    constants += size
        if code + constants + ram:
            yield Part(library.source_name(path), code, constants, ram)


def _sections(elf: ELFFile) -> Iterator[tuple[Section, set[str]]]:
    """The allocated sections of an object file that hold something, and the symbols in each."""
    table = elf.get_section_by_name(".symtab")
    assert isinstance(table, SymbolTableSection)
    symbols = [each for each in table.iter_symbols() if each.name]
    for number, section in enumerate(elf.iter_sections()):
        if section["sh_flags"] & ALLOCATED and section["sh_size"]:
            yield section, {s.name for s in symbols if s["st_shndx"] == number}


def _linked(elf: Path) -> set[str]:
    with elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {symbol.name for symbol in table.iter_symbols()}


def kernel_bytes(program: Program) -> dict[str, int]:
    """Return the bytes of `code` and `data` (initialized or not) of the kernel, as far as the
    program needs it. Functions and variables count by their sizes; assembly, which states none, by
    the whole file. The program is linked again without the records of its tracepoints, which refer
    to functions that nobody calls. Raises BuildError."""
    sources, names, assembly = _kernel_symbols(program)
    found = {"code": assembly, "data": 0}
    with _without_tracepoints(program) as file:
        elf = ELFFile(file)
        flags = [section["sh_flags"] for section in elf.iter_sections()]
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        source = ""  # file of the local symbols that follow
        for symbol in table.iter_symbols():
            local = symbol["st_info"]["bind"] == "STB_LOCAL"
            if symbol["st_info"]["type"] == "STT_FILE":
                source = symbol.name
            elif symbol["st_size"] and (source in sources if local else symbol.name in names):
                writable = flags[symbol["st_shndx"]] & WRITABLE
                found["data" if writable else "code"] += symbol["st_size"]
    return found


@contextmanager
def _without_tracepoints(program: Program) -> Iterator[BinaryIO]:
    """The program, linked as for a board."""
    with tempfile.TemporaryDirectory(prefix="melanion-") as folder:
        script = (program.folder / "link.ld").read_text(encoding="utf-8")
        assert script.count(TRACEPOINTS) == 1
        place = Path(folder, "link.ld")
        place.write_text(script.replace(TRACEPOINTS, DISCARDED), encoding="utf-8")
        words = [tools.find(tools.CROSS_GCC), *LINK_FLAGS, "-T", str(place)]
        words += [str(path) for path in sorted(program.folder.glob("*.o"))]
        done = tools.run([*words, "-o", str(Path(folder, "program.elf"))])
        if done.status != 0:
            raise BuildError(
                f"{program.app.name} does not link without its tracepoints; see its output"
            )
        with Path(folder, "program.elf").open("rb") as file:
            yield file


def _kernel_symbols(program: Program) -> tuple[set[str], set[str], int]:
    """Names of the kernel's C files, its global names, and the bytes of its assembly."""
    sources, names, assembly = set(), set(), 0
    for path in program.folder.glob("kernel_*.o"):
        source = Path(library.source_name(path)).name
        in_assembly = source.endswith(".S")
        sources |= set() if in_assembly else {source}
        with path.open("rb") as file:
            elf = ELFFile(file)
            table = elf.get_section_by_name(".symtab")
            assert isinstance(table, SymbolTableSection)
            for symbol in table.iter_symbols():
                shown = symbol["st_info"]["bind"] != "STB_LOCAL"
                if shown and symbol["st_shndx"] != "SHN_UNDEF":
                    names.add(symbol.name)
            for section in elf.iter_sections() if in_assembly else ():
                if section["sh_flags"] & EXECUTABLE:
                    assembly += section["sh_size"]
    return sources, names, assembly
