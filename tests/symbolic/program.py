# SPDX-License-Identifier: Apache-2.0
"""The words of an assembled program, decoded as the hardware reads them, and their names."""

from __future__ import annotations

import bisect
from functools import cached_property

from melanion.micro.output import check_row
from melanion.micro.program import Program

Fields = dict[str, str | int]  # names of values, else numbers
WRITE = 256  # in the index of the check table


class Words:
    """`changes`: words by address that replace the program's: mutants."""

    def __init__(self, program: Program, changes: dict[int, int] | None = None) -> None:
        self.tables, self._program = program.tables, program
        self._values = [*program.values]
        for address, value in (changes or {}).items():
            self._values[address] = value
        self._decoded: dict[int, Fields] = {}
        self._sizes = {number: name for name, number in self.tables.machine.sizes.items()}
        self.idle = self.tables.slots["idle"]

    def word(self, address: int) -> Fields:
        if address not in self._decoded:
            value = self._values[address]
            found: Fields = {}
            for name, row in reversed([*self.tables.fields.items()]):
                number = value & (1 << row.width) - 1
                value >>= row.width
                named = self.tables.name_of(name, number) if name in self.tables.values else None
                found[name] = number if named is None else named
            found["size"] = self._sizes.get(value, "")  # that `constant` stands for
            self._decoded[address] = found
        return self._decoded[address]

    def slot(self, name: str) -> int:
        """Address of an entry, such as `command task_start`."""
        return self.tables.slots[name]

    def page(self, name: str) -> int:
        return self.tables.machine.pages[name]

    def checks(self, op: int, *, write: bool) -> dict[str, int]:
        """The row of the check table."""
        return check_row(self.tables.spec, op | (WRITE if write else 0))

    def describe(self, address: int) -> str:
        """Label, file and line, and text of a word."""
        place = bisect.bisect_right(self._labels, (address, "\x7f")) - 1
        label = self._labels[place][1] if place >= 0 else "reset"
        word = self._program.words.get(address)
        return f"{label}, {word.place}: {word.text}" if word else f"address {address:#x}"

    @cached_property
    def _labels(self) -> list[tuple[int, str]]:
        return sorted((address, name) for name, address in self._program.symbols.items())
