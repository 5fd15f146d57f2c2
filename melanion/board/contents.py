# SPDX-License-Identifier: Apache-2.0
"""Contents of the memory: the words of a program, and another program in a finished design.

A design is synthesized and routed with random words. Each block RAM of the memory then holds one
or more columns of them (bits of all words) that nothing else has, so it is found in the netlist and
in the routed configuration by its contents alone, whatever the tools call it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from melanion.board.design import Design
from melanion.board.errors import BoardError
from melanion.build import Program

BITS = 16384  # one block RAM, without its parity bits
MARK = 64  # the first words of a column tell it from every other one
_INIT = re.compile(r"(\.bram_init \d+\n)((?:(?:[0-9a-f]{3} ?)+\n)+)")
_ROW = re.compile(r"INITVAL_([0-9A-F]{2})")


def words(design: Design, program: Program) -> list[int]:
    """All words of the memory with a program."""
    size = design.system.memory.kib * 1024
    image = program.image.read_bytes().ljust(size, b"\0")
    assert len(image) == size  # the linker refuses a larger one
    return [int.from_bytes(image[i : i + 4], "little") for i in range(0, size, 4)]


def hexadecimal(found: Iterable[int]) -> str:
    """Words as $readmemh reads them."""
    return "".join(f"{word:08x}\n" for word in found)


class _Columns:
    """Replaces columns of the random words by those of a program."""

    def __init__(self, old: Sequence[int], new: Sequence[int]) -> None:
        assert len(old) == len(new)
        self._new = new
        self._depth = min(len(old), BITS)  # words of which one block RAM holds a column
        self._width = BITS // self._depth
        self._known = {
            self._mark(old[start : start + MARK], bit): (start, bit)
            for start in range(0, len(old), self._depth)
            for bit in range(32)
        }
        self.found: set[tuple[int, int]] = set()

    @property
    def wanted(self) -> int:
        """Columns of the whole memory."""
        return len(self._known)

    @staticmethod
    def _mark(part: Sequence[int], bit: int) -> tuple[int, ...]:
        return tuple(word >> bit & 1 for word in part)

    def replaced(self, bits: list[int]) -> list[int]:
        """The bits of a block RAM, address by address, with the columns that it has replaced."""
        for lane in range(self._width):
            mark = tuple(bits[lane : lane + self._width * MARK : self._width])
            place = self._known.get(mark)
            if place is None:
                continue
            start, bit = place
            self.found.add(place)
            for i, word in enumerate(self._new[start : start + self._depth]):
                bits[i * self._width + lane] = word >> bit & 1
        return bits


def _replace(
    old: Sequence[int], new: Sequence[int], change: Callable[[_Columns], Any], what: str
) -> Any:
    columns = _Columns(old, new)
    result = change(columns)
    if len(columns.found) != columns.wanted:
        raise BoardError(
            f"{what}: {len(columns.found)} of {columns.wanted} columns of the memory were found;"
            " this is a defect of Melanion, or of its yosys or nextpnr; install them again."
        )
    return result


def in_configuration(text: str, old: Sequence[int], new: Sequence[int]) -> str:
    """A routed configuration (nextpnr's text) with other words in its memory. Raises
    BoardError."""

    def change(columns: _Columns) -> str:
        def one(match: re.Match[str]) -> str:
            values = [int(value, 16) for value in match[2].split()]
            before = [value >> i & 1 for value in values for i in range(8)]
            after = columns.replaced(list(before))
            if before == after:
                return match[0]
            packed = [
                value & 0x100 | sum(after[8 * i + j] << j for j in range(8))
                for i, value in enumerate(values)
            ]
            lines = (packed[i : i + 8] for i in range(0, len(packed), 8))
            return match[1] + "".join(
                " ".join(f"{value:03x}" for value in line) + "\n" for line in lines
            )

        return _INIT.sub(one, text)

    result: str = _replace(old, new, change, "the routed design")
    return result


def in_netlist(text: str, top: str, old: Sequence[int], new: Sequence[int]) -> dict[str, Any]:
    """A netlist (yosys's JSON) with other words in its memory. Raises BoardError."""

    def change(columns: _Columns) -> dict[str, Any]:
        netlist: dict[str, Any] = json.loads(text)
        for cell in netlist["modules"][top]["cells"].values():
            if cell["type"] == "DP16KD":
                parameters = cell["parameters"]
                before = [bit for row in rows(parameters) for bit in _bits(parameters[row])]
                after = columns.replaced(list(before))
                for i, name in enumerate(rows(parameters)):
                    parameters[name] = _row(after[256 * i : 256 * (i + 1)], parameters[name])
        return netlist

    result: dict[str, Any] = _replace(old, new, change, "the netlist")
    return result


def rows(parameters: Iterable[str]) -> list[str]:
    """Names of the parameters with the contents of a block RAM, from its lowest address on."""
    return sorted(name for name in parameters if _ROW.fullmatch(name))


def _bits(text: str) -> list[int]:
    """The 256 data bits of a row: 16 fields of 20 bits with two bytes and their parity bits; the
    lowest first."""
    whole = [int(each == "1") for each in reversed(text)]
    starts = (20 * field + 9 * half for field in range(16) for half in range(2))
    return [bit for start in starts for bit in whole[start : start + 8]]


def _row(bits: Sequence[int], old: str) -> str:
    """The opposite of `_bits`; the parity bits stay."""
    whole = ["1" if each == "1" else "0" for each in reversed(old)]
    for field in range(16):
        for half in range(2):
            first = 16 * field + 8 * half
            start = 20 * field + 9 * half
            whole[start : start + 8] = [str(bit) for bit in bits[first : first + 8]]
    return "".join(reversed(whole))
