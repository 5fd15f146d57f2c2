# SPDX-License-Identifier: Apache-2.0
"""Findings of figures, as sentences computed from the rows. A sentence never says more than the
numbers do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from melanion.claims.result import Result
from melanion.measure.rows import Parameters, Row
from melanion.report.svg import number

LOAD = "calls"  # the load of a page's first sentence
FLAT = 4  # cycles: a curve whose values differ by no more is called flat

LOAD_WORDS = {
    "idle": "while the core computes",
    "calls": "under kernel-call load",
    "divide": "while the core divides",
    "few": "in calls that meet few tasks",
    "many": "in calls that meet many",
}


def worst(rows: Sequence[Row]) -> str:
    """`at most 118 cycles with hwrtos, 487 with sw`, the best kernel first."""
    ordered = sorted(rows, key=lambda row: row.max)
    first, rest = ordered[0], ordered[1:]
    return ", ".join(
        [f"at most {number(first.max)} cycles with {first.kernel}"]
        + [f"{number(row.max)} with {row.kernel}" for row in rest]
    )


def histogram_title(result: Result, metric: str, parameters: Parameters) -> str:
    rows = [result.get(kernel, metric, parameters).row for kernel in result.kernels]
    title = result.definition.metrics[metric].title
    words = LOAD_WORDS.get(str(parameters.get("load")), "")
    return f"{title} {words}: {worst(rows)}".replace(" :", ":")


def row_title(result: Result, metric: str, parameters: Parameters) -> str:
    """The title of a metric with its parameters in words."""
    words = []
    for key, value in parameters.items():
        if key == "load":
            words.append(LOAD_WORDS.get(str(value), str(value)))
        elif key == "which":
            words.append(f"{value} task")
        else:
            words.append(f"n = {value}" if key == "n" else f"{value} {key}")
    title = result.definition.metrics[metric].title
    return f"{title} ({', '.join(words)})" if words else title


def worst_case_title(what: str, cycles: Mapping[str, int]) -> str:
    """`Interrupt to task, at its slowest of all loads: 50 cycles with banked, 115 hwrtos, 815
    freertos`, the fastest kernel first."""
    (kernel, least), *rest = sorted(cycles.items(), key=lambda each: each[1])
    words = [f"{number(least)} cycles with {kernel}", *(f"{number(n)} {name}" for name, n in rest)]
    return f"{what}, at its slowest of all loads: {', '.join(words)}"


def tail_title(load: str, curves: Sequence[tuple[str, Sequence[tuple[int, int]]]]) -> str:
    """Distance of the worst sample from the median: `From the median to the worst case, under load:
    12 cycles with hwrtos, 120 sw`."""

    def spread(points: Sequence[tuple[int, int]]) -> int:
        half, seen = sum(count for _, count in points) / 2, 0
        for value, count in points:
            seen += count
            if seen >= half:
                return points[-1][0] - value
        return 0

    ordered = sorted(((spread(points), name) for name, points in curves))
    (least, first), rest = ordered[0], ordered[1:]
    unit = "cycle" if least == 1 else "cycles"
    words = [f"{number(least)} {unit} with {first}", *(f"{number(v)} {name}" for v, name in rest)]
    return f"From the median to the worst case, {load}: {', '.join(words)}"


def _curve(kernel: str, points: Sequence[tuple[int, int]], unit: str, what: str) -> str:
    values = [y for _, y in points]
    low, high = min(values), max(values)
    if high - low <= FLAT:
        span = number(low) if low == high else f"{number(low)}–{number(high)}"
        return f"{kernel} is flat at {span} {what}"
    (x0, y0), (x1, y1) = points[0], points[-1]
    if y1 <= y0:
        return f"{kernel} takes {number(low)}–{number(high)} {what}"
    slope = (y1 - y0) / (x1 - x0)
    words = number(slope) if slope >= 0.1 else "less than 0.1"
    return f"{kernel} grows by {words} {what} per {unit}, to {number(y1)}"


def curve_title(
    what: str,
    curves: Sequence[tuple[str, Sequence[tuple[int, int]]]],
    unit: str,
    measured: str = "cycles",
) -> str:
    """`First task after a tick: hwrtos is flat at 95–97 cycles; sw grows by 38 cycles per task, to
    1 310`."""
    ordered = sorted(curves, key=lambda curve: curve[1][-1][1])
    return f"{what}: " + "; ".join(
        _curve(kernel, points, unit, measured) for kernel, points in ordered
    )


def headline(result: Result) -> str:
    """The page's first sentence: the worst interrupt-to-task latency, of all kernels under the same
    load: kernel calls, where the experiment has that, else its last one."""
    metric = result.definition.metrics.get("irq_to_task")
    if metric is None:
        return ""
    loads = metric.combinations
    load = next((each for each in loads if each.get("load") == LOAD), loads[-1])
    rows = [result.get(kernel, "irq_to_task", load).row for kernel in result.kernels]
    words = LOAD_WORDS.get(str(load.get("load")), "")
    start = f"{words[0].upper()}{words[1:]}, an" if words else "An"
    return f"{start} interrupt has its task running after {worst(rows)}, in the worst case seen."
