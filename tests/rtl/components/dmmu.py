# SPDX-License-Identifier: Apache-2.0
"""Reference model of the memory management unit (docs/decisions/0041): one access after the other.

A list says of each block who holds it, and runs are found by walking through it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mel_gen import dmmu
from mel_gen.dmmu import Answer, Command, Region, Register

from tests.rtl.components.bench import Component
from tests.rtl.components.reference import COUNT_MAX, NONE, Reference, Refused

FULL, DONE = int(Answer.FULL), int(Answer.DONE)
SEARCH = 2  # digits of a length that the unit looks at in a cycle


@dataclass(frozen=True)
class Size:
    """Parameters of mel_dmmu, in its order."""

    blocks: int
    owners: int
    cores: int

    @property
    def allocating(self) -> int:
        """Cycles without an access behind `allocate`."""
        digits = (self.blocks - 1).bit_length()
        return -(-digits // SEARCH) + 2


@dataclass(frozen=True)
class Allocation:
    owner: int
    blocks: int


class Dmmu(Reference[Size]):
    facts: ClassVar = dmmu

    def reset(self) -> None:
        super().reset()
        self.allocations: dict[int, Allocation] = {}  # first block → who has it
        self.answer = [NONE] * self.size.cores
        self.failed = 0
        self.least = self.size.blocks
        self.busy = 0  # cycles without an access behind the last one

    @property
    def held(self) -> list[bool]:
        """For each block: somebody holds it. Raises AssertionError: two do."""
        found = [False] * self.size.blocks
        for first, allocation in self.allocations.items():
            for block in range(first, first + allocation.blocks):
                assert not found[block], f"two allocations hold block {block}"
                found[block] = True
        return found

    @property
    def free(self) -> int:
        return self.held.count(False)

    def access(self, core: int, write: bool, address: int, enables: int, word: int) -> int:
        self.busy = 0
        return super().access(core, write, address, enables, word)

    def late(self, closed: int, stalled: int) -> str:
        return "" if closed == self.busy else f"after {closed} cycles without one, not {self.busy}"

    def _store(self, core: int, address: int, word: int) -> int:
        if address not in list(Command):
            raise Refused("no such command")
        self.answer[core] = NONE
        command = Command(address)
        if command == Command.CLEAR:
            if word:
                raise Refused("a word with clear")
            self.allocations = {}
            self.least = self.size.blocks
            answer = DONE
        else:
            if word >> 17 & 0x7F or (command != Command.GIVE and word >> 24):
                raise Refused("other bits of the word")
            answer = self._perform(command, word & 0xFF, word >> 8 & 0x1FF, word >> 24)
        self.seen[f"{command.name.lower()}{', full' if answer == FULL else ''}"] += 1
        self.answer[core] = answer
        self.busy = self.size.allocating if command == Command.ALLOCATE else 1
        return 0

    def _perform(self, command: Command, owner: int, number: int, after: int) -> int:
        """Returns the answer."""
        if command == Command.ALLOCATE:
            return self._allocate(owner, number)
        if number >= self.size.blocks:
            raise Refused("no such block")
        allocation = self.allocations.get(number)
        if allocation is None:
            raise Refused("no allocation begins there" if self.held[number] else "a free block")
        if allocation.owner != owner:
            raise Refused("another owner's")
        if command == Command.RELEASE:
            del self.allocations[number]
        else:
            if after >= self.size.owners:
                raise Refused("no such next owner")
            self.allocations[number] = Allocation(after, allocation.blocks)
        return DONE

    def _allocate(self, owner: int, number: int) -> int:
        if owner >= self.size.owners:
            raise Refused("no such owner")
        if number == 0:
            raise Refused("no blocks")
        if number > self.size.blocks:
            raise Refused("too many blocks")
        held = self.held
        for first in range(self.size.blocks - number + 1):
            if not any(held[first : first + number]):
                self.allocations[first] = Allocation(owner, number)
                self.least = min(self.least, self.free)
                self.seen["all blocks at once"] += number == self.size.blocks
                self.seen["behind a gap"] += not all(held[:first])
                return first
        self.seen["full, with as many free"] += self.free >= number
        self.failed = min(self.failed + 1, COUNT_MAX)
        return FULL

    def _load(self, core: int, address: int) -> int:
        size = self.size
        if Region.ALLOCATION <= address < Region.ALLOCATION + 0x400:
            number = (address - Region.ALLOCATION) // 4
            if number >= size.blocks:
                raise Refused("no such block to load")
            row = self.allocations.get(number)
            return NONE if row is None else row.owner | row.blocks << 8
        own = {
            Register.SIZES: size.blocks | size.owners << 16 | size.cores << 28,
            Register.ANSWER: self.answer[core],
            Register.FAILED: self.failed,
            Register.FREE: self.free,
            Register.LEAST: self.least,
        }
        return self._load_register(core, address, own)


# Situations that random accesses must reach, whatever the size.
_ALWAYS = {
    "allocate", "allocate, full", "full, with as many free", "behind a gap", "release", "give",
    "clear", "refused: no blocks", "refused: too many blocks", "refused: no such owner",
    "refused: no such next owner", "refused: another owner's", "refused: a free block",
    "refused: no allocation begins there", "refused: no such block", "refused: a word with clear",
    "refused: other bits of the word", "refused: no such command", "refused: no such register",
    "refused: no such block to load", "refused: not a whole word", "all blocks at once",
}  # fmt: skip
COMPONENT = Component(
    "dmmu",
    Dmmu,
    sizes={"few": Size(8, 3, 2), "many": Size(77, 20, 4)},
    more=[Size(2, 1, 1), Size(16, 16, 1), Size(256, 256, 4), Size(256, 2, 3), Size(5, 33, 2)],
    situations={"few": _ALWAYS, "many": _ALWAYS},
    soak=60_000,
)
