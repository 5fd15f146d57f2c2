# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/thread-metric.md beside its verdicts: cycles and ratios, the reason why
a ratio is met or not, the cost of a trap. From the cycles that tests assert."""

from __future__ import annotations

from melanion.claims.result import Result
from melanion.docs.pages.reproduced import result
from melanion.docs.table import NONE, codes, number, table

CALIBRATION = "calibration"
THIRTY_SECONDS = 3_000_000_000  # cycles, at 100 MHz
THREADX = round(200e6 * 30 / 11_482)  # cycles of one calibration there: 11 482 in 30 s at 200 MHz


def printed(found: Result) -> dict[str, float]:
    """Test → the paper's ratio to the calibration; of two rows of one test the first."""
    claims = reversed(found.definition.claims)
    return {c.rules[0].to_metric: c.paper for c in claims if c.paper and c.rules[0].to_metric}


def cycles(code: str) -> str:
    """A row per test, a column per kernel: cycles, iterations in 30 s, their ratio to the
    calibration's; `code`: how the tests were compiled."""
    found = result("thread-metric")
    paper = printed(found)
    median = medians(found, code)
    rows = []
    for test, metric in found.definition.metrics.items():
        cells = [metric.title, f"**{paper[test]:.0f}**" if test in paper else NONE]
        for kernel in found.kernels:
            one, base = median[kernel, test], median[kernel, CALIBRATION]
            bold = "" if test == CALIBRATION else f"**{base / one:.0f}** · "
            cells.append(f"{bold}{number(one)} · {number(THIRTY_SECONDS // one)}")
        rows.append(cells)
    return table("lr", ("test", "ThreadX", *codes(found.kernels)), rows)


def medians(found: Result, code: str) -> dict[tuple[str, str], int]:
    """Kernel and test → median, of tests that were compiled so."""
    return {
        (m.row.kernel, m.row.metric): m.row.median
        for m in found.measurements
        if m.row.parameters["code"] == code
    }


def reasons() -> str:
    """Why a ratio with -O2 is met or not: of each test the cycles up to which it is, and on each
    kernel its cycles, and how many times fewer those are than ThreadX's."""
    found = result("thread-metric")
    median = medians(found, "O2")
    (base,) = {median[kernel, CALIBRATION] for kernel in found.kernels}
    rows = []
    for test, ratio in sorted(printed(found).items(), key=lambda each: -each[1]):
        most = int(base / ratio)
        cells = [found.definition.metrics[test].title, f"{THREADX / ratio:.0f}", str(most)]
        for one in (median[kernel, test] for kernel in found.kernels):
            text = f"{one} ({THREADX / ratio / one:.0f} ×)"
            cells.append(text if one <= most else f"**{text}**")
        rows.append(cells)
    return (
        f"A calibration of ThreadX took {number(THREADX)} cycles, ours takes {number(base)}:"
        f" {THREADX / base:.0f} times fewer. A ratio is met where a test gains as much.\n\n"
        + table("lr", ("test", "ThreadX", "met up to", *codes(found.kernels)), rows)
    )


def entry() -> str:
    """Cost of a trap, in one sentence and a table: a row per test, with the cycles of each kernel
    for an iteration with services called, and trapped into."""
    found = result("thread-metric-entry")
    median = {
        (m.row.kernel, m.row.metric, m.row.parameters["entry"]): m.row.median
        for m in found.measurements
    }

    def pair(kernel: str, test: str) -> tuple[int, int]:
        return median[kernel, test, "call"], median[kernel, test, "trap"]

    more = {trap - call for call, trap in (pair(kernel, "nothing") for kernel in found.kernels)}
    pairs = [
        "{} to {} cycles on `{}`".format(*pair(kernel, "synchronization"), kernel)
        for kernel in found.kernels
    ]
    rows = [
        (metric.title, *(" · ".join(map(str, pair(kernel, test))) for kernel in found.kernels))
        for test, metric in found.definition.metrics.items()
    ]
    return (
        f"**Call**: entering a service through a trap takes {_range(more)} cycles more (measured"
        " with an empty service), on every kernel; getting and putting a semaphore goes from"
        f" {', from '.join(pairs)}.\n\n"
        + table("lr", ("test", *(f"`{kernel}`: call · trap" for kernel in found.kernels)), rows)
    )


def _range(values: set[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"
