# SPDX-License-Identifier: Apache-2.0
"""Bytes of a board's trace → events (soc/board/trace; format: docs/reference/trace-stream.md).

A block of records ends with a check. Events are handed on when the check of their block is right,
so nobody reads a damaged one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mel_gen import TraceKind

from melanion.trace.events import TraceError

VERSION = 1
SPECIAL = 0  # kind of the first record, and of records without an event
NONE = 0xFFFF  # a handler as a reader; no interrupt
NOISE = (0x00, 0xFF)  # of a pin that nobody drives yet
CHECK_BYTES = 2
LOST_MOST = 1 << 15  # the board stops counting there
_POLYNOMIAL = 0x8408  # reflected 0x1021
# Bytes behind the header: of the low mask, and of the mask that `_MORE` announces.
_FIRST = ("cycles_low", "a", "b")
_SECOND = ("cycles_high", "a_high", "c0", "c1", "c2", "c3", "d")
_MORE = 1 << len(_FIRST)


def _named(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Mask → names of the bytes that it announces."""
    return tuple(
        tuple(name for i, name in enumerate(names) if mask >> i & 1)
        for mask in range(1 << len(names))
    )


_LOW, _HIGH = _named(_FIRST), _named(_SECOND)

Event = tuple[int, int, int, int, int, int, int]  # cycle, kind, core, a, b, c, d


@dataclass(frozen=True)
class Source:
    """What a stream is decoded with. `ratio`: cycles of the unit in one of the cores; `time_reset`:
    tick counter at reset; `parameter_hash`: of the system's sizes."""

    ratio: int
    time_reset: int
    parameter_hash: int


@dataclass(frozen=True)
class Begun:
    """The board came out of reset. `lossless`: its cores wait for the trace."""

    lossless: bool


@dataclass(frozen=True)
class Lost:
    """So many records were lost before this cycle; `least`: or more."""

    cycle: int
    count: int
    least: bool

    @property
    def text(self) -> str:
        return f"{'at least ' if self.least else ''}{self.count} records"


Item = Begun | Lost | Event


def _row(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
    return byte


_TABLE = tuple(_row(byte) for byte in range(256))


def crc(data: Iterable[int]) -> int:
    """The check of a block."""
    value = 0xFFFF
    for byte in data:
        value = value >> 8 ^ _TABLE[(value ^ byte) & 0xFF]
    return value


class Stream:
    """One stream, decoded as it comes. `waiting`: bytes whose check is not there yet."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.begun = False
        self.bytes = 0  # of blocks that are done
        self.records = 0
        self.cycle = 0  # of the unit
        self.cycle_of_check = 0  # of the last right check, in cycles of the cores
        self.time = source.time_reset
        self._left = bytearray()
        self._at = 0  # next byte of `_left`
        self._items: list[Item] = []

    @property
    def waiting(self) -> int:
        return len(self._left)

    def feed(self, data: bytes) -> Iterator[Item]:
        """Items of the blocks that are complete now. Raises TraceError: damaged, or not a stream of
        this system."""
        self._left += data
        if not self.begun:
            self._skip_noise()
        while (ends := self._record()) is not None:
            if ends:
                yield from self._done()

    def _skip_noise(self) -> None:
        noise = next((i for i, b in enumerate(self._left) if b not in NOISE), len(self._left))
        self.bytes += noise
        del self._left[:noise]

    def _record(self) -> bool | None:
        """Parse one record; True: a block ends behind it; None: it is not complete."""
        left, at = self._left, self._at
        if at == len(left):
            return None
        head = left[at]
        names = _LOW[head & 7]
        length = 1
        if head & _MORE:
            if at + 1 == len(left):
                return None
            names += _HIGH[left[at + 1] & 0x7F]
            length = 2
        kind = head >> 4
        first = kind == SPECIAL and "a_high" in names
        ends = kind == TraceKind.TICK or (kind == SPECIAL and not first)
        whole = length + len(names) + (CHECK_BYTES if ends else 0)
        if at + whole > len(left):
            return None
        if not self.begun and not first:
            raise TraceError(
                "the stream does not begin with the record of a reset; begin to read before the"
                " board is loaded, then load it."
            )
        self._at += whole
        field = dict(zip(names, left[at + length : at + whole], strict=False))
        if first:
            self._begin(field)
        else:
            self._take(kind, field)
        return ends

    def _begin(self, field: dict[str, int]) -> None:
        if self.begun:
            raise self._damaged()
        found = _word(field)
        if field["a_high"] != VERSION:
            raise TraceError(
                f"the stream has the format {field['a_high']}, this Melanion reads {VERSION}; make"
                " the bitstream again."
            )
        if found != self.source.parameter_hash:
            raise TraceError(
                f"the stream is of another system: its sizes have the hash {found:08x}, those of"
                f" the one named here {self.source.parameter_hash:08x}; name the system and the"
                " board of the bitstream."
            )
        self.begun = True
        self._items.append(Begun(lossless=bool(field.get("b", 0))))

    def _take(self, kind: int, field: dict[str, int]) -> None:
        """A record with an event, a loss, or nothing but time."""
        self.records += 1
        # Of several records of one cycle the first alone has cycles.
        self.cycle += field.get("cycles_low", 0) | field.get("cycles_high", 0) << 8
        cycle = self.cycle // self.source.ratio
        a, b = field.get("a", 0), field.get("b", 0)
        if kind == SPECIAL:
            self.records -= 1
            if count := a | b << 8:
                self._items.append(Lost(cycle, count, count >= LOST_MOST))
        elif kind == TraceKind.TICK:
            self.time += (a - self.time) & 0xFF
            low, high = self.time & 0xFFFF_FFFF, self.time >> 32
            self._items.append((cycle, kind, 0, 0, low, high, 0))
        elif kind == TraceKind.ANSWER:
            reader = NONE if a == 0xFF else a
            self._items.append((cycle, kind, 0, reader, 0, 0, _signed(b)))
        else:
            a |= field.get("a_high", 0) << 8
            whole = NONE if a == 0x3FF else a
            event = (cycle, kind, 0, whole, b, _word(field), _signed(field.get("d", 0)))
            self._items.append(event)

    def _done(self) -> list[Item]:
        """Items of a block whose check is right. Raises TraceError."""
        data = self._left[: self._at - CHECK_BYTES]
        found = int.from_bytes(self._left[self._at - CHECK_BYTES : self._at], "little")
        if crc(data) != found:
            raise self._damaged()
        items, self._items = self._items, []
        self.cycle_of_check = self.cycle // self.source.ratio
        self.bytes += self._at
        del self._left[: self._at]
        self._at = 0
        return items

    def _damaged(self) -> TraceError:
        last = self.bytes + self._at
        return TraceError(
            f"the stream is damaged between its bytes {self.bytes} and {last}, behind cycle"
            f" {self.cycle_of_check}: the check of the block is wrong; check the wire and the baud"
            " rate, and that the board was not loaded again meanwhile."
        )


def _word(field: dict[str, int]) -> int:
    return sum(field.get(f"c{i}", 0) << 8 * i for i in range(4))


def _signed(status: int) -> int:
    """A status of 8 bits as a word."""
    return status | 0xFFFF_FF00 if status & 0x80 else status
