# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/explanation/dmmu.md: three heaps and the same requests, and pools over the unit.
The rows are those that tests assert; nothing is measured here."""

from __future__ import annotations

from melanion.claims import load
from melanion.docs.rows import FILES, lines
from melanion.docs.table import number, table

EXPERIMENT, POOLS = "heaps", "thread-metric-pools"
WAYS = {"heap_4": "heap_4", "unit": "unit", "software": "in C"}
PERCENT = 10_000  # millionths


def _found(statistic: str) -> dict[tuple[str, str, str], int]:
    """Metric, way and trace → value."""
    found = {}
    for line in lines(FILES[EXPERIMENT]):
        way, trace = (word.split("=")[1] for word in line["parameters"].split())
        found[line["metric"], way, trace] = int(line[statistic])
    return found


def _traces() -> list[str]:
    return [str(trace) for trace in load(EXPERIMENT).metrics["alloc"].parameters["trace"]]


def fragments() -> str:
    """A line per trace and heap: allocs that failed, with as much free; the largest free block,
    least and median; what is held in vain, most and median."""
    least, median, most = (_found(statistic) for statistic in ("min", "median", "max"))
    heads = (
        "failed",
        "with as much free",
        "largest free block: least",
        "median",
        "held in vain: most",
        "median",
    )
    rows = []
    for trace in _traces():
        for way, text in WAYS.items():
            key = (way, trace)
            cells = [
                _percent(most["failed", *key]),
                _percent(most["scattered", *key]),
                number(least["largest", *key]),
                number(median["largest", *key]),
                _percent(most["waste", *key]),
                _percent(median["waste", *key]),
            ]
            rows.append([trace if way == next(iter(WAYS)) else "", text, *cells])
    return table("llr", ("sizes", "heap", *heads), rows)


def _percent(value: int) -> str:
    return f"{value / PERCENT:.1f} %"


def cycles() -> str:
    """A line per trace: median and most of each call of each heap."""
    median, most = _found("median"), _found("max")
    calls = ("alloc", "free")
    heads = [f"{call}, {text}" for call in calls for text in WAYS.values()]
    rows = [
        [
            trace,
            *(
                f"{number(median[call, way, trace])} … {number(most[call, way, trace])}"
                for call in calls
                for way in WAYS
            ),
        ]
        for trace in _traces()
    ]
    return table("lr", ("sizes", *heads), rows)


def pools() -> str:
    """A line per system: cycles of an iteration of Thread-Metric's memory allocation."""
    found = {
        (line["kernel"], line["parameters"].removeprefix("pools=")): line
        for line in lines(FILES[POOLS])
    }
    kernels = dict.fromkeys(kernel for kernel, _ in found)
    rows = [
        [
            f"`{kernel}`",
            *(number(int(found[kernel, way]["median"])) for way in ("ordinary", "unit")),
        ]
        for kernel in kernels
    ]
    return table("lr", ("system", "ordinary pool", "pool over the unit"), rows)
