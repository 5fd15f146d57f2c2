# SPDX-License-Identifier: Apache-2.0
"""Charts of how latencies are distributed: a log-y histogram per kernel, one above the other, and
the share of samples that take longer than x, on a log scale, as a curve per kernel.

For more kernels than fit into one histogram of `chart`. Series as there; colours and strokes are
classes of the page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from melanion.report.chart import (
    BINS,
    GLYPH,
    ONE_SAMPLE,
    Series,
    bin_widths,
    binned,
    counted,
    steps,
)
from melanion.report.svg import (
    BOTTOM,
    HEIGHT,
    RIGHT,
    TOP,
    WIDTH,
    Frame,
    element,
    label,
    line,
    number,
    picture,
    tick,
)

ROW = 50  # height of one kernel's histogram
HEAD = 15  # part of ROW for the text above the histogram
STROKES = 6  # kinds of strokes: no dashes, and the classes dash1 … dash5


def ridges(series: Sequence[Series], x_title: str) -> str:
    """Counts over values; each row has its own log scale from 1, its largest value is named."""
    ticks = steps(max(1.02 * max(each.last[0] for each in series), 4), 6)
    width = next(width for width in bin_widths() if ticks[-1] / width <= BINS)
    left = max(len(each.name) for each in series) * GLYPH * 0.85 + 8
    bottom = TOP + ROW * len(series)
    height = bottom + BOTTOM
    scale = (WIDTH - left - RIGHT) / ticks[-1]
    parts = []
    for value in ticks:
        x = left + value * scale
        parts.append(line("grid", x, TOP, x, bottom))
        parts.append(tick(x, bottom + 15, number(value)))
    for row, each in enumerate(series):
        base = TOP + ROW * (row + 1)
        bins = binned(each.points, width)
        most = max(math.log10(max(count for _, count in bins)), 1.0)
        parts.append(line("base", left, base, WIDTH - RIGHT, base))
        parts.append(label(left - 6, base - 4, each.name, "end", f"name s{each.slot}"))
        for start, count in bins:
            tall = (math.log10(count) - ONE_SAMPLE) / (most - ONE_SAMPLE) * (ROW - HEAD)
            wide = max(width * scale - 0.5, 1.5)
            place: dict[str, Any] = {
                "x": left + start * scale,
                "y": base - tall,
                "width": wide,
                "height": tall,
            }
            said = counted(each.name, start, width, count)
            parts.append(element("rect", class_=f"bar s{each.slot}", title=said, **place))
        parts += _largest(each, left, scale, base)
    parts.append(label((left + WIDTH - RIGHT) / 2, height - 6, x_title, "middle"))
    return picture(parts, f"Histograms: {x_title}", height)


def _largest(each: Series, left: float, scale: float, base: float) -> list[str]:
    """A mark and a number at the largest value, left of it where there is no room at its right."""
    x, text = left + each.last[0] * scale, f"max {number(each.last[0])}"
    room = WIDTH - RIGHT - x > GLYPH * len(text)
    parts = [line(f"limit s{each.slot}", x, base - ROW + HEAD - 3, x, base)]
    place, anchor = (x + 3, "start") if room else (x - 3, "end")
    parts.append(label(place, base - ROW + HEAD - 3, text, anchor, f"name s{each.slot}"))
    return parts


def exceeding(series: Sequence[Series], x_title: str) -> str:
    """The share of samples above x, log scale, from 1 down to one sample."""
    ticks = steps(max(1.02 * max(each.last[0] for each in series), 4), 6)
    totals = {each.slot: sum(count for _, count in each.points) for each in series}
    decades = max(math.ceil(math.log10(max(totals.values()))), 1)
    height = TOP + ROW * len(series) + BOTTOM  # that of the histograms beside it
    frame = Frame(ticks[-1], -decades, 0.0, height=max(height, HEIGHT))
    parts = frame.y_axis([(-k, _share(k)) for k in range(decades + 1)], "share that takes longer")
    parts += frame.x_axis(ticks, x_title)
    for each in series:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in _steps(each, totals[each.slot], frame))
        dashes = f" dash{each.slot % STROKES}" if each.slot % STROKES else ""
        kind = f"curve s{each.slot}{dashes}"
        parts.append(element("polyline", class_=kind, points=path))
    return picture(parts, f"Share that takes longer than x: {x_title}", frame.height)


def _steps(each: Series, total: int, frame: Frame) -> list[tuple[float, float]]:
    """Corners of the curve: it falls at every value that was seen, at the last one to nothing."""
    places = [(frame.x(0), frame.y(0))]
    above = total
    for value, count in each.points:
        places.append((frame.x(value), places[-1][1]))
        above -= count
        height = max(math.log10(above / total), frame.y_low) if above else frame.y_low
        places.append((frame.x(value), frame.y(height)))
    return places


def _share(decades: int) -> str:
    return f"{10**-decades:.{decades}f}"
