# SPDX-License-Identifier: Apache-2.0
"""Measures what a set wants, with one worker process per CPU, each taking the next unit that nobody
has begun, and keeps every unit as soon as it is measured.

A worker stays for all its units, so that a repeat, which only looks things up, does not start a
process for each.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from melanion.claims.execute import outcome
from melanion.results.store import Store
from melanion.results.unit import Unit, of_outcome
from melanion.run.parallel import run_jobs

Job = tuple[str, str]  # experiment that is measured (none that reads another's rows), kernel
Progress = Callable[[Job, str], None]
"""Called with a unit and what is done for it now; an empty text: it is measured and kept."""

BEGINNING = "beginning"  # the first text about a unit; the only one of what is looked up
MARK = "\0"  # between a unit's names and the text about it, on the way from a worker


Measure = Callable[[str, str, Callable[[str], None]], Unit]
"""Measures a unit: experiment, kernel, report. A function of a module: workers find it by name."""


def of_program(experiment: str, kernel: str, report: Callable[[str], None]) -> Unit:
    """A unit that is measured by running programs."""
    return of_outcome(experiment, kernel, outcome(experiment, kernel, report))


def gather(
    file: Path, number: int, jobs: Sequence[Job], progress: Progress, measure: Measure = of_program
) -> None:
    """Measure units that set `number` wants, in this order, or take what the build cache holds.
    Raises the first MelanionError; what was measured before is kept."""
    workers = min(os.cpu_count() or 1, len(jobs))

    def shown(_worker: str, text: str) -> None:
        experiment, mark, rest = text.partition(MARK)
        kernel, _, what = rest.partition(MARK)
        if mark:
            progress((experiment, kernel), what)

    arguments = (str(file), number, tuple(jobs), measure)
    run_jobs(labour, {f"worker {i}": arguments for i in range(workers)}, shown)


def labour(
    file: str,
    number: int,
    jobs: Sequence[Job],
    measure: Measure,
    report: Callable[[str], None],
) -> None:
    """Body of a worker."""
    store = Store(Path(file))
    while (job := store.claim(number, jobs)) is not None:
        head = MARK.join(job) + MARK
        report(head + BEGINNING)
        begin = time.monotonic()
        said: list[str] = []

        def progress(text: str, head: str = head, said: list[str] = said) -> None:
            said.append(text)
            report(head + text)

        unit = measure(*job, progress)
        store.add(number, unit, time.monotonic() - begin if said else None)
        report(head)
