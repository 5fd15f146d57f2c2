# SPDX-License-Identifier: Apache-2.0
"""Blocks and pictures of docs/reference/interference.md, from the files of the sweep."""

from __future__ import annotations

from itertools import groupby, product
from pathlib import Path

import melanion.claims as claims
from melanion.docs import sweep
from melanion.docs.conditions import conditions
from melanion.docs.pages import calls
from melanion.docs.rows import FILES, KERNELS, lines
from melanion.docs.table import NONE, repeated, sections, table
from melanion.measure.definition import Target
from melanion.measure.experiments.interference import EDGES, LOADS, TOTALS
from melanion.report import chart, readme
from melanion.report.chart import Series
from melanion.report.colours import slots

PANELS = (KERNELS[:2], KERNELS[2:])  # pictures, each of two kernels
TITLES = {"handler": "Interrupt to handler", "task": "Interrupt to task"}
LOAD_WORDS = {"few": "up to 8", "many": "more"}


def picture_path(edge: str) -> Path:
    """File of a picture."""
    return sweep.DOCS / f"interference_{edge}.svg"


def picture(edge: str) -> str:
    """Histograms of one edge, two kernels in each."""
    counts = [each for each in sweep.read_counts() if each.edge == edge]
    panels = []
    for panel in PANELS:
        kernels = [kernel for kernel in panel if any(each.kernel == kernel for each in counts)]
        if not kernels:
            continue
        points = {
            k: [(each.cycles, each.samples) for each in counts if each.kernel == k] for k in kernels
        }
        series = [Series(k, slot, points[k]) for k, slot in slots(kernels).items()]
        most = {k: max(cycles for cycles, _ in points[k]) for k in kernels}
        ordered = sorted(kernels, key=most.__getitem__)
        words = ", ".join(f"{most[k]} with {k}" for k in ordered)
        panels.append((f"{TITLES[edge]}: at most {words}", chart.histogram(series, "cycles")))
    return readme.sheet(panels)


def worst() -> str:
    """Table of each kernel's worst call, by edge and load."""
    every = sweep.read_worst()
    rows = []
    for edge in EDGES:
        title = TITLES[edge]
        for load in LOADS:
            words = LOAD_WORDS[load]
            for kernel in sweep.kernels():
                meant = [e for e in every if (e.edge, e.load, e.kernel) == (edge, load, kernel)]
                most = max(meant, key=lambda each: each.cycles)
                cells = (f"`{kernel}`", f"**{most.cycles}**", f"`mel_{most.call}`", most.state)
                rows.append((title, words, *cells, f"{most.cycle} of {most.length}"))
                title = words = ""
    heads = ("cycles", "tasks or objects", "kernel", "at most", "call", "state")
    shown = table("lllrllr", (*heads, "cycle of the call"), rows)
    return f"{conditions(sweep.CYCLES, KERNELS)}\n\n{shown}"


def late(target: Target, metric: str) -> tuple[int, dict[str, int]]:
    """Calls on the target's kernel, under its load, and those in which the largest value is above
    it."""
    most: dict[str, int] = {}
    for each in sweep.read_worst():
        meant = target.where.get("load", each.load) == each.load
        if meant and each.kernel == target.kernel and each.edge == TOTALS[metric]:
            most[each.call] = max(most.get(each.call, 0), each.cycles)
    return len(most), {call: value for call, value in most.items() if value > target.at_most}


def targets() -> str:
    """Calls that keep the promises of the definition, and those that do not."""
    lines = []
    for name, metric in claims.load(sweep.EXPERIMENT).metrics.items():
        for target in metric.targets:
            count, above = late(target, name)
            words = ", ".join(f"`mel_{call}` {value}" for call, value in above.items())
            load = LOAD_WORDS[str(target.where["load"])]
            rest = f"; exceeded in (cycles): {words}" if words else ""
            lines.append(
                f"* `{target.kernel}`, {TITLES[TOTALS[name]].lower()}, {load} tasks or objects: at"
                f" most {target.at_most} cycles in {count - len(above)} of {count} calls{rest}."
            )
    return "\n".join(lines) + "\n"


def random() -> str:
    """Table of the largest values of random arrivals under kernel-call load beside those of the
    sweep."""
    arrived = {
        (line["kernel"], line["metric"]): line["max"]
        for line in lines(FILES["latency"])
        if line["parameters"] == "load=calls"
    }
    swept: dict[tuple[str, str], list[str]] = {}
    for line in lines(sweep.CYCLES):
        if line["metric"] in TOTALS:
            swept.setdefault((line["kernel"], line["metric"]), []).append(line["max"])
    rows = [
        ("" if place else TITLES[edge], f"`{kernel}`", arrived[kernel, name], *swept[kernel, name])
        for name, edge in TOTALS.items()
        for place, kernel in enumerate(sweep.kernels())
    ]
    heads = ("cycles, at most", "kernel", "random arrivals", "every cycle: up to 8", "more")
    return table("llr", heads, rows)


def by_call() -> str:
    """A table per group: of each call the largest values over all its states."""
    most: dict[tuple[str, str, str], int] = {}
    for each in sweep.read_worst():
        key = each.call, each.edge, each.kernel
        most[key] = max(most.get(key, 0), each.cycles)
    names = [name for name in calls.states() if any(call == name for call, _, _ in most)]
    kernels = sweep.kernels()
    heads = ("cycles, at most", *repeated(("to handler", "to task"), kernels))
    parts = []
    for group, members in groupby(names, key=calls.group_of):
        rows = [
            (
                f"`mel_{call}`",
                *(str(most.get((call, *key), NONE)) for key in product(EDGES, kernels)),
            )
            for call in members
        ]
        parts.append((group, table("lr", heads, rows)))
    return sections(parts)
