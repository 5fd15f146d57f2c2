# SPDX-License-Identifier: Apache-2.0
"""The benchmark `calls` as built for a system: its rows (which call in which state), the places
between which each is measured, and its code.

What a row is, and the layout of `row_t`: apps/benchmarks/calls/calls.h.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from mel_gen import TraceKind

from melanion.build.listing import Instruction, listing
from melanion.errors import MelanionError
from melanion.measure import Definition

APP = "calls"
# The tables of rows, in the order in which the program measures them (main.c); the last is of what
# a kernel may lack.
TABLES: tuple[str, ...] = ("task", "task_state", "time", "semaphore", "flags", "mutex", "queue")
TABLES += ("notification", "system", "pool", "policy", "quantum")
MANY = 8  # rows that need more have the number in their name: calls.h
ROW = struct.Struct("<BBxxIIIIiiI")
ROW_NAMES = ("without", "with", "with_many")


class ProgramError(MelanionError):
    """The benchmark is not what this folder takes it for."""


@dataclass(frozen=True)
class State:
    """One row of the program. `row`: as in experiments/calls.yaml; `shot`: where it is called."""

    call: str
    row: str
    words: str
    shot: int


class Program:
    """A built benchmark; its states are the rows of TABLES."""

    def __init__(self, elf: Path, tracepoints: Path, definition: Definition) -> None:
        self.definition = definition
        self.code: Mapping[int, Instruction] = listing(elf)
        self._tracepoints = tracepoints.read_text(encoding="ascii").splitlines()
        with elf.open("rb") as file:
            content = ELFFile(file)
            self._segments = [
                (segment["p_vaddr"], segment.data())
                for segment in content.iter_segments()
                if segment["p_type"] == "PT_LOAD"
            ]
            table = content.get_section_by_name(".symtab")
            assert isinstance(table, SymbolTableSection)
            self._symbols = {each.name: each["st_value"] for each in table.iter_symbols()}

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first instructions of all calls between tracepoints."""
        return self._at("start")

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The instructions behind them."""
        return self._at("end")

    def _at(self, tracepoint: str) -> tuple[int, ...]:
        wanted = [str(int(TraceKind.TRACEPOINT)), f"i{self.definition.tracepoints[tracepoint]}"]
        lines = [line.split() for line in self._tracepoints]
        return tuple(int(words[0], 16) for words in lines if words[1:3] == wanted)

    @cached_property
    def states(self) -> list[State]:
        """The rows, in the order in which the program measures them once."""
        return [state for name in TABLES for state in self._table(f"{name}_table")]

    def start(self, state: State) -> int | None:
        """Address at which the call of a row begins; None: another task makes it, elsewhere."""
        function = self.code[state.shot].function
        found = [a for a in self.starts if self.code[a].function == function and a >= state.shot]
        return min(found, default=None)

    def _table(self, symbol: str) -> list[State]:
        if symbol not in self._symbols:
            raise ProgramError(
                f"the benchmark {APP} has no {symbol}; make melanion/datasheet/program.py and"
                f" apps/benchmarks/{APP}/calls.h agree."
            )
        rows, count = struct.unpack("<II", self._bytes(self._symbols[symbol], 8))
        return [self._state(rows + ROW.size * i) for i in range(count)]

    def _state(self, address: int) -> State:
        fields = ROW.unpack(self._bytes(address, ROW.size))
        number, switches, words, _, count, shot = fields[:6]
        names = {value: name for name, value in self.definition.phases.items()}
        row = ROW_NAMES[1 + (count > MANY) if switches else 0]
        return State(names[number], row, self._text(words), shot)

    def _bytes(self, address: int, count: int) -> bytes:
        for base, data in self._segments:
            if base <= address and address + count <= base + len(data):
                return bytes(data[address - base : address - base + count])
        raise ProgramError(f"the benchmark {APP} has no data at 0x{address:08x}; build it again.")

    def _text(self, address: int) -> str:
        for base, data in self._segments:
            if base <= address < base + len(data):
                start = address - base
                return bytes(data[start : data.index(b"\0", start)]).decode("ascii")
        raise ProgramError(f"the benchmark {APP} has no text at 0x{address:08x}; build it again.")
