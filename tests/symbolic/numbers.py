# SPDX-License-Identifier: Apache-2.0
"""Numbers and truths on symbols, with which the functions of melanion/model compute: a condition
that is asked for is decided on the path (`Paths.decide`)."""

from __future__ import annotations

from typing import Any

import z3

from tests.symbolic.paths import Expr, Paths

WIDTH = 64  # the model's numbers have no width; none of a command reaches this one


def wide(value: Expr) -> Expr:
    """Extended to the width of the model's numbers."""
    return z3.ZeroExt(WIDTH - value.size(), value) if value.size() < WIDTH else value


def low(value: object, width: int) -> Expr:
    """The low bits of a number of either kind."""
    if isinstance(value, Num):
        return z3.simplify(z3.Extract(width - 1, 0, value.expr))
    return z3.BitVecVal(int(value), width)  # type: ignore[call-overload]


class Truth:
    """A condition."""

    def __init__(self, paths: Paths, expr: Expr) -> None:
        self.paths, self.expr = paths, expr

    def __bool__(self) -> bool:
        return self.paths.decide(self.expr)

    def __lshift__(self, places: int) -> Num:
        one, zero = (z3.BitVecVal(n, WIDTH) for n in (1 << places, 0))
        return Num(self.paths, z3.If(self.expr, one, zero))


def truth(value: object) -> Expr:
    return value.expr if isinstance(value, Truth) else z3.BoolVal(bool(value))


class Num:
    """A number; comparisons are signed, as the model's."""

    def __init__(self, paths: Paths, expr: Expr) -> None:
        self.paths, self.expr = paths, wide(expr)

    def _with(self, other: object) -> Expr:
        return other.expr if isinstance(other, Num) else z3.BitVecVal(int(other), WIDTH)  # type: ignore[call-overload]

    def _num(self, expr: Expr) -> Num:
        return Num(self.paths, expr)

    def _truth(self, expr: Expr) -> Truth:
        return Truth(self.paths, expr)

    def __bool__(self) -> bool:
        return self.paths.decide(self.expr != 0)

    def __add__(self, other: object) -> Num:
        return self._num(self.expr + self._with(other))

    def __sub__(self, other: object) -> Num:
        return self._num(self.expr - self._with(other))

    def __rsub__(self, other: object) -> Num:
        return self._num(self._with(other) - self.expr)

    def __and__(self, other: object) -> Num:
        return self._num(self.expr & self._with(other))

    def __or__(self, other: object) -> Num:
        if isinstance(other, Truth):
            other = other << 0
        return self._num(self.expr | self._with(other))

    def __invert__(self) -> Num:
        return self._num(~self.expr)

    def __lshift__(self, places: int) -> Num:
        return self._num(self.expr << places)

    def __rshift__(self, places: int) -> Num:
        return self._num(z3.LShR(self.expr, places))

    __radd__, __rand__, __ror__ = __add__, __and__, __or__

    def __eq__(self, other: object) -> Any:
        if other is None or isinstance(other, Choice):
            return NotImplemented
        if isinstance(other, int) and other >= 1 << WIDTH:  # NEVER
            return False
        return self._truth(self.expr == self._with(other))

    def __ne__(self, other: object) -> Any:
        if other is None:
            return True
        return self._truth(self.expr != self._with(other))

    def __lt__(self, other: object) -> Any:
        if not isinstance(other, int | Num):
            return NotImplemented
        return self._truth(self.expr < self._with(other))

    def __le__(self, other: object) -> Any:
        return self._truth(self.expr <= self._with(other))

    def __gt__(self, other: object) -> Any:
        return self._truth(self.expr > self._with(other))

    def __ge__(self, other: object) -> Any:
        return self._truth(self.expr >= self._with(other))

    __hash__ = None  # type: ignore[assignment]  # none can be a key


class Choice:
    """One of some values, or None, by code; code 0 is None."""

    def __init__(self, paths: Paths, expr: Expr, codes: dict[Any, int]) -> None:
        self.paths, self.expr, self.codes = paths, expr, codes

    def __bool__(self) -> bool:
        return self.paths.decide(self.expr != 0)

    def __eq__(self, other: object) -> Any:
        return Truth(self.paths, self.expr == self.codes[other])

    __hash__ = None  # type: ignore[assignment]
