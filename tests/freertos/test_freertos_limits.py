# SPDX-License-Identifier: Apache-2.0
"""Programs for FreeRTOS that ask for more tasks and objects than a system has: what is said when
they are built, and at the end of their run."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion import build, config
from melanion.build import App, Program
from melanion.cli import run as run_command
from melanion.run import run_program
from melanion.run.limits import used_up

CONFIG = """#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 5
#define configSUPPORT_STATIC_ALLOCATION 1
#define configTOTAL_HEAP_SIZE 100000
"""
HEAD = """#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"
#include <stdlib.h>
struct worker { StaticTask_t memory; StackType_t stack[64]; };
static struct worker workers[ROWS][4];
static StaticTask_t lone;
static StaticQueue_t queues[QUEUES];
static void task(void *unused) { (void)unused; vTaskSuspend(NULL); }
"""
# Each variable is used, so that the linker keeps it.
MAIN = """int main(void)
{
    void *volatile used[] = {workers, &lone, queues};
    (void)used;
    BODY
    exit(CODE);
}
"""


@pytest.fixture(autouse=True)
def settings(tmp_path: Path) -> None:
    (tmp_path / "FreeRTOSConfig.h").write_text(CONFIG)


def app(folder: Path, rows: int = 1, queues: int = 1, body: str = "", code: int = 0) -> App:
    text = (HEAD + MAIN).replace("ROWS", str(rows)).replace("QUEUES", str(queues))
    (folder / "main.c").write_text(text.replace("BODY", body).replace("CODE", str(code)))
    (folder / "app.yaml").unlink(missing_ok=True)
    return build.freertos_application(folder)


def built(made: App, system: str) -> Program:
    return build.program(config.find(system), made)


def test_memory_for_more_tasks_than_the_system_has_is_told_at_build(tmp_path: Path) -> None:
    made = app(tmp_path, rows=16)
    [note] = built(made, "sw").notes
    assert note == (
        f"{made.name} has memory for 65 StaticTask_t, and sw has 64 tasks: creating more fails; run"
        " it on sw[tasks=128], or raise parameters: tasks of its configuration"
    )
    assert built(made, "sw[tasks=128]").notes == ()
    assert built(app(tmp_path, rows=15), "sw").notes == ()


def test_memory_for_more_queues_than_semaphores_suffice_for_is_told(tmp_path: Path) -> None:
    most = config.find("sw").parameters.semaphores
    queues = most // 2 + 1
    made = app(tmp_path, queues=queues)
    [note] = built(made, "sw").notes
    assert note.startswith(
        f"{made.name} has memory for {queues} StaticQueue_t, which take {2 * queues} semaphores,"
        f" and sw has {most} semaphores: creating more fails; run it on sw[semaphores="
    )
    assert built(app(tmp_path, queues=most // 2), "sw").notes == ()


def test_there_is_no_larger_system_than_the_largest(tmp_path: Path) -> None:
    [note] = built(app(tmp_path, rows=70), "sw[tasks=256]").notes
    assert note.endswith(" creating more fails; raise parameters: tasks of its configuration")


def output(folder: Path) -> str:
    return CliRunner().invoke(run_command.command, [str(folder), "--freertos"]).output


CREATE = "for (int i = 0; i < COUNT; i++) (void)xTaskCreate(task, 0, 64, 0, 1, 0);"


@pytest.mark.parametrize("code", [0, 3])
def test_creation_that_failed_is_told_at_the_end_of_the_run(code: int, tmp_path: Path) -> None:
    app(tmp_path, body=CREATE.replace("COUNT", "65"), code=code)
    lines = (tmp_path / "main.c").read_text().splitlines()
    [line] = [number for number, text in enumerate(lines, 1) if "xTaskCreate" in text]
    sentence = (
        f" main.c:{line}: xTaskCreate found all 64 tasks of sw in use, and failed: run it on"
        " sw[tasks=128], or raise parameters: tasks of its configuration."
    )
    assert sentence in " ".join(output(tmp_path).split())


CALLS = {
    "xTaskCreateStatic": "xTaskCreateStatic(task, 0, 256, 0, 1, stack, new())",
    "xQueueCreate": "xQueueCreate(1, 4)",
    "xQueueCreateStatic": "xQueueCreateStatic(1, 0, 0, new())",
    "xQueueCreateSet": "xQueueCreateSet(1)",
    "xSemaphoreCreateBinary": "xSemaphoreCreateBinary()",
    "xSemaphoreCreateBinaryStatic": "xSemaphoreCreateBinaryStatic(new())",
    "xSemaphoreCreateCounting": "xSemaphoreCreateCounting(2, 0)",
    "xSemaphoreCreateCountingStatic": "xSemaphoreCreateCountingStatic(2, 0, new())",
    "xSemaphoreCreateMutex": "xSemaphoreCreateMutex()",
    "xSemaphoreCreateMutexStatic": "xSemaphoreCreateMutexStatic(new())",
    "xSemaphoreCreateRecursiveMutex": "xSemaphoreCreateRecursiveMutex()",
    "xSemaphoreCreateRecursiveMutexStatic": "xSemaphoreCreateRecursiveMutexStatic(new())",
}
EVERY = """#include "FreeRTOS.h"
#include "task.h"
#include "semphr.h"
#include <stdlib.h>
static StackType_t stack[256];
static void *new(void) { return pvPortMalloc(sizeof(StaticTask_t)); }
static void task(void *unused) { (void)unused; }
static void use_up(void)
{
    while (CALL) {
    }
}
int main(void) { use_up(); exit(0); }
"""


@pytest.mark.parametrize("call", CALLS)
def test_every_creation_tells_its_own_name_and_line(call: str, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(EVERY.replace("CALL", CALLS[call]))
    found = used_up(run_program(config.find("sw"), build.freertos_application(tmp_path)))
    assert [text.partition(" found all ")[0] for text in found] == [f"main.c:10: {call}"]


def test_what_suffices_is_not_told(tmp_path: Path) -> None:
    app(tmp_path, body=CREATE.replace("COUNT", "64"))
    assert "refused" not in output(tmp_path)


def test_note_is_printed_before_the_run(tmp_path: Path) -> None:
    made = app(tmp_path, rows=16)
    first, *rest = output(tmp_path).splitlines()
    assert first.startswith(f"{made.name} has memory for 65 StaticTask_t, and sw has 64 tasks")
    assert rest[-1].startswith(f"{made.name} on sw: exit code 0")
