# SPDX-License-Identifier: Apache-2.0
"""Effects of a word: from the text of its line to fields.

Data effects come last, because effects beside them may decide what operand A or B is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from melanion.micro.answers import device, done, job, note, report, sets_result
from melanion.micro.branches import case, end, goto, goto_if, idle, prefix
from melanion.micro.data import CARRY_BIT, INDEXED, data
from melanion.micro.errors import EffectError
from melanion.micro.expression import Reader, constant, known, operand
from melanion.micro.lists import ready, waits
from melanion.micro.operands import page, set_a, set_index
from melanion.micro.tables import Tables
from melanion.micro.word import Word

_SAID = re.compile(r"(?:\s+|^)M@\w+")
_LOADED = ("keep", "a", "memory")  # values of subject and object that a program does not write


def apply(word: Word, text: str) -> None:
    """Set the fields of a word from its effects. Raises EffectError."""
    effects = [" ".join(part.split()) for part in prefix(word, text).split(";")]
    if effects == ["pass"]:
        return
    for effect in effects:
        if not effect:
            raise EffectError("an effect is missing beside `;`; write it, or remove the `;`")
        if "=" not in effect:
            _effect(word, effect)
    for effect in effects:
        if "=" in effect:
            data(word, effect)
    _finish(word)


def _effect(word: Word, effect: str) -> None:
    first = re.split(r"[\s.(@]", effect, maxsplit=1)[0]
    _BY_NAME.get(first, _plain)(word, effect)


# ---- reads, subject, object, tests ---------------------------------------------------------------


def _read(word: Word, effect: str) -> None:
    if effect.split() == ["read", "M"]:  # the record that M names
        word.set("read", 1, effect)
        word.set("read_by", "memory", effect)
        return
    match = INDEXED.match(effect.removeprefix("read").strip())
    if not match:
        raise EffectError(f"`{effect}` is no read; write `read PAGE[INDEX]`, or `read M`")
    word.set("read", 1, effect)
    word.set("read_page", page(word.tables, match[1]), effect)
    set_index(word, "read_by", "a", match[2], effect)


def _objects(word: Word, effect: str) -> None:
    """`objects only`."""
    if effect != "objects only":
        raise EffectError(f"`{effect}` is no effect; write `objects only`")
    word.objects_only = True


def _holds(word: Word, effect: str) -> None:
    """`M@PAGE`: the program says what M holds."""
    reader = Reader(effect, word.tables)
    memory = operand(reader)
    reader.end()
    if memory.page is None:
        raise EffectError(f"`{effect}` is no effect; write `M@PAGE`")
    word.page = memory.page


def _load(word: Word, effect: str) -> None:
    """`subject <- …`, `object <- …`."""
    name, arrow, source = (part.strip() for part in effect.partition("<-"))
    values = word.tables.values.get(name, {}) if name in ("subject", "object") else {}
    if not arrow or not values:
        noun = effect.split()[0]
        raise EffectError(f"`{effect}` is no effect; write `{noun} <- …`")
    if source in values and source not in _LOADED:
        word.set(name, source, effect)
        return
    if source == "M" and "memory" in values:
        word.set(name, "memory", effect)
        return
    reader = Reader(source, word.tables)
    a = operand(reader) if _begins_a(reader) else None
    if a is None or reader.next:
        raise EffectError(
            f"{source!r} in `{effect}` is nothing to load; known are"
            f" {known(value for value in values if value not in _LOADED)}, M, argument, device.…"
            " and the registers"
        )
    word.set(name, "a", effect)
    set_a(word, a, effect)


def _begins_a(reader: Reader) -> bool:
    return reader.next in ("M", "argument", "device", *reader.tables.machine.registers)


def _test(word: Word, effect: str) -> None:
    """`test NAME [M@PAGE]`, `test M[@PAGE].BIT`, `test result.BIT`, `test device.NAME`."""
    name = effect.removeprefix("test").strip()
    if said := _SAID.search(name):
        _holds(word, said[0].strip())
        name = name.replace(said[0], "M" if name.startswith("M") else "")
    tests, devices = word.tables.values["test"], word.tables.machine.device_tests
    source, _, bit = name.partition(".")
    if source in ("M", "result") and bit:
        word.set("test", "bit", effect)
        word.set("position", _bit(word.tables, bit, effect), effect)
        if source == "M":
            word.set("a_from", "memory", effect)
    elif source == "device" and bit:
        if bit not in devices:
            raise EffectError(
                f"{bit!r} in `{effect}` is no test of a device; known are {known(devices)}"
            )
        word.set("test", "device", effect)
        word.set("position", devices[bit], effect)
    elif name in tests and name not in ("none", "bit", "device"):
        word.set("test", name, effect)
    else:
        names = [test for test in tests if test not in ("none", "bit", "device")]
        raise EffectError(
            f"`{effect}` is no test; known are {known(names)}, M.BIT, result.BIT and device.NAME"
        )


def _bit(tables: Tables, text: str, effect: str) -> int:
    bits, limit = tables.machine.bits, tables.limit("position")
    if text in bits:
        return bits[text]
    if text.isdigit() and int(text) < limit:
        return int(text)
    raise EffectError(
        f"{text!r} in `{effect}` is no bit; known are 0 … {limit - 1} and {known(bits)}"
    )


# ---- other fields, the word as a whole -----------------------------------------------------------


def _plain(word: Word, effect: str) -> None:
    """`NAME`: a field of one bit; `NAME VALUE`: a field that no other effect knows."""
    name, _, value = effect.partition(" ")
    row = word.tables.fields.get(name)
    if row is None:
        raise EffectError(
            f"`{effect}` is no effect; correct it (the language: melanion/micro/__init__.py)"
        )
    values = word.tables.values.get(name, {})
    if not value and row.width == 1:
        word.set(name, 1, effect)
    elif value in values:
        word.set(name, value, effect)
    elif value and not values:
        word.set(name, constant(value, word.tables), effect)
    else:
        names = known(values) if values else "numbers"
        raise EffectError(f"`{effect}` gives no value of {name}; known are {names}")


_BY_NAME: dict[str, Callable[[Word, str], None]] = {
    "read": _read,
    "M": _holds,
    "objects": _objects,
    "subject": _load,
    "object": _load,
    "test": _test,
    "waits": waits,
    "ready": ready,
    "due": ready,
    "note": note,
    "done": done,
    "report": report,
    "device": device,
    "job": job,
    "goto": goto,
    "if": goto_if,
    "case": case,
    "idle": idle,
    "end": end,
}


def _finish(word: Word) -> None:
    """Fields that only all effects together show."""
    test = word.setters.get("test", "")
    if test.startswith("test result.") and word.has("a_from", "memory"):
        raise EffectError(f"`{test}` looks at M, because operand A is M; use two words, or test M")
    if word.carry16:
        position = word.fields.setdefault("position", CARRY_BIT)
        word.setters.setdefault("position", f"carry {CARRY_BIT}")
        if not position & CARRY_BIT:
            raise EffectError(
                f"`carry {CARRY_BIT}` and `{word.setters['position']}` need the position; take a"
                f" position from {CARRY_BIT} on, or use two words"
            )
    if (word.get("status") or sets_result(word)) and not word.computes:
        raise EffectError(
            "`done result` and a note with sets_result need a result; add an expression, such as"
            " `= E_OK`"
        )
