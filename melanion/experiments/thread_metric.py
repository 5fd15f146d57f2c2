# SPDX-License-Identifier: Apache-2.0
"""Test files of Thread-Metric as others have them, unmodified, over the services of
kernel/compat/thread_metric.

A folder holds tests (`tm_…_test.c`, one program each) and their header `tm_api.h`. A porting layer
in it is not used: ours takes its place. A test prints what it counted; it never ends, so its run
ends when its reporting thread sleeps again after one report.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mel_gen import TraceKind

from melanion import build, config, paths
from melanion.build import App
from melanion.experiments.definition import ExperimentError
from melanion.run import run_program
from melanion.run.evidence import told

HEADER = "tm_api.h"
TESTS = "tm_*_test.c"
LAYER = "kernel/compat/thread_metric"
# Of the tests' files: what they use, whatever they include themselves.
INCLUDED = ("stdio.h", "tm_porting_layer.h")
MARK_BEGIN, MARK_END = 1, 2  # TM_MARK_… of tm_porting_layer.h
MAX_CYCLES = 20_000_000

_NUMBER = re.compile(r"\d+")
Report = build.Report


@dataclass(frozen=True)
class Upstream:
    """One test on one system. `console`: its report; `count`: the last number in it, None: there is
    none; `cycles`: for which it counted."""

    test: str
    kernel: str
    console: str
    count: int | None
    cycles: int

    @property
    def each(self) -> float | None:
        """Cycles of one of what it counted."""
        return self.cycles / self.count if self.count else None


def upstream(
    folder: Path, kernels: list[str], report: Report = lambda _: None
) -> Iterator[Upstream]:
    """Every test of the folder on every kernel. Raises MelanionError: a name is wrong, a file does
    not compile, a run fails."""
    with _staged(folder) as apps:
        for app in apps:
            for kernel in kernels:
                yield _run(app, kernel, report)


def _run(app: App, kernel: str, report: Report) -> Upstream:
    with told() as failed:
        result = run_program(config.find(kernel), app, report=report, failed=failed)
    marks = result.events[result.events["kind"] == TraceKind.MARKER]
    begin, end = (int(marks["cycle"][marks["a"] == mark][0]) for mark in (MARK_BEGIN, MARK_END))
    numbers = _NUMBER.findall(result.console)
    count = int(numbers[-1]) if numbers else None
    return Upstream(app.name, kernel, result.console, count, end - begin)


@contextmanager
def _staged(folder: Path) -> Iterator[list[App]]:
    """The tests, copied beside nothing but their header: what else the folder holds is not seen."""
    tests = sorted(folder.glob(TESTS)) if folder.is_dir() else []
    missing = TESTS if not tests else "" if (folder / HEADER).is_file() else HEADER
    if missing:
        raise ExperimentError(
            f"--thread-metric-dir {folder}: there is no {missing} in it; name the folder that holds"
            f" the benchmark's tests and {HEADER}.",
            2,
        )
    with tempfile.TemporaryDirectory(prefix="thread-metric-") as name:
        place = Path(name)
        for path in [*tests, folder / HEADER]:
            shutil.copyfile(path, place / path.name)
        yield [
            App(
                name=path.stem,
                title=path.stem,
                folder=place,
                sources=(place / path.name,),
                defines={"TM_REPORTS": 1},
                max_cycles=MAX_CYCLES,
                compat=paths.data_root() / LAYER,
                included=INCLUDED,
            )
            for path in tests
        ]
