# SPDX-License-Identifier: Apache-2.0
"""Errors of the microprogram, collected: one sentence each, with file and line."""

from __future__ import annotations

from dataclasses import dataclass, field

from melanion.errors import MelanionError


class MicroError(MelanionError):
    """The microprogram or its tables are wrong: one sentence per line of the message."""


class EffectError(Exception):
    """An effect that cannot be, without its place: what is wrong, and the remedy."""


@dataclass(frozen=True, order=True)
class Place:
    """A line of a source file. `file` is what messages call it."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass
class Problems:
    """Errors, in the order of finding."""

    found: list[tuple[Place, str]] = field(default_factory=list)

    def add(self, place: Place, text: str) -> None:
        if (place, text) not in self.found:
            self.found.append((place, text))

    def stop(self) -> None:
        """Raises MicroError when there is any, in order of file and line."""
        if self.found:
            rows = sorted(self.found, key=lambda row: row[0])
            raise MicroError("\n".join(f"{place}: {text}." for place, text in rows))
