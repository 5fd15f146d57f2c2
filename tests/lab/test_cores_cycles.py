# SPDX-License-Identifier: Apache-2.0
"""The benchmark `cores` on RTL: wake-ups across cores, the promises and the exact cycles."""

from __future__ import annotations

import pytest

from melanion.claims import load
from melanion.claims.execute import outcome
from melanion.measure import Row, broken_targets
from tests.common import exact_cycles

DEFINITION = load("cores")
LONG = ("sw-3", "sw-4", "freertos-3", "freertos-4")  # cores that wait for each other: long pauses
KERNELS = (
    *DEFINITION.kernels,
    "hwrtos-4",
    "banked-4",
    *(pytest.param(name, marks=pytest.mark.soak) for name in LONG),
)
PROMISED = 30  # cycles from a give on one core to the task on another, with a store of contexts


@pytest.fixture(scope="module", params=KERNELS)
def measured(request: pytest.FixtureRequest) -> tuple[str, list[Row]]:
    kernel = request.param
    return kernel, [m.row for m in outcome("cores", kernel, lambda _: None).measurements]


def test_exact_cycles(measured: tuple[str, list[Row]]) -> None:
    exact_cycles.check("cores", [measured[0]], measured[1])


def test_a_wake_up_across_cores_keeps_its_promise(measured: tuple[str, list[Row]]) -> None:
    assert broken_targets(DEFINITION, measured[1]) == []


def test_the_promise_is_in_the_definition() -> None:
    """So that the test above cannot pass because a target was removed."""
    promised = {
        (target.kernel, target.statistic, target.at_most)
        for target in DEFINITION.metrics["wake_other"].targets
    }
    assert promised == {(kernel, "max", PROMISED) for kernel in ("banked-2", "banked-4")}
