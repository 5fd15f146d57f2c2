# SPDX-License-Identifier: Apache-2.0
"""The instructions of a program, read from the disassembly of binutils."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import melanion.build.tools as tools
from melanion.build.errors import BuildError

OBJDUMP = tools.CROSS_GCC.removesuffix("gcc") + "objdump"

_FUNCTION = re.compile(r"[0-9a-f]+ <(?P<name>.+)>:")
_LINE = re.compile(
    r"\s*(?P<address>[0-9a-f]+):\s+(?P<code>[0-9a-f]+)\s+(?P<mnemonic>\S+)(?:\s+(?P<rest>.*))?"
)
_TARGET = re.compile(r"(?P<address>[0-9a-f]+) <[^>]*>$")


@dataclass(frozen=True)
class Instruction:
    """One instruction. `size` in bytes; `target`: where a branch or jump with a known one leads.

    `operands` as binutils writes them, aliases included: `-2048(a0)`, `mstatus`, `8`.
    """

    address: int
    size: int
    function: str
    mnemonic: str
    operands: tuple[str, ...]
    target: int | None = None

    @property
    def after(self) -> int:
        """The address of the next instruction in memory."""
        return self.address + self.size


def listing(elf: Path) -> dict[int, Instruction]:
    """Every instruction of the code sections, by address. Raises BuildError."""
    done = tools.run([tools.find(OBJDUMP), "-d", str(elf)])
    if done.status:
        raise BuildError(f"{elf}: objdump cannot read it ({done.output.strip()}); build it again.")
    found: dict[int, Instruction] = {}
    function = ""
    for line in done.output.splitlines():
        if match := _FUNCTION.fullmatch(line):
            function = match["name"]
        elif match := _LINE.fullmatch(line):
            found[int(match["address"], 16)] = _instruction(function, match)
    return found


def _instruction(function: str, match: re.Match[str]) -> Instruction:
    rest, _, comment = (match["rest"] or "").partition("#")
    mnemonic, address = match["mnemonic"], int(match["address"], 16)
    target = _TARGET.search(comment if mnemonic in ("jr", "jalr") else rest)
    leads = int(target["address"], 16) if target else None
    if mnemonic == ".2byte" and (offset := _relaxed_call(int(match["code"], 16))) is not None:
        mnemonic, leads = "jal", address + offset
    return Instruction(
        address=address,
        size=len(match["code"]) // 2,
        function=function,
        mnemonic=mnemonic,
        operands=tuple(word.strip() for word in rest.split(",")) if rest.strip() else (),
        target=leads,
    )


def _relaxed_call(code: int) -> int | None:
    """The offset of `c.jal`. The linker makes one of a call in code assembled without compressed
    instructions, too, and binutils then does not name it."""
    if code & 0xE003 != 0x2001:
        return None
    places = (11, 4, 9, 8, 10, 6, 7, 3, 2, 1, 5)  # positions of bits 12 … 2 in the offset
    offset = sum((code >> 12 - i & 1) << place for i, place in enumerate(places))
    return offset - (offset >> 11 << 12)
