# SPDX-License-Identifier: Apache-2.0
"""The benchmark `latency` on RTL: the promises of the project, and exact cycles.

Cycle counts are exact: the simulation, the compiler and the seed decide every one. They are
asserted with the compiler version that they were taken with; with another one only the promises
are.
"""

from __future__ import annotations

import pytest

from melanion import build, config, paths
from melanion.claims import load
from melanion.claims.execute import outcome
from melanion.measure import Row, broken_targets, measure
from melanion.measure.definition import agrees
from melanion.measure.work import Outcome
from melanion.run import Settings, run_program
from tests.common import exact_cycles
from tests.common.fetched import buildable, needs_cargo

DEFINITION = load("latency")
WOKEN = "tasks / task 1 woken"
# Systems of the table of boards (melanion/docs/boards.py).
OF_BOARDS = ("hwrtos-staged", "banked-staged", "sw-vexriscv", "port-vexriscv")
KERNELS = ("sw", *buildable(["freertos"]), "hwrtos", "port", "banked", "booster")


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    return {kernel: outcome("latency", kernel, lambda _: None) for kernel in KERNELS}


@pytest.fixture(scope="module")
def rows(outcomes: dict[str, Outcome]) -> dict[str, list[Row]]:
    return {kernel: [m.row for m in each.measurements] for kernel, each in outcomes.items()}


def by_label(rows: list[Row]) -> dict[str, Row]:
    return {row.label: row for row in rows}


PROMISES = {
    "hwrtos": {
        ("sem_give_take", "max", 40),
        ("irq_to_task", "max", 150),
        ("tick_idle", "max", 0),
        ("tick_wake", "spread", 4),
        ("irq_off_max", "spread", 4),
    },
    "port": {
        ("sem_give_take", "max", 18),
        ("sem_give_switch", "max", 60),
        ("irq_to_task", "max", 110),
    },
    "banked": {
        ("yield", "max", 12),
        ("sem_give_take", "max", 18),
        ("sem_give_switch", "max", 16),
        ("irq_to_task", "max", 24),
        ("irq_to_task", "max", 40),
        ("irq_to_task", "p99", 17),
        ("irq_to_task", "jitter", 9),
        ("irq_off_max", "max", 16),
        ("irq_off_max", "spread", 2),
    },
}


@pytest.mark.parametrize("kernel", PROMISES)
def test_hardware_kernel_keeps_its_promises(rows: dict[str, list[Row]], kernel: str) -> None:
    assert broken_targets(DEFINITION, rows[kernel]) == []


@pytest.mark.parametrize("kernel", PROMISES)
def test_definition_holds_the_promises_of_the_issues(kernel: str) -> None:
    """So that the test above cannot pass because a target was removed."""
    promised = {
        (name, target.statistic, target.at_most)
        for name, metric in DEFINITION.metrics.items()
        for target in metric.targets
        if target.kernel == kernel
    }
    assert promised == PROMISES[kernel]


def test_software_kernel_is_no_straw_man(rows: dict[str, list[Row]]) -> None:
    """Not slower than FreeRTOS on any row that both have."""
    compared = 0
    for name, metric in DEFINITION.metrics.items():
        for reference in metric.freertos:
            for row in rows["sw"]:
                if row.metric == name and agrees(row.parameters, reference.where):
                    assert getattr(row, reference.statistic) <= reference.value, row.label
                    compared += 1
    assert compared == 14


@needs_cargo
@pytest.mark.parametrize("statistic", ["median", "max"])
def test_software_kernel_is_no_slower_than_freertos_here(
    rows: dict[str, list[Row]], statistic: str
) -> None:
    """On every row, as both are measured now. The spans with interrupts off are compared by their
    largest: those of FreeRTOS are many short ones, for much of a call only suspends its
    scheduler."""
    found = by_label(rows["freertos"])
    assert len(found) == len(rows["sw"]) == 22
    slower = [
        row.label
        for row in rows["sw"]
        if getattr(row, statistic) > getattr(found[row.label], statistic)
        and (statistic == "max" or row.metric != "irq_off_max")
    ]
    assert slower == []


@pytest.mark.parametrize(("slow", "fast"), [("sw", "hwrtos"), ("hwrtos", "port")])
def test_hardware_kernel_is_faster_everywhere(
    rows: dict[str, list[Row]], slow: str, fast: str
) -> None:
    faster = by_label(rows[fast])
    slower = [row.label for row in rows[slow] if faster[row.label].max > row.max]
    assert slower == []


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_window_is_the_worst_interrupt_to_a_task(
    outcomes: dict[str, Outcome], kernel: str
) -> None:
    found = [m.row for m in outcomes[kernel].measurements if m.row.metric == "irq_to_task"]
    worst_case = outcomes[kernel].worst_case
    assert worst_case is not None
    worst = max(found, key=lambda row: row.max)
    assert (worst_case.parameters, worst_case.cycles) == (worst.parameters, worst.max)
    excerpt = worst_case.excerpt
    edges = {(each.name, each.cycle) for each in excerpt.instants}
    line, end = DEFINITION.lines["task"], DEFINITION.tracepoints["end"]
    assert {(f"line {line}", worst_case.begin), (f"tracepoint {end}", worst_case.end)} <= edges
    (runs,) = (s for s in excerpt.slices if (s.track, s.name) == (WOKEN, "running"))
    assert worst_case.begin < runs.begin < worst_case.end <= runs.end
    if config.find(kernel).kernel_info.replayed:
        (wait,) = (s for s in excerpt.slices if s.track == WOKEN.replace("tasks", "waits"))
        assert wait.by == f"interrupt {line}"
        (arrow,) = (each for each in excerpt.arrows if each.target == WOKEN)
        assert arrow.begin <= wait.end == arrow.end <= runs.begin
    assert len(excerpt.slices) + len(excerpt.instants) < 60


def test_exact_cycles(rows: dict[str, list[Row]]) -> None:
    exact_cycles.check("latency", KERNELS, [row for each in rows.values() for row in each])


@pytest.mark.soak
@pytest.mark.parametrize("kernel", OF_BOARDS)
def test_exact_cycles_of_systems_on_boards(kernel: str) -> None:
    found = outcome("latency", kernel, lambda _: None).measurements
    exact_cycles.check("latency", [kernel], [each.row for each in found])


@pytest.mark.soak
def test_ten_thousand_arrivals_of_an_interrupt_keep_the_promises_of_banked() -> None:
    app = build.application(paths.data_root() / "apps" / DEFINITION.app)
    arrivals = 0
    least, most = 1 << 30, 0
    for seed in range(1, 11):
        run = run_program(
            config.find("banked"), app, Settings(seed=seed, max_cycles=DEFINITION.max_cycles)
        )
        found = [m.row for m in measure("latency", "banked", DEFINITION, run.events)]
        assert broken_targets(DEFINITION, found) == [], f"seed {seed}"
        row = by_label(found)["irq_to_task idle"]
        arrivals += row.n
        least, most = min(least, row.min), max(most, row.max)
    assert arrivals >= 10_000
    assert most - least <= 9, f"{least} … {most}"
