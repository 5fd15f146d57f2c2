# SPDX-License-Identifier: Apache-2.0
"""Figures of the overview that set costs side by side: parts of a transaction, area against
latency, the tests of Thread-Metric. Each is None where a row that it needs was not measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import melanion.report.comparison as comparison
from melanion.claims.result import Result
from melanion.report.chart import Series
from melanion.report.colours import OTHERS, PALETTE, slots
from melanion.report.comparison import Part
from melanion.report.figures import bars_of
from melanion.report.footnote import footnote, tool
from melanion.report.svg import number
from melanion.results import Collection, Unit, origins

AREA = "area"  # the experiment whose units melanion/area/systems.py makes
CELLS = "cells"  # and the metric
COUNTED = "1"  # version of the counting; a change makes older units stale
LOAD = {"load": "calls"}
SIX = {"tasks": 6}
OPTIMIZED = {"code": "O2"}
CALIBRATION = "calibration"
Figure = dict[str, Any]


def areas(collection: Collection, kernels: Sequence[str]) -> dict[str, Unit]:
    """The area of each system of which the collection has it, counted as it is now."""
    found = {kernel: collection.units.get((AREA, kernel)) for kernel in kernels}
    return {k: unit for k, unit in found.items() if unit and unit.definition == COUNTED}


def cycles_figure(split: Result, wait: Result | None) -> Figure | None:
    """Medians of 6 tasks: a lock that is waited for, a switch, a task's computation, and what of
    that is bus wait, where it was measured."""
    named = ("communication", "context_switch", "computation")
    values = {name: _medians(split, name) for name in named}
    names = [kernel for kernel in split.kernels if all(kernel in values[name] for name in named)]
    if not names:
        return None
    waits = _medians(wait, "bus_wait") if wait else {}
    waits = {kernel: max(value, 0) for kernel, value in waits.items() if kernel in names}
    computed = {k: values["computation"][k] - waits.get(k, 0) for k in names}
    communication, switch, computation, bus_wait = OTHERS
    parts = [
        Part("communication", communication, {k: values["communication"][k] for k in names}),
        Part("context switch", switch, {k: values["context_switch"][k] for k in names}),
        Part("computation", computation, computed),
        Part("bus wait", bus_wait, waits),
    ]
    without = [kernel for kernel in names if kernel not in waits]
    lacking = f" Bus wait of {', '.join(without)} is in computation." if without else ""
    return {
        "title": _cycles_title(values, names),
        "chart": comparison.stack(names, parts, "cycles, median of 6 tasks"),
        "legend": [(part.name, part.slot) for part in parts],
        "note": "Per lock that was waited for, per switch to a task that was ready, per task; bus"
        f" wait: what a task computes longer while others use the memory.{lacking}",
        "source": footnote(split, names),
    }


def _medians(result: Result, metric: str) -> dict[str, float]:
    """Kernel → median of 6 tasks."""
    if metric not in result.definition.metrics:
        return {}
    found = {kernel: result.find(kernel, metric, {**SIX}) for kernel in result.kernels}
    return {kernel: each.row.median for kernel, each in found.items() if each}


def _cycles_title(values: Mapping[str, Mapping[str, float]], names: Sequence[str]) -> str:
    """`Communication takes 350 (banked-3) to 11 000 cycles (sw-poll-3), a switch …`."""

    def span(name: str, words: str) -> str:
        ordered = sorted(names, key=lambda kernel: values[name][kernel])
        (low, first), (high, last) = ((values[name][k], k) for k in (ordered[0], ordered[-1]))
        if low == high:
            return f"{words} {number(low)} cycles everywhere"
        return f"{words} {number(low)} ({first}) to {number(high)} cycles ({last})"

    parts = (
        span("communication", "communication takes"),
        span("context_switch", "a switch"),
        span("computation", "computation"),
    )
    text = ", ".join(parts)
    return text[0].upper() + text[1:]


def pareto_figure(latency: Result, area: Mapping[str, Unit]) -> Figure | None:
    """Cells beside the core against the worst interrupt-to-task latency under load."""
    found: list[tuple[str, int, float, float]] = []
    for kernel, slot in slots(latency.kernels).items():
        if kernel not in area:
            continue
        cells = [each.row.max for each in area[kernel].measurements if each.row.metric == CELLS]
        worst = latency.find(kernel, "irq_to_task", {**LOAD})
        if cells and worst:
            found.append((kernel, slot, cells[0], worst.row.max))
    if len(found) < 2:
        return None
    points = comparison.fronts(found)
    best = sorted((p for p in points if p.front), key=lambda p: p.x)
    words = ", ".join(f"{p.name} ({number(p.x)} cells, {number(p.y)} cycles)" for p in best)
    beaten = [p.name for p in points if not p.front]
    rest = f"; {', '.join(beaten)} {'is' if len(beaten) == 1 else 'are'} beaten" if beaten else ""
    return {
        "title": f"Less latency for more area: on the front {words}{rest}",
        "chart": comparison.scatter(
            points, "cells beside the core (ECP5)", "interrupt to task, worst cycles"
        ),
        "note": "Counted: what the kernel adds to the core: the hardware unit, what attaches it,"
        " what register banks cost; as LUT4, two a carry pair, six a 16 × 4 LUT-RAM, before"
        " placement; block RAMs are not counted. Latency: irq_to_task under kernel-call load, log"
        " scale. Filled: no other is at least as good in both.",
        "source": f"{footnote(latency, [p.name for p in points])} · area: {_synthesis(area)}",
    }


def _synthesis(area: Mapping[str, Unit]) -> str:
    commits = ", ".join(origins(area.values()))
    tools = {
        tool(n, text) for unit in area.values() for n, text in unit.provenance["tools"].items()
    }
    commands = "; ".join(dict.fromkeys(unit.command for unit in area.values()))
    return f"{commands} · commit {commits} · {' · '.join(sorted(tools))}"


def threads_figure(result: Result) -> Figure | None:
    """Cycles of an iteration of each test, compiled with -O2."""
    tests = [name for name in result.definition.metrics if name != CALIBRATION]
    median = {
        (kernel, test): each.row.median
        for kernel in result.kernels
        for test in tests
        if (each := result.find(kernel, test, {**OPTIMIZED}))
    }
    if not median:
        return None
    series = [
        Series(
            kernel,
            slot,
            [(i, median[kernel, test]) for i, test in enumerate(tests) if (kernel, test) in median],
        )
        for kernel, slot in slots(result.kernels[: len(PALETTE)]).items()
    ]
    names = [test.replace("interrupt_preemption", "irq. preempt.") for test in tests]
    return {
        "title": _threads_title(median, result.kernels, tests),
        **bars_of(names, [each for each in series if each.points], "cycles"),
        "note": "Cycles of one iteration, median; tests and services compiled with -O2.",
        "source": footnote(result, result.kernels),
    }


def _threads_title(
    median: Mapping[tuple[str, str], int], kernels: Sequence[str], tests: Sequence[str]
) -> str:
    """`An iteration takes least with banked in 6 of 7 tests, 1.2 to 8.1 times as fast as sw`."""
    wins: dict[str, int] = {}
    for test in tests:
        best = min((median[k, test], k) for k in kernels if (k, test) in median)[1]
        wins[best] = wins.get(best, 0) + 1
    first = max(wins, key=lambda kernel: wins[kernel])
    title = f"An iteration is shortest with {first} in {wins[first]} of {len(tests)} tests"
    ratios = [
        median["sw", test] / median[first, test]
        for test in tests
        if ("sw", test) in median and (first, test) in median and first != "sw"
    ]
    if not ratios:
        return title
    return f"{title}, {min(ratios):.1f} to {max(ratios):.1f} times as fast as sw"
