# SPDX-License-Identifier: Apache-2.0
"""Thread-Metric's test files as others have them, unmodified, over our services.

The folder thread_metric_upstream has the shape of those that the benchmark's authors publish: the
entry tm_main, plain counters, printf, a line that begins with ERROR. The folder thread_metric has
the other one: main and volatile counters. Both hold a porting layer that must not be used.
"""

from __future__ import annotations

import io
import re
import shutil
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from melanion import paths
from melanion.claims import load
from melanion.claims.counters import plain_counters
from melanion.claims.thread_metric import Code, Upstream, upstream
from melanion.cli.reproduce import command
from melanion.measure import ExperimentError
from melanion.report.upstream import failures, tables
from tests.common import exact_cycles
from tests.common.fetched import buildable

ROOT = paths.data_root()
OTHERS = ROOT / "tests" / "lab" / "thread_metric"
PUBLISHED = ROOT / "tests" / "lab" / "thread_metric_upstream"
# Name of a published test → metric of experiments/thread-metric.yaml.
METRICS = {
    "tm_basic_processing_test": "calibration",
    "tm_cooperative_scheduling_test": "cooperative",
    "tm_interrupt_preemption_processing_test": "interrupt_preemption",
    "tm_interrupt_processing_test": "interrupt",
    "tm_memory_allocation_test": "memory",
    "tm_message_processing_test": "message",
    "tm_preemptive_scheduling_test": "preemptive",
    "tm_synchronization_processing_test": "synchronization",
}
CALIBRATION = next(iter(METRICS))


@cache
def published(kernel: str) -> tuple[Upstream, ...]:
    return tuple(upstream(PUBLISHED, [kernel]))


def folder_of(tmp_path: Path, *tests: str) -> Path:
    """Some of the published tests, with their header."""
    place = tmp_path / "tests"
    place.mkdir()
    for name in [*(f"{test}.c" for test in tests), "tm_api.h", "tm_porting_layer.h"]:
        shutil.copy(PUBLISHED / name, place)
    return place


# ---- the shape that is published -----------------------------------------------------------------


@pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(name, marks=[] if name == "sw" else pytest.mark.soak)
        for name in buildable(load("thread-metric").kernels)
    ],
)
def test_published_tests_run_unmodified(kernel: str) -> None:
    """Each counts what ours counts, within what the test's own code adds; but with -O2 the
    calibration, which calls nothing, counts in a register."""
    own = {
        (row["metric"], row["parameters"].removeprefix("code=")): int(row["median"])
        for row in exact_cycles.recorded("thread-metric")
        if row["kernel"] == kernel
    }
    runs = published(kernel)
    assert [run.test for run in runs[::2]] == list(METRICS)
    assert [run.code for run in runs] == ["O2", "O0"] * len(METRICS)
    assert [run.code for run in runs if run.decides] == ["O0"] * len(METRICS)
    assert failures(runs) == []
    (lost,) = (run for run in runs if run.complaint is not None)
    assert (lost.test, lost.code, lost.count) == (CALIBRATION, "O2", 0)
    for run in runs:
        if run is not lost:
            close = 0.02 if run.test == CALIBRATION else 0.15
            assert run.each == pytest.approx(own[METRICS[run.test], run.code], rel=close), run


def invoke(folder: Path, *words: str) -> tuple[int, str]:
    """Exit code and what is printed; the command line turns an ExperimentError into its text."""
    asked = ["thread-metric", "--kernels", "sw", "--thread-metric-dir", str(folder), *words]
    done = CliRunner().invoke(command, asked)
    said = done.output
    if isinstance(done.exception, ExperimentError):
        return done.exception.exit_code, f"{said}{done.exception.message}"
    return done.exit_code, said


def test_both_ways_to_compile_are_shown_and_the_right_one_decides(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, CALIBRATION, "tm_synchronization_processing_test")
    code, said = invoke(folder)
    assert code == 0
    assert re.search(rf"{CALIBRATION} on sw, -O0: 1\d\d in \d+ cycles: \d+\.\d cycles each", said)
    assert "✗ basic on sw: its counter rounds is not volatile, so -O0 decides" in said
    optimized, plain = said.split("Cycles of each count, tests compiled with -")[1:]
    assert optimized.startswith("O2,") and re.search(r"^basic +✗$", optimized, re.MULTILINE)
    assert plain.startswith("O0,") and re.search(r"^basic +3\d{4}\.\d$", plain, re.MULTILINE)
    for table in (optimized, plain):
        assert re.search(r"^synchronization +\d\d\.\d$", table, re.MULTILINE)


def test_a_figure_of_few_counts_is_marked() -> None:
    """A count is whole: of 8 of them the last may be 12 % of a figure."""
    few, enough = (
        Upstream("tm_basic_processing_test", "sw", "O0", True, "rounds", "", count, 300_000)
        for count in (8, 1000)
    )
    for run, cell, marked in ((few, "≈37500.0", True), (enough, "300.0", False)):
        stream = io.StringIO()
        console = Console(width=80, file=stream)
        for part in tables([run]):
            console.print(part)
        said = stream.getvalue()
        assert re.search(rf"^basic +{re.escape(cell)} *$", said, re.MULTILINE)
        assert ("≈ fewer than 100 counts, so one more or less changes it" in said) == marked


def test_a_test_that_counts_nothing_fails(tmp_path: Path) -> None:
    """The control with -O0 is the test above."""
    code, said = invoke(folder_of(tmp_path, CALIBRATION), "--thread-metric-code", "O2")
    assert code == 1 and "-O0" not in said.partition("Cycles of each count")[0]
    assert said.endswith(
        f"{CALIBRATION} on sw, compiled with -O2: it prints 'ERROR: the thread does not count', so"
        " it measured nothing; its counter rounds is not volatile and may be in a register: take"
        " --thread-metric-code O0, or leave that out."
    )


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("        count_2++;\n", "", "prints 'ERROR: the threads do not take turns'"),
        (" - before);", " * 0);", "counts 0"),
        ("%lu", "many", "prints no number"),
    ],
)
def test_what_a_test_prints_decides(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    """Planted in a published test, which has no complaint without it."""
    name = "tm_cooperative_scheduling_test"
    folder = folder_of(tmp_path, name)
    path = folder / f"{name}.c"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    (run,) = upstream(folder, ["sw"], ["O0"])
    assert run.complaint == complaint
    (sentence,) = failures([run])
    assert f"it {complaint}, so it measured nothing; run it on another kernel" in sentence


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("unsigned long count;", ["count"]),
        ("unsigned long   a_count,\n  b_count = 3;", ["a_count", "b_count"]),
        ("static uint32_t rounds = 0;", ["rounds"]),
        ("volatile unsigned long count;\nstatic volatile int other;", []),
        ("volatile unsigned long count;\nint other;", ["other"]),
        ("unsigned long words[1024];\nextern int elsewhere;\nconst int five = 5;", []),
        ("void f(void);\nint g(int a) { int local; { long x; } return a; }\n", []),
        ("int g(void)\n{\nint     local;\n}\nunsigned long after;", ["after"]),
        ("/* unsigned long old; */\n// int older;\n#define A int b;\n", []),
        ("unsigned char *memory;\nstruct slot { int word; };\n", []),
    ],
)
def test_plain_counters_are_found(text: str, names: list[str]) -> None:
    assert plain_counters(text) == names


def test_the_way_to_compile_belongs_to_a_folder() -> None:
    done = CliRunner().invoke(command, ["thread-metric", "--thread-metric-code", "O0"])
    assert done.exit_code == 2
    assert "--thread-metric-code belongs to --thread-metric-dir; add that." in done.output


# ---- the other shape -----------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["sw", "banked"])
def test_tests_with_volatile_counters_run_unmodified(kernel: str) -> None:
    codes: list[Code] = ["O2"]
    preemption, synchronization = upstream(OTHERS, [kernel], codes)
    own = {
        row["metric"]: int(row["median"])
        for row in exact_cycles.recorded("thread-metric")
        if (row["kernel"], row["parameters"]) == (kernel, "code=O2")
    }
    assert preemption.console == f"total {preemption.count}\n"
    assert synchronization.console == f"time 30\ntotal {synchronization.count}\n\n"
    assert preemption.each == pytest.approx(own["interrupt_preemption"], rel=0.02)
    assert synchronization.each == pytest.approx(own["synchronization"], rel=0.02)


def test_volatile_counters_are_decided_by_optimized_code(tmp_path: Path) -> None:
    name = "tm_synchronization_processing_test.c"
    for path in (name, "tm_api.h"):
        shutil.copy(OTHERS / path, tmp_path)
    optimized, plain = upstream(tmp_path, ["sw"])
    assert (optimized.code, optimized.decides, optimized.plain) == ("O2", True, None)
    assert (plain.code, plain.decides, plain.complaint) == ("O0", False, None)


def test_the_command_prints_what_tests_of_others_print() -> None:
    code, said = invoke(OTHERS, "--thread-metric-code", "O2")
    head = r"tm_synchronization_processing_test on sw, -O2: (\d+) in \d+ cycles: \d"
    assert code == 0 and re.search(head, said)
    assert "\n    time 30\n    total " in said


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
