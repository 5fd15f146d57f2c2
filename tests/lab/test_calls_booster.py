# SPDX-License-Identifier: Apache-2.0
"""The experiment `calls-booster`: it measures the calls that the booster has, over the tables of
the experiment `calls`, and its rows are those of the file.

Cycle counts are asserted with the compiler version that they were taken with.
"""

from __future__ import annotations

import pytest
from mel_gen import KERNELS

from melanion.claims import load
from melanion.claims.execute import outcome
from melanion.docs.pages import calls as page
from tests.common import exact_cycles

DEFINITION, WHOLE = load("calls-booster"), load("calls")
(ROWS,) = exact_cycles.recorded_rows("calls-booster").values()


def test_it_measures_what_the_booster_has() -> None:
    lacking = {f"mutex_{verb}" for verb in ("create", "delete", "lock", "unlock", "query")}
    assert {word.replace("_state", "_query") for word in KERNELS["booster"].lacks} == lacking
    assert list(DEFINITION.metrics) == [name for name in WHOLE.metrics if name not in lacking]
    assert {name: WHOLE.phases[name] for name in DEFINITION.phases} == DEFINITION.phases
    for name, metric in DEFINITION.metrics.items():
        fewer = [row["row"] for row in metric.combinations]
        every = [row["row"] for row in WHOLE.metrics[name].combinations]
        # Tasks that own mutexes are all that is more urgent when a task is terminated.
        owners = {"with", "with_many"} if name == "task_terminate" else set()
        assert fewer == [row for row in every if row not in owners], name


@pytest.mark.soak
@pytest.mark.parametrize("kernel", DEFINITION.kernels)
def test_exact_cycles(kernel: str) -> None:
    measured = [each.row for each in outcome("calls-booster", kernel, lambda _: None).measurements]
    exact_cycles.check("calls-booster", [kernel], measured)


def test_the_page_shows_all_rows() -> None:
    shown = sum("| with" in line for line in page.booster().splitlines())
    assert shown == sum(row.parameters["row"] != "irq_off" for row in ROWS)
