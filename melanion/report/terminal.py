"""The comparing table of a terminal: at most 80 columns for up to four kernels."""

from __future__ import annotations

from rich import box
from rich.table import Table
from rich.text import Text

from melanion.experiments.result import Result
from melanion.experiments.rows import Measurement


def table(result: Result) -> Table:
    """Median and worst case (only the worst case for more than two kernels), in cycles; two kernels
    also get their ratio."""
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
    for metric, _, found in result.lines():
        if last and metric != last and max(sizes[metric], sizes[last]) > 1:
            view.add_section()
        last = metric
        cells: list[str] = []
        for each in found:
            cells += [str(each.row.median), str(each.row.max)] if medians else [str(each.row.max)]
        view.add_row(found[0].row.label, *cells, *([ratio(found)] if two else []))
    return view


def ratio(found: list[Measurement]) -> str:
    """How many times the first kernel's worst case is the second one's; `–` where that is 0."""
    first, second = (each.row.max for each in found)
    return f"{first / second:.1f}" if second else "–"
