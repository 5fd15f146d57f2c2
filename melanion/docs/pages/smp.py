# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/explanation/smp.md: the benchmark `cores` on our kernels and on FreeRTOS's own
scheduler for several cores. The rows are the asserted ones; nothing is measured here."""

from __future__ import annotations

from melanion.docs.pages.baseline import THEIRS, Pair, recorded
from melanion.docs.rows import FILES, read
from melanion.docs.table import codes, number, table
from melanion.measure.rows import Row

EXPERIMENT = "cores"
EDGES = {  # metric and load → words
    ("wake_own", ""): "a more urgent task runs on the same core",
    ("wake_other", "idle"): "a task of core 1 runs, which slept",
    ("wake_other", "busy"): "… which computed",
    ("wake_moved", ""): "a task that ran on core 0 before runs on another core, which slept",
    ("give_other", "idle"): "the giver goes on, core 1 slept",
    ("give_other", "busy"): "… computed",
}


def cycles() -> str:
    """A line per edge, a column per system: the median, and the most where it differs. Bold: `sw`
    is slower than FreeRTOS on as many cores."""
    slower = {(pair.ours.kernel, *_edge(pair.ours)) for pair in _shared() if pair.slower}
    found: dict[tuple[str, str], dict[str, str]] = {edge: {} for edge in EDGES}
    kernels: dict[str, None] = {}
    for row in read(FILES[EXPERIMENT]):
        kernels[row.kernel] = None
        text = number(row.median)
        if row.max != row.median:
            text += f" ({number(row.max)})"
        if (row.kernel, *_edge(row)) in slower:
            text = f"**{text}**"
        found[_edge(row)][row.kernel] = text
    rows = [[EDGES[edge], *(each[kernel] for kernel in kernels)] for edge, each in found.items()]
    return table("lr", ("", *codes(kernels)), rows)


def _edge(row: Row) -> tuple[str, str]:
    return row.metric, str(row.parameters.get("load", ""))


def _shared() -> list[Pair]:
    return [pair for pair in recorded() if pair.ours.experiment == EXPERIMENT]


def beside() -> str:
    """A sentence: in how many of the shared rows ours is slower, and in which."""
    shared = _shared()
    slower = [pair for pair in shared if pair.slower]
    ratios = sorted(pair.ours.median / pair.theirs.median for pair in shared)
    which = "; ".join(f"`{pair.ours.kernel}` {' '.join(pair.name[2:])}".strip() for pair in slower)
    return (
        f"`sw` is slower than `{THEIRS}` on as many cores in {len(slower)} of"
        f" {len(shared)} rows{f': {which}' if which else ''}. It takes"
        f" {ratios[0]:.2f} to {ratios[-1]:.2f} of the cycles (medians).\n"
    )
