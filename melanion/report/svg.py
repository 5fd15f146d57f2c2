# SPDX-License-Identifier: Apache-2.0
"""Elements of an SVG chart, and its plot area with axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 420, 270
DIGIT = 7.7  # width of a digit of a label
LEFT, RIGHT, TOP, BOTTOM = 64, 14, 26, 40


def element(tag: str, text: str | None = None, title: str = "", **attributes: str | float) -> str:
    """One element. `class_` is `class`, `text_anchor` is `text-anchor`; coordinates get one
    digit. `title`: what a browser shows when the mouse is over it."""
    words = []
    for key, value in attributes.items():
        text_value = value if isinstance(value, str) else f"{value:.1f}"
        words.append(f'{key.rstrip("_").replace("_", "-")}="{text_value}"')
    said = f"<title>{escape(title)}</title>" if title else ""
    inside = f">{said}{escape(text or '')}</{tag}>" if said or text is not None else "/>"
    return f"<{' '.join([tag, *words])}{inside}"


def label(x: float, y: float, text: str, anchor: str = "start", kind: str = "axis") -> str:
    return element("text", text, class_=kind, x=x, y=y, text_anchor=anchor)


def tick(x: float, y: float, text: str) -> str:
    """A number below an axis; at the right edge it ends there."""
    if x + DIGIT * len(text) / 2 > WIDTH:
        return label(WIDTH - 1, y, text, "end")
    return label(x, y, text, "middle")


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return element("line", class_=kind, x1=x1, y1=y1, x2=x2, y2=y2)


def picture(parts: Sequence[str], description: str, height: float = HEIGHT) -> str:
    """The whole chart."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(description)}"'
        f' xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def number(value: float) -> str:
    """12 345 with narrow spaces; a fraction only below 10."""
    if value != int(value) and abs(value) < 10:
        return f"{value:.1f}"
    return f"{round(value):,}".replace(",", "\u202f")


def short(value: float) -> str:
    """Format like `number`; from 100 000 on in thousands (k) or millions (M), to fit beside an
    axis."""
    if value >= 1e6:
        return f"{value / 1e6:.3g}\u202fM"
    return f"{value / 1e3:.3g}\u202fk" if value >= 1e5 else number(value)


@dataclass(frozen=True)
class Frame:
    """The plot area: x from 0 to `x_high`, y from `y_low` to `y_high`; `height` of the whole chart,
    `right`: its margin there."""

    x_high: float
    y_low: float
    y_high: float
    height: float = HEIGHT
    right: float = RIGHT

    @property
    def bottom(self) -> float:
        return self.height - BOTTOM

    def x(self, value: float) -> float:
        return LEFT + value / self.x_high * (WIDTH - LEFT - self.right)

    def y(self, value: float) -> float:
        share = (value - self.y_low) / (self.y_high - self.y_low)
        return self.bottom - share * (self.bottom - TOP)

    def y_axis(self, ticks: Sequence[tuple[float, str]], title: str) -> list[str]:
        """Grid lines with their values, and the title, upright."""
        parts = []
        for value, text in ticks:
            y = self.y(value)
            parts.append(line("grid", LEFT, y, WIDTH - self.right, y))
            parts.append(label(LEFT - 4, y + 4, text, "end"))
        turn = f"translate(11 {(TOP + self.bottom) / 2:.0f}) rotate(-90)"
        parts.append(element("text", title, class_="axis", transform=turn, text_anchor="middle"))
        return parts

    def x_axis(self, ticks: Sequence[float], title: str, texts: Sequence[str] = ()) -> list[str]:
        """Numbers below the axis, or `texts` in their places; one that has no room is left out."""
        shown: list[str] = []
        places = [(self.x(value), number(value)) for value in ticks]
        if texts:
            places = [(x, text) for (x, _), text in zip(places, texts, strict=True)]
        free = float(WIDTH)
        for x, text in reversed(places):
            if x + DIGIT * len(text) / 2 <= free or x == places[-1][0]:
                shown.insert(0, tick(x, self.bottom + 15, text))
                free = x - DIGIT * len(text) / 2
        base = line("base", LEFT, self.bottom, WIDTH - self.right, self.bottom)
        middle = (LEFT + WIDTH - self.right) / 2
        return [base, *shown, label(middle, self.height - 6, title, "middle")]
