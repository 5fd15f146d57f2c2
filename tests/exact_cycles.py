# SPDX-License-Identifier: Apache-2.0
"""The exact cycles of an experiment: tests/<experiment>_cycles.csv, made by scripts/asserted.py.

Simulation, compiler and seed decide every cycle, so they are asserted with the compiler version
that they were taken with; with another one the test is skipped.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from melanion.build.tools import CROSS_GCC, version
from melanion.experiments import Row
from melanion.report.export import csv_rows
from tests import needed

PINNED = "riscv64-unknown-elf-gcc (12.2.0-14+deb12u1+11+b2) 12.2.0"

Line = tuple[str, ...]


def is_pinned() -> bool:
    """Cycles and machine code are those of the recorded files."""
    return version(CROSS_GCC) == PINNED


def reason(asserted: str) -> str:
    """Why a test of `asserted` is skipped."""
    return needed.reason("compiler", f"{asserted} are of {PINNED}, this is {version(CROSS_GCC)}")


pinned = pytest.mark.skipif(not is_pinned(), reason=reason("cycles and machine code"))


def recorded(experiment: str) -> list[dict[str, str]]:
    """The rows of the file."""
    path = Path(__file__).parent / f"{experiment}_cycles.csv"
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def recorded_rows(experiment: str) -> dict[str, list[Row]]:
    """The rows of the file by kernel, as an experiment gives them: tests/test_sources.py holds that
    they are of the present sources."""
    found: dict[str, list[Row]] = {}
    for line in recorded(experiment):
        pairs = (word.split("=") for word in line["parameters"].split())
        parameters = {key: int(value) if value.isdecimal() else value for key, value in pairs}
        numbers = [int(line[name]) for name in ("n", "min", "median", "p99", "max")]
        names = (line["experiment"], line["kernel"], line["metric"])
        row = Row(*names, parameters, line["unit"], *numbers)
        found.setdefault(row.kernel, []).append(row)
    return found


def check(
    experiment: str,
    kernels: Sequence[str],
    rows: Sequence[Row],
    metrics: Collection[str] | None = None,
) -> None:
    """Fails unless `rows`, of these kernels and metrics (None: all), are those of the file."""
    if not is_pinned():
        pytest.skip(reason("the cycle counts"))
    every = recorded(experiment)
    meant = [row for row in every if metrics is None or row["metric"] in metrics]
    expected: list[Line] = [tuple(row.values()) for row in meant if row["kernel"] in kernels]
    found: list[Line] = [tuple(row.values()) for row in csv.DictReader(io.StringIO(csv_rows(rows)))]
    assert found == expected, (
        f"cycles changed; when that is meant: `python scripts/asserted.py {experiment}`, then"
        " `python scripts/documents.py`"
    )
