# SPDX-License-Identifier: Apache-2.0
"""The page of a sweep in a real browser: 1400 and 400 pixels, light and dark (what is looked for,
with planted defects: test_pages_in_browser.py)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from melanion import config
from melanion.area.recorded import recorded
from melanion.sweep import Answer, Plan, Quantity, Sweep, page
from melanion.sweep.page import ROWS
from tests.common import needed, stored
from tests.common.browser import Browser, open_browser
from tests.lab.test_pages_in_browser import PROGRAM, VIEWS, Expected, defects

pytestmark = needed.needs("browser", "no Chromium is installed" if PROGRAM is None else "")

PLAN = Plan(
    "Sizes of a system",
    "my.yaml",
    ("hwrtos", "port", "banked"),
    {
        "tasks": (8, 16, 32, 64, 128),
        "queues": tuple(range(0, 64, 8)),
        "clock_mhz": (50, 100),
        "memory": ("cached", "lm", "gm"),
    },
    (Quantity("experiment", "latency", "irq_to_task"),),
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert PROGRAM is not None
    with open_browser(PROGRAM) as found:
        yield found


def answers() -> list[Answer]:
    """Made up, but for cells: each in some way larger than the one before."""
    found = []
    for i, point in enumerate(PLAN.grid()):
        base = config.find(f"{point.base}[tasks={dict(point.values)['tasks']}]")
        worst = {"hwrtos": 101, "port": 88, "banked": 35}[point.base] + i % 97
        made = Answer(
            point,
            "done",
            recorded(base),
            worst,
            12_000 + i % 53,
            40_000 + 16 * i,
            provenance={"commit": stored.COMMIT, "tools": {"gcc": "gcc 12.2"}},
        )
        if i % 200 == 7:
            made = Answer(point, "failed", failure="the run failed; run it again.",
                          evidence=("hello",))  # fmt: skip
        elif i % 200 == 8:
            made = Answer(point, "refused", failure="core.count is 9; allowed is 1 … 4.")
        found.append(made)
    return found


def test_the_page_of_a_sweep(browser: Browser, tmp_path: Path) -> None:
    sweep = Sweep(PLAN, answers(), "melanion sweep my.yaml")
    file = tmp_path / "report.html"
    file.write_text(page(sweep), encoding="utf-8")
    best = sweep.front_of[PLAN.quantities[0]]
    assert len(best) >= 3 and len(sweep.answers) > ROWS
    expected = Expected(3, [len(best), ROWS])
    assert defects(browser, file, expected, VIEWS) == []
    file.write_text(page(Sweep(PLAN, (), "melanion sweep my.yaml")), encoding="utf-8")
    assert defects(browser, file, Expected(0, []), VIEWS[:1]) == []
