# SPDX-License-Identifier: Apache-2.0
"""The shape of the file of a component, a small unit beside any kernel (`spec/deadlock.yaml`), and
what must hold between its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from melanion.spec.schema import WORD, Name, Row, SvName, Text
from melanion.spec.yaml_file import KeyPath

WINDOW_BYTES = 4096
REGISTERS = 0xC00  # offset of the first register; commands and regions are below
LARGEST = 384  # maximum of any parameter
PRESENT = ("identity", "facts_hash", "sizes", "answer")


class ComponentCommand(Row):
    offset: int = Field(ge=0, lt=REGISTERS, multiple_of=4)
    text: Text


class ComponentRegion(Row):
    """`of`: the parameter that counts its words, each `stride` bytes long."""

    offset: int = Field(ge=0, lt=REGISTERS, multiple_of=4)
    stride: Literal[4, 8]
    of: Name
    text: Text


class ComponentWord(Row):
    value: int = Field(ge=0, le=WORD)
    text: Text


class ComponentRegister(Row):
    offset: int = Field(ge=REGISTERS, lt=WINDOW_BYTES, multiple_of=4)
    access: Literal["ro", "rw"]
    text: Text


class ComponentParameter(Row):
    sv: SvName
    default: int = Field(ge=0)
    minimum: int = Field(ge=0)
    maximum: int = Field(ge=0, le=LARGEST)
    unit: Text
    text: Text


class ComponentFile(Row):
    """`decision` and `explanation`: its pages in docs/decisions and docs/explanation."""

    title: Text
    decision: int = Field(ge=1, le=9999)
    explanation: Name
    window_bytes: Literal[4096]
    identity: int = Field(ge=0, le=WORD)
    commands: dict[Name, ComponentCommand]
    regions: dict[Name, ComponentRegion]
    answer: dict[Name, ComponentWord]
    registers: dict[Name, ComponentRegister]
    parameters: dict[Name, ComponentParameter]


def broken(file: ComponentFile) -> Iterator[tuple[KeyPath, str]]:
    """Everything that is wrong between the rows: key path, and what is wrong and what to do."""
    for name in PRESENT:
        if name not in file.registers:
            yield ("registers",), f"has no `{name}`; add it: drivers need it"
    yield from _ranges(file)
    yield from _offsets(file)
    owners: dict[int, str] = {}
    for name, row in file.answer.items():
        first = owners.setdefault(row.value, name)
        if first != name:
            rest = f"is {row.value:#x}, which answer.{first} already has; use a number that no"
            yield ("answer", name, "value"), f"{rest} other has"


def _ranges(file: ComponentFile) -> Iterator[tuple[KeyPath, str]]:
    """Defaults in their range; regions counted by a parameter."""
    for name, row in file.parameters.items():
        if not row.minimum <= row.default <= row.maximum:
            rest = f"is {row.default}; allowed is {row.minimum} … {row.maximum}; correct it"
            yield ("parameters", name, "default"), rest
    for name, region in file.regions.items():
        if region.of not in file.parameters:
            some = ", ".join(file.parameters)
            yield ("regions", name, "of"), f"is {region.of!r}; allowed is one of {some}; correct it"


def _offsets(file: ComponentFile) -> Iterator[tuple[KeyPath, str]]:
    """Each word of the window belongs to one row."""
    owners: dict[int, str] = {}
    tables: dict[str, dict[str, tuple[int, int]]] = {
        "commands": {name: (row.offset, 4) for name, row in file.commands.items()},
        "registers": {name: (row.offset, 4) for name, row in file.registers.items()},
        "regions": {
            name: (row.offset, row.stride * file.parameters[row.of].maximum)
            for name, row in file.regions.items()
            if row.of in file.parameters
        },
    }
    for table, rows in tables.items():
        for name, (offset, size) in rows.items():
            for word in range(offset, offset + size, 4):
                first = owners.setdefault(word, f"{table}.{name}")
                if first != f"{table}.{name}":
                    rest = f"is {offset:#x}, and {first} has the word at {word:#x} already;"
                    yield (table, name, "offset"), f"{rest} use words that no other has"
                    break
