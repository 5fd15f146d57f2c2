# SPDX-License-Identifier: Apache-2.0
"""Claims of a paper, or of this project, about the rows of an experiment, the rules that judge
them, and the figures that are drawn.

A rule names a quantity of the rows of one metric and what it must be; melanion/claims/verdict
computes it. A rule without limits is a measured reason: it is shown and judges nothing.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from melanion.config import SystemName
from melanion.measure.definition import Choice
from melanion.spec.schema import Name, Row, Text

CURVES = 6  # a chart has so many colours
EVERY = "every"  # a metric that stands for all of the experiment

Statistic = Literal["min", "median", "p99", "max"]
DecidedBy = Literal["measurement", "setup", "choice"]
Where = dict[Name, Choice]

# Quantity → what it is, in words. `over` is the parameter along which it is taken.
QUANTITIES = {
    "value": "the statistic of each row",
    "spread": "largest minus smallest value over a parameter (none named: over all rows)",
    "slope": "growth per unit of a parameter, a straight line through all points; with another"
    " metric or kernel that of the ratio",
    "step": "last minus first value over a parameter, whose values are in the definition's order",
    "bend": "largest over smallest growth per unit between neighbouring points; 1 is straight",
    "share": "percentage of the rows whose value, or ratio to another kernel, is at most `limit`",
    "count": "how often the value fits into `limit`",
    "crossover": "where along a parameter the ratio to another kernel first is more than 1 (∞:"
    " nowhere), straight lines between rows",
    "lowest": "where along a parameter the value is the smallest",
    "ratio": "each row's value over that of the same row of another metric or kernel",
}
NEEDS_OVER = ("slope", "step", "bend", "crossover", "lowest")
WITH_OTHER = ("ratio", "crossover")
MAY_HAVE_OTHER = ("share", "slope")
OF_WORDS = ("spread", "step")  # along a parameter whose values may be words


class Rule(Row):
    """`times_paper`: the limits are multiples of the claim's printed number, of one below 0 in
    reverse: the larger multiple is the lower limit."""

    quantity: Literal[
        "value",
        "spread",
        "slope",
        "step",
        "bend",
        "share",
        "count",
        "crossover",
        "lowest",
        "ratio",
    ]
    metric: Name | None = None
    over: Name | None = None
    where: Where = Field(default={})
    statistic: Statistic = "max"
    limit: int | None = None
    to_metric: Name | None = None
    to_kernel: SystemName | None = None
    at_least: float | None = None
    at_most: float | None = None
    times_paper: bool = False


class Claim(Row):
    """One line of the table for each of `kernels`. `paper`: a printed number, which the quantity of
    the first rule is set beside; without one the claim is of a shape only. `source`: the place in
    the reference document, or what promises it. `metric`: `every` stands for all.

    `decided_by`: `setup`, when the program was set up as in the paper, so that no kernel can change
    the value: numbers of calls, sizes; `choice`, when we chose what decides it: a scale, or the
    cycles of a latency model. Neither says anything about a kernel, so they are tallied apart
    (melanion/report/tally.py)."""

    says: Text
    by: Literal["paper", "ours"]
    source: Text
    decided_by: DecidedBy = "measurement"
    kernels: list[SystemName] = Field(min_length=1)
    metric: Name
    paper: float | None = None
    rules: list[Rule] = Field(min_length=1)


class PaperCurve(Row):
    """Numbers that a paper prints, drawn beside ours: a constant `value`; or a `slope`, drawn
    through the first point of the kernel `through`, because only the growth is printed."""

    name: Text
    value: float | None = None
    slope: float | None = None
    through: SystemName | None = None


class Figure(Row):
    """A chart of one metric over one parameter: a curve for each kernel, and for each value of the
    parameter `curves` if there is one. `title` says which figure of the document it redraws, `per`
    what one of `over` is."""

    title: Text
    metric: Name
    over: Name
    kernels: list[SystemName] = Field(min_length=1)
    curves: Name | None = None
    where: Where = Field(default={})
    statistic: Statistic = "max"
    axis: Text
    per: Text
    paper: list[PaperCurve] = Field(default=[])


class Bars(Row):
    """A chart of the metrics' rows that agree with `where`, one each: a bar for each kernel."""

    title: Text
    metrics: list[Name] = Field(min_length=1)
    kernels: list[SystemName] = Field(min_length=1, max_length=CURVES)
    where: Where = Field(default={})
    statistic: Statistic = "max"
