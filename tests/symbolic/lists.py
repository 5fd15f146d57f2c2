# SPDX-License-Identifier: Apache-2.0
"""Lists as abstract sequences: where each node stands, the top of each object, and the operations
in their order. Two sides that begin alike and do the same operations end alike.

What mel_lists is proved to do (hw/formal/mel_lists.sv): a top is a member, and no member of its
object is more urgent. What it demands is required here: a node that is inserted stands nowhere, one
that is removed stands in the list that is named.
"""

from __future__ import annotations

from dataclasses import dataclass

import z3

from tests.symbolic.paths import Expr, Paths

LEVEL = 8


@dataclass(frozen=True)
class Top:
    """The first node of an object's most urgent list."""

    valid: Expr
    level: Expr
    node: Expr


@dataclass(frozen=True)
class Operation:
    """`name`: tail, head or remove."""

    name: str
    key: Expr
    level: Expr
    node: Expr


class Lists:
    """One set of lists. `where`: node → {member, key, level}."""

    def __init__(self, paths: Paths, name: str, key: int, node: int) -> None:
        self._paths, self._name, self._key, self._node = paths, name, key, node
        self.where = z3.Array(f"{name}_where", z3.BitVecSort(node), z3.BitVecSort(1 + key + LEVEL))
        self._tops = z3.Array(f"{name}_top", z3.BitVecSort(key), z3.BitVecSort(1 + LEVEL + node))
        self.log: list[Operation] = []

    def place(self, key: Expr, level: Expr) -> Expr:
        """Content of `where` for a member."""
        return z3.Concat(z3.BitVecVal(1, 1), key, level)

    def member(self, node: Expr) -> Expr:
        top = self._key + LEVEL
        return z3.Extract(top, top, z3.Select(self.where, node)) == 1

    def look(self, key: Expr) -> Top:
        """The object's top now."""
        top = self._top(key)
        member = z3.Select(self.where, top.node) == self.place(key, top.level)
        self._paths.assume(z3.Implies(top.valid, member))
        return top

    def insert(self, key: Expr, level: Expr, node: Expr, *, head: bool, at: str) -> None:
        self._paths.require(
            z3.Not(self.member(node)), f"{at}: a node is inserted that is in no list"
        )
        top = self._top(key)
        urgent = z3.ULE(level, top.level) if head else z3.ULT(level, top.level)
        becomes = z3.Or(z3.Not(top.valid), urgent)
        self.where = z3.Store(self.where, node, self.place(key, level))
        self._set(key, self._encode(z3.BoolVal(True), z3.If(becomes, level, top.level),
                                    z3.If(becomes, node, top.node)))  # fmt: skip
        self.log.append(Operation("head" if head else "tail", key, level, node))

    def remove(self, key: Expr, level: Expr, node: Expr, *, at: str) -> None:
        here = z3.Select(self.where, node) == self.place(key, level)
        self._paths.require(here, f"{at}: a node is removed that stands in the list that is named")
        top = self._top(key)
        self._paths.assume(z3.And(top.valid, z3.ULE(top.level, level)))
        name = f"{self._name}_next{len(self.log)}"
        later = self._decode(z3.BitVec(name, 1 + LEVEL + self._node))
        self.where = z3.Store(self.where, node, z3.BitVecVal(0, 1 + self._key + LEVEL))
        member = z3.Select(self.where, later.node) == self.place(key, later.level)
        self._paths.assume(z3.Implies(later.valid, z3.And(member, z3.UGE(later.level, top.level))))
        gone = top.node == node
        self._set(key, self._encode(z3.If(gone, later.valid, top.valid),
                                    z3.If(gone, later.level, top.level),
                                    z3.If(gone, later.node, top.node)))  # fmt: skip
        self.log.append(Operation("remove", key, level, node))

    def _top(self, key: Expr) -> Top:
        return self._decode(z3.Select(self._tops, key))

    def _set(self, key: Expr, value: Expr) -> None:
        self._tops = z3.Store(self._tops, key, value)

    def _decode(self, value: Expr) -> Top:
        node, level = self._node, LEVEL + self._node
        return Top(
            z3.Extract(level, level, value) == 1,
            z3.Extract(level - 1, node, value),
            z3.Extract(node - 1, 0, value),
        )

    @staticmethod
    def _encode(valid: Expr, level: Expr, node: Expr) -> Expr:
        return z3.Concat(z3.If(valid, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)), level, node)
