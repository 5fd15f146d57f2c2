# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/explanation/baseline.md: the software kernel beside FreeRTOS, in every row that
both have. The rows are the asserted ones; nothing is measured here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from melanion.docs.rows import FILES, read
from melanion.docs.table import number, table
from melanion.measure.rows import Row

OURS, THEIRS = "sw", "freertos"
COSTS = ("cycles", "instructions", "ppm")  # units of which less is better
GAINS = {("network", "answered"), ("network", "idle")}  # metrics of which more is

MANY = (
    "the median of all spans is larger, but the longest is shorter: FreeRTOS has two to five times"
    " as many spans, most of them short parts of a call that is one span here"
)
CACHE = "a lock of the program, without the kernel, has another place in the caches"
LOOKS = (
    "a switch at the end of a slice has more instructions, because it first looks for a more urgent"
    " task that the same tick woke; it takes fewer cycles here"
)
# Rows in which ours is slower, and why that stays: experiment, kernel, metric, parameters.
KNOWN: dict[tuple[str, str, str, str], str] = {
    ("latency", "sw", "irq_off_max", ""): MANY,
    ("latency", "sw", "irq_off_max", "tasks=4"): MANY,
    ("latency", "sw", "irq_off_max", "tasks=16"): MANY,
    ("latency", "sw", "irq_off_max", "tasks=60"): MANY,
    **{
        ("aquila-switch", kernel, "instructions", f"quantum={quantum}"): LOOKS
        for kernel in ("sw", "sw-vexriscv")
        for quantum in (1, 2, 5, 10, 20, 100)
    },
}


# Locks of the program itself (experiment aquila-sync), which on VexRiscv lie in a cache.
LOCKS = ("amoswap", "filter", "peterson")


@dataclass(frozen=True)
class Pair:
    """One row of both kernels on one system."""

    ours: Row
    theirs: Row

    @property
    def name(self) -> tuple[str, str, str, str]:
        row = self.ours
        words = (f"{key}={value}" for key, value in row.parameters.items())
        return row.experiment, row.kernel, row.metric, " ".join(words)

    @property
    def slower(self) -> tuple[str, ...]:
        """Statistics in which ours is above theirs."""
        each = (
            ("median", self.ours.median, self.theirs.median),
            ("max", self.ours.max, self.theirs.max),
        )
        return tuple(name for name, ours, theirs in each if ours > theirs)


def pairs(rows: Iterable[Row]) -> Iterator[Pair]:
    """Rows of `sw` and of `freertos` on equal cores, with the same experiment, metric and
    parameters, in order."""
    found: dict[tuple[object, ...], dict[str, Row]] = {}
    for row in rows:
        kernel, _, core = row.kernel.partition("-")
        gain = (row.experiment, row.metric) in GAINS
        if kernel in (OURS, THEIRS) and row.unit in COSTS and not gain:
            label = row.experiment, core, row.metric, tuple(row.parameters.items())
            found.setdefault(label, {})[kernel] = row
    for both in found.values():
        if len(both) == 2:
            yield Pair(both[OURS], both[THEIRS])


def recorded() -> list[Pair]:
    """All pairs of the asserted files."""
    return list(
        pairs(
            row
            for path in FILES.values()
            if path.name.endswith("_cycles.csv")
            for row in read(path)
        )
    )


def reason(pair: Pair) -> str:
    """Why ours may be slower; empty: it may not."""
    experiment, kernel, metric, _ = pair.name
    cached = experiment == "aquila-sync" and kernel == "sw-vexriscv"
    return CACHE if cached and metric.split("_")[0] in LOCKS else KNOWN.get(pair.name, "")


def unlisted(compared: Iterable[Pair]) -> list[Pair]:
    """Pairs in which ours is slower, and no reason is known."""
    return [pair for pair in compared if pair.slower and not reason(pair)]


def count() -> str:
    """Shared rows by experiment."""
    compared = recorded()

    def line(title: str, among: list[Pair]) -> tuple[str, ...]:
        worse = sum(bool(pair.slower) for pair in among)
        ratios = sorted(
            pair.ours.median / pair.theirs.median for pair in among if pair.theirs.median
        )
        middle = f"{ratios[len(ratios) // 2]:.2f}" if ratios else "–"
        return title, number(len(among)), number(len(among) - worse), number(worse), middle

    names = sorted({pair.ours.experiment for pair in compared})
    lines = [
        line(f"`{name}`", [p for p in compared if p.ours.experiment == name]) for name in names
    ]
    heads = ("experiment", "shared rows", "not slower", "slower", "median of `sw` / FreeRTOS")
    return table("lr", heads, [*lines, line("all", compared)])


def slower() -> str:
    """Every row in which ours is slower, with both figures and the reason."""
    figures: tuple[Callable[[Row], int], ...] = (lambda row: row.median, lambda row: row.max)
    lines = []
    for pair in filter(lambda pair: pair.slower, recorded()):
        experiment, kernel, metric, parameters = pair.name
        cells = [f"{number(f(pair.ours))} / {number(f(pair.theirs))}" for f in figures]
        lines.append(
            (
                f"`{experiment}` {metric} {parameters}".strip(),
                f"`{kernel}`",
                *cells,
                reason(pair) or "none",
            )
        )
    return table("llrrl", ("row", "system", "median, `sw` / FreeRTOS", "most", "reason"), lines)
