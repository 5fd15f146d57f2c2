# SPDX-License-Identifier: Apache-2.0
"""Expressions of a data effect: operands, constants and what the ALU does with them.

M.3 &~ DUE      argument + now      object      t1.01 is (LIMIT - 1)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from melanion.micro.errors import EffectError
from melanion.micro.tables import Tables

MASK = 0xFFFF_FFFF
OPERATORS = {"+": "add", "-": "sub", "&": "and", "&~": "andn", "|": "or", "^": "xor", "is": "b"}
COMMUTATIVE = frozenset({"add", "and", "or", "xor"})
_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F_]+|\d[\d_]*)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign><<|&~|[-+&|^~().@]))"
)


@dataclass(frozen=True)
class Operand:
    """kind: file, memory, argument, device, constant, size, object, subject. `value`: the register,
    the device read, the constant, the number of the size. `page`: what M is said to hold."""

    kind: str
    value: int = 0
    page: str | None = None

    @property
    def fits_a(self) -> bool:
        return self.kind in ("file", "memory", "argument", "device")

    @property
    def fits_b(self) -> bool:
        return self.kind in ("file", "constant", "size", "object", "subject")


@dataclass(frozen=True)
class Expression:
    """`left` alone, or left operator right. `bytes`: those that come from the ALU (None: all)."""

    left: Operand
    operator: str | None = None  # value of the field alu
    right: Operand | None = None
    bytes: int | None = None


class Reader:
    """Tokens of one text."""

    def __init__(self, text: str, tables: Tables) -> None:
        self.text, self.tables, self.at = text, tables, 0
        self.tokens: list[str] = []
        place = 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if not match:
                rest = text[place:].strip()
                raise EffectError(f"`{rest}` is no part of an expression; remove it")
            self.tokens.append(match[0].strip())
            place = match.end()

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.next
        self.at += 1
        return token

    def accept(self, token: str) -> bool:
        found = self.next == token
        self.at += found
        return found

    def expect(self, token: str) -> None:
        if not self.accept(token):
            here = f"before `{self.next}`" if self.next else "at its end"
            raise EffectError(f"`{self.text}` lacks `{token}` {here}; add it")

    def end(self) -> None:
        if self.next:
            raise EffectError(
                f"`{self.text}` goes on with `{self.next}`; one word computes one operation:"
                " use parentheses for constants, a second word for more"
            )


def parse_expression(text: str, tables: Tables) -> Expression:
    """Raises EffectError."""
    reader = Reader(text, tables)
    if not reader.tokens:
        raise EffectError("an expression is missing behind `=`; write one")
    left = operand(reader)
    lanes = _bytes(reader)
    if not reader.next:
        if lanes is not None:
            raise EffectError(f"`{text}` names bytes without an operation; add one, such as `is`")
        return Expression(left)
    sign = reader.take()
    if sign not in OPERATORS:
        raise EffectError(f"`{sign}` is no operation; known are {' '.join(OPERATORS)}")
    right = operand(reader)
    if left.kind == right.kind == "constant" and lanes is None and sign != "is":
        return Expression(Operand("constant", constant(text, tables)))
    reader.end()
    if sign == "is" and lanes is None:
        raise EffectError(f"`{text}` replaces no byte; name some, such as `M.3 is 0`")
    return Expression(left, OPERATORS[sign], right, lanes)


def operand(reader: Reader) -> Operand:
    """One operand; constants are computed."""
    tables, token = reader.tables, reader.next
    if token in tables.machine.registers:
        reader.take()
        return Operand("file", tables.machine.registers[token])
    if token in ("argument", "object", "subject"):
        return Operand(reader.take())
    if token == "M":
        reader.take()
        return Operand("memory", page=_page(reader) if reader.accept("@") else None)
    if token == "device":
        reader.take()
        reader.expect(".")
        return _device(reader)
    if token == "size":
        reader.take()
        reader.expect(".")
        return _size(reader)
    return Operand("constant", _term(reader) & MASK)


def constant(text: str, tables: Tables) -> int:
    """The value of a text that is a constant, 32 bits. Raises EffectError."""
    reader = Reader(text, tables)
    value = _sum(reader)
    reader.end()
    return value & MASK


def _page(reader: Reader) -> str:
    name = reader.take()
    if name not in reader.tables.machine.pages and name != "any":
        raise EffectError(f"{name!r} is no page; known are {known(reader.tables.machine.pages)}")
    return name


def _device(reader: Reader) -> Operand:
    name, reads = reader.take(), reader.tables.machine.device_reads
    if name not in reads:
        raise EffectError(
            f"{name!r} is nothing that a device says; known are {known(reads)}: add it to"
            " device_reads of machine.yaml"
        )
    return Operand("device", reads[name].number)


def _size(reader: Reader) -> Operand:
    name, sizes = reader.take(), reader.tables.machine.sizes
    if name not in sizes:
        raise EffectError(
            f"{name!r} is no size of the unit; known are {known(sizes)}: add it to sizes of"
            " machine.yaml"
        )
    return Operand("size", sizes[name])


def _bytes(reader: Reader) -> int | None:
    """`.3`, `.01`: bytes as a mask."""
    if not reader.accept("."):
        return None
    digits = reader.take()
    width = reader.tables.fields["lanes"].width
    allowed = "".join(str(lane) for lane in range(width))
    if not digits or set(digits) - set(allowed) or len(set(digits)) != len(digits):
        raise EffectError(f"`.{digits}` names no bytes; use digits of {allowed}, each once")
    return sum(1 << int(digit) for digit in digits)


def _sum(reader: Reader) -> int:
    value = _term(reader)
    while (sign := reader.next) in ("+", "-", "|", "&", "^", "<<", "&~"):
        reader.take()
        other = _term(reader)
        value = {
            "+": value + other,
            "-": value - other,
            "|": value | other,
            "&": value & other,
            "^": value ^ other,
            "&~": value & ~other,
            "<<": value << (other & 31),
        }[sign]
    return value


def _term(reader: Reader) -> int:
    token = reader.take()
    if token == "~":
        return ~_term(reader)
    if token == "-":
        return -_term(reader)
    if token == "(":
        value = _sum(reader)
        reader.expect(")")
        return value
    if token[:1].isdigit():
        return number(token)
    constants = reader.tables.constants
    if token in constants:
        return constants[token]
    if not token:
        raise EffectError(f"`{reader.text}` lacks an operand at its end; add it")
    raise EffectError(
        f"{token!r} is no register, constant or other operand; correct it, or add it to registers,"
        " bits or constants of machine.yaml"
    )


def number(text: str) -> int:
    """Decimal or 0x."""
    text = text.replace("_", "")
    return int(text, 16 if text[:2].lower() == "0x" else 10)


def known(names: Iterable[str]) -> str:
    """Names for a message."""
    return ", ".join(names) or "none"
