# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/explanation/dmmu.md: memory from the memory management unit and from a list in C.
The rows are those that tests assert; nothing is measured here."""

from __future__ import annotations

from melanion.claims import load
from melanion.docs.rows import FILES, lines
from melanion.docs.table import number, table

EXPERIMENT = "dmmu"
WAYS = {"unit": "unit", "list": "list in C"}
PERCENT = 10_000  # millionths


def _found(statistic: str) -> dict[tuple[str, str, str], int]:
    """System, metric and parameters → value."""
    return {
        (line["kernel"], line["metric"], line["parameters"]): int(line[statistic])
        for line in lines(FILES[EXPERIMENT])
    }


def _traces() -> list[str]:
    return [str(trace) for trace in load(EXPERIMENT).metrics["alloc"].parameters["trace"]]


def cycles() -> str:
    """A line per system and trace, columns for the median and the most of each call and way."""
    median, most = _found("median"), _found("max")
    heads = [f"{call}, {text}" for call in ("alloc", "free") for text in WAYS.values()]
    rows = []
    for kernel in dict.fromkeys(kernel for kernel, _, _ in most):
        for trace in _traces():
            keys = [
                (kernel, call, f"way={way} trace={trace}")
                for call in ("alloc", "free")
                for way in WAYS
            ]
            values = (f"{number(median[key])} … {number(most[key])}" for key in keys)
            rows.append([f"`{kernel}`", trace, *values])
    return table("llr", ("system", "sizes", *heads), rows)


def failures() -> str:
    """A line per trace: shares of allocs that failed, on the first system (on all the same)."""
    found = _found("max")
    kernel = next(iter(found))[0]
    heads = [f"{text}, {way}" for way in WAYS.values() for text in ("failed", "with as much free")]
    rows = []
    for trace in _traces():
        keys = [
            (kernel, metric, f"way={way} trace={trace}")
            for way in WAYS
            for metric in ("failed", "scattered")
        ]
        rows.append([trace, *(f"{found[key] / PERCENT:.1f} %" for key in keys)])
    return table("lr", ("sizes", *heads), rows)
