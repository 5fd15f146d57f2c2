# SPDX-License-Identifier: Apache-2.0
"""A word as paths execute it: names instead of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from melanion.micro.source import leaves
from melanion.micro.word import Word

OF_MEMORY = {"held": 0x6000_0000, "nothing": 0xFFFF_FFFF, "wait": 0xFFFF_FFFF}  # bits of M
CARRY_16 = 16  # positions from which the carry is that of bit 16


@dataclass(frozen=True)
class Meaning:
    """`a`, `b`: operands, as names of values (`x`, `memory`, `argument`, `constant`, …). `leaves`:
    its branch is taken when it holds; `always`: it holds always."""

    branch: str
    next: int
    predicate: bool
    finish_to: bool
    annul: bool
    leaves: bool
    always: bool
    test: str
    position: int
    a: str
    b: str
    constant: int
    immediate: int
    alu: str
    lanes: int
    target: str | None
    read: str | None
    waits: str
    ready: str
    due: bool
    unless_held: bool
    note: bool
    done: bool
    status: bool
    scans: bool = False  # mel_flag_lanes begins a search
    matched: bool = False  # it waits for the result

    @property
    def or_due(self) -> bool:
        """A task that is held is removed from the due list, if it is there."""
        return self.unless_held and self.due and self.ready == "tail"

    @property
    def tests_last(self) -> bool:
        """It tests the result of the word before."""
        return self.test == "zero" or (self.test == "bit" and self.a != "memory")

    @property
    def tests_memory(self) -> bool:
        return self.test in OF_MEMORY or (self.test == "bit" and self.a == "memory")

    @property
    def looks(self) -> str | None:
        """`flag` or `carry`, when its branch or prefix looks at that."""
        kind = self.branch.removeprefix("not_")
        return kind if kind in ("flag", "carry") else None

    def uses(self) -> Iterator[str]:
        """Values that it needs."""
        yield from (self.a, self.b)
        if self.tests_last:
            yield "last"
        if self.tests_memory or self.unless_held or self.branch == "case":
            yield "memory"
        if self.test == "no_argument":
            yield "argument"


def meaning(word: Word) -> Meaning:
    """Name the fields of a word."""
    pages = {number: name for name, number in word.tables.machine.pages.items()}
    registers = {number: name for name, number in word.tables.machine.registers.items()}
    branch, predicate = _name(word, "branch"), bool(word.get("predicate"))
    finish_to = bool(word.get("finish_to"))
    return Meaning(
        branch=branch,
        next=word.get("next"),
        predicate=predicate,
        finish_to=finish_to,
        annul=bool(word.get("annul")),
        leaves=branch != "none" and (not predicate or finish_to),
        always=leaves(word),
        test=_name(word, "test"),
        position=word.get("position"),
        a=_operand(word, "a", registers),
        b=_operand(word, "b", registers),
        constant=word.get("constant"),
        immediate=word.get("immediate"),
        alu=_name(word, "alu"),
        lanes=word.get("lanes"),
        target=registers[word.get("target")] if word.get("write") else None,
        read=_read(word, pages),
        waits=_name(word, "waits"),
        ready=_name(word, "ready"),
        due=bool(word.get("due")),
        unless_held=bool(word.get("unless_held")),
        note=bool(word.get("note")),
        done=bool(word.get("done")),
        status=bool(word.get("status")),
        scans=_name(word, "device") == "flags_scan",
        matched=_name(word, "subject") == "matched",
    )


def _operand(word: Word, side: str, registers: dict[int, str]) -> str:
    if side == "b" and word.size:
        return f"size {word.size}"  # a constant that each unit knows
    kind = _name(word, f"{side}_from")
    if kind == "device":
        return f"device {word.get(side)}"
    return registers.get(word.get(side), "") if kind == "file" else kind


def _name(word: Word, field: str) -> str:
    return word.tables.name_of(field, word.get(field)) or ""


def _read(word: Word, pages: dict[int, str]) -> str | None:
    """The page that it reads; `any`: what M names."""
    if not word.get("read"):
        return None
    return "any" if word.has("read_by", "memory") else pages.get(word.get("read_page"), "")
