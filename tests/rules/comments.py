# SPDX-License-Identifier: Apache-2.0
"""Comments and docstrings of the tree, for rules about their words.

Comment lines below each other in one column are one comment.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.common.tree import ROOT, tree

C_LIKE = frozenset((".c", ".h", ".S", ".sv", ".svh", ".v", ".cpp", ".ld", ".j2"))
HASHED = frozenset((".yaml", ".yml", ".mk", ".sby", ".toml", ".tcl"))
# A string comes first, so that no comment begins inside one.
_C = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*(?P<block>.*?)\*/|//(?P<line>[^\n]*)', re.DOTALL)
_HASH = re.compile(
    r"""(?<!\w)(?:"(?:\\.|[^"\\\n])*"|'[^'\n]*')|(?:^|(?<=\s))#(?P<line>[^\n]*)""", re.MULTILINE
)
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Comment:
    """`line`: its first; of a docstring the line of what it describes."""

    file: str
    line: int
    text: str


def written() -> Iterator[tuple[str, Path]]:
    """Files of the tree that nobody generates: name from the top, path."""
    for path in tree():
        name = str(path.relative_to(ROOT))
        if not name.startswith("gen/") and path.is_file():
            yield name, path


def of_tree() -> Iterator[Comment]:
    """Every comment of the tree, licence lines left out."""
    for name, path in written():
        if path.suffix in {".py", *C_LIKE, *HASHED}:
            yield from of_text(name, path.read_text(encoding="utf-8", errors="replace"))


def of_text(name: str, text: str) -> list[Comment]:
    """Comments of one file, by the language of its name."""
    suffix = Path(name).suffix
    if suffix == ".py":
        found = [*_python(text), *_docstrings(text)]
    elif suffix in C_LIKE:
        found = _joined(text, _C.finditer(text))
    else:
        found = _joined(text, _HASH.finditer(text))
    said = ((line, re.sub(r"^[\s*#!/<]+", "", words).strip()) for line, words in found)
    return [Comment(name, line, words) for line, words in said if words and "SPDX" not in words]


def _python(text: str) -> list[tuple[int, str]]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return _merged((*k.start, k.string) for k in tokens if k.type == tokenize.COMMENT)


def _docstrings(text: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, _DOCUMENTED) and (words := ast.get_docstring(node)):
            yield getattr(node, "lineno", 1), words


def _joined(text: str, matches: Iterable[re.Match[str]]) -> list[tuple[int, str]]:
    """Comments of a text; blocks stand alone, lines join."""
    found: list[tuple[int, str]] = []
    lines: list[tuple[int, int, str]] = []
    for match in matches:
        at = match.start()
        line = text.count("\n", 0, at) + 1
        if match.groupdict().get("block") is not None:
            found.append((line, match["block"]))
        elif match["line"] is not None:
            lines.append((line, at - text.rfind("\n", 0, at), match["line"]))
    return sorted([*found, *_merged(lines)])


def _merged(lines: Iterable[tuple[int, int, str]]) -> list[tuple[int, str]]:
    """(line, column, text) of line comments; those below each other in one column as one."""
    found: list[tuple[int, str]] = []
    last = (-1, 0)
    for line, column, words in lines:
        if last == (line - 1, column):
            first, before = found.pop()
            found.append((first, f"{before}\n{words}"))
        else:
            found.append((line, words))
        last = line, column
    return found
