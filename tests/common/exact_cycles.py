# SPDX-License-Identifier: Apache-2.0
"""The exact cycles of an experiment: tests/asserted/<experiment>_cycles.csv, written by
`python -m melanion.docs asserted`.

Simulation, compiler and seed decide every cycle, so they are asserted with the compiler version
that they were taken with; with another one the test is skipped.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest

from melanion.build.tools import CROSS_GCC, version
from melanion.docs import rows
from melanion.measure import Row
from melanion.report.export import csv_rows
from tests.common import needed

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
    return rows.lines(rows.FILES[experiment])


def recorded_rows(experiment: str) -> dict[str, list[Row]]:
    """The rows of the file by kernel, as an experiment gives them: tests/lab/test_sources.py holds
    that they are of the present sources."""
    found: dict[str, list[Row]] = {}
    for row in rows.read(rows.FILES[experiment]):
        found.setdefault(row.kernel, []).append(row)
    return found


def check(
    experiment: str,
    kernels: Sequence[str],
    measured: Sequence[Row],
    metrics: Collection[str] | None = None,
) -> None:
    """Fails unless `measured`, of these kernels and metrics (None: all), are those of the file."""
    if not is_pinned():
        pytest.skip(reason("the cycle counts"))
    every = recorded(experiment)
    meant = [row for row in every if metrics is None or row["metric"] in metrics]
    expected: list[Line] = [tuple(row.values()) for row in meant if row["kernel"] in kernels]
    found: list[Line] = [tuple(row.values()) for row in rows.lines_of(csv_rows(measured))]
    assert found == expected, (
        f"cycles changed; when that is meant: `python -m melanion.docs asserted {experiment}`, then"
        " `python -m melanion.docs`"
    )
