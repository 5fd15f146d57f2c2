# SPDX-License-Identifier: Apache-2.0
"""Charts of a sweep: two costs against each other with the front, and parallel coordinates, whose
axes lie one below the other so that they are readable on a narrow screen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from melanion.report.chart import steps
from melanion.report.svg import (
    DIGIT,
    WIDTH,
    Frame,
    element,
    label,
    line,
    number,
    picture,
    short,
)

MOST = 1500  # points drawn beside those on the front
MANY = 100  # lines, of which more would hide the front unless they are paler
LEFT, RIGHT = 14, 406  # ends of an axis of parallel coordinates
ROW, FIRST = 46, 26  # from one axis to the next; height of the first


@dataclass(frozen=True)
class Dot:
    """The costs of a system."""

    system: str
    slot: int
    x: float
    y: float
    front: bool


@dataclass(frozen=True)
class Axis:
    """`places`: of each drawn point, 0 to 1; `ticks`: place → text."""

    title: str
    places: Sequence[float]
    ticks: Mapping[float, str]


def thinned(count: int, most: int = MOST) -> list[int]:
    """At most so many of `count` places, evenly."""
    return list(range(count)) if count <= most else [i * count // most for i in range(most)]


def scatter(dots: Sequence[Dot], x_title: str, y_title: str) -> str:
    """Two costs, y on a log scale; filled: on the front of all three costs, which has no line in a
    plane."""
    ticks = steps(max(*(dot.x for dot in dots), 4), 5)
    # A margin of a tenth, so that costs that hardly differ are no line at an edge.
    low = math.log10(max(min(dot.y for dot in dots), 1)) - 0.1
    high = math.log10(max(max(dot.y for dot in dots), 2)) + 0.1
    frame = Frame(ticks[-1] * 1.04, low, high)
    parts = frame.y_axis(_decades(low, high), y_title) + frame.x_axis(
        ticks, x_title, [short(tick) for tick in ticks]
    )
    ordered = sorted(dots, key=lambda dot: dot.front)  # the front is drawn last
    for dot in ordered:
        kind = f"mark s{dot.slot}" if dot.front else f"mark open faint s{dot.slot}"
        x, y = frame.x(dot.x), frame.y(math.log10(max(dot.y, 1)))
        said = f"{dot.system}: {number(dot.x)}, {number(dot.y)}"
        r = 4.5 if dot.front else 3
        parts.append(element("circle", None, said, class_=kind, cx=x, cy=y, r=r))
    return picture(parts, f"{y_title} against {x_title}")


def _decades(low: float, high: float) -> list[tuple[float, str]]:
    """Round values between two logarithms, a few of them also where they are near."""
    for bases in ((1, 2, 5), (1, 1.5, 2, 3, 4, 5, 7), tuple(i / 10 for i in range(10, 100, 2))):
        found = [
            (math.log10(base * 10**k), short(base * 10**k))
            for k in range(math.floor(low), math.ceil(high) + 1)
            for base in bases
            if low <= math.log10(base * 10**k) <= high
        ]
        if len(found) >= 3:
            return found[:: math.ceil(len(found) / 8)]
    return found


def parallel(axes: Sequence[Axis], slots: Sequence[int], front: Sequence[bool]) -> str:
    """A line for each point, through its place on every axis; those on the front are strong."""
    height = FIRST + ROW * (len(axes) - 1) + 22
    parts: list[str] = []
    for y in range(FIRST, FIRST + ROW * len(axes), ROW):
        parts.append(line("base", LEFT, y, RIGHT, y))
    order = sorted(range(len(slots)), key=lambda i: front[i])
    faint = "faint" if len(slots) <= MANY else "fainter"
    for i in order:
        path = " ".join(
            f"{_x(axis.places[i]):.1f},{FIRST + ROW * row}" for row, axis in enumerate(axes)
        )
        kind = f"curve best s{slots[i]}" if front[i] else f"curve {faint} s{slots[i]}"
        parts.append(element("polyline", class_=kind, points=path))
    for row, axis in enumerate(axes):
        y = FIRST + ROW * row
        parts.append(label(LEFT, y - 8, axis.title, kind="name halo"))
        parts += _ticks(axis, y)
    return picture(parts, f"Parallel coordinates: {', '.join(axis.title for axis in axes)}", height)


def _x(place: float) -> float:
    return LEFT + place * (RIGHT - LEFT)


def _ticks(axis: Axis, y: float) -> list[str]:
    """Texts below an axis; one that has no room is left out, the first and the last stay."""
    ordered = sorted(axis.ticks.items())
    found: list[str] = []
    last = ordered[-1][0]
    end = _span(*ordered[-1])[0] if len(ordered) > 1 else float(WIDTH)
    free = 0.0
    for place, text in ordered:
        left, right = _span(place, text)
        if (place != last and right + DIGIT > end) or left < free:
            continue
        found.append(label(left, y + 15, text, kind="axis halo"))
        free = right + DIGIT
    return found


def _span(place: float, text: str) -> tuple[float, float]:
    wide = DIGIT * len(text)
    left = min(max(_x(place) - wide / 2, 1.0), WIDTH - wide - 1)
    return left, left + wide


def of_values(title: str, values: Sequence[object], every: Sequence[object]) -> Axis:
    """Axis of a parameter: its values evenly spaced, in the order of the file."""
    last = max(len(every) - 1, 1)
    place = {value: i / last for i, value in enumerate(every)}
    texts = {i / last: text_of(value) for i, value in enumerate(every)}
    return Axis(title, [place[value] for value in values], texts)


def text_of(value: object) -> str:
    """A value of a parameter, or a cost."""
    return number(value) if isinstance(value, int) else str(value)


def of_costs(title: str, values: Sequence[float]) -> Axis:
    """Axis of a cost, linear from its least to its greatest value."""
    low, high = min(values), max(values)
    wide = high - low or 1
    return Axis(
        title,
        [(value - low) / wide for value in values],
        {0.0: short(low), 1.0: short(high)} if high > low else {0.0: short(low)},
    )
