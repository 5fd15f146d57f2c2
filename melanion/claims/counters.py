# SPDX-License-Identifier: Apache-2.0
"""Counters of a C file that a compiler may keep in a register: plain integers of the file's own
scope."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DIRECTIVE = re.compile(r"^\s*#.*$", re.MULTILINE)
_INTEGER = re.compile(r"\b(?:unsigned|signed|int|long|short|size_t|u?int\d+_t)\b")
_NOT_PLAIN = re.compile(r"\b(?:volatile|const|extern|typedef)\b|[(*]")
_NAME = re.compile(r"\b([A-Za-z_]\w*)\s*(?:=[^,]*)?$")


def plain_counters(text: str) -> list[str]:
    """The names of the file's integers that are neither volatile nor constant, arrays left out."""
    return [
        match[1]
        for statement in _file_scope(text).split(";")
        if _INTEGER.search(statement) and not _NOT_PLAIN.search(statement)
        for part in statement.split(",")
        if "[" not in part and (match := _NAME.search(part.strip()))
    ]


def _file_scope(text: str) -> str:
    """The text outside of braces: what they hold becomes one semicolon, as a function's body ends
    a declaration."""
    code = _DIRECTIVE.sub("", _COMMENT.sub(" ", text))
    found, depth = [], 0
    for character in code:
        if character == "}":
            depth -= 1
            found.append(";" if depth == 0 else "")
        elif character == "{":
            depth += 1
        elif depth == 0:
            found.append(character)
    return "".join(found)
