# SPDX-License-Identifier: Apache-2.0
"""`melanion sweep`: many systems, measured and set against each other."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from melanion import report, results
from melanion.report.svg import number
from melanion.results import Store
from melanion.results.estimate import words
from melanion.sweep import (
    Answer,
    Campaign,
    Cluster,
    Point,
    Pool,
    Sweep,
    SweepError,
    Workers,
    csv_text,
    json_text,
    load,
    page,
)

LINES = 12  # of a front, on the terminal
FILES = {"report.html": page, "sweep.json": json_text, "sweep.csv": csv_text}


@click.command("sweep")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    help="Number of points in parallel on this machine.  [default: one for each CPU]",
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Evaluate the points on the Dask cluster of this scheduler, such as tcp://host:8786.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder of report.html, CSV and JSON.  [default: build/sweep/NAME of FILE]",
)
def command(file: Path, jobs: int | None, dask: str | None, out: Path | None) -> int:
    """Measure the systems that FILE (YAML) describes, and find the Pareto front of worst-case
    cycles, cells and memory: table, page, CSV, JSON.

    Points of the same sources that are in the results store are not run again, so an interrupted
    sweep continues where it stopped. A point that fails is shown with its cause, and the exit code
    is 1.
    """
    if jobs is not None and dask is not None:
        raise SweepError(
            "--jobs does not go with --dask: the cluster decides how many points are in work; leave"
            " one of them out.",
            2,
        )
    plan = load(file)
    folder = Path("build", "sweep", file.stem) if out is None else out
    for name in FILES:
        report.check_writable(folder / name)
    typed = " ".join(["melanion sweep", str(file), *([f"--dask {dask}"] if dask else [])])
    store = Store(results.location())
    sweep = Sweep(plan, (), typed)
    error: SweepError | None = None
    with _Meter(sweep.wanted) as meter:
        workers: Workers = Cluster(dask) if dask else Pool(jobs or os.cpu_count() or 1, meter.text)
        campaign = Campaign(plan, store, workers, typed, meter)
        interrupted = False
        try:
            campaign.run()
        except KeyboardInterrupt:
            interrupted = True
        except SweepError as caught:
            interrupted, error = True, caught
        finally:
            workers.close()
    sweep = Sweep(plan, campaign.answers, typed, interrupted)
    for name, made in FILES.items():
        report.write_text(folder / name, made(sweep))
    _show(sweep, folder)
    if error is not None:
        raise error
    if interrupted:
        raise SweepError(
            f"interrupted; the {len(sweep.answers)} points that ended are kept, and the same"
            " command continues with the rest."
        )
    return 1 if sweep.of_state("failed") else 0


class _Meter:
    """Progress on the terminal of standard error; nothing stays of it but a line for each point
    that fails."""

    def __init__(self, wanted: int) -> None:
        self._console = Console(stderr=True)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[doing]}", markup=False),
        )
        self._progress = Progress(
            *columns,
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._progress.add_task("points", total=wanted, doing="")
        self._began = time.monotonic()
        self._wanted, self._done, self._evaluated = wanted, 0, 0

    def __enter__(self) -> _Meter:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def begun(self, point: Point) -> None:
        self.text(point.name, "begun")

    def text(self, name: str, what: str) -> None:
        """What is done for a point now."""
        left = ""
        if self._evaluated:
            pace = (time.monotonic() - self._began) / self._evaluated
            left = f"{words(pace * (self._wanted - self._done))}; "
        self._progress.update(self._task, doing=f"{left}{name}: {what}")

    def ended(self, answer: Answer) -> None:
        self._done += 1
        if not answer.found and answer.state != "refused":
            self._evaluated += 1
        self._progress.update(self._task, completed=self._done)
        if answer.state == "failed":
            self._console.print(
                f"{answer.point.name}: {answer.failure}",
                style="red",
                highlight=False,
                soft_wrap=True,
                markup=False,  # sizes stand between brackets
            )


def _show(sweep: Sweep, folder: Path) -> None:
    console = Console(width=None if sys.stdout.isatty() else 100)
    for quantity, best in sweep.front_of.items():
        if best:
            console.print(f"{quantity.label}, the front:", style="bold", highlight=False)
            console.print(_table(best[:LINES]))
            if len(best) > LINES:
                console.print(f"… and {len(best) - LINES} more", highlight=False)
        if others := sweep.left_out[quantity]:
            text = _left_out(quantity.label, others)
            console.print(text, highlight=False, soft_wrap=True, markup=False)
    for line in (f"{sweep.chosen}; {sweep.summary}", *_causes(sweep)):
        console.print(line, highlight=False, soft_wrap=True, markup=False)
    console.print(f"page, CSV, JSON: {folder / 'report.html'}", highlight=False, soft_wrap=True)


def _left_out(label: str, others: list[Answer]) -> str:
    """`left out, cells unknown: banked-2 (16 cycles)`."""
    named = [f"{each.point.system} ({number(each.worst or 0)} cycles)" for each in others[:LINES]]
    more = f" and {len(others) - LINES} more" if len(others) > LINES else ""
    return f"{label}, left out, cells unknown: {', '.join(named)}{more}"


def _causes(sweep: Sweep) -> list[str]:
    """A line for each of the first refusals; failures were printed as they came."""
    refused = sweep.of_state("refused")
    found = [f"refused: {each.failure}" for each in refused[:3]]
    return [*found, *([f"… and {len(refused) - 3} more refused"] if len(refused) > 3 else [])]


def _table(best: list[Answer]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for head in ("system", "cycles", "cells", "block RAMs", "ROM", "RAM"):
        side = "left" if head == "system" else "right"
        table.add_column(Text(head), justify=side, no_wrap=head != "system")  # type: ignore[arg-type]
    for each in best:
        area = each.area
        assert area is not None and area.cells is not None and area.block_rams is not None
        mark = "≈ " if area.how == "interpolated" else ""
        figures = [f"{mark}{number(area.cells)}", f"{mark}{number(area.block_rams)}"]
        sizes = ["–" if size is None else number(size) for size in (each.rom, each.ram)]
        table.add_row(Text(each.point.system), number(each.worst or 0), *figures, *sizes)
    return table
