"""Bytes of the kernel: its code by part, and what one more task or object costs in memory.

Read from linked programs, so that only what is linked counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section, SymbolTableSection

from melanion import build
from melanion.config import System

EXECUTABLE, WRITABLE, ALLOCATED = 0x4, 0x1, 0x2  # flags of an ELF section
# The smallest program: what it has besides the kernel does not depend on the sizes of the kernel.
SMALL = "hello"
# Sizes of a system, and by how many each is made larger to see what one costs.
MORE = {"tasks": 16, "semaphores": 16, "event_flags": 16, "mutexes": 16, "queues": 16}
MORE |= {"messages": 16, "timers": 8}


@dataclass(frozen=True)
class Part:
    """Bytes of one source file of the kernel. `ram`: initialized or not."""

    name: str
    code: int
    constants: int
    ram: int


@dataclass(frozen=True)
class Sizes:
    """`parts` by name; `each`: bytes of memory of one more of a kind."""

    parts: tuple[Part, ...]
    each: dict[str, float]


def sizes(
    system: System, program: build.Program, report: Callable[[str], None] = lambda text: None
) -> Sizes:
    """Of a program in which every call is linked. Raises BuildError."""
    return Sizes(tuple(parts(program)), each(system, report))


def parts(program: build.Program) -> Iterator[Part]:
    """The source files of the kernel that are linked, in order of their names."""
    linked = _linked(program.elf)
    for path in sorted(program.folder.glob("kernel_*.o"), key=_name):
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
            yield Part(_name(path), code, constants, ram)


def _name(path: Path) -> str:
    """`unit_task.c` of `kernel_15_unit_task.c.o`."""
    return path.name.removesuffix(".o").split("_", 2)[2]


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


def each(system: System, report: Callable[[str], None]) -> dict[str, float]:
    """Bytes of memory that one more of a kind takes, of the whole program."""
    app = build.application(SMALL)
    least = _ram(build.program(system, app, report=report))
    found = {}
    for name, more in MORE.items():
        grown = {name: getattr(system.parameters, name) + more}
        larger = system.model_copy(
            update={"parameters": system.parameters.model_copy(update=grown)}
        )
        found[name] = (_ram(build.program(larger, app, report=report)) - least) / more
    return found


def _ram(program: build.Program) -> int:
    with program.elf.open("rb") as file:
        sections = list(ELFFile(file).iter_sections())
    writable = WRITABLE | ALLOCATED
    return sum(s["sh_size"] for s in sections if s["sh_flags"] & writable == writable)
