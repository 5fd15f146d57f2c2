# SPDX-License-Identifier: Apache-2.0
"""The picture of README.md: how long an interrupt waits for its task at worst, a row per kernel, on
a log scale. One load for all kernels; beside it the worst over every cycle of every kernel call.

Pure: the caller supplies the figures. One whole SVG file, light and dark; its text is at least
9 px high where it is shown 360 px wide. `data-kernel` names the kernel of a mark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from melanion.report.colours import KERNELS
from melanion.report.readme import whole
from melanion.report.svg import element, label, line, number

WIDTH, NATURAL = 480, 720  # width in SVG coordinates; in pixels, if there is room
LEFT, RIGHT = 128, 24  # margins of the plot: names; half of the last number
HEAD, ROW, FOOT = 92, 42, 42  # heights: title and legend, a kernel, axis
UPPER, LOWER = 15, 31  # from the top of a row to its two lines of marks
DISC, DIAMOND = 5.0, 4.5
DIGIT = 7.4  # width of a bold digit, at most
BESIDE = 9  # from a mark to its number
STYLE = (
    "text{paint-order:stroke;stroke:var(--page);stroke-width:4px}",  # grid lines go around it
    ".value{font-weight:600;font-size:13px} .span{stroke-width:1.5}",
    ".key{fill:var(--text);stroke:var(--text)} .open{fill:var(--page);stroke-width:1.5}",
    *(
        f".s{i}.value{{fill:var(--s{i})}} .s{i}.span,.s{i}.open{{stroke:var(--s{i})}}"
        f" .s{i}.open{{fill:var(--page)}}"
        for i in sorted(KERNELS.values())
    ),
)
TITLE = "Interrupt → running task: clock cycles at worst, log scale"


@dataclass(frozen=True)
class Worst:
    """Cycles of one kernel. `words`: beside its name; `slot`: its colour; `loaded`: the largest of
    `samples` interrupts at random times under the one load; `every`: the largest over every cycle
    of every call, with few tasks or objects in it and with more. None: not measured."""

    name: str
    words: str
    slot: int
    loaded: int
    samples: int
    every: tuple[int, int] | None


@dataclass(frozen=True)
class Scale:
    """Cycles to x, logarithmic, between two of the axis' round values."""

    low: int
    high: int

    def x(self, cycles: float) -> float:
        share = math.log10(cycles / self.low) / math.log10(self.high / self.low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)


def ticks(least: int, most: int) -> list[int]:
    """1, 2, 5 · 10^k from at most `least` to at least `most`; both are at least 1."""
    every = [factor * 10**k for k in range(8) for factor in (1, 2, 5)]
    first = max(i for i, value in enumerate(every) if value <= least)
    last = min(i for i, value in enumerate(every) if value >= most)
    return every[first : max(last, first + 1) + 1]


def picture(rows: Sequence[Worst], few: str, more: str) -> str:
    """The SVG file. `few`, `more`: what the two values of `every` meet, in words."""
    found = [value for row in rows for value in (row.loaded, *(row.every or ()))]
    axis = ticks(min(found), max(found))
    scale = Scale(axis[0], axis[-1])
    bottom = HEAD + ROW * len(rows)
    parts = [label(8, 22, TITLE, kind="title"), *_legend(rows, few, more)]
    for value in axis:
        x = scale.x(value)
        parts.append(line("grid", x, HEAD, x, bottom))
        parts.append(label(x, bottom + 17, number(value), "middle"))
    parts.append(label((LEFT + WIDTH - RIGHT) / 2, bottom + 35, "clock cycles", "middle"))
    for place, row in enumerate(rows):
        parts += _row(row, HEAD + ROW * place, scale)
    text = description(rows, few, more)
    return whole(parts, WIDTH, bottom + FOOT, text, natural=NATURAL, style=STYLE)


def description(rows: Sequence[Worst], few: str, more: str) -> str:
    """Every figure of the picture, in words."""
    loaded = ", ".join(f"{row.name} {row.loaded}" for row in rows)
    every = ", ".join(f"{r.name} {r.every[0]} and {r.every[1]}" for r in rows if r.every)
    without = [row.name for row in rows if row.every is None]
    lacking = f"; not measured with {', '.join(without)}" if without else ""
    return (
        "Clock cycles from an interrupt to its running task, at worst, while tasks make kernel"
        f" calls: {loaded}. Over every cycle of every kernel call, {few} and {more}:"
        f" {every}{lacking}."
    )


def _legend(rows: Sequence[Worst], few: str, more: str) -> list[str]:
    """The two kinds of marks, in the colour of text: their own colours are those of kernels."""
    samples = max(row.samples for row in rows)
    texts = (
        f"slowest of {number(samples)} interrupts at random times, in a load of kernel calls",
        "slowest of an interrupt in every cycle of every kernel call:",
        f"{few} … {more}",
    )
    parts = [element("circle", class_="mark key", cx=16, cy=38, r=DISC)]
    parts += [_diamond(12, 56, "open key"), _diamond(22, 56, "open key")]
    return [*parts, *(label(34, 42 + 18 * i, text) for i, text in enumerate(texts))]


def _row(row: Worst, top: float, scale: Scale) -> list[str]:
    slot = row.slot
    upper, lower = top + UPPER, top + LOWER
    x = scale.x(row.loaded)
    parts = [
        line("grid", 8, top, WIDTH - 8, top),
        label(8, upper + 4, row.name, kind=f"name s{slot}"),
        label(8, lower + 4, row.words),
        element("circle", class_=f"mark s{slot}", data_kernel=row.name, cx=x, cy=upper, r=DISC),
        _beside(x, x, upper, number(row.loaded), f"value s{slot}"),
    ]
    if row.every is None:
        return [*parts, label(WIDTH - RIGHT, lower + 4, "every cycle: not measured", "end")]
    left, right = (scale.x(value) for value in row.every)
    few, more = map(number, row.every)
    parts.append(line(f"span s{slot}", left, lower, right, lower))
    parts += [_diamond(place, lower, f"open s{slot}", row.name) for place in (left, right)]
    parts.append(_beside(left, right, lower, few if few == more else f"{few} … {more}", "axis"))
    return parts


def _diamond(x: float, y: float, kind: str, kernel: str = "") -> str:
    half = DIAMOND
    corners = ((x, y - half), (x + half, y), (x, y + half), (x - half, y))
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    named = {"data_kernel": kernel} if kernel else {}
    return element("polygon", class_=f"mark {kind}", points=points, **named)


def _beside(left: float, right: float, y: float, text: str, kind: str) -> str:
    """A number right of its marks; left of them where there is no room."""
    if right + BESIDE + DIGIT * len(text) <= WIDTH - 4:
        return label(right + BESIDE, y + 4, text, kind=kind)
    return label(left - BESIDE, y + 4, text, "end", kind)
