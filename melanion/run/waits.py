# SPDX-License-Identifier: Apache-2.0
"""Wait states of a port of the simulation: a number, or a range from which each access draws."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from melanion.run.errors import RunError

MOST = 1000  # cycles
BAD_USE = 2
_TEXT = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")


@dataclass(frozen=True)
class Waits:
    """Cycles added to each access: `least` to `most`, each as likely, drawn with the run's seed."""

    least: int
    most: int
    limit: int = field(default=MOST, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.least <= self.most <= self.limit:
            raise _refusal(str(self))

    @classmethod
    def of(cls, value: int | str | Waits) -> Waits:
        """From `3`, `"3"` or `"0-7"`. Raises RunError."""
        if isinstance(value, Waits):
            return value
        match = _TEXT.fullmatch(str(value))
        if match is None:
            raise _refusal(str(value))
        least = int(match[1])
        return cls(least, least if match[2] is None else int(match[2]))

    @property
    def random(self) -> bool:
        return self.least != self.most

    @property
    def decided(self) -> int | str:
        """For provenance."""
        return str(self) if self.random else self.least

    def __str__(self) -> str:
        return f"{self.least}-{self.most}" if self.random else f"{self.least}"


def _refusal(text: str) -> RunError:
    return RunError(
        f"wait states {text}: allowed is a number of cycles 0 … {MOST}, as 3, or a range of them"
        " from which each access draws, as 0-7.",
        BAD_USE,
    )
