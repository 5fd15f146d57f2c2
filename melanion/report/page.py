# SPDX-License-Identifier: Apache-2.0
"""`report.html`: one file, no script, no other file; light and dark; from 400 px up. Worst cases
first."""

from __future__ import annotations

from typing import Any

import melanion.report.chart as chart
import melanion.report.declared as declared
import melanion.report.distribution as distribution
import melanion.report.finding as finding
import melanion.report.timeline as timeline
from melanion.claims.result import Result, described
from melanion.measure.definition import agrees
from melanion.measure.rows import Measurement, Parameters, Row
from melanion.report.chart import Series
from melanion.report.colours import slots
from melanion.report.figures import lines_of
from melanion.report.footnote import footnote, tool
from melanion.report.html import html
from melanion.report.judged import sentence
from melanion.report.svg import number
from melanion.report.terminal import ratio

HISTOGRAMS = ("irq_to_task", "irq_to_handler")
STATISTICS = ("row", "kernel", "n", "min", "median", "p99", "max", "unit")
# Title, metric, parameter, fixed parameters, axis.
CURVES: tuple[tuple[str, str, str, Parameters, str], ...] = (
    ("First task after a tick", "tick_wake", "n", {"which": "first"}, "tasks that the tick wakes"),
    ("Last task after a tick", "tick_wake", "n", {"which": "last"}, "tasks that the tick wakes"),
    ("Interrupts disabled", "irq_off_max", "tasks", {}, "tasks that make kernel calls"),
)


def page(result: Result) -> str:
    """The page as text."""
    return html(
        "melanion.report",
        "report.html.j2",
        result=result,
        judged=sentence(result.kernels),
        headline=finding.headline(result),
        lines=worst_lines(result),
        described=described(result.kernels),
        names=STATISTICS,
        rows=statistics(result),
        figures=figures(result),
        configurations=configurations(result),
        tools=[tool(name, text) for name, text in result.provenance["tools"].items()],
    )


def worst_lines(result: Result) -> list[dict[str, Any]]:
    """The lines of the table of worst cases."""
    return [_line(result, *line) for line in result.lines()]


def _line(
    result: Result, metric: str, parameters: Parameters, found: list[Measurement | None]
) -> dict[str, Any]:
    """One line of the worst-case table; a cell is None where a kernel lacks it."""
    definition = result.definition.metrics[metric]
    rows = [each.row for each in found if each]
    best = min(row.max for row in rows)
    limits = {row.kernel: _limit(result, row) for row in rows}
    return {
        "title": definition.title,
        "words": ", ".join(_words(key, value) for key, value in parameters.items()),
        "label": rows[0].label,
        "new": not parameters or parameters == definition.combinations[0],
        "cells": [
            each
            and {"row": each.row, "best": each.row.max == best, "limit": limits[each.row.kernel]}
            for each in found
        ],
        "promised": any(limit is not None for limit in limits.values()),
        "ratio": ratio(found) if len(found) == 2 else None,
    }


def statistics(result: Result) -> list[tuple[str, ...]]:
    """All rows, kernel after kernel in each line, as texts below STATISTICS."""
    rows = [each.row for _, _, found in result.lines() for each in found if each]
    return [
        (r.label, r.kernel, *map(number, (r.n, r.min, r.median, r.p99, r.max)), r.unit)
        for r in rows
    ]


def _words(key: str, value: int | str) -> str:
    words = {"load": finding.LOAD_WORDS, "which": {"first": "first task", "last": "last task"}}
    return words.get(key, {}).get(
        str(value), f"{value} {key}" if key != "n" else f"n\u00a0=\u00a0{value}"
    )


def _limit(result: Result, row: Row) -> int | None:
    """The promised worst case of this row."""
    for target in result.definition.metrics[row.metric].targets:
        if (
            target.kernel == row.kernel
            and target.statistic == "max"
            and agrees(row.parameters, target.where)
        ):
            return target.at_most
    return None


def figures(result: Result) -> list[dict[str, Any]]:
    """Title (the finding), chart and what the chart is, in order."""
    found = timeline.figures(result, timeline.extremes(result))
    for metric in HISTOGRAMS:
        if metric not in result.definition.metrics:
            continue
        for parameters in result.definition.metrics[metric].combinations:
            series = _histograms(result, metric, parameters)
            few = len(series) <= chart.NAMED
            drawn = (chart.histogram if few else distribution.ridges)(series, "cycles")
            found.append(_distributed(result, metric, parameters, drawn))
    return [*found, *grown(result), *declared.figures(result)]


def latency_figures(result: Result) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """For many kernels: histograms and shares above x of interrupt to task; curves."""
    found = []
    for parameters in result.definition.metrics[HISTOGRAMS[0]].combinations:
        series = _histograms(result, HISTOGRAMS[0], parameters)
        rows = distribution.ridges(series, "cycles")
        found.append(_distributed(result, HISTOGRAMS[0], parameters, rows))
        drawn = distribution.exceeding(series, "cycles")
        words = finding.LOAD_WORDS[str(parameters["load"])]
        found.append(
            {
                "title": finding.tail_title(words, [(each.name, each.points) for each in series]),
                "chart": drawn,
                "legend": [(each.name, each.slot) for each in series],
                "note": "Share of the samples that take longer than so many cycles, log scale.",
                "source": footnote(result, result.kernels),
            }
        )
    return found, grown(result)


def _distributed(result: Result, metric: str, parameters: Parameters, drawn: str) -> dict[str, Any]:
    return {
        "title": finding.histogram_title(result, metric, parameters),
        "chart": drawn,
        "note": f"{metric}: {result.definition.metrics[metric].edges}. Number of samples on a log"
        " scale.",
        "source": footnote(result, result.kernels),
    }


def grown(result: Result) -> list[dict[str, Any]]:
    """Curves of the worst case over a number of tasks."""
    return [
        _curves(result, what, metric, key, dict(fixed), "task", axis)
        for what, metric, key, fixed, axis in CURVES
        if metric in result.definition.metrics
    ]


def _histograms(result: Result, metric: str, parameters: Parameters) -> list[Series]:
    return [
        Series(kernel, slot, result.get(kernel, metric, parameters).histogram)
        for kernel, slot in slots(result.kernels).items()
    ]


def _curves(
    result: Result, what: str, metric: str, key: str, fixed: Parameters, unit: str, axis: str
) -> dict[str, Any]:
    """Worst cases of a metric over one parameter."""
    xs = [
        p for p in result.definition.metrics[metric].combinations if key in p and agrees(p, fixed)
    ]
    series = [
        Series(kernel, slot, [(int(p[key]), result.get(kernel, metric, p).row.max) for p in xs])
        for kernel, slot in slots(result.kernels).items()
    ]
    edges = result.definition.metrics[metric].edges
    return {
        "title": finding.curve_title(what, [(each.name, each.points) for each in series], unit),
        **lines_of(series, axis, "cycles, worst case"),
        "note": f"{metric}: {edges}.",
        "source": footnote(result, result.kernels),
    }


def configurations(result: Result) -> list[tuple[str, str]]:
    """Configuration as (key, value); values that systems differ in are followed by their kernels:
    `none (sw); bus (hwrtos, booster)`."""
    systems = {kernel: result.provenance["systems"][kernel] for kernel in result.kernels}
    keys = dict.fromkeys(key for system in systems.values() for key in system)
    found = []
    for key in keys:
        having: dict[str, list[str]] = {}
        for kernel, system in systems.items():
            having.setdefault(str(system.get(key, "–")), []).append(kernel)
        each = (f"{value} ({', '.join(kernels)})" for value, kernels in having.items())
        found.append((key, next(iter(having)) if len(having) == 1 else "; ".join(each)))
    return found
