# SPDX-License-Identifier: Apache-2.0
"""Cells and block RAMs from recorded rows: measured where a row is, else interpolated, and off by
little where rows were not used."""

from __future__ import annotations

import pytest

import melanion.area.recorded as recorded
from melanion import config
from melanion.area.recorded import Figure

EACH_16 = "semaphores=16,event_flags=16,mutexes=16,queues=16"
EACH_64 = "semaphores=64,event_flags=64,mutexes=64,queues=64"


def of(name: str) -> Figure:
    return recorded.recorded(config.find(name))


@pytest.mark.parametrize(
    ("name", "cells", "block_rams"),
    [
        (f"hwrtos[tasks=16,{EACH_16}]", 3246, 30),
        (f"hwrtos[{EACH_64}]", 3320, 40),
        (f"hwrtos[tasks=256,{EACH_64}]", 3471, 69),
        (f"hwrtos-4[{EACH_64}]", 5431, 46),
        ("sw", 0, 0),
    ],
)
def test_a_row_is_measured(name: str, cells: int, block_rams: int) -> None:
    found = of(name)
    assert (found.cells, found.block_rams, found.how) == (cells, block_rams, "measured")


def test_between_rows_is_interpolated() -> None:
    few, between, many = (
        of(f"hwrtos[tasks={tasks},{EACH_64}]").cells or 0 for tasks in (16, 32, 64)
    )
    assert few < between < many
    found = of(f"hwrtos[tasks=32,{EACH_64}]")
    assert found.how == "interpolated"
    assert found.reason == (
        "between rows of docs/area.csv, at the height of tests/asserted/engine_area.csv; rows"
        " beside them differ by at most 0.7 % of the cells and 4 block RAMs"
    )


def test_sizes_that_were_not_varied_are_named() -> None:
    assert of("hwrtos[messages=8]").reason.endswith(
        "recorded with 64 messages alone, so other numbers change nothing here"
    )
    assert "alone" not in of("hwrtos[tasks=9]").reason


def test_rows_that_are_not_used_are_near(monkeypatch: pytest.MonkeyPatch) -> None:
    cells, rams = recorded.deviation()
    assert 0 < cells < 1 and rams <= 4
    # A row far away is seen.
    far = [((64, 16, 1), {"comb": 6600.0, "bram": 60.0})]
    monkeypatch.setattr(recorded, "_others", lambda: far)
    assert recorded.deviation.__wrapped__()[0] > 50
    assert recorded.deviation.__wrapped__()[1] == 24


def test_couplings_cost_what_their_tables_say() -> None:
    bus, port, banked = (of(f"{name}[{EACH_64}]") for name in ("hwrtos", "port", "banked"))
    assert (bus.cells, port.cells, banked.cells) == (3320, 3320 + 74, 3320 + 2251 + 74 + 28)
    assert (bus.block_rams, port.block_rams, banked.block_rams) == (40, 40, 48)
    eight = of(f"banked[resident=8,{EACH_64}]").cells
    assert eight == 3320 + 3547 + 74 + 28
    assert (port.how, banked.how) == ("interpolated", "interpolated")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("banked-2", "registers of all tasks were recorded with one core alone"),
        ("banked[resident=9]", "more than 8 contexts at hand have no row"),
        ("hwrtos-deadlock", "components beside the kernel have no row here"),
        ("lockcache-2", "the lock cache has no row here"),
        ("hwrtos-parity", "a protected unit was recorded with 64 tasks and 256 objects alone"),
    ],
)
def test_what_was_never_recorded_has_no_figure(name: str, reason: str) -> None:
    assert of(name) == Figure(None, None, "none", reason)
