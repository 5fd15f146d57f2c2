# SPDX-License-Identifier: Apache-2.0
"""Addresses of segments: those with `at` first, then tables, then the longest into the first gap;
those of a user behind all others.

The word behind a branch is fetched although it is annulled, and its read happens. So no segment
that begins with a read is put right behind one that ends with such a branch.
"""

from __future__ import annotations

from melanion.micro.errors import Problems
from melanion.micro.expression import number
from melanion.micro.source import Segment, labels
from melanion.micro.tables import TABLE, Tables
from melanion.micro.word import Word


class Placement:
    """`words` by address; `symbols`: address by label and slot. `whole`: not a lean
    program, of which labels may be unused."""

    def __init__(self, tables: Tables, problems: Problems, *, whole: bool = True) -> None:
        self.tables, self.problems, self.whole = tables, problems, whole
        self.words: dict[int, Word] = {}
        self.symbols: dict[str, int] = {}
        self.used: set[str] = set()
        self._owner: dict[int, str] = {}
        # First words of slots that no program has yet; of a lean program, no request reaches those.
        kept = tables.slots if whole else tables.machine.entries
        self._kept = {address: name for name, address in kept.items()} | {0: "reset"}

    def place(self, segments: list[Segment]) -> None:
        """Give all words addresses, then all branches their targets."""
        for segment in segments:
            if segment.address is not None:
                self._kept.pop(segment.address, None)
        for segment in sorted(segments, key=_order):
            address = segment.address
            if address is None:
                address = self._gap(segment)
            if address is None:
                size = self.tables.machine.words
                self.problems.add(
                    segment.place,
                    f"{segment.name} ({len(segment.words)} words) fits nowhere in {size} words;"
                    " shorten the program",
                )
                continue
            self._put(segment, address)
        self._name(segments)
        self._link(segments)

    def _put(self, segment: Segment, address: int) -> None:
        for place, word in enumerate(segment.words, address):
            other = self._owner.get(place) or self._kept.get(place)
            if other or place >= self.tables.machine.words:
                owner = f"belongs to {other}" if other else "is beyond the program store"
                self.problems.add(
                    word.place,
                    f"{segment.name} runs into address {place:#x}, which {owner}; jump away before"
                    " with `goto`",
                )
                return
            self.words[place] = word
            self._owner[place] = f"{segment.name} ({segment.place})"

    def _gap(self, segment: Segment) -> int | None:
        size, step = self.tables.machine.words, TABLE if segment.table else 1
        first = self.tables.slots.get("init", 0) // TABLE * TABLE
        starts = [*range(first, size, step), *range(0, first, step)]
        return next((start for start in starts if self._fits(segment, start)), None)

    def _fits(self, segment: Segment, start: int) -> bool:
        end = start + len(segment.words)
        if end > self.tables.machine.words:
            return False
        if any(place in self._owner or place in self._kept for place in range(start, end)):
            return False
        before, behind = self.words.get(start - 1), self.words.get(end)
        disturbed = before is not None and _ends(before) and _disturbs(segment.words[0])
        disturbs = behind is not None and _ends(segment.words[-1]) and _disturbs(behind)
        return not disturbed and not disturbs

    def _name(self, segments: list[Segment]) -> None:
        at = {id(word): address for address, word in self.words.items()}
        places: dict[tuple[bool, str], str] = {}
        self.symbols.update(self.tables.slots)
        for label, segment in labels(segments):
            key = label.slot, label.name
            if key in places or (not label.slot and label.name in self.tables.slots):
                first = places.get(key, "machine.yaml")
                self.problems.add(
                    label.place, f"{label.name} is there twice (first in {first}); rename one"
                )
            places.setdefault(key, str(label.place))
            if (address := at.get(id(segment.words[label.index]))) is not None:
                self.symbols[label.name] = address

    def _link(self, segments: list[Segment]) -> None:
        unplaced = {label.name for label, _ in labels(segments)}
        for segment in segments:
            for word in segment.words:
                if word.target is None:
                    continue
                self.used.add(word.target)
                address = self._target(word.target)
                if address is None:
                    if word.target not in unplaced:
                        self.problems.add(
                            word.place,
                            f"there is no label {word.target}; add it, or correct the name",
                        )
                    continue
                if word.has("branch", "case") and address % TABLE:
                    self.problems.add(
                        word.place,
                        f"{word.target} is no table; write `table {word.target}:` before its"
                        f" {TABLE} words",
                    )
                word.set("next", address, word.text)
        for label, _ in labels(segments):
            if self.whole and not label.slot and label.name not in self.used:
                self.problems.add(label.place, f"nothing uses the label {label.name}; remove it")

    def _target(self, name: str) -> int | None:
        if name[0].isdigit():
            return number(name)
        # A command may be called by its name alone.
        return self.symbols.get(name, self.symbols.get(f"command {name}"))


def _order(segment: Segment) -> tuple[bool, bool, bool, int]:
    return segment.address is None, segment.own, not segment.table, -len(segment.words)


def _ends(word: Word) -> bool:
    """The word behind is fetched and annulled."""
    return bool(word.get("annul"))


def _disturbs(word: Word) -> bool:
    return bool(word.get("read"))
