# SPDX-License-Identifier: Apache-2.0
"""Reference model of a component, without its state: one access after the other, through the window
of a core; a refused access is answered with NONE, and counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar

NONE = 0xFFFFFFFF
COUNT_MAX = 0xFFFF

S = TypeVar("S")


class Refused(Exception):
    """The access is refused; the text says which kind."""


class Reference(ABC, Generic[S]):
    """State and accesses; `seen` counts situations. `facts`: the module of mel_gen. `size`: a
    dataclass of the parameters, named as in `facts`, in the order of the RTL."""

    facts: ClassVar[ModuleType]

    def __init__(self, size: S) -> None:
        self.size = size
        self.seen: Counter[str] = Counter()
        self.reset()

    def reset(self) -> None:
        self.refused = 0

    @property
    def irq(self) -> int:
        """The interrupts before the next access, as the port has them; 0 without a port."""
        return 0

    @abstractmethod
    def late(self, closed: int, stalled: int) -> str:
        """Complaint about the cycles before the next access in which no core could be served, and
        in which some core waited; empty when they are right."""

    def access(self, core: int, write: bool, address: int, enables: int, word: int) -> int:
        """The answer; that of a store is 0, or NONE when it was refused."""
        try:
            if enables != 0xF or address % 4 or address >= self.facts.WINDOW_BYTES:
                raise Refused("not a whole word")
            return self._store(core, address, word) if write else self._load(core, address)
        except Refused as refusal:
            self.seen[f"refused: {refusal}"] += 1
            self.refused = min(self.refused + 1, COUNT_MAX)
            return NONE

    def _load_register(self, core: int, address: int, own: Mapping[Any, int]) -> int:
        """A register that every component has, or one of its own."""
        register = self.facts.Register
        if address not in list(register):
            raise Refused("no such register")
        words: dict[Any, int] = {
            register.IDENTITY: self.facts.IDENTITY,
            register.FACTS_HASH: self.facts.FACTS_HASH_WORD,
            register.CORE: core,
            register.REFUSED: self.refused,
            **own,
        }
        return words[address]

    @abstractmethod
    def _store(self, core: int, address: int, word: int) -> int: ...

    @abstractmethod
    def _load(self, core: int, address: int) -> int: ...
