# SPDX-License-Identifier: Apache-2.0
"""The mutants of tests/faults/mutants.yaml, and on which bench of the unit each is shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ruamel.yaml import YAML

FILE = Path(__file__).parent / "mutants.yaml"
# Sizes of tests/random/campaign.py; the other checks of the unit need the size of stage.LIMITS.
SIZES = {"races": "small", "windows_of_cores": "two", "resets": "tiny"}
USUAL = "odd"


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file` (from the top of the tree). `check` must notice it."""

    name: str
    check: str
    file: str
    old: str
    new: str
    why: str

    @property
    def of_unit(self) -> bool:
        return self.file.startswith("hw/")

    @property
    def size(self) -> str:
        """The bench that has it; empty for a bug of C or of a bus."""
        return size_of(self.check) if self.of_unit else ""


@cache
def load() -> tuple[Mutant, ...]:
    """All, in the order of the file."""
    rows = YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))
    return tuple(Mutant(**row) for row in rows)


def size_of(check: str) -> str:
    """The bench on which a check of the unit runs."""
    return SIZES.get(check, USUAL)


def of_unit() -> list[Mutant]:
    return [mutant for mutant in load() if mutant.of_unit]
