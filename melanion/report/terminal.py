# SPDX-License-Identifier: Apache-2.0
"""The comparing table of a terminal: at most 80 columns for up to four kernels, 100 with titles."""

from __future__ import annotations

from rich import box
from rich.table import Table
from rich.text import Text

import melanion.report.finding as finding
from melanion.claims.result import Result
from melanion.measure.rows import Measurement


def table(result: Result, *, titles: bool = False) -> Table:
    """Median and worst case (only the worst case for more than two kernels), in cycles; two kernels
    also get their ratio. `titles`: rows are named in words, not by metric and parameters."""
    medians = len(result.kernels) <= 2
    view = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    view.add_column("cycles", no_wrap=True)
    for kernel in result.kernels:
        if medians:
            view.add_column(
                Text(f"{kernel}\nmedian", justify="right"), justify="right", no_wrap=True
            )
            view.add_column(
                Text("\nmax", justify="right"), justify="right", no_wrap=True, style="bold"
            )
        else:
            view.add_column(
                Text(f"{kernel}\nmax", justify="right"), justify="right", no_wrap=True, style="bold"
            )
    two = len(result.kernels) == 2
    if two:
        view.add_column(Text("max\nratio", justify="right"), justify="right", no_wrap=True)
    sizes = {name: len(metric.combinations) for name, metric in result.definition.metrics.items()}
    last = ""
    for metric, parameters, found in result.lines():
        if last and metric != last and max(sizes[metric], sizes[last]) > 1:
            view.add_section()
        last = metric
        cells: list[str] = []
        for each in found:
            row = each.row if each else None
            values = [row.median, row.max] if row else ["–", "–"]
            cells += [str(value) for value in values[0 if medians else 1 :]]
        label = next(each.row.label for each in found if each)
        if titles:
            label = finding.row_title(result, metric, parameters)
        view.add_row(label, *cells, *([ratio(found)] if two else []))
    return view


def ratio(found: list[Measurement | None]) -> str:
    """Ratio of the first kernel's worst case to the second one's; `–` when the latter is 0, or one
    of them is missing."""
    first, second = (each.row.max if each else 0 for each in found)
    return f"{first / second:.1f}" if all(found) and second else "–"
