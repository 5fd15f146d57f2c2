# SPDX-License-Identifier: Apache-2.0
"""Values that a path knows in part: bits that are constant, and bits of a word that was read.

A bit of a value is known, or is that of a source (perhaps inverted), or is free. A source is a word
of the state store, or the argument. Of a source a path knows bits, and numbers that it is not.
"""

from __future__ import annotations

from typing import NamedTuple

FULL = 0xFFFF_FFFF


class Value(NamedTuple):
    """`known`: bits that are those of `value`; `mask`: bits that are those of `source` ^ `flip`."""

    known: int = 0
    value: int = 0
    source: int = -1
    mask: int = 0
    flip: int = 0


class Source(NamedTuple):
    """Facts of a source. `differs`: (mask, number) that its bits under the mask are not."""

    known: int = 0
    value: int = 0
    differs: frozenset[tuple[int, int]] = frozenset()

    def bits(self, mask: int, number: int) -> Source | None:
        """Its bits under a mask are those of a number; None: that cannot be."""
        if self.known & mask & (self.value ^ number):
            return None
        known, value = self.known | mask, self.value | (number & mask)
        differs = []
        for where, other in self.differs:
            if known & where & (value ^ other):
                continue
            if not where & ~known:
                return None
            differs.append((where, other))
        return Source(known, value, frozenset(differs))

    def not_bits(self, mask: int, number: int) -> Source | None:
        """Its bits under a mask are not all those of a number; None: that cannot be."""
        number &= mask
        if self.known & mask & (self.value ^ number):
            return self
        if not mask & ~self.known:
            return None
        return self._replace(differs=self.differs | {(mask, number)})


Sources = dict[int, Source]


def constant(number: int) -> Value:
    return Value(FULL, number & FULL)


def of_source(source: int) -> Value:
    return Value(source=source, mask=FULL)


def resolve(value: Value, sources: Sources) -> Value:
    """With what is known of its source by now."""
    if value.source < 0:
        return value
    facts = sources[value.source]
    found = value.mask & facts.known
    mask = value.mask & ~found
    known = value.known | found
    number = value.value | (found & (facts.value ^ value.flip))
    return Value(known, number, value.source if mask else -1, mask, value.flip & mask)


def _join(*parts: tuple[Value, int, int]) -> Value:
    """Bits of several values: (value, bits that it gives, those that are inverted)."""
    known = number = mask = flip = 0
    source = -1
    for value, take, invert in parts:
        known |= value.known & take
        number |= (value.value ^ invert) & value.known & take
        given = value.mask & take
        if given and source in (-1, value.source):
            source = value.source
            mask |= given
            flip |= (value.flip ^ invert) & given
    return Value(known, number, source, mask, flip)


def bitwise(alu: str, a: Value, b: Value) -> Value:
    """`and`, `andn`, `or`, `xor`, `a`, `b`."""
    if alu == "a":
        return a
    if alu == "b":
        return b
    if alu == "andn":
        b = _join((b, FULL, FULL))
    if alu == "xor":
        from_b = a.known & ~b.known
        return _join((a, b.known, b.value), (b, from_b, a.value))
    neutral = FULL if alu in ("and", "andn") else 0
    decides_a, decides_b = a.known & (a.value ^ neutral), b.known & (b.value ^ neutral)
    decided = decides_a | decides_b
    from_a = b.known & ~decided
    from_b = a.known & ~decided & ~from_a
    found = constant(neutral ^ FULL)
    return _join((found, decided, 0), (a, from_a, 0), (b, from_b, 0))


def add(a: Value, b: Value, *, subtract: bool) -> tuple[Value, int | None]:
    """Sum or difference, and the carry, where they are known."""
    if b == constant(0):
        return a, int(subtract)
    if a.known == b.known == FULL:
        total = a.value + ((b.value ^ FULL) + 1 if subtract else b.value)
        return constant(total), total >> 32
    return Value(), None


def by_lanes(lanes: int, alu: Value, a: Value) -> Value:
    """The bytes of the result that come from the ALU; others from A."""
    take = sum(0xFF << 8 * i for i in range(4) if lanes >> i & 1)
    return _join((alu, take, 0), (a, FULL & ~take, 0))


def outcomes(value: Value, mask: int, number: int, sources: Sources) -> list[tuple[bool, Sources]]:
    """Whether the bits of a value under a mask are those of a number, with what that says."""
    value = resolve(value, sources)
    if value.known & mask & (value.value ^ number):
        return [(False, sources)]
    if not mask & ~value.known:
        return [(True, sources)]
    where = value.mask & mask
    if not where:
        return [(True, sources), (False, sources)]
    facts = sources[value.source]
    of_source = (number ^ value.flip) & where
    equal = facts.bits(where, of_source)
    found = [(True, {**sources, value.source: equal})] if equal else []
    if mask & ~value.known & ~where:  # a bit that is free may differ
        return [*found, (False, sources)]
    if unequal := facts.not_bits(where, of_source):
        found.append((False, {**sources, value.source: unequal}))
    return found
