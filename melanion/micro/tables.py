# SPDX-License-Identifier: Apache-2.0
"""Tables of the assembler: fields of a word (`word.yaml`), names of the machine (`machine.yaml`).

All widths and numbers come from these files; this package knows the names and meanings of fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints

from melanion.micro.errors import MicroError
from melanion.spec import Spec
from melanion.spec.check import PATTERN_WORDS, check, sentence
from melanion.spec.schema import REGISTERS, REGISTERS_OP, Name, Row, Text
from melanion.spec.yaml_file import KeyPath, read

CONSTANT_NAME = r"^[A-Z][A-Z0-9_]{0,31}$"
PATTERN_WORDS[CONSTANT_NAME] = "capitals, digits and underscores, such as ALL_FLAGS"
ConstantName = Annotated[str, StringConstraints(pattern=CONSTANT_NAME)]

FOLDER = "hw/micro"
SLOT = 4  # words
TABLE = 8  # words of a case table
# Fields whose meaning the assembler knows.
KNOWN = (
    *("constant", "next", "branch", "finish_to", "predicate", "annul", "test", "position"),
    *("a_from", "a", "b_from", "b", "immediate", "alu", "lanes", "write", "target", "read"),
    *("read_page", "read_by", "store", "store_page", "store_by", "subject", "object", "load_level"),
    *("waits", "waits_key", "waits_node", "level", "ready", "due", "unless_held", "note", "done"),
    *("status", "report", "device"),
)
# Words of the language that no name of the machine may be.
RESERVED = frozenset(
    (
        *(
            "M",
            "argument",
            "device",
            "size",
            "objects",
            "object",
            "subject",
            "level",
            "caller",
            "core",
            "is",
        ),
        *("loaded", "running", "before", "top", "due", "found", "best", "messages", "held"),
    )
)


class FieldRow(Row):
    width: int = Field(ge=1, le=32)
    values: dict[Name, int] | None = None
    text: Text | None = None


class WordFile(Row):
    fields: dict[Name, FieldRow]


class Slots(Row):
    job: int = Field(ge=0)
    command: int = Field(ge=0)
    more: int = Field(ge=0)
    load: int = Field(ge=0)
    store: int = Field(ge=0)


class CheckRow(Row):
    answer: int = Field(ge=1)
    exists: int = Field(ge=1)
    kind: int = Field(ge=3)
    callers: int = Field(ge=3)
    blocks: int = Field(ge=2)


Number = Annotated[int, Field(ge=0)]
Constant = Annotated[int, Field(ge=-(1 << 31), lt=1 << 32)]


class DeviceRead(Row):
    """Answer of a device: `number` is operand A; `of_result`: it is made of the result of the word
    before."""

    number: Number
    of_result: bool = False


class MachineFile(Row):
    words: int = Field(ge=1)
    lean_words: int = Field(ge=1)
    entries: dict[Name, Number]
    slots: Slots
    registers: dict[Name, Number]
    pages: dict[Name, Number]
    records: dict[Name, Name]
    indexes: dict[Name, Number]
    bits: dict[Name, Annotated[int, Field(ge=0, le=31)]]
    constants: dict[ConstantName, Constant]
    sizes: dict[Name, Annotated[int, Field(ge=1)]]
    device_reads: dict[Name, DeviceRead]
    device_tests: dict[Name, Number]
    device_operations: dict[Name, Number]
    jobs: dict[Name, Number]
    held_back: list[Name]
    memory_tests: list[Name]
    note_flags: dict[Name, Number]
    check: CheckRow


@dataclass(frozen=True)
class Tables:
    """Both files, and the facts of spec/ that a program names."""

    fields: Mapping[str, FieldRow]
    machine: MachineFile
    spec: Spec

    @property
    def width(self) -> int:
        """Bits of a word."""
        return sum(row.width for row in self.fields.values())

    @property
    def size_width(self) -> int:
        """Bits of the number of a size, which stands in front of a word."""
        return max(self.machine.sizes.values(), default=1).bit_length()

    @property
    def lean_words(self) -> int:
        """Words of the lean program: `lean_words` of machine.yaml, unless a slot is behind them."""
        words, last = self.machine.lean_words, max(self.slots.values())
        return words if last < words else self.machine.words

    def limit(self, field: str) -> int:
        """The first number that does not fit into a field."""
        return 1 << self.fields[field].width

    @cached_property
    def values(self) -> dict[str, dict[str, int]]:
        """Names of the values of every field that has some; `device`: with those of the machine."""
        found = {name: dict(row.values) for name, row in self.fields.items() if row.values}
        return found | {"device": self.machine.device_operations}

    def name_of(self, field: str, value: int) -> str | None:
        """Name of a value of a field."""
        return next((n for n, v in self.values[field].items() if v == value), None)

    @cached_property
    def constants(self) -> dict[str, int]:
        """Constants by name, 32 bits. A status stands in every byte."""
        found = {name.upper(): 1 << bit for name, bit in self.machine.bits.items()}
        found |= {n: v & 0xFFFF_FFFF for n, v in self.machine.constants.items()}
        return found | {n: (v & 0xFF) * 0x0101_0101 for n, v in self.statuses.items()}

    @cached_property
    def statuses(self) -> dict[str, int]:
        return {name: row.value & 0xFF for name, row in self.spec.status.status.items()}

    @cached_property
    def slots(self) -> dict[str, int]:
        """Address by what a program calls it: `command semaphore_give`, `load time_low`, `irq`."""
        base, found = self.machine.slots, dict(self.machine.entries)
        found |= {f"job {n}": base.job + SLOT * v for n, v in self.machine.jobs.items()}
        ops = {n: row.op for n, row in self.spec.commands.commands.items()}
        ops |= {n: row.op for n, row in self.spec.registers.queries.items()}
        found |= {f"command {n}": self._slot_of(op) for n, op in ops.items()}
        for name, row in self.spec.registers.registers.items():
            word = (row.offset - REGISTERS) // 4
            found[f"load {name}"] = base.load + SLOT * word
            if row.access == "rw":
                found[f"store {name}"] = base.store + SLOT * word
        return found

    def _slot_of(self, op: int) -> int:
        """Numbers behind that of the registers have a base of their own."""
        base = self.machine.slots
        if op > REGISTERS_OP:
            return base.more + SLOT * (op - REGISTERS_OP - 1)
        return base.command + SLOT * op

    def record(self, slot: str) -> str | None:
        """Page that M holds at the first word of a slot or entry; None: nothing that it may use."""
        kind, _, name = slot.rpartition(" ")
        if kind == "command":
            commands, queries = self.spec.commands.commands, self.spec.registers.queries
            name = commands[name].id if name in commands else queries[name].id
        elif kind:
            name = kind
        return self.machine.records.get(name)


def load_tables(folder: Path, spec: Spec) -> Tables:
    """Read `word.yaml` and `machine.yaml` of a folder. Raises MicroError."""
    word_file = read(folder / "word.yaml", f"{FOLDER}/word.yaml")
    machine_file = read(folder / "machine.yaml", f"{FOLDER}/machine.yaml")
    word, problems = check(WordFile, word_file)
    machine, found = check(MachineFile, machine_file)
    problems += found
    if word and machine:
        tables = Tables(word.fields, machine, spec)
        problems += [sentence(word_file, path, rest) for path, rest in _wrong_fields(tables)]
        if not problems:
            problems += [sentence(machine_file, path, rest) for path, rest in _wrong_names(tables)]
        if not problems:
            return tables
    raise MicroError("\n".join(problems))


def _wrong_fields(tables: Tables) -> Iterator[tuple[KeyPath, str]]:
    for name in KNOWN:
        if name not in tables.fields:
            yield ("fields",), f"has no field {name}, which the assembler fills; add it"
    for name, row in tables.fields.items():
        for value, number in (row.values or {}).items():
            if not 0 <= number < tables.limit(name):
                rest = f"is {number}, which does not fit into {row.width} bits; widen the field"
                yield ("fields", name, "values", value), rest


def _wrong_names(tables: Tables) -> Iterator[tuple[KeyPath, str]]:
    machine = tables.machine
    widths = {
        "registers": "a",
        "pages": "read_page",
        "indexes": "immediate",
        "device_tests": "position",
        "device_operations": "device",
        "jobs": "immediate",
    }
    for key, field in widths.items():
        seen: dict[int, str] = {}
        for name, number in getattr(machine, key).items():
            if number >= tables.limit(field):
                rest = f"is {number}, which does not fit into the field {field}; use a smaller one"
                yield (key, name), rest
            first = seen.setdefault(number, name)
            if first != name:
                yield (key, name), f"is {number}, which {first} already has; use another number"
    yield from _wrong_devices(tables)
    seen_sizes: dict[int, str] = {}
    for name, number in machine.sizes.items():
        first = seen_sizes.setdefault(number, name)
        if first != name:
            yield ("sizes", name), f"is {number}, which {first} already has; use another number"
    yield from _words_of_the_language(machine)
    for name, page in machine.records.items():
        if page not in machine.pages:
            yield ("records", name), f"is {page!r}, which is no page; use a name of `pages`"
    for name in machine.constants:
        if name.lower() in machine.bits or name in tables.statuses:
            yield ("constants", name), "is also a bit or a status; rename it"
    for name in machine.held_back:
        if name not in tables.spec.commands.commands:
            yield ("held_back",), f"names {name}, which is no command of spec/; remove it"
    for name, number in machine.entries.items():
        if number >= machine.words:
            yield ("entries", name), f"is {number}, beyond the last word; use a smaller one"


def _wrong_devices(tables: Tables) -> Iterator[tuple[KeyPath, str]]:
    machine = tables.machine
    for name, row in machine.device_reads.items():
        if row.number >= tables.limit("a"):
            yield ("device_reads", name), "does not fit into a word; use a smaller number"
    for name, bit in machine.note_flags.items():
        if 1 << bit >= tables.limit("immediate"):
            rest = f"is {bit}, which is no bit of the immediate; use a smaller one"
            yield ("note_flags", name), rest
    for name in machine.memory_tests:
        if name not in tables.values.get("test", {}):
            yield ("memory_tests",), f"names {name}, which is no test of word.yaml; remove it"


def _words_of_the_language(machine: MachineFile) -> Iterator[tuple[KeyPath, str]]:
    for name in machine.registers:
        if name in RESERVED:
            yield ("registers", name), "is a word of the language; rename the register"
        if name in machine.indexes:
            yield ("registers", name), "is also an index; rename the register"
    for name in machine.indexes:
        if name in RESERVED:
            yield ("indexes", name), "is a word of the language; rename the index"
