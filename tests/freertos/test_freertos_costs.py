# SPDX-License-Identifier: Apache-2.0
"""Cycles of FreeRTOS' operations that switch to no other task, on the layer and on FreeRTOS itself.

The rows of tests/asserted/freertos_costs.csv are what apps/freertos/freertos_costs prints;
`python -m tests.freertos.test_freertos_costs` measures them anew. docs/reference/freertos.md shows
them."""

from __future__ import annotations

from functools import cache

import pytest

from melanion import build, config, paths
from melanion.docs.pages import freertos
from melanion.run import run_program
from tests.common.fetched import needs_cargo

APP = paths.data_root() / "apps" / "freertos" / "freertos_costs"
ORIGINAL = "freertos"
KERNELS = [pytest.param(ORIGINAL, marks=needs_cargo), "sw", "hwrtos", "port", "banked"]
UNIT = ("hwrtos", "port", "banked")
# Operations that take longer than FreeRTOS' own, and why.
EVERY = frozenset({"sw", *UNIT})
SLOWER = {
    # Index 0 is the kernel's, so that an interrupt can notify without the core.
    "xTaskNotifyGive": EVERY,
    "ulTaskNotifyTake": EVERY,
    # The unit counts ticks in 64 bits and knows who runs: loads from it, not from memory.
    "xTaskGetTickCount": EVERY,
    "xTaskGetCurrentTaskHandle": EVERY,
    # The count of sections belongs to the task, and is asked for when it goes on.
    "critical-section": EVERY,
    # FreeRTOS counts second locks itself; here the mutex is the kernel's, with its inheritance.
    "second-lock": EVERY,
    "lock": frozenset({"sw"}),
    "scheduler-suspended": frozenset({"sw"}),
}


@cache
def measured(kernel: str) -> dict[str, int]:
    """Operation → cycles, as the program prints them."""
    console = run_program(config.find(kernel), build.application(APP)).console
    return {name: int(cycles) for name, cycles in map(str.split, console.splitlines())}


@pytest.mark.parametrize("kernel", KERNELS)
def test_operations_take_these_cycles(kernel: str) -> None:
    assert measured(kernel) == freertos.recorded()[kernel]


def slower(rows: dict[str, dict[str, int]]) -> dict[str, set[str]]:
    """The kernels on which an operation takes more cycles than FreeRTOS does."""
    found: dict[str, set[str]] = {}
    for kernel, costs in rows.items():
        for name, cycles in costs.items():
            if cycles > rows[ORIGINAL][name]:
                found.setdefault(name, set()).add(kernel)
    return found


def test_no_other_operation_is_slower_than_freertos() -> None:
    rows = freertos.recorded()
    assert slower(rows) == SLOWER
    dearer = {**rows["port"], "unlock": rows[ORIGINAL]["unlock"] + 1}
    assert slower({**rows, "port": dearer}) == {**SLOWER, "unlock": {"port"}}


def main() -> None:
    kernels = (ORIGINAL, "sw", *UNIT)
    freertos.COSTS.write_text(
        "kernel,operation,cycles\n"
        + "".join(f"{k},{name},{n}\n" for k in kernels for name, n in measured(k).items()),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
