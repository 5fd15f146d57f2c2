# SPDX-License-Identifier: Apache-2.0
"""Branches: `goto`, `if … goto`, `case`, `idle`, `end`, and the prefix `if …:`, which is none."""

from __future__ import annotations

import re

from melanion.micro.errors import EffectError
from melanion.micro.operands import end_step, set_slot, without_slot
from melanion.micro.word import Word

CASE_BIT = 24  # lowest bit of M that a case looks at (word.yaml, branch)
CONDITIONS = ("flag", "carry")
_PREFIX = re.compile(r"if\s+(not\s+)?(\w+)\s*:\s*(.*)", re.DOTALL)
_TARGET = re.compile(r"\w+|(?:command|load|store|job) \w+")


def prefix(word: Word, text: str) -> str:
    """Take `if flag:` from the effects of a word; returns the rest. Raises EffectError."""
    match = _PREFIX.match(text)
    if not match:
        return text
    _condition(word, bool(match[1]), match[2], f"if {match[1] or ''}{match[2]}:")
    word.set("predicate", 1, "if …:")
    return match[3]


def goto(word: Word, effect: str) -> None:
    """`goto LABEL [after next]`."""
    _branch(word, effect, effect.removeprefix("goto").strip())
    word.set("branch", "always", effect)


def goto_if(word: Word, effect: str) -> None:
    """`if [not] flag|carry goto LABEL [after next]`."""
    match = re.match(r"if\s+(not\s+)?(\w+)\s+goto\s+(.*)$", effect)
    if not match:
        raise EffectError(
            f"`{effect}` is no branch; write `if [not] flag|carry goto LABEL`, or begin the word"
            " with `if flag: …`"
        )
    _branch(word, effect, match[3])
    _condition(word, bool(match[1]), match[2], effect)


def case(word: Word, effect: str) -> None:
    """`case M.wait at LABEL [after next]`."""
    match = re.match(r"case\s+M\.(\w+)\s+at\s+(.*)$", effect)
    bits = word.tables.machine.bits
    if not match or bits.get(match[1], CASE_BIT) != CASE_BIT:
        raise EffectError(
            f"`{effect}` is no case; write `case M.wait at LABEL`: it looks at bits {CASE_BIT} …"
            f" {CASE_BIT + 2} of M"
        )
    _branch(word, effect, match[2])
    word.set("branch", "case", effect)


def idle(word: Word, effect: str) -> None:
    """`idle [after next]`."""
    text, slot = without_slot(effect)
    if text != "idle":
        raise EffectError(f"`{effect}` is no effect; write `idle` or `idle after next`")
    word.set("branch", "idle", effect)
    set_slot(word, slot, effect)


def end(word: Word, effect: str) -> None:
    """`end [after next]`."""
    text, slot = without_slot(effect)
    if text != "end":
        raise EffectError(f"`{effect}` is no effect; write `end` or `end after next`")
    end_step(word, slot, effect)


def _condition(word: Word, negated: bool, name: str, effect: str) -> None:
    if name not in CONDITIONS:
        raise EffectError(f"{name!r} in `{effect}` is no condition; known are flag and carry")
    word.set("branch", f"not_{name}" if negated else name, effect)


def _branch(word: Word, effect: str, target: str) -> None:
    target, slot = without_slot(target)
    if word.get("predicate"):
        raise EffectError(
            f"`{effect}` stands behind `if …:`, which is no branch; write `if … goto LABEL`"
        )
    word.set("finish_to", 0, effect)
    word.target = target
    if not _TARGET.fullmatch(target):
        raise EffectError(f"`{effect}` names no label; write `goto LABEL`")
    set_slot(word, slot, effect)
