# SPDX-License-Identifier: Apache-2.0
"""An excerpt of a timeline that is kept and drawn: what its tracks show between two cycles.

Made from the marks of melanion/trace/perfetto.py, so that it shows what the Perfetto viewer shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from melanion.trace.perfetto import Mark


@dataclass(frozen=True)
class Slice:
    """Something that a track shows from `begin` to `end` (cycles), as far as that is inside the
    excerpt. `by`: of a wait, whose doing its end is."""

    track: str
    name: str
    begin: int
    end: int
    by: str = ""


@dataclass(frozen=True)
class Instant:
    """One event."""

    track: str
    name: str
    cycle: int


@dataclass(frozen=True)
class Arrow:
    """From the event that ended a wait to the task that is ready by it."""

    source: str
    begin: int
    target: str
    end: int


@dataclass(frozen=True)
class Excerpt:
    """The tracks on which something happens from cycle `begin` to cycle `end`, both included."""

    begin: int
    end: int
    slices: tuple[Slice, ...] = ()
    instants: tuple[Instant, ...] = ()
    arrows: tuple[Arrow, ...] = ()

    @property
    def tracks(self) -> list[str]:
        """In order of their names."""
        return sorted({s.track for s in self.slices} | {i.track for i in self.instants})

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def of_json(value: dict[str, Any]) -> Excerpt:
    """Parse the result of `as_json`."""
    return Excerpt(
        value["begin"],
        value["end"],
        tuple(Slice(**each) for each in value["slices"]),
        tuple(Instant(**each) for each in value["instants"]),
        tuple(Arrow(**each) for each in value["arrows"]),
    )


def excerpt(marks: Iterable[Mark], begin: int, end: int) -> Excerpt:
    """Cut a timeline to the time between two cycles. A track on which nothing begins or ends there
    is left out."""
    slices: list[Slice] = []
    instants: list[Instant] = []
    arrows: list[Arrow] = []
    opened: dict[str, Mark] = {}
    left: dict[int, Mark] = {}
    for mark in sorted(marks, key=lambda each: each.cycle):
        if mark.kind == "begin":
            opened[mark.track] = mark
        elif mark.kind == "end" and mark.track in opened:
            start = opened.pop(mark.track)
            by = str(mark.values.get("by", ""))
            slices.append(Slice(mark.track, start.name, start.cycle, mark.cycle, by))
        elif mark.kind == "instant":
            instants.append(Instant(mark.track, mark.name, mark.cycle))
        left |= dict.fromkeys(mark.leave, mark)
        for number in mark.arrive:
            if number in left:
                source = left[number]
                arrows.append(Arrow(source.track, source.cycle, mark.track, mark.cycle))

    def inside(cycle: int) -> bool:
        return begin <= cycle <= end

    busy = {each.track for each in instants if inside(each.cycle)}
    busy |= {each.track for each in slices if inside(each.begin) or inside(each.end)}
    return Excerpt(
        begin,
        end,
        tuple(
            replace(each, begin=max(each.begin, begin), end=min(each.end, end))
            for each in slices
            if each.track in busy and each.begin <= end and each.end >= begin
        ),
        tuple(each for each in instants if inside(each.cycle)),
        tuple(each for each in arrows if inside(each.begin) and inside(each.end)),
    )
