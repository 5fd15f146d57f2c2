# SPDX-License-Identifier: Apache-2.0
"""The page of a sweep: for each quantity the front, parallel coordinates and a table; what failed
and what was refused, with the causes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from melanion.report.colours import slots
from melanion.report.html import html
from melanion.report.svg import number
from melanion.sweep.chart import Axis, Dot, of_costs, of_values, parallel, scatter, text_of, thinned
from melanion.sweep.front import Answer, by_quantity, front
from melanion.sweep.plan import Plan, Quantity
from melanion.sweep.present import Sweep, counted

ROWS = 300  # lines of the table of all points; the files have the rest
SHOWN = 100  # failures, and refusals
KIB = 1024
MARKS = {"measured": "", "interpolated": "≈\u202f", "none": ""}


def page(sweep: Sweep) -> str:
    """The page as text."""
    return html(
        "melanion.sweep",
        "sweep.html.j2",
        sweep=sweep,
        parts=[_part(sweep, *each) for each in by_quantity(sweep.answers).items()],
        failed=sweep.of_state("failed"),
        refused=sweep.of_state("refused"),
        reasons=_reasons(sweep.answers),
        shown=SHOWN,
        provenance=sweep.provenance,
        tools=sweep.tools,
    )


def _part(sweep: Sweep, quantity: Quantity, answers: Sequence[Answer]) -> dict[str, Any]:
    best = front(answers)
    known = [each for each in answers if each.costs]
    first = {id(each) for each in best}
    rest = sorted(
        (each for each in answers if each.state == "done" and id(each) not in first),
        key=lambda each: (each.costs is None, each.costs or (each.worst or 0,)),
    )
    return {
        "quantity": quantity,
        "headline": headline(best, len(known)),
        "figures": _figures(sweep, best, known) if known else [],
        "heads": _heads(sweep.plan),
        "front": [_line(sweep.plan, each) for each in best],
        "rest": [_line(sweep.plan, each) for each in rest[:ROWS]],
        "left": max(len(rest) - ROWS, 0),
    }


def headline(best: Sequence[Answer], known: int) -> str:
    """`4 of 36 points are on the front: from 35 cycles with 5 822 cells (banked) to …`."""
    if not best:
        return "No point has all three costs, so there is no front."
    ends = [_words(best[0])]
    if len(best) > 1:
        ends.append(_words(min(best, key=lambda each: (each.costs or (0, 0, 0))[1:])))
    is_are = "is" if len(best) == 1 else "are"
    head = f"{len(best)} of {counted(known)} {is_are} on the front"
    return f"{head}: from {' to '.join(ends)}." if len(ends) > 1 else f"{head}: {ends[0]}."


def _words(answer: Answer) -> str:
    worst, cells, memory = answer.costs or (0, 0, 0)
    sizes = f"{number(cells)} cells and {number(memory / KIB)} KiB"
    return f"{number(worst)} cycles with {sizes} ({answer.point.system})"


# ---- figures -------------------------------------------------------------------------------------


def _figures(sweep: Sweep, best: Sequence[Answer], known: Sequence[Answer]) -> list[dict[str, Any]]:
    first = {id(each) for each in best}
    others = [each for each in known if id(each) not in first]
    drawn = [*(others[i] for i in thinned(len(others))), *best]
    slot = slots(sweep.plan.systems)
    fronts = [id(each) in first for each in drawn]
    colours = [slot[each.point.base] for each in drawn]
    left = len(known) - len(drawn)
    some = f" Of the others {number(len(drawn) - len(best))} are drawn, evenly." if left else ""
    legend = [(name, slot[name]) for name in sweep.plan.systems]
    source = " · ".join(
        [sweep.command, f"commit {sweep.provenance['commit']}", *sweep.tools, sweep.chosen]
    )
    costs = [each.costs or (0, 0, 0) for each in drawn]
    common = {"legend": legend, "source": source}

    def plotted(place: int, scale: float, title: str) -> str:
        dots = [
            Dot(each.point.system, colour, cost[place] / scale, cost[0], on)
            for each, colour, cost, on in zip(drawn, colours, costs, fronts, strict=True)
        ]
        return scatter(dots, title, "cycles, worst")

    filled = (
        "Filled: on the front of cycles, cells and memory together, that is no other point is at"
        f" least as good in all three.{some}"
    )
    return [
        {
            "title": "Cycles against cells",
            "chart": plotted(1, 1, "cells beside the core (ECP5)"),
            "note": filled,
            **common,
        },
        {
            "title": "Cycles against memory",
            "chart": plotted(2, KIB, "KiB of program and block RAMs"),
            "note": filled,
            **common,
        },
        {
            "title": "Values and costs of each point",
            "chart": parallel(_axes(sweep.plan, drawn), colours, fronts),
            "note": f"A line is a point; strong: on the front.{some}",
            **common,
        },
    ]


def _axes(plan: Plan, drawn: Sequence[Answer]) -> list[Axis]:
    """Parameters with more than one value, then the costs."""
    found = [
        of_values(_title(key), [dict(each.point.values)[key] for each in drawn], every)
        for key, every in plan.axes.items()
        if len(every) > 1
    ]
    costs: dict[str, Callable[[tuple[int, int, int]], float]] = {
        "cycles, worst": lambda cost: cost[0],
        "cells": lambda cost: cost[1],
        "memory, KiB": lambda cost: cost[2] / KIB,
    }
    return found + [
        of_costs(title, [take(each.costs or (0, 0, 0)) for each in drawn])
        for title, take in costs.items()
    ]


def _title(key: str) -> str:
    return key.replace("_", " ")


# ---- tables --------------------------------------------------------------------------------------


def _heads(plan: Plan) -> list[str]:
    costs = ["cycles", "cells", "block RAMs", "ROM", "RAM", "memory"]
    return ["system", *map(_title, plan.axes), *costs]


def _line(plan: Plan, answer: Answer) -> list[str]:
    """Cells of a table; ≈: interpolated."""
    values = dict(answer.point.values)
    area = answer.area
    mark = MARKS[area.how] if area else ""
    cells = area.cells if area else None
    rams = area.block_rams if area else None
    return [
        answer.point.base,
        *(_text(values[key]) for key in plan.axes),
        _text(answer.worst),
        "–" if cells is None else f"{mark}{number(cells)}",
        "–" if rams is None else f"{mark}{number(rams)}",
        _text(answer.rom),
        _text(answer.ram),
        _text(answer.memory),
    ]


def _text(value: int | str | None) -> str:
    return "–" if value is None else text_of(value)


def _reasons(answers: Sequence[Answer]) -> list[tuple[str, int]]:
    """How cells are known, in words, and of how many points."""
    found: dict[str, int] = {}
    for each in answers:
        if each.area is not None:
            text = (
                f"{each.area.how}: {each.area.reason}"
                if each.area.how != "none"
                else (f"no figure: {each.area.reason}")
            )
            found[text] = found.get(text, 0) + 1
    return sorted(found.items(), key=lambda each: -each[1])
