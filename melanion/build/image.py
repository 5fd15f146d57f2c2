# SPDX-License-Identifier: Apache-2.0
"""An ELF file → the flat image, the tracepoints and the stacks that the simulation reads."""

from __future__ import annotations

import re
import shlex
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from melanion.build.errors import BuildError
from melanion.soc import MEMORY_BASE

STACK_KIND = 0x100
REGION_KIND = 0x101
NO_LINE = 0xFFFF
# kernel/compat/freertos: what holds the stacks of several tasks, by number.
MADE_WHILE_RUNNING = (
    0xFFFB  # number of a stack that a program told while it ran (soc/sim/probe.cpp)
)
HEAP = 0xFFFD
SHARED = {0xFFFC: "all memory", HEAP: "the heap"}
_ABI = shlex.split(
    "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7"
    " s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6"
)
REGISTERS = {**{n: i for i, n in enumerate(_ABI)}, "fp": 8, **{f"x{i}": i for i in range(32)}}
# ELF32 symbol: name, value, size, info, other, section.
_SYMBOL_RECORD = struct.Struct("<IIIBBH")
_OBJECT = 1  # data, in the low bits of `info`
_SYMBOL = re.compile(r"(?P<name>[A-Za-z_.][\w.$]*)(?P<offset>[+-]\d+)?")


@dataclass(frozen=True)
class Stack:
    """One stack: lowest address, size in bytes, task number (0xFFFF boot, 0xFFFE interrupts); or
    memory that holds the stacks of several tasks (`shared`)."""

    base: int
    size: int
    number: int
    symbol: str

    @property
    def shared(self) -> bool:
        """It holds the stacks of several tasks, whose places the simulation does not know."""
        return self.number in SHARED

    @property
    def owner(self) -> str:
        """`task 3`, `boot code`, `interrupts`."""
        return {0xFFFF: "boot and idle code", 0xFFFE: "interrupts"}.get(
            self.number, f"task {self.number}"
        )


@dataclass(frozen=True)
class Region:
    """Region that a program asks to measure (kernel/include/melanion/measure.h): its number, its
    limit in microseconds (0: none), the interrupt line whose edge begins it (None: the program
    marks the beginning)."""

    number: int
    name: str
    limit_us: int
    line: int | None


@dataclass(frozen=True)
class Image:
    """Program as the simulation needs it. `tracepoints`: text of the tracepoints file; `symbols`:
    name → address; `regions`: for readers of the trace, unused by the simulation."""

    data: bytes
    tracepoints: str
    stacks: tuple[Stack, ...]
    symbols: Mapping[str, int]
    regions: tuple[Region, ...] = ()


def read_elf(path: Path) -> Image:
    """Raises BuildError when the file is no program of ours."""
    try:
        return _read(path, path.stat().st_mtime_ns)
    except (ELFError, OSError, ValueError, struct.error) as error:
        raise BuildError(
            f"{path}: this is no ELF file that can be read ({error}); build it again."
        ) from error


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> Image:
    """One program is run many times. `changed`: when the file was."""
    with path.open("rb") as file:
        elf = ELFFile(file)
        symbols = _symbols(elf)
        tracepoints, stacks, regions = _tracepoints(elf, symbols)
        return Image(_flat(elf), tracepoints, stacks, MappingProxyType(symbols), regions)


def _flat(elf: ELFFile) -> bytes:
    data = bytearray()
    for segment in elf.iter_segments():
        if segment["p_type"] != "PT_LOAD" or segment["p_filesz"] == 0:
            continue
        offset = segment["p_paddr"] - MEMORY_BASE
        data.extend(bytes(max(0, offset + segment["p_filesz"] - len(data))))
        data[offset : offset + segment["p_filesz"]] = segment.data()
    return bytes(data)


def _symbols(elf: ELFFile) -> dict[str, int]:
    """Name → address; objects last, so that they name an address that a label has too."""
    table = elf.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        return {}
    texts = elf.get_section(table["sh_link"]).data()
    named = []  # read here: elftools needs five times as long for a whole program
    for at, value, _, info, _, _ in _SYMBOL_RECORD.iter_unpack(table.data()):
        if name := texts[at : texts.index(b"\0", at)].decode():
            named.append((info & 0xF == _OBJECT, name, value))
    named.sort(key=lambda symbol: symbol[0])
    return {name: value for _, name, value in named}


def _tracepoints(
    elf: ELFFile, symbols: dict[str, int]
) -> tuple[str, tuple[Stack, ...], tuple[Region, ...]]:
    section = elf.get_section_by_name(".mel_tracepoints")
    if section is None:
        return "", (), ()
    data, at = section.data(), 0
    names = {value: name for name, value in symbols.items()}
    lines: list[str] = []
    stacks: list[Stack] = []
    regions: list[Region] = []
    while at < len(data):
        address, kind = struct.unpack_from("<II", data, at)
        end = data.index(b"\0", at + 8)
        text = data[at + 8 : end].decode("ascii", "replace")
        at = (end + 4) & ~3
        if kind == REGION_KIND:
            regions.append(_region(text))
            continue
        operands = [_operand(word, symbols, text) for word in text.split()]
        if len(operands) != 4:
            raise _wrong(text, f"has {len(operands)} operands; 4 are needed")
        if kind == STACK_KIND:
            size, number = (int(word[1:]) for word in operands[:2])
            stacks.append(Stack(address, size, number & 0xFFFF, names.get(address, "?")))
            lines.append(f"stack {address:08x} {size} {number & 0xFFFF}")
        else:
            lines.append(f"{address:08x} {kind} {' '.join(operands)}")
    return "".join(f"{line}\n" for line in lines), tuple(stacks), tuple(regions)


def _region(text: str) -> Region:
    """`number limit line name`."""
    number, limit, line, name = text.split(" ", 3)
    return Region(int(number), name, int(limit), None if int(line) == NO_LINE else int(line))


def _operand(word: str, symbols: dict[str, int], text: str) -> str:
    """`r5` or `i123` of a register, a number, or the address of a symbol."""
    if word in REGISTERS:
        return f"r{REGISTERS[word]}"
    try:
        return f"i{int(word, 0) & 0xFFFF_FFFF}"
    except ValueError:
        match = _SYMBOL.fullmatch(word)
        if match is None or match["name"] not in symbols:
            raise _wrong(text, f"has the operand {word!r}, no register or number") from None
        return f"i{symbols[match['name']] + int(match['offset'] or 0)}"


def _wrong(text: str, rest: str) -> BuildError:
    return BuildError(
        f".mel_tracepoints: the record {text!r} {rest}; correct the MEL_TRACEPOINT that made it."
    )
