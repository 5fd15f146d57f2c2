# SPDX-License-Identifier: Apache-2.0
"""Tables and code in Markdown, and numbers in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NONE = "–"
RULES = {"l": "---", "r": "--:"}


def table(align: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lines of a table, each with its line end. `align`: l (left) or r (right) of each column; the
    last letter is also that of all columns after it."""
    letters = align.ljust(len(heads), align[-1])
    rule = "|".join(RULES[letter] for letter in letters)
    return "".join([_line(heads), f"|{rule}|\n", *map(_line, rows)])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def codes(names: Iterable[str]) -> list[str]:
    """Names as code."""
    return [f"`{name}`" for name in names]


def repeated(words: Sequence[str], names: Sequence[str]) -> list[str]:
    """Heads of the same columns once for each word, which stands before the first of them."""
    first, *others = codes(names)
    return [head for word in words for head in (f"{word}: {first}", *others)]


def sections(parts: Iterable[tuple[str, str]]) -> str:
    """Texts under a heading each; a text ends with a line end."""
    return "\n".join(f"### {title}\n\n{text}" for title, text in parts)


def number(value: int) -> str:
    """12 345."""
    return f"{value:_}".replace("_", " ")


def fenced(lines: Iterable[str]) -> str:
    """A block of code."""
    return "```\n" + "\n".join(lines) + "\n```\n"
