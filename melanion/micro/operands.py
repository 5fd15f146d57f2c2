# SPDX-License-Identifier: Apache-2.0
"""Fields that several effects share: operands A and B, pages, indexes, the slot behind a branch."""

from __future__ import annotations

import re

from melanion.micro.errors import EffectError
from melanion.micro.expression import Operand, constant, known
from melanion.micro.tables import Tables
from melanion.micro.word import Word

_AFTER = re.compile(r"\s+after\s+next$")


def set_a(word: Word, a: Operand, effect: str) -> None:
    """Make this operand A. Raises EffectError."""
    word.set("a_from", a.kind, effect)
    if a.kind in ("file", "device"):
        word.set("a", a.value, effect)
    if a.page:
        word.page = a.page


def set_b(word: Word, b: Operand, effect: str) -> None:
    """Make this operand B. Raises EffectError."""
    word.set("b_from", _from(b), effect)
    if b.kind == "file":
        word.set("b", b.value, effect)
    if b.kind == "constant":
        word.set("constant", b.value, effect)
    if b.kind == "size":
        word.set("constant", 0, effect)
        word.size = b.value


def fits_a(word: Word, a: Operand) -> bool:
    """Operand A is free, or is this."""
    own = a.kind not in ("file", "device") or word.would_set("a", a.value)
    return own and word.would_set("a_from", a.kind)


def fits_b(word: Word, b: Operand) -> bool:
    """Operand B is free, or is this."""
    return word.would_set("b_from", _from(b)) and (b.kind != "file" or word.would_set("b", b.value))


def _from(b: Operand) -> str:
    """Value of b_from: a size is a constant of the unit."""
    return "constant" if b.kind == "size" else b.kind


def page(tables: Tables, name: str) -> int:
    """Number of a page. Raises EffectError."""
    pages = tables.machine.pages
    if name not in pages:
        raise EffectError(f"{name!r} is no page; known are {known(pages)}")
    return pages[name]


def set_index(word: Word, field: str, side: str, text: str, effect: str) -> None:
    """The index of a read (`side` a) or of a store (`side` b). Raises EffectError."""
    machine, values = word.tables.machine, word.tables.values[field]
    plain = [name for name in values if name not in ("immediate", side, "core")]
    by_core = re.match(r"(\w+)\s+of\s+core$", text)
    if by_core or text in machine.indexes or re.match(r"[\d(]", text):
        word.set(field, "core" if by_core else "immediate", effect)
        word.set("immediate", _number(word.tables, by_core[1] if by_core else text), effect)
    elif text == "M" and side == "a":
        word.set(field, side, effect)
        word.set("a_from", "memory", effect)
    elif text in plain:
        word.set(field, text, effect)
    elif text in machine.registers:
        word.set(field, side, effect)
        word.set(f"{side}_from", "file", effect)
        word.set(side, machine.registers[text], effect)
    elif text in word.tables.constants:
        word.set(field, "immediate", effect)
        word.set("immediate", word.tables.constants[text], effect)
    else:
        raise EffectError(
            f"{text!r} in `{effect}` is no index; known are {known(plain)}, INDEX of core, a"
            " register, a number and the indexes of machine.yaml"
        )


def _number(tables: Tables, text: str) -> int:
    indexes = tables.machine.indexes
    return indexes[text] if text in indexes else constant(text, tables)


def without_slot(effect: str) -> tuple[str, bool]:
    """The effect without `after next`, and whether it had that."""
    text, count = _AFTER.subn("", effect)
    return text, bool(count)


def set_slot(word: Word, after_next: bool, effect: str) -> None:
    """The word behind a branch executes, or is annulled. Raises EffectError."""
    word.set("annul", int(not after_next), effect)
    word.after_next = after_next


def end_step(word: Word, after_next: bool, effect: str) -> None:
    """Branch to the end of the step; behind `if …:` only when that holds. Raises EffectError."""
    if not word.get("predicate"):
        word.set("branch", "always", effect)
    word.set("finish_to", 1, effect)
    set_slot(word, after_next, effect)
