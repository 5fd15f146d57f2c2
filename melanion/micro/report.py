# SPDX-License-Identifier: Apache-2.0
"""Texts for developers: listing, symbols, how long steps take."""

from __future__ import annotations

from collections.abc import Iterator

from melanion.micro.graph import Node, longest, loops
from melanion.micro.program import Program

NAMED = 10  # longest steps in a report


def files(program: Program) -> dict[str, str]:
    """Name → text."""
    return {"mel_program.lst": listing(program), "mel_program.sym": symbols(program)}


def listing(program: Program) -> str:
    """Address, word, source and place of every word; names on lines of their own."""
    digits = (program.tables.width + 3) // 4
    names: dict[int, list[str]] = {}
    for name, address in program.symbols.items():
        names.setdefault(address, []).append(name)
    lines = []
    for address, word in sorted(program.words.items()):
        lines += [f"{name}:" for name in names.get(address, [])]
        lines.append(f"{address:03x} {word.encode():0{digits}x}  {word.text:<70} // {word.place}")
    return "\n".join([*lines, "", *(f"// {line}" for line in summary(program))]) + "\n"


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
