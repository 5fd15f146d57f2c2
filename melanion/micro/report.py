# SPDX-License-Identifier: Apache-2.0
"""Texts for developers: listing, symbols, how long steps take."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass

from melanion.micro.graph import Node, longest, loops
from melanion.micro.program import Program
from melanion.micro.word import Word

NAMED = 10  # longest steps in a report


@dataclass(frozen=True)
class Line:
    """A word of a listing. `names`: those of its address; `label`, `offset`: the last name before
    it, or at it, and how many words it is behind that."""

    address: int
    word: Word
    names: list[str]
    label: str
    offset: int


def lines(program: Program) -> Iterator[Line]:
    """Every word, by address."""
    names: dict[int, list[str]] = {}
    for name, address in program.symbols.items():
        names.setdefault(address, []).append(name)
    first, label = 0, ""
    for address, word in sorted(program.words.items()):
        if address in names:
            first, label = address, names[address][0]
        yield Line(address, word, names.get(address, []), label, address - first)


def document(program: Program) -> bytes:
    """The listing for a page, as JSON in gzip (`Listing` of studio/src/unit.ts). Equal programs
    make equal bytes."""
    files: dict[str, int] = {}
    rows = [
        [
            line.address,
            line.label,
            line.offset,
            line.word.text,
            line.word.comment,
            files.setdefault(line.word.place.file, len(files)),
            line.word.place.line,
        ]
        for line in lines(program)
    ]
    found = {"format": 1, "files": list(files), "words": rows}
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), mtime=0)


def files(program: Program) -> dict[str, str]:
    """Name → text."""
    return {"mel_program.lst": listing(program), "mel_program.sym": symbols(program)}


def listing(program: Program) -> str:
    """Address, word, source and place of every word; names on lines of their own."""
    digits = (program.tables.width + 3) // 4
    found = []
    for line in lines(program):
        address, word = line.address, line.word
        found += [f"{name}:" for name in line.names]
        found.append(f"{address:03x} {word.encode():0{digits}x}  {word.text:<70} // {word.place}")
    return "\n".join([*found, "", *(f"// {line}" for line in summary(program))]) + "\n"


def symbols(program: Program) -> str:
    """Address and name of every label, entry and slot that is written."""
    rows = sorted((at, name) for name, at in program.symbols.items() if at in program.words)
    return "".join(f"{address:03x} {name}\n" for address, name in rows)


def summary(program: Program) -> Iterator[str]:
    """Words used, slots that are not written, longest steps, loops."""
    yield f"{len(program.words)} of {program.tables.machine.words} words"
    if program.missing:
        yield f"not written: {', '.join(program.missing)}"
    lengths = sorted(longest(program.graph).items(), key=lambda row: (-row[1], row[0]))
    steps = ", ".join(f"{name} {words}" for name, words in lengths[:NAMED])
    yield f"longest steps, in words from idle to idle (a loop: one round): {steps}"
    for loop in loops(program.graph):
        yield f"loop of {len(loop)} words: {_name(program, loop)}"


def _name(program: Program, loop: list[Node]) -> str:
    """The labels in a loop, or the place of its first word."""
    addresses = {node.address for node in loop if node.branch is None}
    names = [name for name, address in program.symbols.items() if address in addresses]
    return ", ".join(names) or str(program.words[min(addresses & set(program.words))].place)
