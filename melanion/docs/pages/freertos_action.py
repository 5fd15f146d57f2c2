# SPDX-License-Identifier: Apache-2.0
"""Block of docs/tutorial/freertos.md: an interrupt of a FreeRTOS program with a handler, then with
an action."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from melanion import build, config, paths
from melanion.docs.table import codes, number, table
from melanion.measure import regions
from melanion.run import run_program

EXAMPLE = paths.data_root() / "apps" / "examples" / "serial_link"
HANDLERS = paths.data_root() / "docs" / "tutorial" / "link_handlers" / "board.c"
KERNELS = ("freertos", "sw", "hwrtos", "banked")
REGION = "data frame to task"


def changed() -> str:
    """The largest time from the interrupt to its task, with a handler and with an action."""
    with tempfile.TemporaryDirectory(prefix="melanion-") as place:
        folder = Path(place) / EXAMPLE.name
        shutil.copytree(EXAMPLE, folder)
        shutil.copyfile(HANDLERS, folder / HANDLERS.name)
        rows = {"a handler": _slowest(folder), "an action": _slowest(EXAMPLE)}
    heads = ("cycles from interrupt to task, at most", *codes(KERNELS))
    return table("lr", heads, [(name, *map(number, found)) for name, found in rows.items()])


def _slowest(folder: Path) -> list[int]:
    """Return each kernel's slowest. Raises MelanionError."""
    app = build.freertos_application(folder)
    found = []
    for kernel in KERNELS:
        system = config.find(kernel)
        marked = build.program(system, app).content.regions
        events = run_program(system, app).events
        (measured,) = (
            each
            for each in regions.measure(events, marked, system.clock_mhz)
            if each.region.name == REGION
        )
        found.append(max(span.cycles for span in measured.spans))
    return found
