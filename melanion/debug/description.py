# SPDX-License-Identifier: Apache-2.0
"""The XML documents that GDB asks for: the registers of the target, and its threads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from melanion.build.image import REGISTERS
from melanion.debug.frames import PC

if TYPE_CHECKING:
    from melanion.debug.target import Thread

_POINTERS = {1: "code_ptr", 2: "data_ptr", 3: "data_ptr", 4: "data_ptr", PC: "code_ptr"}
_ABI = list(REGISTERS)[:PC]


def target() -> str:
    """`riscv:rv32` with 32 integer registers and the pc, in the order of the packets."""
    rows = "".join(
        f'  <reg name="{name}" bitsize="32" type="{_POINTERS.get(number, "int")}"/>\n'
        for number, name in enumerate([*_ABI, "pc"])
    )
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE target SYSTEM "gdb-target.dtd">\n<target version="1.0">\n'
        " <architecture>riscv:rv32</architecture>\n"
        f' <feature name="org.gnu.gdb.riscv.cpu">\n{rows} </feature>\n</target>\n'
    )


def threads(found: Iterable[Thread]) -> str:
    """XML of the threads, for `info threads`."""
    rows = ""
    for thread in found:
        core = "" if thread.core is None else f' core="{thread.core}"'
        name = f" name={quoteattr(thread.name)}" if thread.name else ""
        rows += f' <thread id="{thread.number:x}"{core}{name}>{escape(thread.about)}</thread>\n'
    return f'<?xml version="1.0"?>\n<threads>\n{rows}</threads>\n'


def part(document: str, annex: str) -> bytes:
    """The answer to qXfer: the bytes of a document from an offset, and whether more follow."""
    offset, length = (int(word, 16) for word in annex.split(","))
    whole = document.encode()
    return (b"l" if offset + length >= len(whole) else b"m") + whole[offset : offset + length]
