# SPDX-License-Identifier: Apache-2.0
"""The experiment `dmmu` on RTL: program and definition agree, exact cycles, and what its page says
of the two heaps."""

from __future__ import annotations

import re

import pytest

from melanion import paths
from melanion.claims import load
from melanion.claims.execute import outcome
from melanion.docs.pages import dmmu
from melanion.measure import Row
from tests.common import exact_cycles

ROOT = paths.data_root()
DEFINITION = load("dmmu")
PROGRAM = ROOT / "apps" / "benchmarks" / "dmmu"
ROWS = exact_cycles.recorded_rows("dmmu")
TRACES = ("small", "mixed", "large")


def test_program_and_definition_use_the_same_numbers() -> None:
    files = (PROGRAM / "dmmu_trace.h", PROGRAM.parent / "stage" / "stage.h")
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    constants = {name: int(value) for name, value in re.findall(r"\b([A-Z_]+) = (\d+)", text)}
    for prefix, numbers in (
        ("MARK", DEFINITION.marks),
        ("PHASE", DEFINITION.phases),
        ("TRACEPOINT", DEFINITION.tracepoints),
    ):
        assert {f"{prefix}_{name.upper()}": number for name, number in numbers.items()} == {
            name: number for name, number in constants.items() if name.startswith(f"{prefix}_")
        }
    for prefix, key in (("WAY", "way"), ("TRACE", "trace")):
        words = DEFINITION.metrics["alloc"].parameters[key]
        assert [constants[f"{prefix}_{str(word).upper()}"] for word in words] == [
            *range(len(words))
        ]


@pytest.mark.parametrize("kernel", ["sw-dmmu", pytest.param("banked-dmmu", marks=pytest.mark.soak)])
def test_exact_cycles(kernel: str) -> None:
    measured = [each.row for each in outcome("dmmu", kernel, lambda _: None).measurements]
    exact_cycles.check("dmmu", [kernel], measured)


def chosen(rows: list[Row], metric: str, way: str) -> dict[str, Row]:
    """Trace → row."""
    return {
        str(row.parameters["trace"]): row
        for row in rows
        if row.metric == metric and row.parameters["way"] == way
    }


def test_the_unit_takes_the_same_cycles_whatever_is_held() -> None:
    """An alloc that finds none leaves two cycles of C out."""
    for rows in ROWS.values():
        for metric, without in (("alloc", 2), ("free", 0)):
            found = {(row.min, row.max) for row in chosen(rows, metric, "unit").values()}
            ((least, most),) = found
            assert most - least == without


def test_the_list_takes_more_at_worst() -> None:
    for rows in ROWS.values():
        for metric in ("alloc", "free"):
            unit, in_c = (chosen(rows, metric, way) for way in ("unit", "list"))
            assert all(in_c[trace].max > unit[trace].max for trace in TRACES)


def test_whole_blocks_cost_small_allocations_and_headers_large_ones() -> None:
    for rows in ROWS.values():
        unit, in_c = (chosen(rows, "failed", way) for way in ("unit", "list"))
        assert unit["small"].max > in_c["small"].max
        assert unit["large"].max < in_c["large"].max


def test_both_heaps_fail_alike_on_every_kernel() -> None:
    """The requests are the same, and so is what is held."""
    shares = [
        [(row.metric, row.parameters, row.max) for row in rows if row.unit == "ppm"]
        for rows in ROWS.values()
    ]
    assert all(each == shares[0] for each in shares)


def test_the_page_shows_all_rows() -> None:
    assert len(dmmu.cycles().splitlines()[2:]) == len(ROWS) * len(TRACES)
    assert len(dmmu.failures().splitlines()[2:]) == len(TRACES)
