# SPDX-License-Identifier: Apache-2.0
"""The regions that a program marks (kernel/include/melanion/measure.h), measured in a trace."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low

import numpy as np
from mel_gen import TraceKind

from melanion.build.image import Region
from melanion.trace import Events

FIRST_TRACEPOINT = 0x100  # measure.h
MOST = 64
OWN_TRACEPOINT = FIRST_TRACEPOINT + 2 * MOST


@dataclass(frozen=True)
class Span:
    """One passage of a region, in cycles from reset. `own`: a section of the program's own (a
    critical section, a division) was in it."""

    begin: int
    end: int
    own: bool

    @property
    def cycles(self) -> int:
        return self.end - self.begin


@dataclass(frozen=True)
class Measured:
    """A region in one run. `limit`: in cycles, 0: none; `open`: spans that had not ended when the
    run did; `misses`: spans longer than the limit, open ones that are as old included."""

    region: Region
    limit: int
    spans: tuple[Span, ...]
    open: int
    misses: int
    clock_mhz: int

    @property
    def outside(self) -> tuple[Span, ...]:
        """Those without a section of the program's own."""
        return tuple(span for span in self.spans if not span.own)

    def figures(self) -> dict[str, int | float | None]:
        """For tables and JSON, in cycles, `_us` in microseconds; None where nothing was measured.
        `p99`: not exceeded by 99 of 100 spans; `maximum_begin`: the cycle from reset in which the
        longest span began, the first of several."""
        lengths = sorted(span.cycles for span in self.spans)
        longest = lengths[-1] if lengths else None
        slowest = max(self.spans, key=lambda span: span.cycles, default=None)
        others = [span.cycles for span in self.outside]
        return {
            "spans": len(lengths),
            "minimum": lengths[0] if lengths else None,
            "median": median_low(lengths) if lengths else None,
            "p99": lengths[-(len(lengths) // 100) - 1] if lengths else None,
            "maximum": longest,
            "maximum_us": None if longest is None else longest / self.clock_mhz,
            "maximum_begin": None if slowest is None else slowest.begin,
            "outside": len(others),
            "maximum_outside": max(others, default=None),
            "limit": self.limit or None,
            "misses": self.misses,
            "open": self.open,
        }


def measure(events: Events, regions: Sequence[Region], clock_mhz: int) -> list[Measured]:
    """Each region of a run, by number."""
    own = _own(events)
    end = int(events["cycle"][-1])
    return [
        _measure(events, region, own, clock_mhz, end)
        for region in sorted(regions, key=lambda region: region.number)
    ]


def _measure(
    events: Events, region: Region, own: list[tuple[int, int]], clock_mhz: int, end: int
) -> Measured:
    limit = region.limit_us * clock_mhz
    begins: deque[int] = deque()
    lost = 0
    spans: list[Span] = []
    first = FIRST_TRACEPOINT + 2 * region.number
    tracepoints = events[
        (events["kind"] == TraceKind.TRACEPOINT)
        & (events["a"] >= first)
        & (events["a"] <= first + 1)
        | (events["kind"] == TraceKind.IRQ_WIRE) & (events["a"] == region.line)
        if region.line is not None
        else (events["kind"] == TraceKind.TRACEPOINT)
        & (events["a"] >= first)
        & (events["a"] <= first + 1)
    ]
    for event in tracepoints:
        cycle = int(event["cycle"])
        if event["kind"] == TraceKind.TRACEPOINT and event["a"] == first + 1:
            for _ in range(min(int(event["b"]), len(begins))):
                begin = begins.popleft()
                spans.append(Span(begin, cycle, _touched(own, begin, cycle)))
        elif event["kind"] == TraceKind.IRQ_WIRE or region.line is None:
            if region.line is None and begins:
                begins.clear()
                lost += 1
            begins.append(cycle)
    old = sum(end - begin > limit for begin in begins) if limit else 0
    late = sum(span.cycles > limit for span in spans) if limit else 0
    return Measured(region, limit, tuple(spans), len(begins) + lost, late + old, clock_mhz)


def _own(events: Events) -> list[tuple[int, int]]:
    """Sections of the program's own, begin and end; they may overlap, since a division can be
    preempted."""
    marks = np.isin(events["a"], (OWN_TRACEPOINT, OWN_TRACEPOINT + 1))
    tracepoints = events[(events["kind"] == TraceKind.TRACEPOINT) & marks]
    found: list[tuple[int, int]] = []
    open_since: list[int] = []
    for event in tracepoints:
        if event["a"] == OWN_TRACEPOINT:
            open_since.append(int(event["cycle"]))
        elif open_since:
            found.append((open_since.pop(), int(event["cycle"])))
    return found


def _touched(own: list[tuple[int, int]], begin: int, end: int) -> bool:
    return any(first <= end and last >= begin for first, last in own)
