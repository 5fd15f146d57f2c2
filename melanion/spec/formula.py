# SPDX-License-Identifier: Apache-2.0
"""Formulas of derived values: sums, differences, products of parameters and numbers."""

from __future__ import annotations

import ast


class FormulaError(ValueError):
    """The text is not such a formula; the message is a part of a sentence."""


def names(text: str) -> list[str]:
    """The parameters that a formula uses, in order of appearance. Raises FormulaError."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        raise FormulaError("is no formula") from None
    found: dict[str, None] = {}
    _visit(tree.body, found)
    return list(found)


def _visit(node: ast.expr, found: dict[str, None]) -> None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
        _visit(node.left, found)
        _visit(node.right, found)
    elif isinstance(node, ast.Name):
        found[node.id] = None
    elif not (isinstance(node, ast.Constant) and type(node.value) is int):
        raise FormulaError(f"contains {ast.unparse(node)!r}")
