# SPDX-License-Identifier: Apache-2.0
"""Results of Thread-Metric test files from others, as text: a line for each run, a table for each
way to compile them, and a sentence for each test that failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from melanion.claims.thread_metric import FEW, Upstream

FAILED, ABOUT = "✗", "≈"


def head(run: Upstream) -> str:
    """One run in one line."""
    each = run.complaint or f"{run.each:.1f} cycles each"
    return (
        f"{run.test} on {run.kernel}, -{run.code}: {run.count} in {run.cycles} cycles: {each}"
        + ("" if run.complaint is None or run.decides else f" ({_why(run)})")
    )


def tables(runs: Sequence[Upstream]) -> Iterator[Text | Table]:
    """At most 80 columns for six kernels: cycles of each count."""
    kernels = list(dict.fromkeys(run.kernel for run in runs))
    for code in dict.fromkeys(run.code for run in runs):
        yield Text(
            f"\nCycles of each count, tests compiled with -{code}, services and kernel with -O2",
            style="bold",
        )
        view = Table(box=None, pad_edge=False, header_style="dim")
        view.add_column("test")
        for kernel in kernels:
            view.add_column(kernel, justify="right")
        mine = {(run.test, run.kernel): run for run in runs if run.code == code}
        for test in dict.fromkeys(run.test for run in runs):
            view.add_row(_short(test), *(_cell(mine[test, kernel]) for kernel in kernels))
        yield view
        if any(run.count is not None and 0 < run.count < FEW for run in mine.values()):
            rest = f"fewer than {FEW} counts, so one more or less changes it by more than 1 %"
            yield Text(f"{ABOUT} {rest}", style="dim")
        yield from _undecided([run for run in runs if run.code == code])


def failures(runs: Sequence[Upstream]) -> list[str]:
    """A sentence for each test that failed in the build that decides."""
    return [
        f"{run.test} on {run.kernel}, compiled with -{run.code}: it {run.complaint}, so it"
        f" measured nothing; {_remedy(run)}."
        for run in runs
        if run.decides and run.complaint is not None
    ]


def _undecided(runs: Sequence[Upstream]) -> Iterator[Text]:
    """Why a build that failed does not count: a line for each test."""
    failed = [run for run in runs if run.complaint is not None and not run.decides]
    for test in dict.fromkeys(run.test for run in failed):
        mine = [run for run in failed if run.test == test]
        names = ", ".join(run.kernel for run in mine)
        yield Text(f"{FAILED} {_short(test)} on {names}: {_why(mine[0])}", style="yellow")


def _why(run: Upstream) -> str:
    if run.plain is None:
        return "all its counters are volatile, so -O2 decides"
    return f"its counter {run.plain} is not volatile, so -O0 decides"


def _remedy(run: Upstream) -> str:
    if run.plain is not None and run.code == "O2":
        return (
            f"its counter {run.plain} is not volatile and may be in a register: take"
            " --thread-metric-code O0, or leave that out"
        )
    return "run it on another kernel, and see what it prints"


def _short(test: str) -> str:
    """The test in words, as `interrupt preemption`, without what all their names have."""
    words = test.removeprefix("tm_").removesuffix("_test").removesuffix("_processing")
    return words.replace("_", " ")


def _cell(run: Upstream) -> str:
    if run.complaint is not None or run.count is None:
        return FAILED
    return f"{ABOUT if run.count < FEW else ''}{run.each:.1f}"
