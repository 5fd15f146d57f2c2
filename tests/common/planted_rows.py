# SPDX-License-Identifier: Apache-2.0
"""Rows with a wrong figure: the quantity of a rule comes out far below or far beyond what was
measured. Planted are the statistics of rows; nothing of the definition changes but that one claim
on one kernel is left."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from melanion.claims.claim import EVERY, Claim, Rule
from melanion.claims.result import Result
from melanion.claims.verdict import Verdict, judge
from melanion.measure.definition import agrees
from melanion.measure.rows import Measurement, Row

Direction = Literal["low", "high"]
MUCH = 10**12  # cycles: beyond every limit, and within every format


@dataclass(frozen=True)
class Place:
    """A row among those that a rule means: `x` along the rule's parameter, `at` in their order."""

    x: float
    at: int
    last: int
    limit: int | None


# Quantity → the value that each row gets, so that the quantity is low, or high.
LOW: dict[str, Callable[[Place], int]] = {
    "value": lambda _: 0,
    "ratio": lambda _: 0,
    "spread": lambda _: 7,
    "slope": lambda row: MUCH - round(row.x * 10**6),
    "step": lambda row: MUCH * (row.at == 0),
    "bend": lambda row: 100 + round(row.x * 100),  # straight
    "share": lambda _: MUCH,
    "count": lambda _: MUCH,
    "crossover": lambda _: MUCH,  # slower from the first row on
    "lowest": lambda row: row.at,
}
HIGH: dict[str, Callable[[Place], int]] = {
    "value": lambda _: MUCH,
    "ratio": lambda _: MUCH,
    "spread": lambda row: MUCH * (row.at % 2),
    "slope": lambda row: round(row.x * 10**6),
    "step": lambda row: MUCH * row.at,
    "bend": lambda row: 100 + MUCH * (row.at == row.last),
    "share": lambda _: 0,
    "count": lambda _: 1,
    "crossover": lambda _: 0,  # slower nowhere
    "lowest": lambda row: MUCH - row.at,
}


def least(rule: Rule, result: Result, claim: Claim) -> float:
    """The least value of a quantity that rows can have: a limit that is not above it says nothing,
    but for one that a limit of the same number holds from the other side."""
    bounds = {"slope": -math.inf, "step": -math.inf, "bend": 1.0}
    if rule.quantity in ("crossover", "lowest"):
        rows = [each.row for each in result.measurements if _meant(each.row, rule, claim)]
        return min(float(row.parameters[rule.over or ""]) for row in rows)
    return bounds.get(rule.quantity, 0.0)


def verdict(result: Result, claim: Claim, kernel: str) -> Verdict:
    """That of one claim on one kernel. Raises ExperimentError: a rule has no rows."""
    alone = claim.model_copy(update={"kernels": [kernel]})
    definition = result.definition.model_copy(update={"claims": [alone]})
    (found,) = judge(replace(result, definition=definition))
    return found


def planted(result: Result, claim: Claim, rule: Rule, kernel: str, which: Direction) -> Result:
    """The result with wrong figures in the rows of a kernel that the rule means."""
    rows = [
        each.row
        for each in result.measurements
        if each.row.kernel == kernel and _meant(each.row, rule, claim)
    ]
    places: dict[int, Place] = {}
    for _, group in _groups(rows, rule).items():
        for at, row in enumerate(group):
            x = row.parameters.get(rule.over or "", at)
            along = float(x) if isinstance(x, int) else float(at)
            places[id(row)] = Place(along, at, len(group) - 1, rule.limit)
    to = (LOW if which == "low" else HIGH)[rule.quantity]

    def changed(each: Measurement) -> Measurement:
        if id(each.row) not in places:
            return each
        value = to(places[id(each.row)])
        row = replace(each.row, min=value, median=value, p99=value, max=value)
        return Measurement(row, ((value, row.n),))

    return replace(result, measurements=tuple(map(changed, result.measurements)))


def _meant(row: Row, rule: Rule, claim: Claim) -> bool:
    metric = rule.metric or claim.metric
    return metric in (row.metric, EVERY) and agrees(row.parameters, rule.where)


def _groups(rows: list[Row], rule: Rule) -> dict[object, list[Row]]:
    """Rows that differ in the rule's parameter alone, in ascending order of it."""
    groups: dict[object, list[Row]] = {}
    for row in rows:
        rest = tuple(item for item in row.parameters.items() if item[0] != rule.over)
        groups.setdefault((row.metric, rest) if rule.over else "", []).append(row)
    for group in groups.values():
        if all(isinstance(row.parameters.get(rule.over or ""), int) for row in group):
            group.sort(key=lambda row: int(row.parameters[rule.over or ""]))
    return groups
