# SPDX-License-Identifier: Apache-2.0
"""The prose of the tree: comments and docstrings of its sources, and its documents.

`split(path, text)` parts a file into prose and code, each with the other blanked, so that line
numbers stay. A name that only prose knows is stale: tests/rules/test_names.py looks for such names.
"""

from __future__ import annotations

import re
from pathlib import Path

# Strings come first: what looks like a comment in them is none.
_STRING = r'"(?:\\.|[^"\\\n])*"'
_C = re.compile(rf"{_STRING}|'(?:\\.|[^'\\\n])'|(?P<prose>//[^\n]*|/\*.*?\*/)", re.DOTALL)
# A text in three quotation marks that begins its line is a docstring.
_PYTHON = re.compile(
    r'(?P<prose>^[ \t]*r?""".*?"""|(?<!\S)\#[^\n]*)|""".*?"""|' + rf"{_STRING}|'(?:\\.|[^'\\\n])*'",
    re.DOTALL | re.MULTILINE,
)
_HASH = re.compile(rf"{_STRING}|'[^'\n]*'|(?P<prose>(?:^|(?<=\s))#[^\n]*)", re.MULTILINE)
_JINJA = re.compile(
    rf"{_STRING}|(?P<prose>\{{#.*?#\}}|//[^\n]*|/\*.*?\*/|^\s*#\s[^\n]*)", re.DOTALL | re.MULTILINE
)

_C_LIKE = {".sv", ".c", ".h", ".S", ".cpp", ".vlt", ".f", ".ld"}
_HASH_LIKE = {".yaml", ".yml", ".sby", ".mk", ".toml", ".cff"}
_HASH_NAMES = {"Makefile", "run", ".gitignore", ".editorconfig", ".clang-format"}


def _blank(text: str) -> str:
    """The line ends of a text, and a space, so that its neighbours do not join."""
    return " " + "\n" * text.count("\n")


def _parted(text: str, spans: list[tuple[int, int]]) -> tuple[str, str]:
    """The text inside the spans, and that outside."""
    prose, code, end = [], [], 0
    for first, last in sorted(spans):
        prose += [_blank(text[end:first]), text[first:last]]
        code += [text[end:first], _blank(text[first:last])]
        end = max(end, last)
    return "".join([*prose, _blank(text[end:])]), "".join([*code, text[end:]])


def split(path: Path, text: str) -> tuple[str, str]:
    """Prose and code of a file. A document is all prose; a file of unknown kind all code."""
    if path.suffix == ".md":
        return text, _blank(text)
    if path.suffix == ".py":
        rule = _PYTHON
    elif path.suffix in _C_LIKE:
        rule = _C
    elif path.suffix == ".j2":
        rule = _JINJA
    elif path.suffix in _HASH_LIKE or path.name in _HASH_NAMES:
        rule = _HASH
    else:
        return _blank(text), text
    spans = [match.span("prose") for match in rule.finditer(text) if match["prose"]]
    return _parted(text, spans)
