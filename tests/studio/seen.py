# SPDX-License-Identifier: Apache-2.0
"""Figures that a visitor should see, from a run without the page, and the wait until he does."""

from __future__ import annotations

import time
from typing import Any

from melanion.measure.regions import measure
from melanion.run import RunResult
from tests.common.browser import Browser


def spans(result: RunResult) -> list[int]:
    """Cycles of the measured spans."""
    [found] = measure(result.events, result.program.content.regions, result.system.clock_mhz)
    return [span.cycles for span in found.spans]


def until(browser: Browser, expression: str, wanted: Any, *, patience: float) -> None:
    """Wait, so many seconds at most, until an expression in the page has a value."""
    end = time.monotonic() + patience
    while (found := browser.ask(expression)) != wanted:
        said = browser.ask("document.body.innerText")
        assert time.monotonic() < end, f"{expression} is {found!r}\n{said}\n{browser.console}"
        time.sleep(0.1)


def click_event(browser: Browser, side: str, name: str, *, patience: float) -> int:
    """Click along the row of kernel events, the last one of a side, until one with a name that
    begins so is selected: its cycle."""
    browser.ask(f"document.querySelector('#lane-{side}').scrollIntoView({{block: 'center'}})")
    box = browser.ask(f"document.querySelector('#lane-{side}').getBoundingClientRect().toJSON()")
    said = "document.querySelector('#announcement').textContent"
    for x in range(int(box["left"]) + 110, int(box["right"]), 4):
        browser.click(x, box["bottom"] - 14)
        found = browser.ask(said)
        if f", kernel: {name}" in found:
            until(browser, "document.querySelector('#unit').hidden", False, patience=patience)
            return int(found.rpartition(", in cycle ")[2])
    raise AssertionError(f"{name} is in no click: {browser.ask(said)}")


def drawn(browser: Browser, *, patience: float) -> None:
    """Wait until the page shows its newest state."""
    until(browser, "document.body.dataset.state", "drawn", patience=patience)
