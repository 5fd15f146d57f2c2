# SPDX-License-Identifier: Apache-2.0
"""Effects of a word: from the text between two semicolons to fields.

Expressions come last, because effects beside them may decide what operand A or B is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from melanion.micro.errors import EffectError
from melanion.micro.expression import (
    COMMUTATIVE,
    Expression,
    Operand,
    Reader,
    constant,
    known,
    operand,
    parse_expression,
)
from melanion.micro.tables import Tables
from melanion.micro.word import Word

CASE_BIT = 24  # lowest bit of M that a case looks at (word.yaml, branch)
CARRY_BIT = 16  # position with this bit: the carry of bit 16
CONDITIONS = ("flag", "carry")

_PREFIX = re.compile(r"if\s+(not\s+)?(\w+)\s*:\s*(.*)", re.DOTALL)
_AFTER = re.compile(r"\s+after\s+next$")
_INDEXED = re.compile(r"(\w+)\s*\[\s*([^\]]*?)\s*\]$")
_CALL = re.compile(r"(\w+)\.(\w+)\s*(?:\(([^)]*)\))?$")


def apply(word: Word, text: str) -> None:
    """Set the fields of a word from its effects. Raises EffectError."""
    prefix = _PREFIX.match(text)
    if prefix:
        _set_condition(word, bool(prefix[1]), prefix[2], f"if {prefix[1] or ''}{prefix[2]}:")
        word.set("predicate", 1, "if …:")
        text = prefix[3]
    effects = [" ".join(part.split()) for part in text.split(";")]
    if effects == ["pass"]:
        return
    data = []
    for effect in effects:
        if not effect:
            raise EffectError("an effect is missing beside `;`; write it, or remove the `;`")
        if "=" in effect:
            data.append(effect)
        else:
            _effect(word, effect)
    for effect in data:
        _data(word, effect)
    _finish(word)


def _effect(word: Word, effect: str) -> None:
    first = re.split(r"[\s.(@]", effect, maxsplit=1)[0]
    if effect == "if" or first == "if":
        _branch_if(word, effect)
    elif first in _BY_NAME:
        _BY_NAME[first](word, effect)
    else:
        _plain(word, effect)


# ---- data ----------------------------------------------------------------------------------------


def _data(word: Word, effect: str) -> None:
    left, _, right = effect.partition("=")
    plain = re.sub(rf"\s+carry\s+{CARRY_BIT}$", "", right)
    word.carry16 = plain != right
    if word.computes:
        raise EffectError(f"`{effect}` is a second expression of the word; use two words")
    for target in filter(None, (part.strip() for part in left.split(","))):
        _target(word, target, effect)
    if left.strip() and not all(part.strip() for part in left.split(",")):
        raise EffectError(f"`{effect}` has an empty target; remove the comma")
    _expression(word, parse_expression(plain.strip(), word.tables), effect)


def _target(word: Word, target: str, effect: str) -> None:
    machine = word.tables.machine
    if target in machine.registers:
        word.set("write", 1, target)
        word.set("target", machine.registers[target], target)
    elif target in ("level", "priority"):
        word.set("load_level", 1, target)
    elif match := _INDEXED.match(target):
        word.set("store", 1, target)
        word.set("store_page", _page(word.tables, match[1]), target)
        _index(word, "store_by", "b", match[2], target)
    else:
        raise EffectError(
            f"{target!r} in `{effect}` is no target; known are level, PAGE[INDEX] and the"
            f" registers {known(machine.registers)}"
        )


def _page(tables: Tables, name: str) -> int:
    pages = tables.machine.pages
    if name not in pages:
        raise EffectError(f"{name!r} is no page; known are {known(pages)}")
    return pages[name]


def _index(word: Word, field: str, side: str, text: str, effect: str) -> None:
    """The index of a read (`side` a) or store (`side` b)."""
    machine, values = word.tables.machine, word.tables.values[field]
    by_core = re.match(r"(\w+)\s+of\s+core$", text)
    if by_core:
        word.set(field, "core", effect)
        index = machine.indexes.get(by_core[1])
        number = constant(by_core[1], word.tables) if index is None else index
        word.set("immediate", number, effect)
    elif text in values and text not in ("immediate", side, "core"):
        word.set(field, text, effect)
    elif text in machine.registers:
        word.set(field, side, effect)
        word.set(f"{side}_from", "file", effect)
        word.set(side, machine.registers[text], effect)
    elif text in machine.indexes:
        word.set(field, "immediate", effect)
        word.set("immediate", machine.indexes[text], effect)
    elif re.match(r"[\d(A-Z]", text) and text != "M":
        word.set(field, "immediate", effect)
        word.set("immediate", constant(text, word.tables), effect)
    else:
        choices = [name for name in values if name not in ("immediate", side, "core")]
        raise EffectError(
            f"{text!r} in `{effect}` is no index; known are {known(choices)}, INDEX of core, a register, a number"
            f" and the indexes {known(machine.indexes)} of machine.yaml"
        )


def _expression(word: Word, expression: Expression, effect: str) -> None:
    word.computes = True
    lanes = word.tables.limit("lanes") - 1 if expression.bytes is None else expression.bytes
    choices = list(_choices(expression))
    if not choices:
        raise EffectError(
            f"`{effect}`: one operand must be a register, M, argument or device.…, the other a"
            " register, a constant, object or subject; use two words"
        )
    free = [c for c in choices if _fits(word, c)] or choices
    alu, a, b = free[0]
    if a:
        set_a(word, a, effect)
    if b:
        _set_b(word, b, effect)
    word.set("alu", alu, effect)
    word.set("lanes", lanes, effect)


def _choices(expression: Expression) -> list[tuple[str, Operand | None, Operand | None]]:
    """Ways to compute it: the ALU's operation, operand A, operand B."""
    left, right, operator = expression.left, expression.right, expression.operator
    found: list[tuple[str, Operand | None, Operand | None]] = []
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


def _fits(word: Word, choice: tuple[str, Operand | None, Operand | None]) -> bool:
    _, a, b = choice
    return (a is None or _fits_a(word, a)) and (b is None or _fits_b(word, b))


def _fits_a(word: Word, a: Operand) -> bool:
    return word.would_set("a_from", a.kind) and (
        a.kind not in ("file", "device") or word.would_set("a", a.value)
    )


def _fits_b(word: Word, b: Operand) -> bool:
    return word.would_set("b_from", b.kind) and (b.kind != "file" or word.would_set("b", b.value))


def set_a(word: Word, a: Operand, effect: str) -> None:
    word.set("a_from", a.kind, effect)
    if a.kind in ("file", "device"):
        word.set("a", a.value, effect)
    if a.position is not None:
        word.set("position", a.position, effect)
    if a.page:
        word.page = a.page


def _set_b(word: Word, b: Operand, effect: str) -> None:
    word.set("b_from", b.kind, effect)
    if b.kind == "file":
        word.set("b", b.value, effect)
    if b.kind == "constant":
        word.set("constant", b.value, effect)


# ---- reads, subject, object, tests ---------------------------------------------------------------


def _read(word: Word, effect: str) -> None:
    match = _INDEXED.match(effect.removeprefix("read").strip())
    if not match:
        raise EffectError(f"`{effect}` is no read; write `read PAGE[INDEX]`")
    word.set("read", 1, effect)
    word.set("read_page", _page(word.tables, match[1]), effect)
    _index(word, "read_by", "a", match[2], effect)


def _holds(word: Word, effect: str) -> None:
    """`M@PAGE`: the program says what M holds."""
    reader = Reader(effect, word.tables)
    a = operand(reader)
    reader.end()
    if a.page is None:
        raise EffectError(f"`{effect}` is no effect; write `M@PAGE`")
    word.page = a.page


def _load(word: Word, effect: str) -> None:
    """`subject <- …`, `object <- …`."""
    name, arrow, source = (part.strip() for part in effect.partition("<-"))
    values = word.tables.values[name] if name in ("subject", "object") else {}
    if not arrow or not values:
        raise EffectError(f"`{effect}` is no effect; write `{name} <- …`")
    if source in values and source not in ("keep", "a", "memory"):
        word.set(name, source, effect)
        return
    if name == "object" and source == "M":
        word.set(name, "memory", effect)
        return
    reader = Reader(source, word.tables)
    choices = [n for n in values if n not in ("keep", "a", "memory")]
    a = operand(reader) if reader.tokens and _names_a(reader) else None
    if a is None or reader.next:
        raise EffectError(
            f"{source!r} in `{effect}` is nothing to load; known are {known(choices)}, M, a"
            " register, argument and device.…"
        )
    word.set(name, "a", effect)
    set_a(word, a, effect)


def _names_a(reader: Reader) -> bool:
    token = reader.next
    return token in reader.tables.machine.registers or token in ("M", "argument", "device")


def _test(word: Word, effect: str) -> None:
    name = effect.removeprefix("test").strip()
    said = re.match(r"(\w+) M@(\w+)$|(M)@(\w+)(\.\w+)$", name)
    if said:
        word.page = said[2] or said[4]
        name = said[1] or f"M{said[5]}"
    tests = word.tables.values["test"]
    source, dot, bit = name.partition(".")
    if dot and source in ("M", "result"):
        word.set("test", "bit", effect)
        word.set("position", _bit(word.tables, bit, effect), effect)
        if source == "M":
            word.set("a_from", "memory", effect)
    elif dot and source == "device":
        devices = word.tables.machine.device_tests
        if bit not in devices:
            raise EffectError(f"{bit!r} in `{effect}` is no test; known are {known(devices)}")
        word.set("test", "device", effect)
        word.set("position", devices[bit], effect)
    elif name in tests and name not in ("none", "bit"):
        word.set("test", name, effect)
    else:
        choices = [n for n in tests if n not in ("none", "bit")]
        raise EffectError(
            f"`{effect}` is no test; known are {known(choices)}, M.BIT, result.BIT and device.TEST"
        )


def _bit(tables: Tables, text: str, effect: str) -> int:
    bits = tables.machine.bits
    if text in bits:
        return bits[text]
    if text.isdigit() and int(text) < tables.limit("position"):
        return int(text)
    raise EffectError(f"{text!r} in `{effect}` is no bit; known are 0 … 31 and {known(bits)}")


# ---- lists ---------------------------------------------------------------------------------------


def _waits(word: Word, effect: str) -> None:
    operation, arguments = _call(word, "waits", effect)
    if operation == "look":
        _arguments(effect, arguments, 1, "key")
    elif operation != "walk":
        _arguments(effect, arguments, 3, "key, level, node")
    _key(word, arguments[0] if arguments else "", effect)
    for text in arguments[1:]:
        if text in _levels(word.tables) and text is not arguments[2:]:
            _level(word, text, effect)
        else:
            _node(word, text, effect)


def _call(word: Word, field: str, effect: str) -> tuple[str, list[str]]:
    match = _CALL.match(effect)
    operations = [name for name in word.tables.values[field] if name != "none"]
    if not match or match[2] not in operations:
        raise EffectError(
            f"`{effect}` is no operation of a list; known are"
            f" {known(f'{effect.split(chr(46))[0]}.{name}' for name in operations)}"
        )
    word.set(field, match[2], effect)
    return match[2], [part.strip() for part in (match[3] or "").split(",") if part.strip()]


def _arguments(effect: str, arguments: list[str], count: int, names: str) -> None:
    if len(arguments) != count:
        raise EffectError(f"`{effect}` has {len(arguments)} arguments; write ({names})")


def _key(word: Word, text: str, effect: str) -> None:
    keys = word.tables.values["waits_key"]
    if text not in keys:
        raise EffectError(f"{text!r} in `{effect}` is no key; known are {known(keys)}")
    word.set("waits_key", text, effect)


def _levels(tables: Tables) -> dict[str, str]:
    """Levels as a program writes them → value of the field."""
    found = {"M" if n == "memory" else n: n for n in tables.values["level"]}
    return found | {"level": "loaded", "priority": "loaded"}


def _level(word: Word, text: str, effect: str) -> None:
    levels = _levels(word.tables)
    if text not in levels:
        raise EffectError(f"{text!r} in `{effect}` is no level; known are {known(levels)}")
    word.set("level", levels[text], effect)


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


def _ready(word: Word, effect: str) -> None:
    """`ready.tail(level)`, `due.remove(level) unless held`."""
    plain = re.sub(r"\s+unless held$", "", effect)
    if plain != effect:
        word.set("unless_held", 1, effect)
    _, arguments = _call(word, "ready", plain)
    _arguments(effect, arguments, 1, "level")
    _level(word, arguments[0], effect)
    word.set("due", int(plain.startswith("due")), effect)


# ---- notes, answers, devices ---------------------------------------------------------------------


def _note(word: Word, effect: str) -> None:
    flags, value = word.tables.machine.note_flags, 0
    names = effect.split()[1:]
    for name in names:
        if name not in flags:
            raise EffectError(f"{name!r} in `{effect}` is no flag; known are {known(flags)}")
        value |= 1 << flags[name]
    if not names:
        raise EffectError("`note` says nothing; add flags, such as `note gets_ready`")
    word.set("note", 1, effect)
    word.set("immediate", value, effect)


def _done(word: Word, effect: str) -> None:
    text, slot = _AFTER.subn("", effect)
    words = text.replace(",", " , ").split()[1:]
    modifiers = " ".join(words[1:])
    going_on = ", go on" in modifiers
    silently = "silently" in words[1:]
    rest = modifiers.replace(", go on", "").replace("silently", "").strip()
    if not words or rest or (slot and going_on):
        raise EffectError(
            f"`{effect}` is no end of a command; write `done E_… [silently] [, go on]` or"
            " `done result …`"
        )
    word.set("done", 1, effect)
    if words[0] == "result":
        word.set("status", 1, effect)
    elif words[0] in word.tables.statuses:
        word.set("status", 0, effect)
        word.set("immediate", word.tables.statuses[words[0]], effect)
    else:
        raise EffectError(
            f"{words[0]!r} in `{effect}` is no status; write `result` or a name of spec/status.yaml"
        )
    if not silently:
        word.set("report", "command", effect)
    if not going_on:
        _end_step(word, effect, bool(slot))


def _end(word: Word, effect: str) -> None:
    text, slot = _AFTER.subn("", effect)
    if text != "end":
        raise EffectError(f"`{effect}` is no effect; write `end` or `end after next`")
    _end_step(word, effect, bool(slot))


def _end_step(word: Word, effect: str, slot: bool) -> None:
    """Branch to the end of the step; in a predicate only when it holds."""
    if not word.get("predicate"):
        word.set("branch", "always", effect)
    word.set("finish_to", 1, effect)
    _slot(word, slot, effect)


def _event(word: Word, effect: str) -> None:
    name = effect.split(" ", 1)[-1]
    events = word.tables.values["report"]
    if name not in events:
        raise EffectError(f"`{effect}` is no event; known are {known(events)}")
    word.set("report", name, effect)


def _device(word: Word, effect: str) -> None:
    match = re.match(r"device\s+(\w+)\s*(?:\((.*)\))?$", effect)
    devices = word.tables.values["device"]
    if not match or match[1] not in devices:
        raise EffectError(
            f"`{effect}` is no operation of a device; known are {known(devices)}: add it to"
            " device_operations of machine.yaml"
        )
    word.set("device", match[1], effect)
    if match[2] is not None:
        word.set("immediate", constant(match[2], word.tables), effect)


def _job(word: Word, effect: str) -> None:
    match = re.match(r"job\.(\w+)\s*\(\s*(\w+)\s*\)$", effect)
    devices, jobs = word.tables.values["device"], word.tables.machine.jobs
    if not match or f"job_{match[1]}" not in devices:
        raise EffectError(
            f"`{effect}` is no operation of a job; write `job.start(NAME)` or `job.end(NAME)`, and"
            " have job_start and job_end in device_operations of machine.yaml"
        )
    if match[2] not in jobs:
        raise EffectError(f"{match[2]!r} in `{effect}` is no job; known are {known(jobs)}")
    word.set("device", f"job_{match[1]}", effect)
    word.set("immediate", jobs[match[2]], effect)


# ---- branches ------------------------------------------------------------------------------------


def _set_condition(word: Word, negated: bool, name: str, effect: str) -> None:
    if name not in CONDITIONS:
        raise EffectError(f"{name!r} in `{effect}` is no condition; known are flag and carry")
    word.set("branch", f"not_{name}" if negated else name, effect)


def _branch(word: Word, effect: str, target: str) -> None:
    target, slot = _AFTER.subn("", target)
    if word.get("predicate"):
        raise EffectError(
            f"`{effect}` stands behind `if …:`, which is no branch; write `if … goto LABEL`"
        )
    word.target = " ".join(target.split())
    if not re.fullmatch(r"\w+|(command|load|store|job) \w+", word.target):
        raise EffectError(f"`{effect}` names no label; write `goto LABEL`")
    _slot(word, bool(slot), effect)


def _slot(word: Word, after_next: bool, effect: str) -> None:
    word.set("annul", int(not after_next), effect)
    word.after_next = after_next


def _goto(word: Word, effect: str) -> None:
    word.set("branch", "always", effect)
    _branch(word, effect, effect.removeprefix("goto").strip())


def _branch_if(word: Word, effect: str) -> None:
    match = re.match(r"if\s+(not\s+)?(\w+)\s+goto\s+(.*)$", effect)
    if not match:
        raise EffectError(
            f"`{effect}` is no branch; write `if [not] flag|carry goto LABEL`, or begin the word"
            " with `if flag: …`"
        )
    _set_condition(word, bool(match[1]), match[2], effect)
    _branch(word, effect, match[3])


def _case(word: Word, effect: str) -> None:
    match = re.match(r"case\s+M\.(\w+)\s+at\s+(.*)$", effect)
    bits = word.tables.machine.bits
    if not match or bits.get(match[1], CASE_BIT) != CASE_BIT:
        raise EffectError(
            f"`{effect}` is no case; write `case M.wait at LABEL`: it looks at bits {CASE_BIT} …"
            f" {CASE_BIT + 2} of M"
        )
    word.set("branch", "case", effect)
    _branch(word, effect, match[2])


def _idle(word: Word, effect: str) -> None:
    text, slot = _AFTER.subn("", effect)
    if text != "idle":
        raise EffectError(f"`{effect}` is no effect; write `idle` or `idle after next`")
    word.set("branch", "idle", effect)
    _slot(word, bool(slot), effect)


# ---- other fields --------------------------------------------------------------------------------


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
        raise EffectError(f"`{effect}` has no value of {name}; known are {known(values)}")


_BY_NAME: dict[str, Callable[[Word, str], None]] = {
    "read": _read,
    "subject": _load,
    "object": _load,
    "test": _test,
    "waits": _waits,
    "ready": _ready,
    "due": _ready,
    "note": _note,
    "done": _done,
    "end": _end,
    "event": _event,
    "report": _event,
    "device": _device,
    "job": _job,
    "goto": _goto,
    "case": _case,
    "idle": _idle,
    "M": _holds,
}


def _finish(word: Word) -> None:
    """What only all effects together show."""
    result = word.has("test", "bit") and word.get("test")
    if result and "test result" in word.setters.get("test", "") and word.has("a_from", "memory"):
        raise EffectError(
            "`test result.…` looks at M when operand A is M; use two words, or test M"
        )
    if word.carry16:
        position = word.get("position") if "position" in word.fields else CARRY_BIT
        if not position & CARRY_BIT:
            raise EffectError(
                f"`… carry {CARRY_BIT}` and `{word.setters['position']}` need the position; test a"
                f" bit from {CARRY_BIT} on, or use two words"
            )
        word.set("position", position, f"carry {CARRY_BIT}")
    if word.get("note") and word.get("done") and not word.get("status"):
        raise EffectError(
            "with `note` the status is the top byte of the result; write `done result` and make"
            " the status the result, such as `= E_OK`"
        )
    if (word.get("status") or _notes_result(word)) and not word.computes:
        raise EffectError(
            "`done result` or a note with sets_result needs a result; add an expression, such as"
            " `= E_OK`"
        )


def _notes_result(word: Word) -> bool:
    flag = word.tables.machine.note_flags.get("sets_result")
    return bool(word.get("note")) and flag is not None and bool(word.get("immediate") >> flag & 1)
