# SPDX-License-Identifier: Apache-2.0
"""Asserted rows are those of the present sources, also the rows that only `make soak` measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from melanion import paths
from melanion.docs import sources
from melanion.report.export import csv_rows
from tests.common import exact_cycles

ROOT = paths.data_root()
SEMAPHORE = ROOT / "kernel" / "unit" / "semaphore.c"
PROGRAM = ROOT / "apps" / "benchmarks" / "database" / "database.c"
HEADER = ROOT / "kernel" / "include" / "melanion" / "types.h"
SEARCHED = ROOT / "kernel" / "software" / "wait_queue" / "priority_list.h"
UNUSED = ROOT / "kernel" / "deadlock" / "include" / "melanion" / "deadlock.h"
RTU, SW = ("rtu-shared", "rtu-3+shared"), ("rtu-shared", "sw-3+shared")
ASSERTED = Path(__file__).parents[1] / "asserted"
FILES = ASSERTED.glob("*_cycles.csv")
EXPERIMENTS = sorted(path.stem.removesuffix("_cycles") for path in FILES)


@exact_cycles.pinned
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_rows_are_those_of_these_sources(experiment: str) -> None:
    kernels = {row["kernel"] for row in exact_cycles.recorded(experiment)}
    now = sources.present(experiment, sorted(kernels))
    assert sources.complaints(sources.recorded(), now) == []


@pytest.mark.parametrize(
    ("file", "new", "moved"),
    [
        (SEMAPHORE, "/* other\nwords */ ", set()),
        (SEMAPHORE, "int more; ", {RTU}),
        (PROGRAM, "/* other words */ ", set()),
        (PROGRAM, "/* other\nwords */ ", {RTU, SW}),
        (HEADER, "int more; ", {RTU, SW}),
        (SEARCHED, "int more; ", {SW}),
        (UNUSED, "int more; ", set()),
    ],
)
def test_sources_that_moved_are_seen(
    monkeypatch: pytest.MonkeyPatch,
    file: Path,
    new: str,
    moved: set[tuple[str, str]],
) -> None:
    """Code of a kernel moves the rows of that kernel alone, also in a header; a line of the program
    and a header of all those of all; a comment, and a header that nothing includes, none."""
    experiment, kernels = "rtu-shared", ["rtu-3+shared", "sw-3+shared"]
    before = sources.present(experiment, kernels)
    read = sources.text_of
    monkeypatch.setattr(sources, "text_of", lambda path: (new if path == file else "") + read(path))
    after = sources.present(experiment, kernels)
    assert {names for names in before if before[names] != after[names]} == moved
    said = sources.complaints(before, after)
    assert len(said) == bool(moved)
    if moved == {RTU}:
        assert said == [
            "the sources of rtu-3+shared moved since tests/asserted/rtu-shared_cycles.csv was"
            " measured: `python -m melanion.docs asserted rtu-shared` measures anew"
        ]


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_recorded_rows_are_those_of_the_file(experiment: str) -> None:
    rows = exact_cycles.recorded_rows(experiment)
    text = (ASSERTED / f"{experiment}_cycles.csv").read_text(encoding="utf-8")
    assert csv_rows([row for each in rows.values() for row in each]) == text
