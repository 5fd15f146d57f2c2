# SPDX-License-Identifier: Apache-2.0
"""Thread-Metric: program and definition agree, exact cycles on every kernel, verdicts, tests of
others over the same services, planted bugs.

Cycle counts are asserted with the compiler version that they were taken with.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from mel_gen import TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.cli.reproduce import command
from melanion.experiments import ExperimentError, Row, load
from melanion.experiments.result import Result
from melanion.experiments.rows import Measurement
from melanion.experiments.thread_metric import upstream
from melanion.experiments.verdict import judge
from melanion.experiments.work import applications, work
from melanion.model import ReplayError
from melanion.run import RunError, RunResult, run_program
from tests import exact_cycles, verdicts
from tests.fetched import buildable
from tests.planted_tree import TreeMutant

ROOT = paths.data_root()
DEFINITION = load("thread-metric")
PROGRAM = ROOT / "apps" / "benchmarks" / "thread_metric"
OTHERS = ROOT / "tests" / "thread_metric"  # stand in for the files of the benchmark's authors
MUTANTS = ROOT / "tests" / "mutants" / "thread_metric.yaml"
LAYER = "kernel/compat/thread_metric/tm_porting_layer.c"


QUICK = ("sw", "freertos", "banked")  # measured in every run, the others in `make soak`


@cache
def rows(kernel: str) -> list[Row]:
    return [each.row for each in work("thread-metric", kernel, lambda _: None).measurements]


def run(kernel: str, test: str) -> RunResult:
    """One test, -O2. Raises RunError for what it finds itself."""
    app = build.application("thread_metric")
    sources = (app.folder / "main.c", app.folder / f"{test}.c")
    mine = replace(app, sources=sources, defines={"TEST": test}, max_cycles=2_000_000)
    return run_program(config.find(kernel), mine)


def test_program_and_definition_use_the_same_numbers() -> None:
    text = (PROGRAM / "test.h").read_text(encoding="utf-8")
    phases = re.search(r"enum \{ (PHASE_calibration = 1, .*?) \};", text)
    assert phases
    names = re.findall(r"PHASE_(\w+)", phases[1])
    assert names.pop() == "nothing"  # of another experiment (tests/test_thread_metric_trap.py)
    assert {name: number for number, name in enumerate(names, 1)} == DEFINITION.phases
    assert list(DEFINITION.phases) == list(DEFINITION.metrics)
    marks = dict(re.findall(r"MARK_(BEGIN|END) = (\d+)", text))
    assert {name.lower(): int(number) for name, number in marks.items()} == DEFINITION.marks
    assert f"ITERATION = {DEFINITION.points['iteration']} " in text
    programs = [(app.defines["TEST"], app.optimization) for app in applications(DEFINITION)]
    assert programs == [(test, how) for test in DEFINITION.metrics for how in ("", "-O0")]


def test_a_source_that_is_not_there_is_named() -> None:
    wrong = DEFINITION.programs[0].model_copy(update={"sources": ["main.c", "cooperativ.c"]})
    with pytest.raises(ExperimentError, match=r"has the source cooperativ\.c, which the folder"):
        applications(DEFINITION.model_copy(update={"programs": [wrong]}))


# ---- cycles --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(name, marks=[] if name in QUICK else pytest.mark.soak)
        for name in buildable(DEFINITION.kernels)
    ],
)
def test_exact_cycles(kernel: str) -> None:
    exact_cycles.check("thread-metric", [kernel], rows(kernel))


def test_an_iteration_is_what_a_thread_counts() -> None:
    """What the simulation's points say is what the program's counters say."""
    for test in ("cooperative", "interrupt"):
        events = run("sw", test).events
        points = events[events["kind"] == TraceKind.POINT]
        marks = events[events["kind"] == TraceKind.MARKER]
        assert len(points) == marks["b"][-1]


def test_every_claim_holds_and_a_slower_kernel_breaks_one() -> None:
    """By the cycles that test_exact_cycles asserts."""
    (asserted,) = (
        result
        for result in verdicts.reproduction("thread-metric").results
        if result.experiment == "thread-metric"
    )
    every = [each.row for each in asserted.measurements]
    assert {word(every, by) for by in ("paper", "ours")} == {"reproduced", "holds"}
    slower = [
        replace(row, median=209) if (row.kernel, row.metric) == ("sw", "message") else row
        for row in every
    ]
    assert word(slower, "ours") == "broken"


def word(every: list[Row], by: str) -> str:
    """The one word of all verdicts about the claims of the paper, or ours; else the worst."""
    measured = tuple(Measurement(row, ((row.median, row.n),)) for row in every)
    kernels = tuple(dict.fromkeys(row.kernel for row in every))
    result = Result("thread-metric", DEFINITION, kernels, measured, {})
    words = {verdict.word for verdict in judge(result) if verdict.claim.by == by}
    order = ("broken", "not", "partly", "holds", "reproduced")
    return next(each for each in order if each in words)


# ---- tests of others -----------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["sw", "banked"])
def test_tests_of_others_run_unmodified(kernel: str) -> None:
    """Their folder holds a porting layer that does not compile: ours is used."""
    preemption, synchronization = upstream(OTHERS, [kernel])
    own = {row.metric: row.median for row in rows(kernel) if row.parameters["code"] == "O2"}
    assert preemption.console == f"total {preemption.count}\n"
    assert synchronization.console == f"time 30\ntotal {synchronization.count}\n\n"
    assert preemption.each == pytest.approx(own["interrupt_preemption"], rel=0.02)
    assert synchronization.each == pytest.approx(own["synchronization"], rel=0.02)


def test_the_command_prints_what_tests_of_others_print() -> None:
    words = ["thread-metric", "--kernels", "sw", "--thread-metric-dir", str(OTHERS)]
    done = CliRunner().invoke(command, words, catch_exceptions=False)
    head = r"tm_synchronization_processing_test on sw: (\d+) in \d+ cycles: \d"
    assert re.search(head, done.output)
    assert "\n    time 30\n    total " in done.output


def test_a_folder_without_tests_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=r"there is no tm_\*_test\.c in it; name the folder"):
        list(upstream(tmp_path, ["sw"]))
    shutil.copy(OTHERS / "tm_synchronization_processing_test.c", tmp_path)
    with pytest.raises(ExperimentError, match=r"there is no tm_api\.h in it"):
        list(upstream(tmp_path, ["sw"]))


def test_the_folder_belongs_to_one_document() -> None:
    words = ["white-paper", "--thread-metric-dir", str(OTHERS)]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 2
    assert "belongs to the document thread-metric, not to white-paper" in done.output


def test_an_unknown_interface_is_refused(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    (tmp_path / "app.yaml").write_text("name: mine\ncompat: posix\n", encoding="utf-8")
    text = (
        r"compat.*is 'posix'; allowed is one of freertos, itron, thread_metric, thread_metric_trap"
    )
    with pytest.raises(build.BuildError, match=text):
        build.application(tmp_path)


# ---- planted bugs --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """The test shows the bug on `kernel`."""

    kernel: str
    test: str


PLANTED = [
    Mutant(**{"file": LAYER, **row})
    for row in YAML(typ="safe").load(MUTANTS.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("mutant", PLANTED, ids=lambda mutant: mutant.name.replace(" ", "_"))
def test_mutant_is_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mutant.plant(monkeypatch, tmp_path)
    with pytest.raises((RunError, ReplayError)) as caught:
        run(mutant.kernel, mutant.test)
    print(caught.value.message)


def test_a_service_that_takes_longer_is_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    twice = "(void)mel_task_yield();"
    slow = TreeMutant("slow", LAYER, twice, f'__asm__ volatile("nop");\n    {twice}')
    slow.plant(monkeypatch, tmp_path)
    points = run("sw", "cooperative").events
    cycles = np.diff(points[points["kind"] == TraceKind.POINT]["cycle"].astype(np.int64))
    recorded = next(
        row
        for row in exact_cycles.recorded("thread-metric")
        if (row["kernel"], row["metric"], row["parameters"]) == ("sw", "cooperative", "code=O2")
    )
    assert np.median(cycles) > int(recorded["median"])
