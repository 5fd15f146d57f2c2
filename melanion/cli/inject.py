# SPDX-License-Identifier: Apache-2.0
"""`melanion inject`: flip bits of a kernel's state, and count what follows."""

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

from melanion import build, config, inject, report, results
from melanion.inject import present
from melanion.inject.campaign import Prepared
from melanion.inject.flips import LONGEST_SEED
from melanion.inject.harness import Ended
from melanion.inject.outcome import CLASSES, SILENT
from melanion.inject.page import page
from melanion.inject.present import Line, Result
from melanion.model.describe import describe_event
from melanion.report.svg import number
from melanion.run import Settings, evidence, saved

LINES = 20  # lines of a list on the terminal
MOST_FLIPS = 10_000_000
FILES = {"report.html": page, "inject.json": present.json_text, "inject.csv": present.csv_text}


@click.command("inject")
@click.argument("system_name", metavar="SYSTEM")
@click.argument("app")
@click.option("--flips", type=int, default=200, show_default=True, help="Number of flips.")
@click.option(
    "--seed",
    type=click.IntRange(0, LONGEST_SEED),
    default=1,
    show_default=True,
    help="Seed that decides every flip.",
)
@click.option(
    "--module",
    "only",
    default="",
    metavar="NAME",
    help="Flip only bits of this module, or of this kind of state.  [default: all]",
)
@click.option(
    "--only",
    "again",
    type=int,
    metavar="K",
    help="Run flip K (from 0) again; print what it hit, its class, console and last events.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    help="Number of runs in parallel.  [default: one for each CPU]",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder of report.html, CSV and JSON.  [default: build/inject/SYSTEM-APP]",
)
def command(
    system_name: str,
    app: str,
    flips: int,
    seed: int,
    only: str,
    again: int | None,
    jobs: int | None,
    out: Path | None,
) -> None:
    """Flip single bits in the state of the kernel of SYSTEM while APP runs, and classify the
    effects: none, a detected error, or silent corruption.

    The same seed gives the same flips and classes. Flips of the same sources that are in the
    results store are not run again, so an interrupted campaign continues where it stopped.
    """
    application = build.application(app)
    campaign = inject.Campaign(config.find(system_name), application, seed, flips, only)
    typed = f"melanion inject {system_name} {app} --flips {flips} --seed {seed}"
    typed += f" --module {only}" if only else ""
    if again is not None and not 0 <= again < max(flips, 1):
        raise inject.InjectError(
            f"--only {again}: the {flips} flips of the campaign (--flips) have the numbers"
            f" 0 … {max(flips, 1) - 1}; write one of them.",
            2,
        )
    if flips > MOST_FLIPS:
        raise inject.InjectError(
            f"{flips} flips: a campaign has {MOST_FLIPS} at most; write fewer.", 2
        )
    name = system_name.replace("/", "_")
    folder = Path("build", "inject", f"{name}-{application.name}") if out is None else out
    if again is None:
        for each in FILES:
            report.check_writable(folder / each)
    status = Console(stderr=True).status("building")
    with status, inject.prepared(campaign, Settings(), status.update) as (ready, harness):
        if again is not None:
            _show_single(ready, *inject.single(ready, harness, again), folder / f"flip-{again}")
            return
        status.stop()
        begin = time.monotonic()
        with _Meter(flips) as meter:
            try:
                records = inject.run(
                    ready,
                    harness,
                    results.Store(results.location()),
                    typed,
                    jobs or os.cpu_count() or 1,
                    meter.ended,
                )
            except KeyboardInterrupt:
                raise inject.InjectError(
                    "interrupted; finished flips are kept, and the same command continues with"
                    " the rest."
                ) from None
        seconds = time.monotonic() - begin
        done = present.result(ready, records, typed, flips - meter.done, seconds)
    for file, made in FILES.items():
        report.write_text(folder / file, made(done))
    _show(done, folder)


class _Meter:
    """Progress on the terminal of standard error; nothing stays of it."""

    def __init__(self, wanted: int) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("flips"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("flips", total=wanted)
        self.done = 0

    def __enter__(self) -> _Meter:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def ended(self, _record: inject.Record) -> None:
        self.done += 1
        self._progress.update(self._task, completed=self.done)


def _show(done: Result, folder: Path) -> None:
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(_table("kind", done.kinds))
    worst = [line for line in done.modules if line.counts["masked"] < line.flips]
    if worst:
        console.print(_table("module", worst[:LINES]))
    if len(worst) > LINES:
        console.print(f"… and {len(worst) - LINES} more modules with an effect", highlight=False)
    for record in done.silent[:LINES]:
        text = f"{record.name} {record.number}: {present.where(record)} in cycle {record.cycle}"
        console.print(text, highlight=False, soft_wrap=True, markup=False)
    if len(done.silent) > LINES:
        console.print(f"… and {len(done.silent) - LINES} more silent ones", highlight=False)
    pace = f"; {done.flips_run / done.seconds:.1f} flips a second" if done.flips_run else ""
    for line in (f"{present.summary(done)}{pace}", done.protection):
        console.print(line, highlight=False, soft_wrap=True, markup=False)
    console.print(f"page, CSV, JSON: {folder / 'report.html'}", highlight=False, soft_wrap=True)


def _table(first: str, lines: list[Line]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column(first, overflow="fold")
    for head in ("flips", *CLASSES, "≤ silent"):
        table.add_column(Text(head), justify="right", no_wrap=True)
    for line in lines:
        counts = [
            Text(number(line.counts[name]), style="bold red" if name in SILENT else "")
            if line.counts[name]
            else Text("0")
            for name in CLASSES
        ]
        name = f"{line.kind}: {line.module}" if line.module else line.kind
        table.add_row(Text(name), number(line.flips), *counts, present.percent(line.bound))
    return table


def _show_single(ready: Prepared, record: inject.Record, ended: Ended, folder: Path) -> None:
    """Print the class of a flip, its console, its first events and the tasks at its end."""
    click.echo(
        f"flip {record.number}: {present.where(record)} ({record.hit}), cycle {record.cycle}"
    )
    seen = "" if record.latency is None else f" after {record.latency} cycles"
    click.echo(f"class: {record.name}{seen}{': ' if record.evidence else ''}{record.evidence}")
    where = "not that of the run without the flip" if record.left else "that without the flip"
    click.echo(f"state at the end: {where}")
    click.echo("console:")
    click.echo(ended.seen.console, nl=not ended.seen.console.endswith("\n"))
    left = inject.as_run(ready, ended)
    later = left.events[left.events["cycle"] >= record.cycle][:LINES].tolist()
    click.echo(f"the first {len(later)} events from the flip on:")
    for event in later:
        click.echo(f"  {event[0]}: {describe_event(event, left.names)}")
    for line in evidence.lines(left):
        click.echo(line)
    saved.save(left, folder)
    click.echo(f"its events: `melanion tasks {folder} --cycle N`")
