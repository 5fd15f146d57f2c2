# SPDX-License-Identifier: Apache-2.0
"""The shape of `spec/lock_cache.yaml`, and what must hold between its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from melanion.spec.schema import WORD, BitRange, Name, Row, SvName, Text, bits
from melanion.spec.yaml_file import KeyPath

REGISTERS = 0xC00  # offset of the first register
PRESENT = ("identity", "facts_hash", "notice")


class LockRegion(Row):
    short: Literal[0x000]
    long: Literal[0x200]
    load: Text
    store: Text


class TryRegion(Row):
    short: Literal[0x400]
    long: Literal[0x600]
    load: Text
    store: Text


class StateRegion(Row):
    short: Literal[0x800]
    long: Literal[0xA00]
    load: Text
    store: Text


class Regions(Row):
    """The unit decodes by wires: they have one layout (hw/lock_cache/mel_lock_cache.sv)."""

    lock: LockRegion
    try_: TryRegion = Field(alias="try")
    state: StateRegion

    def rows(self) -> dict[str, LockRegion | TryRegion | StateRegion]:
        return {"lock": self.lock, "try": self.try_, "state": self.state}


class LockWord(Row):
    value: int = Field(ge=0, le=WORD)
    text: Text


class StateField(Row):
    bits: BitRange
    text: Text


class LockRegister(Row):
    offset: int = Field(ge=REGISTERS, le=0xFFC, multiple_of=4)
    access: Literal["ro", "rw"]
    value: int | None = Field(default=None, ge=0, le=WORD)
    text: Text


class StateFields(Row):
    held: StateField
    handed: StateField
    holder: StateField
    waiting: StateField

    def rows(self) -> dict[str, StateField]:
        return {name: getattr(self, name) for name in type(self).model_fields}


class LockParameter(Row):
    sv: SvName
    default: int = Field(ge=0)
    minimum: int = Field(ge=0)
    maximum: int = Field(ge=0, le=256)
    unit: Text
    text: Text


class LockParameters(Row):
    """All of them: the unit has these and no other."""

    short_locks: LockParameter
    long_locks: LockParameter
    cores: LockParameter
    hand_over: LockParameter
    priorities: LockParameter

    def rows(self) -> dict[str, LockParameter]:
        return {name: getattr(self, name) for name in type(self).model_fields}


class LockAnswers(Row):
    waits: LockWord
    taken: LockWord
    none: LockWord

    def rows(self) -> dict[str, LockWord]:
        return {name: getattr(self, name) for name in type(self).model_fields}


class LockCacheFile(Row):
    window_bytes: Literal[4096]
    regions: Regions
    answer: LockAnswers
    state: StateFields
    registers: dict[Name, LockRegister]
    parameters: LockParameters


def broken(file: LockCacheFile) -> Iterator[tuple[KeyPath, str]]:
    """Everything that is wrong between the rows: key path, and what is wrong and what to do."""
    yield from _numbers(file)
    for name in PRESENT:
        if name not in file.registers:
            yield ("registers",), f"has no `{name}`; add it: drivers need it"
    used = 0
    for name, field in file.state.rows().items():
        high, low = bits(field.bits)
        mask = (1 << high + 1) - (1 << low)
        if used & mask:
            rest = f"is {field.bits!r} and overlaps another field; give each bit to one field"
            yield ("state", name, "bits"), rest
        used |= mask
    for name, row in file.parameters.rows().items():
        if not row.minimum <= row.default <= row.maximum:
            rest = f"is {row.default}; allowed is {row.minimum} … {row.maximum}; correct it"
            yield ("parameters", name, "default"), rest


def _numbers(file: LockCacheFile) -> Iterator[tuple[KeyPath, str]]:
    """Numbers that two rows share."""
    tables = {
        ("registers", "offset"): {name: row.offset for name, row in file.registers.items()},
        ("answer", "value"): {name: row.value for name, row in file.answer.rows().items()},
    }
    for (table, key), numbers in tables.items():
        owners: dict[int, str] = {}
        for name, number in numbers.items():
            first = owners.setdefault(number, name)
            if first != name:
                rest = f"is {number:#x}, which {table}.{first} already has; use a number that"
                yield (table, name, key), f"{rest} no other has"
