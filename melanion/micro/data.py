# SPDX-License-Identifier: Apache-2.0
"""Data effects: `targets = expression`."""

from __future__ import annotations

import re

from melanion.micro.errors import EffectError
from melanion.micro.expression import COMMUTATIVE, Expression, Operand, known, parse_expression
from melanion.micro.operands import fits_a, fits_b, page, set_a, set_b, set_index
from melanion.micro.word import Word

CARRY_BIT = 16  # position with this bit: the carry is that of bit 16
INDEXED = re.compile(r"(\w+)\s*\[\s*([^\]]*?)\s*\]$")
_CARRY = re.compile(rf"\s+carry\s+{CARRY_BIT}$")

Choice = tuple[str, Operand | None, Operand | None]  # operation of the ALU, operands A and B


def data(word: Word, effect: str) -> None:
    """Fields of one data effect. Raises EffectError."""
    left, _, right = effect.partition("=")
    plain = _CARRY.sub("", right)
    word.carry16 = plain != right
    if word.computes:
        raise EffectError(f"`{effect}` is a second expression of the word; use two words")
    if left.startswith("if "):
        raise EffectError(f"`{effect}` lacks the `:` behind its condition; write `if flag: …`")
    targets = [target.strip() for target in left.split(",")] if left.strip() else []
    for target in targets:
        _target(word, target, effect)
    _expression(word, parse_expression(plain.strip(), word.tables), effect)


def _target(word: Word, target: str, effect: str) -> None:
    registers = word.tables.machine.registers
    if target in registers:
        word.set("write", 1, target)
        word.set("target", registers[target], target)
    elif target == "level":
        word.set("load_level", 1, target)
    elif match := INDEXED.match(target):
        word.set("store", 1, target)
        word.set("store_page", page(word.tables, match[1]), target)
        set_index(word, "store_by", "b", match[2], target)
    elif target in ("subject", "object"):
        raise EffectError(f"`{effect}` does not load {target}; write `{target} <- …`")
    elif not target:
        raise EffectError(f"`{effect}` has an empty target; remove the comma")
    else:
        raise EffectError(
            f"{target!r} in `{effect}` is no target; known are level, PAGE[INDEX] and the registers"
            f" {known(registers)}"
        )


def _expression(word: Word, expression: Expression, effect: str) -> None:
    word.computes = True
    lanes = word.tables.limit("lanes") - 1 if expression.bytes is None else expression.bytes
    choices = _choices(expression)
    if not choices:
        raise EffectError(
            f"`{effect}`: one operand must be a register, M, argument or device.…, the other a"
            " register, a constant, object or subject; use two words"
        )
    alu, a, b = next((choice for choice in choices if _fits(word, choice)), choices[0])
    if a:
        set_a(word, a, effect)
    if b:
        set_b(word, b, effect)
    word.set("alu", alu, effect)
    word.set("lanes", lanes, effect)


def _choices(expression: Expression) -> list[Choice]:
    """Ways to compute it, the plainest first."""
    left, right, operator = expression.left, expression.right, expression.operator
    found: list[Choice] = []
    if operator is None or right is None:
        if left.fits_a:
            found.append(("a", left, None))
        if left.fits_b:
            found.append(("b", None, left))
        return found
    if left.fits_a and right.fits_b:
        found.append((operator, left, right))
    if operator in COMMUTATIVE and expression.bytes is None and right.fits_a and left.fits_b:
        found.append((operator, right, left))
    return found


def _fits(word: Word, choice: Choice) -> bool:
    _, a, b = choice
    return (a is None or fits_a(word, a)) and (b is None or fits_b(word, b))
