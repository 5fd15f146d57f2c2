# SPDX-License-Identifier: Apache-2.0
"""Programs for FreeRTOS as they are (`--freertos`): what a folder must hold, what is measured of
the regions that a program marks, the examples, and what they show."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from mel_gen import TraceKind

from melanion import build, config
from melanion.build import BuildError, settings
from melanion.build.image import Region
from melanion.cli import compare, freertos, trace
from melanion.cli import run as run_command
from melanion.errors import MelanionError
from melanion.measure import regions
from melanion.measure.regions import Measured
from melanion.run import RunResult, run_program
from melanion.run.tasks import task_names
from melanion.trace.events import EVENT
from tests.common.fetched import needs_cargo
from tests.common.scenario_run import SINGLE

SOAK = pytest.mark.soak
CONFIG = "#define configTICK_RATE_HZ 1000\n#define configMAX_PRIORITIES 5\n"
MAIN = """#include "FreeRTOS.h"
#include "task.h"
#include "part.h"
static void task(void *unused) { (void)unused; for (;;) { part(); vTaskDelay(1); } }
int main(void) { xTaskCreate(task, "task", 256, NULL, 1, NULL); vTaskStartScheduler(); }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program that never ends, with sources and headers in folders of it."""
    place = tmp_path / "My Motor-2"
    (place / "src").mkdir(parents=True)
    (place / "include").mkdir()
    (place / "FreeRTOSConfig.h").write_text(CONFIG, encoding="utf-8")
    (place / "main.c").write_text(MAIN, encoding="utf-8")
    (place / "src" / "part.c").write_text('#include "part.h"\nvoid part(void) {}\n')
    (place / "include" / "part.h").write_text("void part(void);\n")
    return place


# ---- what a folder must hold ---------------------------------------------------------------------


def refusal(make: Callable[[], object]) -> str:
    with pytest.raises(MelanionError) as caught:
        make()
    assert caught.value.exit_code == 2
    assert "\n" not in caught.value.message
    return caught.value.message


def refused(text: str | Path) -> str:
    return refusal(lambda: build.freertos_application(text))


def test_sources_and_headers_are_found_in_folders(folder: Path) -> None:
    app = build.freertos_application(folder)
    assert app.name == "my_motor_2"
    assert [path.name for path in app.sources] == ["main.c", "part.c"]
    assert app.folders == (folder / "include",)


def test_folder_that_is_none(tmp_path: Path) -> None:
    assert refused(tmp_path / "none") == (
        f"'{tmp_path}/none' is neither a folder nor a program for FreeRTOS that comes with Melanion"
        " (deadlock, flags, interrupt, inversion, motor_control, pingpong, sample_pipeline,"
        " serial_link, storm, timeouts); with --freertos name a folder that holds"
        " FreeRTOSConfig.h and sources."
    )


def test_folder_with_app_yaml(folder: Path) -> None:
    (folder / "app.yaml").write_text("name: mine\n")
    assert refused(folder) == (
        f"{folder}: it holds app.yaml, which says what to build; leave --freertos out, or remove"
        " app.yaml."
    )


def test_folder_without_settings(folder: Path) -> None:
    (folder / "FreeRTOSConfig.h").unlink()
    assert refused(folder) == (
        f"{folder}: there is no FreeRTOSConfig.h in it; put the program's own there, with"
        " configTICK_RATE_HZ and configMAX_PRIORITIES at least."
    )


def test_folder_without_sources(folder: Path) -> None:
    (folder / "main.c").unlink()
    (folder / "src" / "part.c").unlink()
    assert refused(folder) == (
        f"{folder}: there is no .c, .S, .cpp, .cc or .cxx file of its own in it; name the folder"
        " that holds the program's sources."
    )


def test_without_the_option_it_is_named(folder: Path) -> None:
    assert refusal(lambda: build.application(folder)) == (
        f"{folder}: this folder holds FreeRTOSConfig.h and no app.yaml; add --freertos if it is a"
        " program for FreeRTOS."
    )


def test_missing_name_is_told_here_too(folder: Path) -> None:
    (folder / "src" / "part.c").write_text("void part(void) { vTaskEndScheduler(); }\n")
    with pytest.raises(BuildError) as caught:
        build.program(config.find("sw"), build.freertos_application(folder))
    assert caught.value.message.startswith("part.c:1: my_motor_2 uses vTaskEndScheduler, which")


def test_a_stack_that_leaves_the_heap_is_named_by_its_task(folder: Path) -> None:
    (folder / "src" / "part.c").write_text(
        '#include "part.h"\nvoid part(void)\n{\n    volatile char big[60000];\n    big[0] = 1;\n}\n'
    )
    with pytest.raises(MelanionError) as caught:
        run_program(config.find("hwrtos"), build.freertos_application(folder))
    message = caught.value.message
    assert message.startswith("my_motor_2: the stack of task 0 (task) overflowed: sp became 0x")
    assert ", below its lowest address 0x" in message
    assert "; make it larger. It was at part (part.c:" in message


@needs_cargo
def test_a_lost_program_whose_stacks_nobody_watches_is_told_of_them(folder: Path) -> None:
    (folder / "src" / "part.c").write_text(
        '#include "part.h"\nvoid part(void) { ((void (*)(void))0xa5a5a5a4u)(); }\n'
    )
    with pytest.raises(MelanionError) as caught:
        run_program(config.find("freertos"), build.freertos_application(folder))
    assert (
        "; correct that code, or make the stack of its task or of a neighbour larger: overflows"
        " inside of memory that holds all stacks are not watched"
    ) in caught.value.message


def test_memory_of_all_stacks_is_no_task(folder: Path) -> None:
    program = build.program(config.find("hwrtos"), build.freertos_application(folder))
    assert any(stack.shared for stack in program.content.stacks)
    assert task_names(program) == {}


def test_a_program_that_never_ends_is_ended(folder: Path) -> None:
    words = [str(folder), "--freertos", "--max-cycles", "300000"]
    done = CliRunner().invoke(run_command.command, words)
    assert done.exit_code == 0, done.output
    assert (
        done.output.strip()
        .splitlines()[-1]
        .startswith(
            "my_motor_2 on sw: stopped, as --max-cycles asks, after 300000 cycles; the golden model"
        )
    )


def test_timeline_of_a_program_as_it_is(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "timeline"
    words = [str(folder), "--freertos", "--max-cycles", "300000", "--out", str(out)]
    done = CliRunner().invoke(trace.command, words)
    assert done.exit_code == 0, done.output
    assert out.stat().st_size > 1000


def test_options_of_compare_that_do_not_go_together(folder: Path) -> None:
    def said(*words: str) -> str:
        return refusal(
            lambda: CliRunner().invoke(compare.command, list(words), catch_exceptions=False)
        )

    mine = (str(folder), "--freertos")
    assert said(*mine, "--out", "there") == (
        "--out does not go with a program, of which no page is written; leave it out, or write the"
        " figures with --json FILE."
    )
    assert said("latency", "--max-cycles", "5") == (
        "--max-cycles goes with a program alone: an experiment says how long it runs; leave it out."
    )
    assert said(*mine, "--kernels", "sw,sw") == (
        "--kernels sw,sw names a kernel twice; name each once."
    )


def test_program_that_marks_nothing(folder: Path) -> None:
    assert refusal(
        lambda: freertos._measure("sw", str(folder), None, 1000, True, lambda text: None)
    ) == (
        "my_motor_2 marks nothing to measure; name its regions with MEL_REGION or"
        " MEL_REGION_OF_LINE (kernel/include/melanion/measure.h)."
    )


# ---- what is measured ----------------------------------------------------------------------------

OF_LINE = Region(1, "of a line", 2, 7)
OWN = Region(2, "its own", 0, None)
BEGIN, END = 0x100, 0x101


def measured(region: Region, *rows: tuple[int, TraceKind, int, int]) -> Measured:
    """Measure a region over events (cycle, kind, a, b) and an end at cycle 1000; 10 cycles a µs."""
    events = np.zeros(len(rows) + 1, dtype=EVENT)
    for event, row in zip(events, (*rows, (1000, TraceKind.EXIT, 0, 0)), strict=True):
        event["cycle"], event["kind"], event["a"], event["b"] = row
    return regions.measure(events, [region], 10)[0]


def edge(cycle: int, line: int = 7) -> tuple[int, TraceKind, int, int]:
    return cycle, TraceKind.IRQ_WIRE, line, 0


def tracepoint(cycle: int, number: int, value: int = 0) -> tuple[int, TraceKind, int, int]:
    return cycle, TraceKind.TRACEPOINT, number, value


def lengths(found: Measured) -> list[int]:
    return [span.cycles for span in found.spans]


def test_each_edge_begins_a_span_and_the_end_says_how_many() -> None:
    end = END + 2
    found = measured(
        OF_LINE,
        edge(10),
        edge(12, 8),
        tracepoint(15, end, 1),
        edge(20),
        edge(30),
        tracepoint(50, end, 2),
    )
    assert lengths(found) == [5, 30, 20]
    assert (found.limit, found.misses, found.open) == (20, 1, 0)


def test_more_served_than_came_counts_what_came() -> None:
    assert lengths(
        measured(OF_LINE, edge(10), tracepoint(15, END + 2, 9), tracepoint(16, END + 2, 1))
    ) == [5]


def test_figures_of_many_spans_are_those_of_their_ranks() -> None:
    """200 spans of 1 to 200 cycles, at 10 cycles a µs."""
    rows = [edge(1000 * i) for i in range(1, 201)]
    ends = [tracepoint(1000 * i + i, END + 2, 1) for i in range(1, 201)]
    found = measured(OF_LINE, *sorted(rows + ends))
    figures = found.figures()
    assert [figures[key] for key in ("minimum", "median", "p99", "maximum")] == [1, 100, 198, 200]
    assert (figures["maximum_us"], figures["maximum_begin"]) == (20.0, 200_000)
    assert freertos.shown_figure(20.0) == "20.00" and freertos.shown_figure(200) == "200"
    assert measured(OF_LINE, edge(10), tracepoint(15, END + 2, 1)).figures()["p99"] == 5


def test_slower_is_said_as_slower() -> None:
    kernels = {
        "freertos": {"maximum_outside": 300},
        "sw": {"maximum_outside": 600},
        "hwrtos": {"maximum_outside": 100},
        "port": {"maximum_outside": 300},
    }
    document = {"regions": [{"name": "edge to task", "line": 3, "kernels": kernels}]}
    assert freertos.sentences(document, list(kernels)) == [
        "edge to task: worst case outside divisions and critical sections of the program: freertos"
        " 300 cycles, sw 600 (2.0 times slower), hwrtos 100 (3.0 times faster), port 300 (as fast)"
    ]


def test_what_rounds_to_once_is_about_as_fast() -> None:
    assert freertos.against(410, 411) == freertos.against(411, 410) == "about as fast"
    assert freertos.against(100, 106) == "1.1 times slower"


def test_consoles_that_are_the_same_are_shown_once() -> None:
    long = "".join(f"{i}\n" for i in range(100))
    assert freertos.consoles({"sw": "a\nb\n", "hwrtos": "c\n", "port": "a\nb\n", "x": ""}) == [
        "sw, port: a",
        "sw, port: b",
        "hwrtos: c",
    ]
    assert freertos.consoles({"sw": long})[:2] == [
        "sw: the last 20 of 100 lines that it printed:",
        "sw: 80",
    ]


def test_comparison_names_the_kernel_whose_build_failed(folder: Path) -> None:
    (folder / "FreeRTOSConfig.h").write_text(f"{CONFIG}#define configUSE_IDLE_HOOK 1\n")
    with pytest.raises(BuildError) as caught:
        freertos._measure("sw", str(folder), None, 1000, True, lambda text: None)
    assert caught.value.message.startswith(
        "sw: my_motor_2 does not link on sw: FreeRTOSConfig.h has configUSE_IDLE_HOOK 1, so define"
        " vApplicationIdleHook(), or set the macro to 0 (whole output: "
    )


@needs_cargo
def test_settings_behind_missing_names_are_told_on_freertos(folder: Path) -> None:
    (folder / "FreeRTOSConfig.h").write_text(f"{CONFIG}#define configCHECK_FOR_STACK_OVERFLOW 2\n")
    (folder / "src" / "part.c").write_text(
        '#include "FreeRTOS.h"\n#include "timers.h"\n#include "part.h"\n'
        'void part(void) { (void)xTimerCreate("a", 2, 1, NULL, NULL); }\n'
    )
    with pytest.raises(BuildError) as caught:
        build.program(config.find("freertos"), build.freertos_application(folder))
    assert caught.value.message.startswith(
        "my_motor_2 does not link on freertos: src/part.c:4 calls xTimerCreate: set"
        " configUSE_TIMERS 1 in FreeRTOSConfig.h; FreeRTOSConfig.h has"
        " configCHECK_FOR_STACK_OVERFLOW 2, so define vApplicationStackOverflowHook(), or set the"
        " macro to 0 (whole output: "
    )


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("xTimerGenericCommandFromTask", "configUSE_TIMERS"),
        ("xQueueCreateSet", "configUSE_QUEUE_SETS"),
        ("xTaskCreateStatic", "configSUPPORT_STATIC_ALLOCATION"),
        ("vTaskDelay", "INCLUDE_vTaskDelay"),
        ("vTaskResume", "INCLUDE_vTaskSuspend"),
        ("my_function", None),
    ],
)
def test_setting_that_a_name_needs(name: str, setting: str | None) -> None:
    assert settings.needed(name) == setting


def test_microseconds_name_the_clock_that_they_assume() -> None:
    assert freertos.assumed(["freertos", "hwrtos"]) == (
        "µs: at 100 MHz (freertos, hwrtos), which the configuration assumes (clock_mhz); the clocks"
        " that boards reach are in docs/reference/boards.md"
    )


def test_other_tracepoints_end_no_section_of_the_program() -> None:
    own = regions.OWN_TRACEPOINT
    rows = [edge(10), tracepoint(12, own), tracepoint(13, own + 9), edge(14), edge(20)]
    ends = [tracepoint(16, END + 2, 2), tracepoint(22, own + 1), tracepoint(24, END + 2, 1)]
    found = measured(OF_LINE, *rows[:4], ends[0], rows[4], *ends[1:])
    assert [span.own for span in found.spans] == [True, True, True]


def test_what_never_ended_is_open_and_late_when_it_is_old() -> None:
    found = measured(OF_LINE, edge(10), edge(985))
    assert (lengths(found), found.open, found.misses) == ([], 2, 1)
    assert found.figures()["maximum"] is None


def test_region_of_the_program_begins_and_ends_there() -> None:
    found = measured(
        OWN,
        tracepoint(10, BEGIN + 4),
        tracepoint(15, END + 4, 1),
        tracepoint(20, BEGIN + 4),
        tracepoint(30, BEGIN + 4),
        tracepoint(31, END + 4, 1),
    )
    assert (lengths(found), found.open, found.misses) == ([5, 1], 1, 0)


def test_spans_that_a_section_of_the_program_touches_are_counted_apart() -> None:
    first, last = regions.OWN_TRACEPOINT, regions.OWN_TRACEPOINT + 1
    found = measured(
        OF_LINE,
        tracepoint(5, first),
        edge(8),
        tracepoint(9, last),
        tracepoint(19, END + 2, 1),
        edge(30),
        tracepoint(36, END + 2, 1),
    )
    assert [span.own for span in found.spans] == [True, False]
    figures = found.figures()
    assert (figures["maximum"], figures["maximum_outside"]) == (11, 6)
    assert (figures["spans"], figures["outside"]) == (2, 1)


def test_numbers_of_tracepoints_are_those_of_the_header() -> None:
    header = (build.application("hello").folder.parents[2] / "kernel" / "include").joinpath(
        "melanion", "measure.h"
    )
    text = header.read_text(encoding="utf-8")
    assert f"#define MEL_REGIONS {regions.MOST}\n" in text
    assert f"(0x{regions.FIRST_TRACEPOINT:x} + 2 * (number))" in text


# ---- the examples --------------------------------------------------------------------------------

EXAMPLES = ("motor_control", "serial_link", "sample_pipeline")
KERNELS = (pytest.param("freertos", marks=needs_cargo), "sw", "hwrtos", "banked")


def example(name: str, kernel: str) -> RunResult:
    return run_program(config.find(kernel), build.freertos_application(name))


@pytest.mark.parametrize("kernel", KERNELS)
def test_pipeline_runs_unchanged_on_every_kernel(kernel: str) -> None:
    console = example("sample_pipeline", kernel).console
    assert "missed 0\nlate 0\n" in console


@pytest.mark.parametrize(
    "system",
    [
        "hwrtos-2",
        *(
            pytest.param(name, marks=SOAK)
            for name in ("sw-2", "banked-2", "port-2", "hwrtos-single-2")
        ),
    ],
)
def test_pipeline_runs_on_two_cores(system: str) -> None:
    """The filter has the second one."""
    result = example("sample_pipeline", system)
    assert "missed 0\nlate 0\n" in result.console
    switched = result.events[result.events["kind"] == TraceKind.DISPATCH]
    tasks = [set(switched[switched["core"] == core]["a"].tolist()) for core in (0, 1)]
    assert {0, 1} & tasks[0] == {0}  # source
    assert {0, 1} & tasks[1] == {1}  # filter


@SOAK
@pytest.mark.parametrize("kernel", [*KERNELS, *SINGLE])
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_run_unchanged_on_every_kernel(name: str, kernel: str) -> None:
    assert example(name, kernel).code == 0


def times(document: dict[str, Any], kernel: str, region: int) -> float:
    """Return the ratio of `freertos` to `kernel` in the worst case outside the program's own
    sections."""
    worst = document["regions"][region]["kernels"]
    return float(worst["freertos"]["maximum_outside"] / worst[kernel]["maximum_outside"])


def test_the_claim_can_fail() -> None:
    worst = {"freertos": {"maximum_outside": 900}, "banked": {"maximum_outside": 100}}
    assert times({"regions": [{"kernels": worst}]}, "banked", 0) == 9


@needs_cargo
def test_interrupt_to_task_on_banked_is_eight_times_faster_than_on_freertos(tmp_path: Path) -> None:
    """Compare the motor control, whose sensor's interrupt the unit serves without the CPU; the
    command prints the factor."""
    words = ["motor_control", "--freertos", "--kernels", "freertos,banked"]
    words += ["--json", str(tmp_path / "figures.json")]
    done = CliRunner().invoke(compare.command, words, catch_exceptions=False)
    document = json.loads((tmp_path / "figures.json").read_text())
    factor = times(document, "banked", 0)
    assert factor >= 8
    worst = {
        kernel: figures["maximum_outside"]
        for kernel, figures in document["regions"][0]["kernels"].items()
    }
    assert (
        "sample to task: worst case outside divisions and critical sections of the program:"
        f" freertos {worst['freertos']} cycles, banked {worst['banked']}"
        f" ({factor:.1f} times faster)"
    ) in done.output
    figures = document["regions"][0]["kernels"]["banked"]
    assert figures["outside"] >= 0.95 * figures["spans"]  # little is left out
    assert (figures["misses"], figures["open"]) == (0, 0)
