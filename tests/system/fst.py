# SPDX-License-Identifier: Apache-2.0
"""The names in a wave (FST): enough of its format to check a list of signals against it.

A file is blocks of a type, a length and content; that of type 6 holds the hierarchy, compressed by
LZ4 (4: by gzip): tags that open a scope (254), close it (255), or are a variable.
"""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

_GZIP, _LZ4 = 4, 6
_ATTRIBUTE, _ATTRIBUTE_END, _SCOPE, _SCOPE_END = 252, 253, 254, 255


def names(wave: Path) -> set[str]:
    """Every variable by path, as `top.part.signal [7:0]`."""
    data, at = wave.read_bytes(), 0
    while at < len(data):
        kind, (length,) = data[at], struct.unpack_from(">Q", data, at + 1)
        body = data[at + 17 : at + 1 + length]
        if kind == _GZIP:
            return _walk(gzip.decompress(body))
        if kind == _LZ4:
            return _walk(_lz4(body))
        at += 1 + length
    raise AssertionError(f"{wave}: no hierarchy in it")


def _lz4(source: bytes) -> bytes:
    """One block: runs of literals, each followed by a copy of what was there before."""
    found, at = bytearray(), 0

    def length(start: int) -> int:
        nonlocal at
        if start == 15:
            while True:
                start += (byte := source[at])
                at += 1
                if byte != 255:
                    break
        return start

    while at < len(source):
        token = source[at]
        at += 1
        literals = length(token >> 4)
        found += source[at : at + literals]
        at += literals
        if at >= len(source):
            break
        distance = source[at] | source[at + 1] << 8
        at += 2
        for _ in range(length(token & 15) + 4):
            found.append(found[-distance])
    return bytes(found)


def _walk(text: bytes) -> set[str]:
    found: set[str] = set()
    path: list[str] = []
    at = 0

    def word() -> str:
        nonlocal at
        end = text.index(0, at)
        value = text[at:end].decode("ascii", "replace")
        at = end + 1
        return value

    def number() -> None:
        nonlocal at
        while text[at] & 0x80:
            at += 1
        at += 1

    while at < len(text):
        tag = text[at]
        at += 1
        if tag == _SCOPE:
            at += 1
            path.append(word())
            word()
        elif tag == _SCOPE_END:
            path.pop()
        elif tag == _ATTRIBUTE:
            at += 2
            word()
            number()
        elif tag != _ATTRIBUTE_END:
            at += 1
            found.add(".".join([*path, word()]))
            number()
            number()
    return found
