# SPDX-License-Identifier: Apache-2.0
"""The experiment `network` on RTL: program and definition agree, exact cycles, what its page says.
The program with other phases, and mutants: tests/system/test_network.py."""

from __future__ import annotations

import re

import numpy as np
import pytest

from melanion import paths
from melanion.claims import load
from melanion.claims.execute import outcome
from melanion.docs.pages import network
from melanion.measure import Row
from melanion.measure.experiments.network import TICK, late
from tests.common import exact_cycles
from tests.common.fetched import needs_cargo

ROOT = paths.data_root()
DEFINITION = load("network")
PROGRAM = ROOT / "apps" / "benchmarks" / "network"
ROWS = exact_cycles.recorded_rows("network")
OURS = ("sw-ethernet", "hwrtos-ethernet", "banked-ethernet")


def text(*names: str) -> str:
    return "".join((PROGRAM / name).read_text(encoding="utf-8") for name in names)


def test_program_and_definition_use_the_same_numbers() -> None:
    constants = {
        name: int(value)
        for name, value in re.findall(r"\b([A-Z_]+) = (\d+)", text("network.h", "conduct.c"))
    }
    for prefix, numbers in (
        ("MARK", DEFINITION.marks),
        ("PHASE", DEFINITION.phases),
        ("TRACEPOINT", DEFINITION.tracepoints),
    ):
        assert {f"{prefix}_{name.upper()}": number for name, number in numbers.items()} == {
            name: number for name, number in constants.items() if name.startswith(f"{prefix}_")
        }
    assert constants["TICK_CYCLES"] == TICK


@pytest.mark.parametrize(
    ("name", "key", "letter"), [("rates", "rate", "r"), ("sizes", "size", "b")]
)
def test_words_of_the_definition_are_the_lists_of_the_program(
    name: str, key: str, letter: str
) -> None:
    found = re.search(rf"{name}\[\] = {{([\d, ]+)}}", text("conduct.c"))
    assert found
    words = [f"{letter}{number.strip()}" for number in found[1].split(",")]
    assert words == DEFINITION.metrics["round_trip"].parameters[key]


@needs_cargo
@pytest.mark.soak
@pytest.mark.parametrize("kernel", list(ROWS))
def test_exact_cycles(kernel: str) -> None:
    measured = [each.row for each in outcome("network", kernel, lambda _: None).measurements]
    exact_cycles.check("network", [kernel], measured)


def test_lateness_counts_from_the_tick_and_not_from_its_notice() -> None:
    """The second tick was noticed 40 cycles late, and its run came 30 cycles after that."""
    ticks = np.array([20_003, 30_043, 40_003])
    runs = np.array([20_103, 30_073, 40_053])
    assert list(late(ticks, runs)) == [100, 70, 50]


def chosen(kernel: str, metric: str, **parameters: str) -> list[Row]:
    return [
        row
        for row in ROWS[kernel]
        if row.metric == metric and parameters.items() <= row.parameters.items()
    ]


@pytest.mark.parametrize("kernel", list(ROWS))
def test_nothing_is_lost_below_the_limit(kernel: str) -> None:
    """Every frame that expects a reply has one, whatever the wire does to others."""
    rows = [*chosen(kernel, "answered", rate="r2000"), *chosen(kernel, "answered", rate="r6000")]
    assert len(rows) == 8
    assert {row.min for row in rows} == {1_000_000}


def test_the_unit_carries_more_frames_and_is_never_later() -> None:
    """Against the software kernel, at every load."""
    for size in ("b32", "b1024"):
        (software,) = chosen("sw-ethernet", "limit", size=size)
        for kernel in OURS[1:]:
            (row,) = chosen(kernel, "limit", size=size)
            assert row.max <= software.max
    for row in chosen("sw-ethernet", "lateness"):
        for kernel in OURS[1:]:
            (other,) = chosen(kernel, "lateness", **{k: str(v) for k, v in row.parameters.items()})
            assert other.max < row.max


def test_in_a_flood_every_kernel_starves_its_application() -> None:
    """The task that receives is more urgent: what it does with the frames is then lost."""
    for kernel in ROWS:
        (flood,) = chosen(kernel, "flood", size="b32")
        (limit,) = chosen(kernel, "limit", size="b32")
        assert flood.max < 1_000_000 / limit.max / 4


def test_the_page_shows_all_rows() -> None:
    loads = len(DEFINITION.metrics["idle"].combinations) // 2
    for size in ("b32", "b1024"):
        assert len(network.loads(size).splitlines()[2:]) == loads * len(ROWS)
    assert len(network.limits().splitlines()[2:]) == len(ROWS)
