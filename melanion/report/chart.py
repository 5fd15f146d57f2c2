# SPDX-License-Identifier: Apache-2.0
"""Small SVG charts: a log-y histogram and a line chart, both of several series.

Colours, fonts and strokes are classes of the page (report.html.j2), so that a chart follows its
light or dark scheme. The text of a chart is about 10 px high where the chart is 340 px wide, the
narrowest that the page makes it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from melanion.report.svg import (
    RIGHT,
    TOP,
    WIDTH,
    Frame,
    element,
    label,
    line,
    number,
    picture,
    short,
)

BINS = 70  # at most, in a histogram
GLYPH = 8.7  # width of one bold character at most
LINE = 13  # height of a line of text
BAR, GAP = 11, 7  # heights of a bar and between groups of them
VALUES = 60  # margin for the values at the ends of curves without names
FAR = 200  # from the first x to so many times it the x axis of curves is linear
NAMED = 3  # at most so many curves have their names beside them
ONE_SAMPLE = -0.3  # foot of a histogram, below log10(1), so that a single sample is a bar


@dataclass(frozen=True)
class Series:
    """`points`: ascending (x, y); `slot` chooses colour and mark."""

    name: str
    slot: int
    points: Sequence[tuple[int, int]]

    @property
    def last(self) -> tuple[int, int]:
        return self.points[-1]


def steps(high: float, most: int) -> list[float]:
    """Round values from 0 to at least `high`, in at most `most` steps of 1, 2 or 5 · 10^k."""
    size = 1.0
    while high / size > most:
        size *= 2.5 if str(int(size))[0] == "2" else 2
    return [size * i for i in range(math.ceil(high / size) + 1)]


def histogram(series: Sequence[Series], x_title: str) -> str:
    """Counts (log scale) over values; the largest value of each series is named."""
    ticks = steps(max(1.02 * max(each.last[0] for each in series), 4), 6)
    width = next(width for width in bin_widths() if ticks[-1] / width <= BINS)
    bars_of = {each.slot: binned(each.points, width) for each in series}
    names = {each.slot: each.name for each in series}
    most = max(count for bins in bars_of.values() for _, count in bins)
    frame = Frame(ticks[-1], ONE_SAMPLE, max(math.log10(most) + 0.15, 1.0))
    decades = range(math.floor(frame.y_high) + 1)
    parts = frame.y_axis([(float(k), number(10**k)) for k in decades], "samples")
    parts += frame.x_axis(ticks, x_title)
    for slot, bins in bars_of.items():
        for left, count in bins:
            x, y = frame.x(left), frame.y(math.log10(count))
            wide = max(frame.x(left + width) - x - 0.5, 1.0)
            tall = frame.bottom - y
            kind, said = f"bar s{slot}", counted(names[slot], left, width, count)
            parts.append(
                element("rect", class_=kind, title=said, x=x, y=y, width=wide, height=tall)
            )
    return picture([*parts, *_maxima(frame, series)], f"Histogram: {x_title}")


def _maxima(frame: Frame, series: Sequence[Series]) -> list[str]:
    """A line at each largest value, named above; names that would overlap stand side by side."""
    ordered = sorted(series, key=lambda each: each.last[0])
    texts = [f"{each.name} max {number(each.last[0])}" for each in ordered]
    widths = [GLYPH * len(text) for text in texts]
    lefts: list[float] = []
    for i, each in enumerate(ordered):
        free = lefts[i - 1] + widths[i - 1] + GLYPH if i else 0.0
        lefts.append(max(frame.x(each.last[0]) - widths[i] / 2, free))
    limit = float(WIDTH)
    for i in reversed(range(len(lefts))):
        lefts[i] = min(lefts[i], limit - widths[i])
        limit = lefts[i] - GLYPH
    parts = []
    for each, text, left in zip(ordered, texts, lefts, strict=True):
        x = frame.x(each.last[0])
        parts.append(line(f"limit s{each.slot}", x, TOP - 4, x, frame.bottom))
        parts.append(label(left, TOP - 9, text, kind=f"name s{each.slot}"))
    return parts


def bin_widths() -> list[int]:
    return [factor * 10**k for k in range(8) for factor in (1, 2, 5)]


def binned(points: Sequence[tuple[int, int]], width: int) -> list[tuple[int, int]]:
    bins: dict[int, int] = {}
    for value, count in points:
        left = value // width * width
        bins[left] = bins.get(left, 0) + count
    return sorted(bins.items())


def counted(name: str, left: int, width: int, count: int) -> str:
    """`sw, 280 … 289: 12 samples`: what a bar of a histogram stands for."""
    last = f" … {number(left + width - 1)}" if width > 1 else ""
    return f"{name}, {number(left)}{last}: {number(count)} sample{'s' * (count != 1)}"


def lines(series: Sequence[Series], x_title: str, y_title: str, *, named: bool = True) -> str:
    """One curve per series, from 0 upwards; each point is marked, the last one has its value, and
    `named` its name: more than a few have no room there, and a legend of the page names them."""
    xs = sorted({x for each in series for x, _ in each.points})
    far = xs[0] > 0 and xs[-1] >= FAR * xs[0]

    def along(x: float) -> float:
        return math.log10(x / xs[0]) + 0.2 if far else x

    ticks = steps(max(4, *(y for each in series for _, y in each.points)), 5)
    frame = (
        Frame(along(xs[-1]) * 1.12, 0, ticks[-1])
        if named
        else Frame(along(xs[-1]) * 1.02, 0, ticks[-1], right=VALUES)
    )
    parts = frame.y_axis([(tick, short(tick)) for tick in ticks], y_title)
    title = f"{x_title}, log scale" if far else x_title
    parts += frame.x_axis([along(x) for x in xs], title, [number(x) for x in xs])
    ordered = sorted(series, key=lambda one: -one.last[1])
    heights = _apart([frame.y(each.last[1]) for each in ordered], frame, named)
    for each, height in zip(ordered, heights, strict=True):
        places = [(frame.x(along(x)), frame.y(y)) for x, y in each.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(element("polyline", class_=f"curve s{each.slot}", points=path))
        said = (f"{each.name}, {number(x)}: {number(y)}" for x, y in each.points)
        parts += [_mark(x, y, each.slot, w) for (x, y), w in zip(places, said, strict=True)]
        value = each.last[1]
        full = f"{each.name} {number(value)}"
        text, right = (full, WIDTH - RIGHT) if named else (short(value), WIDTH - 1)
        parts.append(label(right, height, text, "end", f"name s{each.slot}"))
    return picture(parts, f"{y_title} over {x_title}")


def _apart(ends: Sequence[float], frame: Frame, named: bool) -> list[float]:
    """Heights of the texts at curves that end at `ends`, ascending: none over another one; those
    beside the curves do not leave the plot."""
    found: list[float] = []
    for end in ends:
        height = end - 8 if named else end + 4
        while any(abs(height - other) < LINE for other in found):
            height += LINE
        found.append(height)
    limit = frame.bottom + 4
    if not named:
        for i in reversed(range(len(found))):
            found[i] = min(found[i], limit)
            limit = found[i] - LINE
    return found


def _mark(x: float, y: float, slot: int, said: str) -> str:
    """A disc or a square, so that series differ without colour."""
    kind = f"mark s{slot}"
    if slot % 2:
        return element("rect", None, said, class_=kind, x=x - 3.5, y=y - 3.5, width=7, height=7)
    return element("circle", None, said, class_=kind, cx=x, cy=y, r=4)


def bars(
    names: Sequence[str], series: Sequence[Series], x_title: str, *, named: bool = True
) -> str:
    """Lying bars, a group for each name: of each series its value, which stands at its end.
    `points` of a series: (place of the name, value). `named`: with the names of the series above;
    more than a few have no room there, and a legend of the page names them."""
    high = max(y for each in series for _, y in each.points)
    left = max(map(len, names)) * GLYPH * 0.8 + 6
    scale = (WIDTH - left - RIGHT - 4 * GLYPH) / max(high, 1)
    tall = BAR * len(series) + GAP
    parts = []
    for place, name in enumerate(names):
        top = TOP + place * tall
        parts.append(label(left - 6, top + (tall - GAP) / 2 + 4, name, "end"))
        for row, each in enumerate(series):
            value = dict(each.points).get(place)
            if value is None:
                continue
            y, wide = top + row * BAR, max(value * scale, 1.0)
            kind = f"bar s{each.slot}"
            said = f"{name}, {each.name}: {number(value)}"
            parts.append(
                element("rect", None, said, class_=kind, x=left, y=y, width=wide, height=BAR - 1)
            )
            parts.append(label(left + wide + 3, y + BAR - 2, number(value), kind="value"))
    at = left
    for each in series if named else ():
        parts.append(label(at, TOP - 10, each.name, kind=f"name s{each.slot}"))
        at += GLYPH * (len(each.name) + 1)
    return picture(parts, f"Bars: {x_title}", TOP + tall * len(names) + GAP)
