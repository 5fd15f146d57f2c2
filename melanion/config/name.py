# SPDX-License-Identifier: Apache-2.0
"""Names of systems, taken apart: kernel, words of axes, coupling or place of the unit, wait states,
sizes, memory.

Pure text: which words, couplings, places and memories there are, other modules know.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

_NAME = re.compile(
    r"(?P<system>[^@:+[\]]+)(@(?P<coupling>[^@:+[\]]+)(:(?P<waits>[^@:+[\]]+))?)?"
    r"(\[(?P<sizes>[^@:+[\]]*)\])?(\+(?P<memory>[^@:+[\]]+))?"
)
_COMMA = re.compile(r",(?![^\[]*\])")  # between names, not between sizes


@dataclass(frozen=True)
class Name:
    """Parts of a name as they were written; `words` in the order of the name, `sizes` by key."""

    text: str
    kernel: str
    words: tuple[str, ...]
    coupling: str | None = None
    waits: str | None = None
    sizes: tuple[tuple[str, str], ...] = ()
    memory: str | None = None


def listed(text: str) -> list[str]:
    """Names of a list with commas between them, `sw,banked[tasks=8,queues=4]`."""
    return [name.strip() for name in _COMMA.split(text)]


def parse(text: str, kernels: Collection[str], couplings: Collection[str]) -> Name | None:
    """Parts of a name; None when the text has another shape. The longest kernel and coupling
    that fit are taken: `sw-sorted-2` is `sw-sorted` with the word `2`. Where none fits, `kernel`
    and `coupling` are what stands in their place."""
    match = _NAME.fullmatch(text)
    if match is None:
        return None
    sizes = [part.partition("=") for part in (match["sizes"] or "").split(",") if part]
    kernel, words = _first(match["system"], kernels)
    coupling, more = _first(match["coupling"], couplings) if match["coupling"] else (None, ())
    return Name(
        text=text,
        kernel=kernel,
        words=(*words, *more),
        coupling=coupling,
        waits=match["waits"],
        sizes=tuple((key.strip(), value.strip()) for key, _, value in sizes),
        memory=match["memory"],
    )


def _first(text: str, known: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """The longest known name at the beginning, and the words behind it."""
    words = text.split("-")
    for end in range(len(words), 0, -1):
        first = "-".join(words[:end])
        if first in known:
            return first, tuple(words[end:])
    return text, ()
