# SPDX-License-Identifier: Apache-2.0
"""A script of the random test: what the driver (bench.cpp) executes.

Each core executes its entries one after another, at the same time as the others. An entry does not
depend on another one: any subset of a script is a script.
"""

from __future__ import annotations

import struct
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import NamedTuple

from mel_gen import REGISTERS_END, Command, Register


class Kind(IntEnum):
    """Action of an entry; the values are those of bench.cpp."""

    COMMAND = 0
    ACCESS = 1
    EDGE = 2
    WAIT = 3
    TICK = 4
    MEET = 5


class Flag(IntFlag):
    """Departures of the driver from a C kernel's behaviour; the values are those of bench.cpp."""

    NO_ANSWER = 1
    IGNORE_DUE = 2
    IGNORE_DISPATCH = 4
    IGNORE_HANDLER = 8
    ANSWER_TWICE = 16
    PREEMPT = 32
    HANDLER_ENDS = 64
    WILD = 128
    VALUE = 256


NO_FLAGS = Flag(0)
WRITES_OPERAND = 1 << 15  # bit of the flags in the file
RECORD = struct.Struct("<BBBBIIHHHHBB2x")
ACCESS_WRITE, ACCESS_UPPER = 128, 64  # bits of its byte enables: a store; the second 64 KiB


class Entry(NamedTuple):
    """One entry.

    `delay`, `gap`, `after` in cycles: before the store, between store and answer, before a dispatch
    or claim. EDGE: interrupt line `number` rises `delay` cycles later for `gap` cycles. WAIT: at
    most `argument` cycles, for an interrupt line of the core. TICK: at most `argument` cycles, for
    a tick. MEET: until every other core is at a meeting with this number (`argument`) or a higher
    one, or has no entry left; then all go on in the same cycle. ACCESS: `op` and `number`
    are the high and low byte of the offset in its half of the window. COMMAND: `operand` is written
    before it; None: the caller's operand stays.
    """

    kind: Kind
    op: int = 0
    number: int = 0
    argument: int = 0
    flags: Flag = NO_FLAGS
    delay: int = 0
    gap: int = 0
    after: int = 0
    handler: int = 0
    byte_enable: int = 0
    operand: int | None = None
    core: int = 0

    def pack(self) -> bytes:
        """The 24 bytes that bench.cpp reads."""
        flags = int(self.flags) | (0 if self.operand is None else WRITES_OPERAND)
        what = (self.kind, self.op, self.number, self.handler, self.argument, self.operand or 0)
        times = (self.delay, self.gap, self.after)
        return RECORD.pack(*what, flags, *times, self.byte_enable, self.core)

    @property
    def offset(self) -> int:
        """Offset of an ACCESS."""
        upper = self.byte_enable & ACCESS_UPPER != 0
        return upper << 16 | self.op << 8 | self.number

    def __str__(self) -> str:
        if self.kind == Kind.COMMAND:
            name = (
                Command(self.op).name.lower()
                if self.op in Command._value2member_map_
                else f"op {self.op}"
            )
            what = f"{name} {self.number} {self.argument:#x}"
            if self.operand is not None:
                what += f" operand={self.operand:#x}"
        elif self.kind == Kind.ACCESS:
            verb = "write" if self.byte_enable & ACCESS_WRITE else "read"
            offset = self.offset
            what = f"{verb} {offset:#06x} be={self.byte_enable & 15:#x} {self.argument:#x}"
        else:
            what = f"{self.kind.name.lower()} {self.number} {self.argument}"
        flags = f" [{self.flags!s}]" if self.flags else ""
        times = f"delay={self.delay} gap={self.gap} after={self.after}"
        where = f"core {self.core}: " if self.core else ""
        return f"{where}{what} {times} handler={self.handler}{flags}"


def commands(offset: int) -> bool:
    """Whether it is in the command region, which goes on behind the registers."""
    return offset < Register.IDENTITY or offset >= REGISTERS_END


def access(
    offset: int, *, write: bool = False, data: int = 0, byte_enable: int = 15, delay: int = 0
) -> Entry:
    """A raw access of the window."""
    return Entry(
        Kind.ACCESS, offset >> 8 & 0xFF, offset & 0xFF, data, delay=delay,
        byte_enable=byte_enable | ACCESS_UPPER * (offset >> 16) | (ACCESS_WRITE if write else 0),
    )  # fmt: skip


def write(path: Path, entries: list[Entry]) -> None:
    """Write a script file."""
    path.write_bytes(b"".join(entry.pack() for entry in entries))


def read(path: Path) -> list[Entry]:
    """Read a script file."""
    entries = []
    for fields in RECORD.iter_unpack(path.read_bytes()):
        kind, op, number, handler, argument, operand, flags, *times = fields[:10]
        byte_enable, core = fields[10:]
        entries.append(
            Entry(
                Kind(kind), op, number, argument, Flag(flags & ~WRITES_OPERAND), times[0], times[1],
                times[2], handler,
                byte_enable, operand if flags & WRITES_OPERAND else None, core,
            )
        )  # fmt: skip
    return entries
