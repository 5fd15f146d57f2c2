# SPDX-License-Identifier: Apache-2.0
"""Imports of a Python text, wherever they stand: in functions and for types alone, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def imports(text: str) -> Iterator[tuple[int, str]]:
    """Line and dotted name of every import, `from a import b` as `a.b`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def modules_named(text: str) -> Iterator[tuple[int, str]]:
    """Line and name of everything that may be a module: `from a import b` names a and, if it is
    one, a.b. That an import of a.b runs a first does not count."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            yield node.lineno, str(node.module)
    yield from imports(text)
