# SPDX-License-Identifier: Apache-2.0
"""Operations of lists: `waits.remove(object, M, subject)`, `ready.tail(loaded) unless held`."""

from __future__ import annotations

import re

from melanion.micro.errors import EffectError
from melanion.micro.expression import Operand, known
from melanion.micro.operands import set_a
from melanion.micro.tables import Tables
from melanion.micro.word import Word

_CALL = re.compile(r"(\w+)\.(\w+)\s*(?:\(([^)]*)\))?$")
_UNLESS = re.compile(r"\s+unless held$")
_OR_DUE = re.compile(r"\s+or due\.remove$")


def waits(word: Word, effect: str) -> None:
    """`waits.tail(key, level, node)`; `look(key)`; `walk(key)`, with a level or a node."""
    operation, arguments = _call(word, "waits", effect)
    if operation == "look":
        _count(effect, arguments, 1, "key")
    elif operation != "walk":
        _count(effect, arguments, 3, "key, level, node")
    elif not 1 <= len(arguments) <= 3:
        _count(effect, arguments, 1, "key")
    _key(word, arguments[0], effect)
    if len(arguments) == 3:
        _level(word, arguments[1], effect)
        _node(word, arguments[2], effect)
    elif len(arguments) == 2:
        level = arguments[1] in levels(word.tables)
        (_level if level else _node)(word, arguments[1], effect)


def ready(word: Word, effect: str) -> None:
    """`ready.tail(level)`, `due.remove(level) unless held`, `ready.tail(level) or due.remove`."""
    plain, unless = _UNLESS.subn("", effect)
    if not unless and effect.startswith("ready.tail"):
        plain, other = _OR_DUE.subn("", effect)
    else:
        other = 0
    if unless and plain.startswith("due.tail"):  # its fields say `or due.remove`
        raise EffectError(f"`{effect}` is no operation; leave out `unless held`")
    if unless or other:
        word.set("unless_held", 1, effect)
    _, arguments = _call(word, "ready", plain)
    _count(effect, arguments, 1, "level")
    _level(word, arguments[0], effect)
    word.set("due", int(plain.startswith("due") or bool(other)), effect)


def levels(tables: Tables) -> dict[str, str]:
    """Levels as a program writes them → value of the field."""
    return {"M" if name == "memory" else name: name for name in tables.values["level"]}


def _call(word: Word, field: str, effect: str) -> tuple[str, list[str]]:
    match = _CALL.match(effect)
    operations = [name for name in word.tables.values[field] if name != "none"]
    if not match or match[2] not in operations:
        noun = effect.partition(".")[0]
        raise EffectError(
            f"`{effect}` is no operation of a list; known are"
            f" {known(f'{noun}.{name}' for name in operations)}"
        )
    word.set(field, match[2], effect)
    return match[2], [part.strip() for part in (match[3] or "").split(",") if part.strip()]


def _count(effect: str, arguments: list[str], count: int, names: str) -> None:
    if len(arguments) != count:
        found = f"{len(arguments)} argument{'' if len(arguments) == 1 else 's'}"
        raise EffectError(f"`{effect}` has {found}; write ({names})")


def _key(word: Word, text: str, effect: str) -> None:
    keys = word.tables.values["waits_key"]
    if text not in keys:
        raise EffectError(f"{text!r} in `{effect}` is no key; known are {known(keys)}")
    word.set("waits_key", text, effect)


def _level(word: Word, text: str, effect: str) -> None:
    names = levels(word.tables)
    if text not in names:
        raise EffectError(f"{text!r} in `{effect}` is no level; known are {known(names)}")
    word.set("level", names[text], effect)


def _node(word: Word, text: str, effect: str) -> None:
    registers = word.tables.machine.registers
    nodes = [name for name in word.tables.values["waits_node"] if name != "a"]
    if text in nodes:
        word.set("waits_node", text, effect)
    elif text in registers:
        word.set("waits_node", "a", effect)
        set_a(word, Operand("file", registers[text]), effect)
    else:
        raise EffectError(
            f"{text!r} in `{effect}` is no node; known are {known(nodes)} and the registers"
        )
