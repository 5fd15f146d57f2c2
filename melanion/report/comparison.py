# SPDX-License-Identifier: Apache-2.0
"""Charts that set kernels side by side: bars of several parts, and two costs against each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from melanion.report.chart import GLYPH, LINE, steps
from melanion.report.svg import LEFT, RIGHT, WIDTH, Frame, element, label, line, number, picture

BAR, GAP = 16, 10  # height of a bar, and between bars
CELL = 6.5  # width of one character of a plain label, at most
BESIDE = 4  # a name beside its point


@dataclass(frozen=True)
class Part:
    """One part of every bar: `values` by the bar's name; a bar may lack it."""

    name: str
    slot: int
    values: dict[str, float]


@dataclass(frozen=True)
class Point:
    """Two costs of `name`; `front`: nothing is at least as good in both and better in one."""

    name: str
    slot: int
    x: float
    y: float
    front: bool


def stack(names: Sequence[str], parts: Sequence[Part], x_title: str) -> str:
    """Lying bars, their parts one behind the other, the sum at the end; a legend of the page names
    the parts."""
    sums = {name: sum(part.values.get(name, 0) for part in parts) for name in names}
    left = max(map(len, names)) * CELL + 8
    ticks = steps(max(sums.values()), 5)
    scale = (WIDTH - left - RIGHT - 30) / ticks[-1]
    top = 10
    bottom = top + (BAR + GAP) * len(names)
    drawn: list[str] = []
    for value in ticks:
        x = left + value * scale
        drawn.append(line("grid", x, top - 4, x, bottom))
        drawn.append(label(x, bottom + 14, number(value), "middle"))
    for row, name in enumerate(names):
        x, y = left, top + row * (BAR + GAP)
        drawn.append(label(left - 6, y + BAR - 4, name, "end"))
        for part in parts:
            wide = part.values.get(name, 0) * scale
            if wide > 0:
                place: dict[str, Any] = {"x": x, "y": y, "width": wide, "height": float(BAR)}
                kind = f"bar part s{part.slot}"
                said = f"{name}, {part.name}: {number(part.values[name])}"
                drawn.append(element("rect", class_=kind, title=said, **place))
            x += wide
        drawn.append(label(x + 4, y + BAR - 4, number(sums[name]), kind="axis"))
    drawn.append(label((left + WIDTH - RIGHT) / 2, bottom + 32, x_title, "middle"))
    return picture(drawn, f"Stacked bars: {x_title}", bottom + 38)


def fronts(found: Sequence[tuple[str, int, float, float]]) -> list[Point]:
    """Name, slot and two costs (less is better) → points; what is on the Pareto front is marked."""

    def beaten(x: float, y: float) -> bool:
        return any(a <= x and b <= y and (a < x or b < y) for _, _, a, b in found)

    return [Point(name, slot, x, y, not beaten(x, y)) for name, slot, x, y in found]


def scatter(points: Sequence[Point], x_title: str, y_title: str) -> str:
    """Points with their names, y on a log scale; the front is a line, what is on it is filled."""
    ticks = steps(max(max(point.x for point in points), 4), 5)
    low = math.floor(math.log10(max(min(point.y for point in points), 1)))
    high = math.log10(max(max(point.y for point in points), 2)) + 0.12
    frame = Frame(ticks[-1] * 1.12, low, high)
    decades = [
        (math.log10(base * 10**k), number(base * 10**k))
        for k in range(low, math.ceil(high))
        for base in (1, 2, 5)
        if math.log10(base * 10**k) <= high
    ]
    drawn = frame.y_axis(decades, y_title) + frame.x_axis(ticks, x_title)
    best = sorted((p for p in points if p.front), key=lambda p: p.x)
    corners: list[str] = []
    for i, point in enumerate(best):
        if i:
            corners.append(f"{frame.x(point.x):.1f},{_height(frame, best[i - 1]):.1f}")
        corners.append(f"{frame.x(point.x):.1f},{_height(frame, point):.1f}")
    drawn.append(element("polyline", class_="curve front", points=" ".join(corners)))
    taken = [(frame.x(p.x) - 6, frame.x(p.x) + 6, _height(frame, p) + 4) for p in points]
    for point in sorted(points, key=lambda p: p.y):
        x, y = frame.x(point.x), _height(frame, point)
        kind = f"mark s{point.slot}" if point.front else f"mark open s{point.slot}"
        said = f"{point.name}: {number(point.x)}, {number(point.y)}"
        drawn.append(element("circle", class_=kind, title=said, cx=x, cy=y, r=5))
        drawn.append(_named(point, x, y, taken))
    return picture(drawn, f"{y_title} against {x_title}")


def _height(frame: Frame, point: Point) -> float:
    return frame.y(math.log10(max(point.y, 1)))


def _named(point: Point, x: float, y: float, taken: list[tuple[float, float, float]]) -> str:
    """The name above its point or below it, to the right or to the left: where nothing is yet.
    `taken`: left, right and base line of every text and mark."""
    wide = GLYPH * len(point.name)
    above, below = y - 10, y + 18
    right, left = x + BESIDE, x - wide - BESIDE  # the front may go through the point, upright
    places = [(right, above), (right, below), (left, above), (left, below)]
    inside = [(left, base) for left, base in places if left >= LEFT and left + wide <= WIDTH]
    free = [
        (left, base)
        for left, base in inside
        if not any(abs(base - h) < LINE and left < b and a < left + wide for a, b, h in taken)
    ]
    left, base = (free or inside)[0]
    taken.append((left, left + wide, base))
    return label(left, base, point.name, kind=f"name s{point.slot}")
