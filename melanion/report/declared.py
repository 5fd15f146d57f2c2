# SPDX-License-Identifier: Apache-2.0
"""Figures that the definition of an experiment declares: curves of a metric over a parameter, with
the paper's numbers among them where it prints any, and bars."""

from __future__ import annotations

from typing import Any

import melanion.report.finding as finding
from melanion.claims.claim import Bars, Figure, Where
from melanion.claims.result import Result
from melanion.claims.rules import meets
from melanion.measure.definition import agrees
from melanion.report.chart import Series
from melanion.report.colours import PALETTE, free, slots
from melanion.report.figures import bars_of, lines_of
from melanion.report.footnote import footnote


def figures(result: Result) -> list[dict[str, Any]]:
    """Curves, then bars, of the kernels that were measured."""
    return [
        *(_drawn(result, figure) for figure in figures_of(result)),
        *(
            _drawn_bars(result, bars)
            for bars in result.definition.bars
            if set(bars.kernels) & set(result.kernels)
        ),
    ]


def _drawn_bars(result: Result, bars: Bars) -> dict[str, Any]:
    kernels = [each for each in bars.kernels if each in result.kernels]
    found = {
        (each.row.kernel, each.row.metric): int(getattr(each.row, bars.statistic))
        for each in result.measurements
        if meets(each.row.parameters, bars)
    }
    series = [
        Series(
            kernel,
            slot,
            [
                (place, found[kernel, metric])
                for place, metric in enumerate(bars.metrics)
                if (kernel, metric) in found
            ],
        )
        for kernel, slot in slots(kernels).items()
    ]
    where = ", ".join(f"{key} {value}" for key, value in bars.where.items())
    return {
        "title": bars.title,
        **bars_of(bars.metrics, series, bars.title),
        "note": f"cycles, {bars.statistic}{f' ({where})' if where else ''}.",
        "source": footnote(result, kernels),
    }


def figures_of(result: Result) -> list[Figure]:
    """The figures with at least one curve on the kernels that were measured."""
    return [each for each in result.definition.figures if set(each.kernels) & set(result.kernels)]


def _drawn(result: Result, figure: Figure) -> dict[str, Any]:
    curves = series_of(result, figure)
    metric = result.definition.metrics[figure.metric]
    unit = next(m.row.unit for m in result.measurements if m.row.metric == figure.metric)
    growth = finding.curve_title(
        figure.title, [(each.name, each.points) for each in curves], figure.per, unit
    )
    return {
        "title": growth,
        **lines_of(curves, figure.axis, f"{unit}, {figure.statistic}"),
        "note": f"{figure.metric}: {metric.edges}.",
        "source": footnote(result, figure.kernels),
    }


def series_of(result: Result, figure: Figure) -> list[Series]:
    """The curves: kernel by kernel, value by value; then the paper's."""
    parameters = result.definition.metrics[figure.metric].parameters
    values = parameters[figure.curves] if figure.curves else [None]
    found: list[Series] = []
    drawn = [each for each in figure.kernels if each in result.kernels]
    few = len(result.kernels) <= len(PALETTE)
    kernels = result.kernels if few else drawn  # as in the tables of the page
    own = slots([_named(k, figure, v) for k in kernels for v in values])
    for kernel in drawn:
        for value in values:
            where = dict(figure.where)
            if figure.curves and value is not None:
                where[figure.curves] = value
            points = _points(result, figure, kernel, where)
            name = _named(kernel, figure, value)
            found.append(Series(name, own[name], points))
    for curve in figure.paper:
        base = next((each for each in found if each.name == curve.through), found[0])
        x0, y0 = base.points[0]
        xs = [x for x, _ in base.points]
        if curve.value is not None:
            points = [(x, round(curve.value)) for x in xs]
        elif curve.through in result.kernels and curve.slope is not None:
            points = [(x, round(y0 + curve.slope * (x - x0))) for x in xs]
        else:
            continue
        found.append(Series(curve.name, free({each.slot for each in found}), points))
    return found


def _named(kernel: str, figure: Figure, value: int | str | None) -> str:
    """Name of a curve."""
    return kernel if value is None else f"{kernel} {figure.curves} {value}"


def _points(result: Result, figure: Figure, kernel: str, where: Where) -> list[tuple[int, int]]:
    rows = [
        each.row
        for each in result.measurements
        if (each.row.kernel, each.row.metric) == (kernel, figure.metric)
        and agrees(each.row.parameters, where)
    ]
    points = [(int(row.parameters[figure.over]), getattr(row, figure.statistic)) for row in rows]
    return sorted(points)
