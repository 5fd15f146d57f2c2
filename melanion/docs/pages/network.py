# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/explanation/network.md: lwIP on several kernels. The rows are those that tests
assert; nothing is measured here."""

from __future__ import annotations

from melanion.claims import load
from melanion.docs.rows import FILES, lines
from melanion.docs.table import number, table

EXPERIMENT = "network"
PERCENT = 10_000  # millionths
MILLION = 1_000_000
CLOCK = 100_000_000  # Hz, of the systems as named

Key = tuple[str, str, str]  # system, metric, parameters


def found(statistic: str) -> dict[Key, int]:
    """System, metric and parameters → value."""
    return {
        (line["kernel"], line["metric"], line["parameters"]): int(line[statistic])
        for line in lines(FILES[EXPERIMENT])
    }


def systems() -> list[str]:
    """The systems that are measured, in the order of the rows."""
    return list(dict.fromkeys(line["kernel"] for line in lines(FILES[EXPERIMENT])))


def _words(key: str) -> list[str]:
    return [str(word) for word in load(EXPERIMENT).metrics["round_trip"].parameters[key]]


def loads(size: str) -> str:
    """A line per rate, wire and system: what is answered, what is idle, round trips, lateness."""
    median, p99, most = (found(name) for name in ("median", "p99", "max"))
    rows = []
    for rate in _words("rate"):
        for wire in _words("wire"):
            for system in systems():
                parameters = f"rate={rate} wire={wire} size={size}"
                trip, late = ((system, name, parameters) for name in ("round_trip", "lateness"))
                answered, idle = (
                    f"{most[system, name, parameters] / PERCENT:.1f} %"
                    for name in ("answered", "idle")
                )
                trips = " … ".join(number(values[trip]) for values in (median, p99, most))
                control = " … ".join(number(values[late]) for values in (median, most))
                frames = f"{number(int(rate[1:]))}, {wire}"
                rows.append([frames, f"`{system}`", answered, idle, trips, control])
    heads = ("frames/s", "system", "answered", "idle", "round trip", "control late")
    return table("llr", heads, rows)


def limits() -> str:
    """A line per system: the shortest period without a loss, as frames too, and the flood."""
    most = found("max")
    sizes = _words("size")
    rows = []
    for system in systems():
        cells = [f"`{system}`"]
        for size in sizes:
            period = most[system, "limit", f"size={size}"]
            rate = f"{MILLION / period:.0f} ({number(CLOCK // period)}/s)"
            cells += [number(period), rate, number(most[system, "flood", f"size={size}"])]
        rows.append(cells)
    heads = ["system"]
    for size in sizes:
        heads += [f"{size[1:]} bytes: period", "frames per million cycles", "replies in a flood"]
    return table("lr", heads, rows)
