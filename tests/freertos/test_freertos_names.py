# SPDX-License-Identifier: Apache-2.0
"""Names that a program for FreeRTOS gives its tasks: they are in tables, timelines and saved runs,
whatever memory they were in, and the events of the run do not show how they came there."""

from __future__ import annotations

from pathlib import Path

import pytest
from mel_gen import TraceKind

from melanion import build, config
from melanion.build import App
from melanion.run import RunError, RunResult, evidence, run_program, saved
from melanion.run.names import split
from melanion.trace import perfetto
from melanion.trace.events import INTERFACE_TRACEPOINT as FIRST
from melanion.trace.events import events_of

SYSTEMS = ["sw", *(pytest.param(s, marks=pytest.mark.soak) for s in ("hwrtos", "port", "banked"))]
CONFIG = """#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 5
#define configMAX_TASK_NAME_LEN 8
#define configSUPPORT_STATIC_ALLOCATION 1
#define configUSE_TIMERS 1
"""
MAIN = """#include "FreeRTOS.h"
#include "task.h"
#include <stdlib.h>
#include <string.h>
static StaticTask_t memory;
static StackType_t stack[256];
static void waits(void *unused) { (void)unused; vTaskSuspend(NULL); }
static void ends(void *unused) { (void)unused; vTaskDelete(NULL); }
static void last(void *unused)
{
    char name[] = "w?";
    (void)unused;
    for (int i = 0; i < 2; i++) {
        name[1] = (char)('0' + i);
        (void)xTaskCreate(waits, name, 128, NULL, 3, NULL);
    }
    (void)xTaskCreate(ends, "first", 128, NULL, 3, NULL);
    vTaskDelay(2);
    (void)xTaskCreate(ends, "second", 128, NULL, 3, NULL);
    vTaskDelay(2);
    exit(CODE);
}
int main(void)
{
    (void)xTaskCreateStatic(waits, "a long name", 256, NULL, 2, stack, &memory);
    (void)xTaskCreate(waits, NULL, 128, NULL, 2, NULL);
    (void)xTaskCreate(last, "last", 256, NULL, 1, NULL);
    vTaskStartScheduler();
}
"""


def app(folder: Path, code: int = 0) -> App:
    (folder / "FreeRTOSConfig.h").write_text(CONFIG)
    (folder / "main.c").write_text(MAIN.replace("CODE", str(code)))
    return build.freertos_application(folder)


@pytest.mark.parametrize("system", SYSTEMS)
def test_names_are_those_of_the_program(system: str, tmp_path: Path) -> None:
    result = run_program(config.find(system), app(tmp_path))
    named = {number: name for number, name in result.names.items() if name != "Tmr Svc"}
    assert named == {0: "a long ", 2: "last", 4: "w0", 5: "w1", 6: "first/second"}
    told = result.events["kind"] == TraceKind.TRACEPOINT
    assert not (result.events["a"][told] >= FIRST).any()
    content = perfetto.timeline(result.events, 64, 50_000_000, names=result.names)
    assert b"task 2 last" in content
    saved.save(result, tmp_path / "run")
    assert saved.load(tmp_path / "run").names[4] == "w0"


def test_table_of_a_failed_run_has_the_names(tmp_path: Path) -> None:
    left: list[RunResult] = []
    with pytest.raises(RunError):
        run_program(config.find("sw"), app(tmp_path, code=3), failed=left.append)
    rows = [line.split()[:3] for line in evidence.lines(left[0])]
    assert ["2", "last", "running"] in rows


def test_memory_of_a_task_that_is_used_again_has_the_later_name() -> None:
    def name(text: str) -> list[tuple[int, ...]]:
        kind = TraceKind.TRACEPOINT
        return [(1, kind, 0, FIRST, 100 + i, ord(c), 0) for i, c in enumerate(text)]

    def numbered(task: int) -> tuple[int, ...]:
        return (1, TraceKind.TRACEPOINT, 0, FIRST + 1, 80, task, 20)

    other = (1, TraceKind.TRACEPOINT, 0, 7, 0, 0, 0)
    events = events_of([*name("longer"), numbered(3), other, *name("b"), numbered(4), numbered(5)])
    kept, names = split(events)
    assert names == {3: "longer", 4: "b"}
    assert kept["a"].tolist() == [7]
