"""Small SVG charts: a log-y histogram and a line chart, both of several series.

Colours, fonts and strokes are classes of the page (report.html.j2), so that a chart follows its light or dark scheme.
The text of a chart is about 10 px high where the chart is 340 px wide, the narrowest that the page makes it.
"""

from __future__ import annotations

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 420, 270
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 26, 40
BINS = 70  # at most, in a histogram
GLYPH = 8.7  # width of one bold character at most

Point = tuple[float, float]


@dataclass(frozen=True)
class Series:
    """`points`: ascending (x, y); `slot` chooses colour and mark."""

    name: str
    slot: int
    points: Sequence[tuple[int, int]]


def number(value: float) -> str:
    """12 345 with narrow spaces; a fraction only below 10."""
    if value != int(value) and abs(value) < 10:
        return f"{value:.1f}"
    return f"{round(value):,}".replace(",", "\u202f")


def steps(high: float, most: int) -> list[float]:
    """Round values from 0 to at least `high`, in at most `most` steps of 1, 2 or 5 · 10^k."""
    size = 1.0
    while high / size > most:
        size *= 2.5 if str(int(size))[0] == "2" else 2
    return [size * i for i in range(math.ceil(high / size) + 1)]


def histogram(series: Sequence[Series], x_title: str) -> str:
    """Counts (log scale) over values; the largest value of each series is named."""
    high = max(x for each in series for x, _ in each.points)
    ticks = steps(max(high * 1.02, 4), 6)
    width = next(w for w in _bin_widths() if ticks[-1] / w <= BINS)
    binned = [(each, _binned(each.points, width)) for each in series]
    top = max(math.log10(max(count for _, count in bins)) for _, bins in binned) + 0.15
    low = -0.3  # below one sample, so that a single sample is a bar
    frame = _Frame(ticks[-1], low, max(top, 1.0))
    decades = [float(10**k) for k in range(math.floor(frame.y_high) + 1)]
    body = [frame.y_grid([(math.log10(d), number(d)) for d in decades], "samples"), frame.x_axis(ticks, x_title)]
    for each, bins in binned:
        for left, count in bins:
            x0, x1 = frame.x(left), frame.x(left + width)
            y = frame.y(math.log10(count))
            body.append(
                f'<rect class="bar s{each.slot}" x="{x0:.1f}" y="{y:.1f}" width="{max(x1 - x0 - 0.5, 1):.1f}"'
                f' height="{frame.bottom - y:.1f}"/>'
            )
    body.append(_maxima(frame, series))
    return _svg("".join(body), f"Histogram: {x_title}")


def _maxima(frame: _Frame, series: Sequence[Series]) -> str:
    """A line at each largest value, with its name above the plot; names that would overlap stand side by side."""
    ordered = sorted(series, key=lambda each: each.points[-1][0])
    texts = [f"{each.name} max {number(each.points[-1][0])}" for each in ordered]
    lefts: list[float] = []
    for each, text in zip(ordered, texts, strict=True):
        wanted = frame.x(each.points[-1][0]) - GLYPH * len(text) / 2
        lefts.append(max(wanted, lefts[-1] + GLYPH * (len(texts[len(lefts) - 1]) + 1) if lefts else 0.0))
    limit = float(WIDTH)
    for i in reversed(range(len(lefts))):
        lefts[i] = min(lefts[i], limit - GLYPH * len(texts[i]))
        limit = lefts[i] - GLYPH
    parts = []
    for each, text, left in zip(ordered, texts, lefts, strict=True):
        x = frame.x(each.points[-1][0])
        parts.append(
            f'<line class="limit s{each.slot}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 4}" y2="{frame.bottom}"/>'
            f'<text class="name s{each.slot}" x="{left:.1f}" y="{TOP - 9}">{escape(text)}</text>'
        )
    return "".join(parts)


def _bin_widths() -> list[int]:
    return [factor * 10**k for k in range(8) for factor in (1, 2, 5)]


def _binned(points: Sequence[tuple[int, int]], width: int) -> list[tuple[int, int]]:
    bins: dict[int, int] = {}
    for value, count in points:
        left = value // width * width
        bins[left] = bins.get(left, 0) + count
    return sorted(bins.items())


def lines(series: Sequence[Series], x_title: str, y_title: str) -> str:
    """One curve per series, from 0 upwards; each point is marked, the last one has its value."""
    xs = sorted({x for each in series for x, _ in each.points})
    high = max(y for each in series for _, y in each.points)
    y_ticks = steps(max(high, 4), 5)
    frame = _Frame(xs[-1] * 1.12, 0, y_ticks[-1])
    body = [
        frame.y_grid([(tick, number(tick)) for tick in y_ticks], y_title),
        frame.x_axis([float(x) for x in xs], x_title),
    ]
    taken: list[float] = []
    for each in sorted(series, key=lambda s: -s.points[-1][1]):
        places = [(frame.x(x), frame.y(y)) for x, y in each.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        body.append(f'<polyline class="curve s{each.slot}" points="{path}"/>')
        body += [_mark(x, y, each.slot) for x, y in places]
        x, y = places[-1]
        y_text = y - 8
        while any(abs(y_text - other) < 13 for other in taken):
            y_text += 13
        taken.append(y_text)
        text = f"{each.name} {number(each.points[-1][1])}"
        body.append(
            f'<text class="name s{each.slot}" x="{WIDTH - RIGHT}" y="{y_text:.1f}" text-anchor="end">{escape(text)}</text>'
        )
    return _svg("".join(body), f"{y_title} over {x_title}")


def _mark(x: float, y: float, slot: int) -> str:
    """A disc or a square, so that series differ without colour."""
    if slot % 2:
        return f'<rect class="mark s{slot}" x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>'
    return f'<circle class="mark s{slot}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'


@dataclass(frozen=True)
class _Frame:
    """The plot area: x from 0 to `x_high`, y from `y_low` to `y_high`."""

    x_high: float
    y_low: float
    y_high: float

    @property
    def bottom(self) -> float:
        return HEIGHT - BOTTOM

    def x(self, value: float) -> float:
        return LEFT + value / self.x_high * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return self.bottom - (value - self.y_low) / (self.y_high - self.y_low) * (self.bottom - TOP)

    def y_grid(self, ticks: Sequence[tuple[float, str]], title: str) -> str:
        parts = [
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{self.y(v):.1f}" y2="{self.y(v):.1f}"/>'
            f'<text x="{LEFT - 6}" y="{self.y(v) + 4:.1f}" text-anchor="end">{text}</text>'
            for v, text in ticks
        ]
        middle = (TOP + self.bottom) / 2
        parts.append(
            f'<text class="axis" transform="translate(12 {middle:.0f}) rotate(-90)" text-anchor="middle">'
            f"{escape(title)}</text>"
        )
        return "".join(parts)

    def x_axis(self, ticks: Sequence[float], title: str) -> str:
        parts = [f'<line class="base" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{self.bottom}" y2="{self.bottom}"/>']
        parts += [
            f'<text x="{self.x(v):.1f}" y="{self.bottom + 15}" text-anchor="middle">{number(v)}</text>' for v in ticks
        ]
        middle = (LEFT + WIDTH - RIGHT) / 2
        parts.append(
            f'<text class="axis" x="{middle:.0f}" y="{HEIGHT - 6}" text-anchor="middle">{escape(title)}</text>'
        )
        return "".join(parts)


def _svg(body: str, label: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}"'
        f' xmlns="http://www.w3.org/2000/svg">{body}</svg>'
    )
