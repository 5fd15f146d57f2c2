# SPDX-License-Identifier: Apache-2.0
"""Trap or call: exact cycles of services that are trapped into, beside those that are called; what
a thread in user mode finds behind a service and an interrupt; mutants.

Cycle counts are asserted with the compiler version that they were taken with.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from mel_gen import ExitReason
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.build import App
from melanion.claims import load
from melanion.claims.execute import outcome
from melanion.measure import ExperimentError, Row
from melanion.measure.work import applications
from melanion.model import ReplayError
from melanion.run import RunError, RunResult, Settings, run_program
from melanion.run.judge import EXIT_CODE_FAULT
from tests.common import exact_cycles
from tests.common.planted_tree import TreeMutant

ROOT = paths.data_root()
NAME = "thread-metric-entry"
DEFINITION = load(NAME)
WHOLE = load("thread-metric")
USER = ROOT / "tests" / "lab" / "thread_metric_trap"
TRAP = "kernel/compat/thread_metric_trap/tm_trap.S"
MUTANTS = ROOT / "tests" / "mutants" / "thread_metric_trap.yaml"


@cache
def rows(kernel: str) -> list[Row]:
    return [each.row for each in outcome(NAME, kernel, lambda _: None).measurements]


def medians(kernel: str, entry: str) -> dict[str, int]:
    """By test."""
    return {r.metric: r.median for r in rows(kernel) if r.parameters["entry"] == entry}


# ---- cycles --------------------------------------------------------------------------------------


def test_program_and_definition_use_the_same_numbers() -> None:
    """And those of the experiment with all tests."""
    text = (ROOT / "apps/benchmarks/thread_metric/test.h").read_text(encoding="utf-8")
    names = re.findall(r"PHASE_(\w+)", text.partition("enum { PHASE_calibration")[2])
    numbers = {name: number for number, name in enumerate(["calibration", *names], 1)}
    assert DEFINITION.phases == {name: numbers[name] for name in DEFINITION.metrics}
    assert (DEFINITION.marks, DEFINITION.tracepoints) == (WHOLE.marks, WHOLE.tracepoints)
    programs = [
        (app.defines["TEST"], app.compat and app.compat.name) for app in applications(DEFINITION)
    ]
    entries = ("thread_metric", "thread_metric_trap")
    assert programs == [(test, entry) for test in DEFINITION.metrics for entry in entries]


def test_an_interface_that_is_not_there_is_named() -> None:
    wrong = DEFINITION.programs[0].model_copy(update={"compat": "thread_metric_tarp"})
    with pytest.raises(ExperimentError, match=r"for the interface thread_metric_tarp, which"):
        applications(DEFINITION.model_copy(update={"programs": [wrong]}))


# They measure the programs anew: one kernel in every run, the others in `make soak`.
KERNEL = pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(name, marks=[] if name == "hwrtos" else pytest.mark.soak)
        for name in DEFINITION.kernels
    ],
)


@KERNEL
def test_exact_cycles(kernel: str) -> None:
    exact_cycles.check(NAME, [kernel], rows(kernel))


@KERNEL
def test_called_services_take_what_they_take_among_all_tests(kernel: str) -> None:
    every = {
        line["metric"]: int(line["median"])
        for line in exact_cycles.recorded("thread-metric")
        if (line["kernel"], line["parameters"]) == (kernel, "code=O2")
    }
    called = medians(kernel, "call")
    assert set(called) - set(every) == {"nothing"}
    assert {test: every[test] for test in called if test in every} == {
        test: cycles for test, cycles in called.items() if test in every
    }


# ---- user mode -----------------------------------------------------------------------------------


def user(kernel: str) -> RunResult:
    """The program, which ends with a fault that it makes. Raises RunError, ReplayError."""
    raises: dict[str, int | str] = {"RAISE": int(kernel == "hwrtos")}
    app = build.application(USER)
    return run_program(config.find(kernel), app, Settings(defines=raises, must_succeed=False))


FAULT = re.compile(
    r"kept\nmelanion: illegal instruction \(cause 2\) at pc 0x1000[0-9a-f]{4}, address"
    r" 0x[0-9a-f]{8}, in user mode of task 0 \(unnamed\)\n"
)


def right(result: RunResult) -> bool:
    """Registers were kept, and the thread was in user mode to its end."""
    ended = (result.reason, result.code) == (ExitReason.PROGRAM, EXIT_CODE_FAULT)
    return ended and FAULT.fullmatch(result.console) is not None


@pytest.mark.parametrize("kernel", DEFINITION.kernels)
def test_a_thread_stays_in_user_mode_and_keeps_its_registers(kernel: str) -> None:
    result = user(kernel)
    assert right(result), result.console


def test_a_fault_is_named_behind_services_that_were_served() -> None:
    """They are exceptions, too."""
    with pytest.raises(RunError, match=r"an illegal instruction at user \(main\.c:\d+\)"):
        run_program(config.find("sw"), build.application(USER))


@pytest.mark.parametrize("kernel", ["banked", "hwrtos-2"])
def test_a_system_without_user_mode_is_refused(kernel: str) -> None:
    result = run_program(config.find(kernel), synchronization(), Settings(must_succeed=False))
    assert (result.reason, result.code) == (ExitReason.PROGRAM, 1)
    assert result.console == (
        "thread_metric_trap: threads in user mode need one core ibex and a coupling without"
        " register banks: run it on sw, hwrtos or port\n"
    )


def synchronization() -> App:
    """A test of Thread-Metric whose services are trapped into."""
    (app,) = [
        app
        for app in applications(DEFINITION)
        if (app.sources[-1].stem, app.compat and app.compat.name)
        == ("synchronization", "thread_metric_trap")
    ]
    return replace(app, max_cycles=2_000_000)


PLANTED = [
    TreeMutant(file=TRAP, **row)
    for row in YAML(typ="safe").load(MUTANTS.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("mutant", PLANTED, ids=lambda mutant: mutant.name.replace(" ", "_"))
def test_mutant_is_caught(
    mutant: TreeMutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    try:
        result = user("sw")
    except (RunError, ReplayError) as error:
        print(error.message)
    else:
        assert not right(result), result.console
