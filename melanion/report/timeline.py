# SPDX-License-Identifier: Apache-2.0
"""Excerpts of runs as timelines, a panel for each kernel, all to one scale of cycles.

Time 0 is the edge at which the measured span begins. Each bar, mark and arrow says in its data-
attributes what it stands for, in cycles of the run. Colours are classes of the page, sizes those of
the charts (chart.py): readable where the picture is 340 px wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import melanion.report.finding as finding
from melanion.claims.result import Result
from melanion.measure.worst_case import WorstCase
from melanion.report.chart import steps
from melanion.report.colours import slots
from melanion.report.footnote import footnote
from melanion.report.svg import WIDTH, element, label, line, number, picture, tick
from melanion.trace.excerpt import Slice

LEFT, RIGHT = 92, 8
HEAD, ROW, BAR, WAIT = 20, 17, 11, 3  # heights: a panel's name, a track, its bars, a wait on it
GAP, AXIS = 12, 40
PANELS = 4  # in one picture
LETTERS = 14  # longest name of a row
BRIEF = 4  # a worst case of at most a quarter of the longest one is drawn magnified, too
KERNEL, TASKS, PRIORITIES = "kernel", "tasks / ", "priorities / "
EVENTS = "events"  # the row of all instants
KEYS = ("runs", "ready", "waits", "trap", "interrupts-off")  # classes, in the order of the legend
LEGEND = ("runs", "ready or preempted", "waits, or off the core", "trap", "interrupts off")


@dataclass(frozen=True)
class Panel:
    """The worst case of a kernel in a picture. `slot`: its colour."""

    kernel: str
    slot: int
    worst_case: WorstCase

    @property
    def rows(self) -> list[str]:
        """The tracks that are drawn, in order; those of waits say what tasks' tracks say."""
        tracks = self.worst_case.excerpt.tracks
        cores = [t for t in tracks if t.endswith((" / trap", " / handler"))]
        off = [t for t in tracks if t.endswith(" / interrupts off")]
        own = [t for t in tracks if t.startswith(TASKS)]
        raised = [t for t in tracks if t.startswith(PRIORITIES)]
        return [EVENTS, *cores, *off, *own, *raised]

    @property
    def height(self) -> float:
        return HEAD + ROW * len(self.rows) + GAP


def extremes(result: Result) -> list[str]:
    """Kernels of one picture, where there are more than it has room for: the slowest and the
    fastest."""
    ordered = sorted(result.worst_cases, key=lambda kernel: result.worst_cases[kernel].cycles)
    return ordered if len(ordered) <= PANELS else ordered[: PANELS // 2] + ordered[-PANELS // 2 :]


def figures(result: Result, shown: Sequence[str]) -> list[dict[str, Any]]:
    """The worst cases of the kernels `shown`, as far as there are any, one below the other; and of
    all kernels those that are short against the longest, magnified."""
    panels = [
        Panel(kernel, slots(result.kernels)[kernel], worst_case)
        for kernel, worst_case in result.worst_cases.items()
    ]
    first = sorted(
        (panel for panel in panels if panel.kernel in shown),
        key=lambda panel: -panel.worst_case.cycles,
    )
    if not first:
        return []
    longest = first[0].worst_case.cycles
    brief = [panel for panel in panels if panel.worst_case.cycles * BRIEF <= longest]
    found = [_figure(result, first, "")]
    return [*found, _figure(result, brief, "Magnified: ")] if brief else found


def _figure(result: Result, panels: Sequence[Panel], head: str) -> dict[str, Any]:
    metric = result.definition.metrics[panels[0].worst_case.metric]
    cycles = {panel.kernel: panel.worst_case.cycles for panel in panels}
    off = ", ".join(f"{p.kernel} {number(interrupts_off(p.worst_case))}" for p in panels)
    inherits = any(row.startswith(PRIORITIES) for panel in panels for row in panel.rows)
    raised = " ↑: has a priority that is not its own." if inherits else ""
    return {
        "title": head + finding.worst_case_title(metric.title, cycles),
        "strokes": list(zip(KEYS, LEGEND, strict=True)),
        "chart": timelines(panels, f"{metric.title}, cycle by cycle"),
        "note": f"The first of the slowest of each run; 0: {metric.start}; dashed:"
        f" {metric.to}. Ticks are events of the kernel; an arrow leads from the one that ends a"
        f" wait to the task.{raised} Cycles of it with interrupts off: {off}.",
        "source": footnote(result, list(cycles)),
        "words": [words for panel in panels for words in table_of(panel)],
    }


def interrupts_off(worst_case: WorstCase) -> int:
    """Cycles of the measured span in which interrupts are off."""
    spans = [each for each in worst_case.excerpt.slices if each.track.endswith(" / interrupts off")]
    inside = ((max(s.begin, worst_case.begin), min(s.end, worst_case.end)) for s in spans)
    return sum(max(end - begin, 0) for begin, end in inside)


def table_of(panel: Panel) -> Iterator[dict[str, str]]:
    """Rows of a panel's table, in order of time: kernel, when, track, what."""
    worst_case = panel.worst_case
    excerpt = worst_case.excerpt
    lines = [
        (
            each.begin,
            each.end,
            each.track,
            f"{each.name}{f', ended by {each.by}' if each.by else ''}",
        )
        for each in excerpt.slices
    ]
    lines += [(each.cycle, each.cycle, each.track, each.name) for each in excerpt.instants]
    for begin, end, track, name in sorted(lines):
        first = "before" if begin == excerpt.begin else number(begin - worst_case.begin)
        last = "later" if end == excerpt.end else number(end - worst_case.begin)
        when = first if begin == end else f"{first} … {last}"
        yield {"kernel": panel.kernel, "when": when, "track": short(track), "what": name}


def short(track: str) -> str:
    """`tasks / task 1 woken`: woken; `core 0 / trap`: trap. What has no name keeps its number."""
    group, _, own = track.rpartition(" / ")
    words = own.split(" ", 2)
    if words[0] == "task" and len(words) > 1:
        own = words[2] if len(words) > 2 else own
        return own if group == "tasks" else f"{own}, {group}"
    return own


def _row_name(track: str) -> str:
    """Name of a row, cut to LETTERS; `↑` is before the name of a task whose priority is not its
    own."""
    inherits = track.startswith(PRIORITIES)
    name = short(track.replace(PRIORITIES, TASKS, 1)) if inherits else short(track)
    name = f"↑ {name}" if inherits else name
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"


def timelines(panels: Sequence[Panel], description: str) -> str:
    """The picture."""
    scale = _Scale.of(panels)
    parts: list[str] = []
    top = 0.0
    bottom = sum(panel.height for panel in panels)
    for value in scale.ticks:
        x = scale.x(value)
        parts.append(line("grid", x, HEAD - 4, x, bottom))
        parts.append(tick(x, bottom + 12, number(value)))
    for panel in panels:
        parts += _panel(panel, top, scale)
        top += panel.height
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(label(middle, bottom + AXIS - 10, "cycles since the interrupt", "middle"))
    said = "; ".join(
        f"{p.kernel}: {p.worst_case.cycles} cycles {_load(p.worst_case)}" for p in panels
    )
    return picture(parts, f"{description}. {said}", bottom + AXIS)


@dataclass(frozen=True)
class _Scale:
    """Cycles since the edge → x."""

    first: int
    last: int

    @classmethod
    def of(cls, panels: Sequence[Panel]) -> _Scale:
        worst_cases = [panel.worst_case for panel in panels]
        return cls(
            -min(each.begin - each.excerpt.begin for each in worst_cases),
            max(each.excerpt.end - each.begin for each in worst_cases),
        )

    @property
    def ticks(self) -> list[float]:
        return [value for value in steps(self.last, 6) if value <= self.last]

    def x(self, cycle: float) -> float:
        inside = min(max(cycle, self.first), self.last)
        wide = WIDTH - LEFT - RIGHT
        return LEFT + (inside - self.first) / (self.last - self.first) * wide


def _panel(panel: Panel, top: float, scale: _Scale) -> Iterator[str]:
    worst_case, slot = panel.worst_case, panel.slot
    rows = panel.rows
    y = {row: top + HEAD + ROW * place for place, row in enumerate(rows)}
    yield label(0, top + 12, panel.kernel, kind=f"name s{slot}")
    words = f"{number(worst_case.cycles)} cycles {_load(worst_case)}".strip()
    yield label(WIDTH - RIGHT, top + 12, words, "end")
    for cycle in (worst_case.begin, worst_case.end):
        x = scale.x(cycle - worst_case.begin)
        yield line(f"limit s{slot}", x, top + HEAD - 2, x, top + HEAD + ROW * len(rows))
    for row in rows:
        yield label(LEFT - 6, y[row] + BAR, _row_name(row), "end")
    for each in worst_case.excerpt.slices:
        if each.track in y:
            yield _bar(panel, each, y[each.track], scale)
    for instant in worst_case.excerpt.instants:
        wire = instant.track == "interrupt lines"
        if instant.track == KERNEL or wire:
            x = scale.x(instant.cycle - worst_case.begin)
            said = _said(panel, instant.track, instant.name, instant.cycle, instant.cycle)
            kind = f"mark s{slot}" if wire else "event"
            place = {"x": x - 1.5, "y": y[EVENTS], "width": 3.0, "height": float(BAR)}
            yield _titled("rect", kind, said, place)
    yield from _arrows(panel, y, scale)


def _bar(panel: Panel, each: Slice, top: float, scale: _Scale) -> str:
    zero = panel.worst_case.begin
    left, right = scale.x(each.begin - zero), scale.x(each.end - zero)
    kind = _kind(each)
    tall, below = (WAIT, (BAR - WAIT) / 2) if kind == "waits" else (BAR, 0)
    place = {"x": left, "y": top + below, "width": max(right - left, 0.8), "height": float(tall)}
    said = _said(panel, each.track, each.name, each.begin, each.end)
    return _titled("rect", f"bar s{panel.slot} {kind}", said, place)


def _kind(each: Slice) -> str:
    """Class of a bar, one of KEYS."""
    if each.track.endswith(" / interrupts off"):
        return "interrupts-off"
    if each.track.startswith(TASKS):
        states = {"running": "runs", "ready": "ready", "preempted": "ready"}
        return states.get(each.name, "waits")
    return "ready" if each.track.startswith(PRIORITIES) else "trap"


def _arrows(panel: Panel, y: Mapping[str, float], scale: _Scale) -> Iterator[str]:
    zero = panel.worst_case.begin
    for each in panel.worst_case.excerpt.arrows:
        if each.target not in y:
            continue
        x0, x1 = scale.x(each.begin - zero), scale.x(each.end - zero)
        tip = y[each.target]
        name = f"from {short(each.source)}"
        said = _said(panel, each.target, name, each.begin, each.end)
        path = f"M{x0:.1f},{y[EVENTS] + BAR:.1f}L{x1:.1f},{tip - 1:.1f}m-3,-5l3,5l3,-5"
        yield _titled("path", "arrow", said, {"d": path})


def _said(panel: Panel, track: str, name: str, begin: int, end: int) -> dict[str, str]:
    return {
        "kernel": panel.kernel,
        "track": track,
        "name": name,
        "begin": str(begin),
        "end": str(end),
    }


def _titled(tag: str, kind: str, said: Mapping[str, str], place: Mapping[str, str | float]) -> str:
    """An element with its data, and with a title that the browser shows."""
    data = {f"data_{key}": escape(value) for key, value in said.items()}
    attributes: dict[str, Any] = {"class_": kind, **data, **place}
    bare = element(tag, **attributes).removesuffix("/>")
    return f"{bare}><title>{escape(said['track'])}: {escape(said['name'])}</title></{tag}>"


def _load(worst_case: WorstCase) -> str:
    return finding.LOAD_WORDS.get(str(worst_case.parameters.get("load")), "")
