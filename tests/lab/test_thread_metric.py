# SPDX-License-Identifier: Apache-2.0
"""Thread-Metric: program and definition agree, exact cycles on every kernel, verdicts,
mutants. Tests of others over the same services: test_thread_metric_upstream.py.

Cycle counts are asserted with the compiler version that they were taken with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from mel_gen import TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.claims import load
from melanion.claims.execute import outcome
from melanion.claims.verdict import Verdict, judge
from melanion.docs.pages.reproduced import reproduction
from melanion.measure import ExperimentError, Row
from melanion.measure.rows import Measurement
from melanion.measure.work import applications
from melanion.model import ReplayError
from melanion.run import RunError, RunResult, run_program
from tests.common import exact_cycles, verdicts
from tests.common.fetched import buildable
from tests.common.planted_tree import TreeMutant

ROOT = paths.data_root()
DEFINITION = load("thread-metric")
PROGRAM = ROOT / "apps" / "benchmarks" / "thread_metric"
MUTANTS = ROOT / "tests" / "mutants" / "thread_metric.yaml"
LAYER = "kernel/compat/thread_metric/tm_porting_layer.c"


# Measured in every run; of the others test_sources holds that the rows are of these sources, and
# `make soak` measures them.
QUICK = ("sw",)


@cache
def rows(kernel: str) -> list[Row]:
    return [each.row for each in outcome("thread-metric", kernel, lambda _: None).measurements]


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
    assert names.pop() == "nothing"  # belongs to test_thread_metric_trap.py
    assert {name: number for number, name in enumerate(names, 1)} == DEFINITION.phases
    assert list(DEFINITION.phases) == list(DEFINITION.metrics)
    marks = dict(re.findall(r"MARK_(BEGIN|END) = (\d+)", text))
    assert {name.lower(): int(number) for name, number in marks.items()} == DEFINITION.marks
    assert f"ITERATION = {DEFINITION.tracepoints['iteration']} " in text
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
    """Tracepoints of the simulation agree with the counters of the program."""
    for test in ("cooperative", "interrupt"):
        events = run("sw", test).events
        tracepoints = events[events["kind"] == TraceKind.TRACEPOINT]
        marks = events[events["kind"] == TraceKind.MARKER]
        assert len(tracepoints) == marks["b"][-1]


# Claims by their place, with -O2; why: docs/reference/thread-metric.md.
SW, UNIT = ("sw", "sw-sorted"), ("hwrtos", "port", "banked")
NOT = {
    # Slower than ThreadX by more than a fifth, or faster by more than a quarter.
    0: ("freertos", "banked"),
    1: ("freertos", *UNIT),
    2: (*SW, "freertos"),
    3: ("freertos", *UNIT),
    4: ("freertos",),
    5: (*SW, "freertos", "hwrtos", "banked"),
    6: ("freertos", *UNIT),
    7: ("freertos", "port", "banked"),
    # By our choice: a calibration of other words, and services that are compiled with -O2. Where
    # the best is nearest, FreeRTOS's pair of calls, the number comes out by accident.
    **dict.fromkeys(range(8, 16), DEFINITION.kernels),
    16: (*SW, *UNIT),
}
BROKEN = {
    # Fewer iterations than ThreadX; a pool is C on every kernel.
    **dict.fromkeys((17, 19, 20, 23, 24), ("sw",)),
    21: ("sw", *UNIT),
    22: ("sw", "hwrtos", "port"),
    31: ("banked",),
}
LESS = {
    ("thread-metric", place, kernel): word
    for word, kernels_of in (("not", NOT), ("broken", BROKEN))
    for place, kernels in kernels_of.items()
    for kernel in kernels
}


def test_the_paper_has_these_verdicts() -> None:
    """By the cycles that test_exact_cycles asserts; no claim with -O0 counts."""
    assert verdicts.less("thread-metric") == LESS
    flattering = [each for each in reproduced() if each.claim.decided_by == "choice"]
    assert len(flattering) == 9 * len(DEFINITION.kernels)
    assert all("-O0" in each.claim.says or "Calibration" in each.claim.says for each in flattering)


def test_every_claim_can_fail() -> None:
    assert verdicts.unshakable("thread-metric") == []


def reproduced(changed: tuple[str, str, str, int] | None = None) -> list[Verdict]:
    """The verdicts of `thread-metric`; kernel, metric, code and another median of one row."""
    (asserted,) = (
        result
        for result in reproduction("thread-metric").results
        if result.experiment == "thread-metric"
    )
    rows = [each.row for each in asserted.measurements]
    measured = tuple(
        Measurement(replace(row, median=changed[3]), ((row.max, row.n),))
        if changed and (row.kernel, row.metric, row.parameters["code"]) == changed[:3]
        else Measurement(row, ((row.max, row.n),))
        for row in rows
    )
    return judge(replace(asserted, measurements=measured))


@pytest.mark.parametrize(
    ("place", "kernel", "metric", "good", "bad"),
    [
        (0, "sw", "cooperative", 102, 103),  # 11269 / 138 / 0.8
        (0, "sw", "cooperative", 66, 65),  # 11269 / 138 / 1.25
        (1, "freertos", "preemptive", 281, 282),
        (1, "banked", "preemptive", 181, 180),
        (2, "port", "message", 187, 188),
        (3, "banked", "synchronization", 103, 104),
        (4, "hwrtos", "memory", 107, 108),
        (5, "port", "interrupt", 178, 179),
        (6, "sw", "interrupt_preemption", 454, 455),
        (7, "sw", "synchronization", 91, 92),
        (17, "sw", "cooperative", 81, 82),  # 11269 / 138
        (26, "sw", "cooperative", 141, 142),
    ],
)
def test_a_cycle_more_or_less_breaks_a_claim(
    place: int, kernel: str, metric: str, good: int, bad: int
) -> None:
    """The optimized code of a test decides its claim; the best published cooperative switch is
    FreeRTOS's 141 cycles, not Zephyr's 184."""
    meant = DEFINITION.claims[place]
    words = [
        next(
            v.word
            for v in reproduced((kernel, metric, "O2", median))
            if (v.claim, v.kernel) == (meant, kernel)
        )
        for median in (good, bad)
    ]
    assert words in (["reproduced", "not"], ["holds", "broken"])
    plain = [v for v in reproduced((kernel, metric, "O0", 10**6)) if v.claim == meant]
    assert [v.word for v in plain] == [v.word for v in reproduced() if v.claim == meant]


# ---- the interface -------------------------------------------------------------------------------


def test_an_unknown_interface_is_refused(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    (tmp_path / "app.yaml").write_text("name: mine\ncompat: posix\n", encoding="utf-8")
    text = r"app.yaml:2: compat is 'posix'; allowed are freertos, itron; correct the name"
    with pytest.raises(build.BuildError, match=text):
        build.application(tmp_path)


# ---- mutants -------------------------------------------------------------------------------------


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
    tracepoints = run("sw", "cooperative").events
    cycles = np.diff(
        tracepoints[tracepoints["kind"] == TraceKind.TRACEPOINT]["cycle"].astype(np.int64)
    )
    recorded = next(
        row
        for row in exact_cycles.recorded("thread-metric")
        if (row["kernel"], row["metric"], row["parameters"]) == ("sw", "cooperative", "code=O2")
    )
    assert np.median(cycles) > int(recorded["median"])
