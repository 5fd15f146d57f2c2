# SPDX-License-Identifier: Apache-2.0
"""Test files of Thread-Metric as others have them, unmodified, over the services of
kernel/compat/thread_metric.

A folder holds tests (`tm_…_test.c`, one program each) and their header `tm_api.h`. A porting layer
in it is not used: ours takes its place. The entry of a test is `main` or `tm_main`. A test prints
what it counted; it never ends, so its run ends when its reporting thread sleeps again after one
report. A test that counts 0, or prints ERROR, has failed.

A test is built with -O2, as the services always are, and with -O0. A counter that is not volatile
may stay in a register as long as no call lies between two counts, and the reporting thread then
reads 0: so -O0 decides where a counter is plain, and -O2 where all are volatile.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from mel_gen import TraceKind

from melanion import build, config, paths
from melanion.build import App
from melanion.claims.counters import plain_counters
from melanion.measure.definition import ExperimentError
from melanion.run import run_program
from melanion.run.evidence import shown

HEADER = "tm_api.h"
TESTS = "tm_*_test.c"
LAYER = "kernel/compat/thread_metric"
# Headers included ahead of every test file, whatever it includes itself.
INCLUDED = ("stdio.h", "tm_porting_layer.h")
ENTRY = {"tm_main": "main"}  # the name that published tests give theirs, and the one that is called
MARK_BEGIN, MARK_END = 1, 2  # TM_MARK_… of tm_porting_layer.h
MAX_CYCLES = 20_000_000
# A test that counts less than FEW in the ticks of the services' header runs once more, for LONGER
# ticks: a count is whole, so its figure would be wrong by more than 1 %.
FEW, LONGER = 100, {"TM_TICKS_PER_DURATION": 60}

Code = Literal["O2", "O0"]  # optimization of the test's own file
CODES: tuple[Code, ...] = get_args(Code)
_NUMBER = re.compile(r"\d+")
_ERROR = re.compile(r"^.*\bERROR\b.*$", re.MULTILINE)
Report = build.Report


@dataclass(frozen=True)
class Upstream:
    """One test on one system. `code`: how its own file was compiled; `decides`: a failure of this
    build is the test's; `plain`: a counter that is not volatile; `console`: its report; `count`:
    the last number in it, None: there is none; `cycles`: for which it counted."""

    test: str
    kernel: str
    code: Code
    decides: bool
    plain: str | None
    console: str
    count: int | None
    cycles: int

    @property
    def each(self) -> float | None:
        """Cycles of one of what it counted."""
        return self.cycles / self.count if self.count else None

    @property
    def complaint(self) -> str | None:
        """Reason for which the test failed; None: it did not."""
        if error := _ERROR.search(self.console):
            return f"prints {error[0].strip()!r}"
        if self.count is None:
            return "prints no number"
        return "counts 0" if self.count == 0 else None


def upstream(
    folder: Path,
    kernels: list[str],
    codes: Sequence[Code] = CODES,
    report: Report = lambda _: None,
) -> Iterator[Upstream]:
    """Every test of the folder on every kernel, compiled in each of these ways. Raises
    MelanionError: a name is wrong, a file does not compile, a run fails."""
    with _staged(folder) as apps:
        for app in apps:
            plain = plain_counters(app.sources[0].read_text(encoding="utf-8", errors="replace"))
            deciding = CODES[1] if plain else CODES[0]
            for kernel in kernels:
                for code in codes:
                    decides = code == deciding or len(codes) == 1
                    yield _run(app, kernel, code, decides, next(iter(plain), None), report)


def _run(
    app: App, kernel: str, code: Code, decides: bool, plain: str | None, report: Report
) -> Upstream:
    built = replace(app, optimization=f"-{code}")
    found = _measured(built, kernel, code, decides, plain, report)
    if found.count is None or not 0 < found.count < FEW:
        return found
    built = replace(built, defines={**built.defines, **LONGER})
    return _measured(built, kernel, code, decides, plain, report)


def _measured(
    app: App, kernel: str, code: Code, decides: bool, plain: str | None, report: Report
) -> Upstream:
    with shown() as failed:
        result = run_program(config.find(kernel), app, report=report, failed=failed)
    marks = result.events[result.events["kind"] == TraceKind.MARKER]
    begin, end = (int(marks["cycle"][marks["a"] == mark][0]) for mark in (MARK_BEGIN, MARK_END))
    numbers = _NUMBER.findall(result.console)
    count = int(numbers[-1]) if numbers else None
    return Upstream(app.name, kernel, code, decides, plain, result.console, count, end - begin)


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
                defines={"TM_REPORTS": 1, **ENTRY},
                max_cycles=MAX_CYCLES,
                compat=paths.data_root() / LAYER,
                included=INCLUDED,
            )
            for path in tests
        ]
