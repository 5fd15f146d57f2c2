# SPDX-License-Identifier: Apache-2.0
"""Decisions of a symbolic execution. A run is repeated for every sequence of decisions that its
conditions allow; each repetition begins anew, with the decisions of the one before but the last."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import z3

Expr = Any  # z3 ships no types


class Difference(Exception):
    """A requirement does not hold on this path: what, and an example of the state."""


class Paths:
    """The path that is being executed: its conditions, and decisions still to repeat."""

    def __init__(self) -> None:
        self._solver = z3.Solver()
        self._prefix: list[bool] = []
        self._taken: list[bool] = []
        self._open: list[list[bool]] = []
        self.required = 0  # requirements that were checked

    def run(self, once: Callable[[Paths], None]) -> int:
        """Execute `once` on every path; returns their number."""
        self._open, count = [[]], 0
        while self._open:
            self._prefix, self._taken = self._open.pop(), []
            self._solver.reset()
            once(self)
            count += 1
        return count

    def assume(self, fact: Expr) -> None:
        """A fact of the state; not checked."""
        self._solver.add(fact)

    def possible(self, fact: Expr) -> bool:
        return bool(self._solver.check(fact) == z3.sat)

    def decide(self, condition: Expr) -> bool:
        """Follow one side of a condition; the other, when it is possible, later."""
        condition = z3.simplify(condition)
        if z3.is_true(condition) or z3.is_false(condition):
            return bool(z3.is_true(condition))
        place = len(self._taken)
        if place < len(self._prefix):
            choice = self._prefix[place]
        else:
            choice = self.possible(condition)
            if choice and self.possible(z3.Not(condition)):
                self._open.append([*self._taken, False])
        self._taken.append(choice)
        self._solver.add(condition if choice else z3.Not(condition))
        return choice

    def require(self, fact: Expr, what: str) -> None:
        """Raises Difference when the fact can be wrong on this path."""
        self.required += 1
        fact = z3.simplify(fact)
        if z3.is_true(fact):
            return
        if self._solver.check(z3.Not(fact)) != z3.unsat:
            raise Difference(f"{what}: not always so; for example {', '.join(self._example())}")

    def impossible(self) -> bool:
        """The assumptions of this path contradict each other."""
        return bool(self._solver.check() != z3.sat)

    def _example(self) -> Iterator[str]:
        model = self._solver.model()
        for name in sorted(model.decls(), key=str):
            value = model[name]
            if name.arity() == 0 and (z3.is_bv_value(value) or z3.is_bool(value)):
                yield f"{name} = {value}"
