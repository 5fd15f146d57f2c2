# SPDX-License-Identifier: Apache-2.0
"""Claims judged by their rules over the rows of a result: reproduced, partly, not, and why.

A verdict is computed from measured rows alone; its words come from here, never from a definition.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from melanion.claims.claim import EVERY, Claim, DecidedBy, Rule
from melanion.claims.result import Result
from melanion.measure.definition import Choice, ExperimentError, agrees
from melanion.measure.rows import Row

WORDS = {
    "paper": ("reproduced", "partly", "not"),
    "ours": ("holds", "partly", "broken"),
}
BROKEN = "✗ "  # before the words of a rule that does not hold


@dataclass(frozen=True)
class Finding:
    """One rule: the smallest and largest value of its quantity in `unit` (none: a ratio), and
    whether both are within its limits; `holds` is None for a rule without limits. `slack`: percent
    of the nearest limit between it and the value that is nearest to it, or, negative, farthest
    beyond it; infinite for a limit of 0 that is not met exactly; None without limits. `missed`: the
    limits that are not met."""

    words: str
    unit: str
    low: float
    high: float
    holds: bool | None
    slack: float | None = None
    missed: frozenset[Literal["at_least", "at_most"]] = frozenset()

    @property
    def text(self) -> str:
        mark = "" if self.holds in (True, None) else BROKEN
        return f"{mark}{self.words}"


@dataclass(frozen=True)
class Verdict:
    """One claim on one kernel. `decided_by`: as the claim says, but a value that differs between
    kernels was measured, whatever the claim says."""

    experiment: str
    claim: Claim
    kernel: str
    findings: tuple[Finding, ...]
    decided_by: DecidedBy = "measurement"

    @property
    def word(self) -> str:
        judged = [finding.holds for finding in self.findings if finding.holds is not None]
        words = WORDS[self.claim.by]
        return words[0] if all(judged) else words[1] if any(judged) else words[2]

    @property
    def is_faster(self) -> bool:
        """The document's number is not reproduced because ours is better: fewer cycles, or more
        rounds in a time."""
        if self.claim.by != "paper" or self.word != WORDS["paper"][2] or not self.claim.paper:
            return False
        rules = zip(self.claim.rules, self.findings, strict=True)
        broken = [each for each in rules if each[1].holds is False]
        return self.claim.paper > 0 and all(_is_better(*each) for each in broken)

    @property
    def ours(self) -> tuple[float, float]:
        """Smallest and largest value of the first rule's quantity."""
        return self.findings[0].low, self.findings[0].high

    @property
    def unit(self) -> str:
        return self.findings[0].unit

    @property
    def ratio(self) -> float | None:
        """The largest value over the paper's number."""
        return self.ours[1] / self.claim.paper if self.claim.paper else None

    @property
    def slack(self) -> float:
        """The least slack of its rules: what a measured value can move before the verdict changes,
        or, negative, what the one that is farthest beyond a limit lacks."""
        return min(finding.slack for finding in self.findings if finding.slack is not None)

    @property
    def why(self) -> list[str]:
        """Findings, rule by rule; those that do not hold are marked."""
        return [finding.text for finding in self.findings]


def _is_better(rule: Rule, finding: Finding) -> bool:
    """A rule that does not hold because ours are better."""
    if rule.quantity == "count":
        return finding.missed == {"at_most"}
    cycles = finding.unit.partition("/")[0] == "cycles"
    return cycles and rule.quantity in ("value", "slope") and finding.missed == {"at_least"}


def judge(result: Result) -> list[Verdict]:
    """The verdicts of a result's claims on its kernels, in the order of the definition. Raises
    ExperimentError: a rule has no rows."""
    return [verdict for claim in result.definition.claims for verdict in _of(result, claim)]


def _of(result: Result, claim: Claim) -> list[Verdict]:
    """One claim on each of its kernels that were measured."""
    rows = [each.row for each in result.measurements]
    kernels = [kernel for kernel in claim.kernels if kernel in result.kernels]
    found = [
        Verdict(
            result.experiment,
            claim,
            kernel,
            tuple(_finding(result.experiment, claim, rule, rows, kernel) for rule in claim.rules),
            claim.decided_by,
        )
        for kernel in kernels
        if _has_others(claim, result.kernels)
    ]
    if claim.decided_by == "setup" and len({verdict.ours for verdict in found}) > 1:
        return [replace(verdict, decided_by="measurement") for verdict in found]
    return found


def _has_others(claim: Claim, kernels: tuple[str, ...]) -> bool:
    """Kernels that the claim compares with are there, too."""
    return all(rule.to_kernel is None or rule.to_kernel in kernels for rule in claim.rules)


def _finding(experiment: str, claim: Claim, rule: Rule, rows: list[Row], kernel: str) -> Finding:
    metric = rule.metric or claim.metric
    meant = [
        row
        for row in rows
        if row.kernel == kernel
        and metric in (row.metric, EVERY)
        and agrees(row.parameters, rule.where)
    ]
    values = list(_values(rule, meant, rows))
    if not values:
        raise ExperimentError(
            f"{experiment} on {kernel}: the claim {claim.says!r} has the rule {rule.quantity} of"
            f" {metric}, and no rows for it; correct the rule, or give the kernel another claim."
        )
    (low, lowest), (high, highest) = min(values), max(values)
    scale = claim.paper if rule.times_paper and claim.paper is not None else 1.0
    limits, broken, slacks = [], [], []
    missed: set[Literal["at_least", "at_most"]] = set()
    if rule.at_least is not None:
        least = rule.at_least * scale
        limits.append(f"at least {number_text(least)}")
        if low < least:
            broken.append(lowest)
            missed.add("at_least")
        slacks.append(slack(low - least, least))
    if rule.at_most is not None:
        most = rule.at_most * scale
        limits.append(f"at most {number_text(most)}")
        if high > most:
            broken.append(highest)
            missed.add("at_most")
        slacks.append(slack(most - high, most))
    unit = _unit(rule, meant)
    words = f"{_what(rule, metric)} {span_text(low, high)} {unit.partition('/')[0]}".rstrip()
    if limits:
        words += f" ({', '.join(limits)}{''.join(f'; worst: {each}' for each in broken if each)})"
    holds, least_slack = (not broken, min(slacks)) if limits else (None, None)
    return Finding(words, unit, low, high, holds, least_slack, frozenset(missed))


def slack(room: float, limit: float) -> float:
    """Room within a limit in percent of it; a value at the limit has none, whatever the limit."""
    if room == 0:
        return 0.0
    return 100 * room / abs(limit) if limit else math.copysign(math.inf, room)


# ---- quantities ----------------------------------------------------------------------------------


Value = tuple[float, str]  # value of a quantity, and label of its rows; empty: all


def _values(rule: Rule, rows: list[Row], every: list[Row]) -> Iterator[Value]:
    """The values of the rule's quantity, one per row or group of rows."""
    if rule.quantity == "ratio":
        yield from _ratios(rule, rows, every)
    elif rule.quantity == "value":
        yield from ((_value(rule, row), row.label) for row in rows)
    elif rule.quantity == "count":
        assert rule.limit is not None
        for row in rows:
            value = _value(rule, row)
            yield rule.limit // value if value else math.inf, row.label
    elif rule.quantity == "share":
        assert rule.limit is not None
        compared = rule.to_kernel or rule.to_metric
        values = (
            [value for value, _ in _ratios(rule, rows, every)]
            if compared
            else [_value(rule, row) for row in rows]
        )
        if values:
            yield 100 * sum(value <= rule.limit for value in values) / len(values), ""
    elif rule.quantity == "crossover":
        yield from _crossovers(rule, rows, every)
    elif rule.to_kernel or rule.to_metric:
        for name, ratios in _ratio_curves(rule, rows, every).items():
            yield from ((value, name) for value in _of_curve(rule.quantity, ratios))
    else:
        for name, points in _groups(rule, rows).items():
            yield from ((value, name) for value in _of_curve(rule.quantity, points))


def _value(rule: Rule, row: Row) -> int:
    return int(getattr(row, rule.statistic))


Points = list[tuple[float, float]]  # ascending x, value


def _groups(rule: Rule, rows: list[Row]) -> dict[str, Points]:
    """Rows of one metric that differ in `over` alone (all rows, without one)."""
    groups: dict[tuple[str, str], Points] = {}
    for place, row in enumerate(rows):
        if rule.over is not None and rule.over not in row.parameters:
            continue
        rest = {k: v for k, v in row.parameters.items() if rule.over and k != rule.over}
        name = replace(row, parameters=rest).label if rest else ""
        at = row.parameters.get(rule.over or "", place)
        point = (float(at) if isinstance(at, int) else float(place), float(_value(rule, row)))
        groups.setdefault((row.metric if rule.over else "", name), []).append(point)
    several = len({metric for metric, _ in groups}) > 1
    return {
        name or (metric if several else ""): sorted(points)
        for (metric, name), points in groups.items()
    }


def _of_curve(quantity: str, points: Points) -> Iterator[float]:
    ys = [y for _, y in points]
    if quantity == "spread":
        yield max(ys) - min(ys)
    elif quantity == "lowest":
        yield min(points, key=lambda point: point[1])[0]
    elif len(points) > 1 and quantity == "step":
        yield ys[-1] - ys[0]
    elif len(points) > 1:
        yield slope(points) if quantity == "slope" else bend(points)


def slope(points: Points) -> float:
    """Slope of the straight line with the least squares."""
    x_mean = sum(x for x, _ in points) / len(points)
    y_mean = sum(y for _, y in points) / len(points)
    above = sum((x - x_mean) * (y - y_mean) for x, y in points)
    return above / sum((x - x_mean) ** 2 for x, _ in points)


def bend(points: Points) -> float:
    """The largest growth per unit between neighbours over the smallest; infinite when a step does
    not grow."""
    steps = [(y1 - y0) / (x1 - x0) for (x0, y0), (x1, y1) in pairwise(points)]
    return max(steps) / min(steps) if min(steps) > 0 else math.inf


def _ratios(rule: Rule, rows: list[Row], every: list[Row]) -> Iterator[Value]:
    """Rows over their counterparts; over a counterpart of 0 a row is infinite."""
    counterparts = {
        (each.kernel, each.metric, *each.parameters.items()): _value(rule, each) for each in every
    }
    for row in rows:
        kernel, metric = rule.to_kernel or row.kernel, rule.to_metric or row.metric
        below = counterparts.get((kernel, metric, *row.parameters.items()))
        if below is not None:
            yield _value(rule, row) / below if below else math.inf, row.label


def _crossovers(rule: Rule, rows: list[Row], every: list[Row]) -> Iterator[Value]:
    curves = _ratio_curves(rule, rows, every)
    yield from ((crossover(points), name) for name, points in curves.items())


def _ratio_curves(rule: Rule, rows: list[Row], every: list[Row]) -> dict[str, Points]:
    """Ratios of rows that differ in `over` alone."""
    assert rule.over is not None
    groups: dict[str, Points] = {}
    for row in rows:
        rest = {key: value for key, value in row.parameters.items() if key != rule.over}
        at = float(row.parameters[rule.over])
        points = groups.setdefault(replace(row, parameters=rest).label, [])
        points += [(at, ratio) for ratio, _ in _ratios(rule, [row], every)]
    return {name: sorted(points) for name, points in groups.items() if points}


def crossover(points: Points) -> float:
    """First abscissa at which the ratio exceeds 1, interpolated; infinite: none."""
    if points[0][1] > 1:
        return points[0][0]
    for (x0, y0), (x1, y1) in pairwise(points):
        if y1 > 1:
            return x0 + (x1 - x0) * (1 - y0) / (y1 - y0)
    return math.inf


# ---- words ---------------------------------------------------------------------------------------


def _what(rule: Rule, metric: str) -> str:
    metric = "every call" if metric == EVERY else metric
    where = ", ".join(f"{key} {_choice(value)}" for key, value in rule.where.items())
    over = f" over {rule.over}" if rule.over else ""
    other = rule.to_metric or rule.to_kernel
    head = {
        "value": f"{metric}",
        "spread": f"spread of {metric}{over}",
        "slope": f"slope of {metric}{f' / {other}' if other else ''}{over}",
        "step": f"step of {metric}{over}",
        "bend": f"bend of {metric}{over}",
        "count": f"{metric} in {rule.limit} cycles",
        "share": f"share of {metric}{f' / {other}' if other else ''} within {rule.limit}",
        "crossover": f"crossover of {metric} / {other}{over}",
        "lowest": f"{rule.over} of the lowest {metric}",
        "ratio": f"{metric} / {other}",
    }[rule.quantity]
    if rule.statistic != "max":
        where = ", ".join([rule.statistic, where] if where else [rule.statistic])
    return f"{head}{f' ({where})' if where else ''}:"


def _unit(rule: Rule, rows: list[Row]) -> str:
    unitless = rule.quantity in ("bend", "count", "crossover", "lowest", "ratio")
    if unitless or (rule.quantity == "slope" and (rule.to_kernel or rule.to_metric)):
        return ""
    if rule.quantity == "share":
        return "%"
    return f"{rows[0].unit}/{rule.over}" if rule.quantity == "slope" else rows[0].unit


def _choice(value: Choice) -> str:
    if not isinstance(value, list):
        return str(value)
    return f"{value[0]} … {value[-1]}" if len(value) > 2 else " or ".join(map(str, value))


def number_text(value: float) -> str:
    """Three digits at most behind which nothing stands; whole numbers as they are."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == int(value) or abs(value) >= 100:
        return f"{value:.0f}"
    if abs(value) < 0.1:
        return f"{value:.2g}" if abs(value) >= 0.0001 else f"{value:.4f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def span_text(low: float, high: float) -> str:
    """`12` or `12 … 40`."""
    least, most = number_text(low), number_text(high)
    return least if least == most else f"{least} … {most}"
