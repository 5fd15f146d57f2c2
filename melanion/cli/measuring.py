# SPDX-License-Identifier: Apache-2.0
"""Measures into the results store, for `compare` and `reproduce`; progress on standard error."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from melanion import area, results
from melanion.build.cache import Report
from melanion.claims.reader import load_with_origin
from melanion.errors import MelanionError
from melanion.report.costs import AREA
from melanion.results import Collection, Job, Store
from melanion.results.estimate import Estimate, words
from melanion.results.gather import BEGINNING

Wanted = Mapping[str, Sequence[str]]  # experiment → systems, or designs


def measure(
    wanted: Wanted,
    command: str,
    *,
    area_of: Sequence[str] = (),
    liberty: Path | None = None,
    lines: bool = False,
) -> Collection:
    """A new set in the store. `command` is what the user typed; `area_of`: systems whose area is
    wanted, too; `liberty`: the library of gate counts; `lines`: where no terminal shows progress, a
    line for each unit. Raises MelanionError: what was measured before it is kept."""
    store = Store(results.location())
    found = jobs(wanted)
    designs = [job for job in found if _synthesized(job[0])]
    runs = [job for job in found if job not in designs]
    # The longest jobs come first, so that no worker is left alone with one at the end.
    first, last = ([(AREA, name) for name in names] for names in area.in_turn(area_of))
    every = [*designs, *first, *runs, *last]
    number = store.begin(command, every)
    try:
        with _Meter(every, store, lines=lines) as meter:
            results.gather(store.file, number, every, meter.tell, partial(unit, command, liberty))
    except MelanionError:
        store.end(number)  # it failed: nobody is at work, and some units are missing
        raise
    store.end(number)
    return results.collect(f"set {number}", store.of_set(number))


def unit(
    command: str, liberty: Path | None, experiment: str, name: str, report: Report
) -> results.Unit:
    """One unit of any kind: programs that run, designs that are mapped to gates, areas."""
    if experiment == AREA:
        return area.unit(name, command=command, report=report)
    if _synthesized(experiment):
        found = area.execute(experiment, name, command=command, file=liberty, report=report)
        return results.of_synthesis(found)
    return results.of_program(experiment, name, report)


def jobs(wanted: Wanted) -> list[Job]:
    """Units to measure; experiments that read the same rows measure each system once."""
    found = [
        (load_with_origin(experiment)[1], kernel)
        for experiment, kernels in wanted.items()
        for kernel in kernels
    ]
    return list(dict.fromkeys(found))


def _synthesized(experiment: str) -> bool:
    return bool(load_with_origin(experiment)[0].designs)


class _Meter:
    """Progress: of the units in work, and of all."""

    def __init__(self, wanted: Sequence[Job], store: Store, *, lines: bool) -> None:
        self._console = Console(stderr=True)
        self._several = len({experiment for experiment, _ in wanted}) > 1
        self._lines = lines and not self._console.is_terminal
        self._estimate = Estimate(wanted, store.seconds(), os.cpu_count() or 1)
        self._begun: dict[Job, float] = {}
        self._found: set[Job] = set()  # begun, and nothing had to be done for them so far
        columns = (
            SpinnerColumn(),
            TextColumn("{task.fields[unit]:<12}"),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
        )
        self._progress = Progress(
            *columns,
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._tasks: dict[Job, TaskID] = {}
        self._total: TaskID | None = None

    def __enter__(self) -> _Meter:
        self._progress.start()
        self._total = self._progress.add_task(self._text(), unit="measuring", total=None)
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def _text(self) -> str:
        done, every = self._estimate.count
        left = words(self._estimate.left())
        return f"{done} of {every}{f', {left}' if left and done < every else ''}"

    def tell(self, job: Job, text: str) -> None:
        experiment, kernel = job
        name = f"{experiment} on {kernel}" if self._several else kernel
        if job not in self._begun:
            self._begun[job] = time.monotonic()
            self._found.add(job)
        if text:
            if text != BEGINNING:
                self._found.discard(job)
            if job not in self._tasks:
                self._tasks[job] = self._progress.add_task(text, unit=name, total=1)
            self._progress.update(self._tasks[job], description=text)
            return
        seconds = time.monotonic() - self._begun[job]
        self._estimate.done(job, seconds, found=job in self._found)
        if job in self._tasks:
            self._progress.remove_task(self._tasks.pop(job))
        assert self._total is not None
        self._progress.update(self._total, description=self._text())
        if self._lines:
            click.echo(f"{self._text()}: {name}", err=True)
