# SPDX-License-Identifier: Apache-2.0
"""A microword: values of fields, each with the effect that set it."""

from __future__ import annotations

from dataclasses import dataclass, field

from melanion.micro.errors import EffectError, Place
from melanion.micro.tables import Tables

OPERAND_A = ("a_from", "a")
OPERAND_B = ("b_from", "b")


@dataclass
class Word:
    """`comment`: text behind it in its line. `target`: label of the branch, until it is placed.
    `page`: what the program says M holds. `size`: number of the size that a unit puts into
    `constant`; 0: none."""

    tables: Tables
    place: Place
    text: str
    comment: str = ""
    fields: dict[str, int] = field(default_factory=dict)
    setters: dict[str, str] = field(default_factory=dict)
    target: str | None = None
    computes: bool = False  # it makes a result
    carry16: bool = False  # the carry of bit 16 is meant
    after_next: bool = False  # the word behind executes
    page: str | None = None
    size: int = 0
    objects_only: bool = False  # a unit without objects never reaches it
    slot: bool = False  # written behind a branch that annuls it
    wrong: bool = False  # it has an error, already reported

    def get(self, name: str) -> int:
        return self.fields.get(name, 0)

    def has(self, name: str, value: str) -> bool:
        """A field has a value, by name."""
        return self.get(name) == self.tables.values[name].get(value)

    def set(self, name: str, value: int | str, effect: str) -> None:
        """Raises EffectError when another effect set another value, or when it does not fit."""
        if isinstance(value, str):
            value = self.tables.values[name][value]
        if not 0 <= value < self.tables.limit(name):
            width = self.tables.fields[name].width
            raise EffectError(
                f"`{effect}`: {value} does not fit into the {width} bits of {name}; use a smaller"
                " number"
            )
        if name in self.fields and self.fields[name] != value:
            raise EffectError(self._conflict(name, value, effect))
        self.fields[name] = value
        self.setters.setdefault(name, effect)

    def would_set(self, name: str, value: int | str) -> bool:
        """The field is free, or has this value."""
        if isinstance(value, str):
            value = self.tables.values[name][value]
        return self.fields.get(name, value) == value

    def _conflict(self, name: str, value: int, effect: str) -> str:
        first = self.setters[name]
        both = f"by `{first}` and by `{effect}`"
        if name in OPERAND_A:
            return f"operand A is needed twice, {both}; use two words"
        if name in OPERAND_B:
            return f"operand B is needed twice, {both}; use two words"
        if name in ("immediate", "constant"):
            return (
                f"the {name} is needed twice, as {self.fields[name]} by `{first}` and as {value} by"
                f" `{effect}`; use two words"
            )
        if name in ("branch", "finish_to", "annul"):
            return (
                f"the word branches twice, {both}; use two words (`done …, go on` does not branch)"
            )
        if first == effect:
            return f"`{effect}` sets {name} twice; use two words"
        return f"{name} is set twice, {both}; use two words"

    def encode(self) -> int:
        """The line of the word as a number: the size, then the fields, first most significant."""
        value = self.size
        for name, row in self.tables.fields.items():
            value = value << row.width | self.get(name)
        return value
