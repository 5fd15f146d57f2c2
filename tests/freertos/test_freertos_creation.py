# SPDX-License-Identifier: Apache-2.0
"""Creation of tasks, queues and semaphores for FreeRTOS: its cost does not grow with what exists,
and a number that was given back, by whatever call, is found again."""

from __future__ import annotations

from pathlib import Path

import pytest

from melanion import build, config
from melanion.build import App
from melanion.run import run_program

SYSTEMS = ["hwrtos", *(pytest.param(s, marks=pytest.mark.soak) for s in ("sw", "port", "banked"))]
CONFIG = """#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 5
#define configSUPPORT_STATIC_ALLOCATION 1
#define configTOTAL_HEAP_SIZE 16384
"""
HEAD = """#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include <melanion/device.h>
#include <melanion/semaphore.h>
#include <stdio.h>
#include <stdlib.h>
enum { MANY = 16 };
static StaticTask_t tasks[MANY];
static StackType_t stacks[MANY][128];
static StaticQueue_t queues[MEL_SEMAPHORES];
static SemaphoreHandle_t made[MEL_SEMAPHORES];
static void run(void *unused) { (void)unused; }
"""
COSTS = """int main(void)
{
    for (int i = 0; i < MANY; i++) {
        const uint32_t begun = mel_cycles();
        xTaskCreateStatic(run, "task", 128, NULL, 1, stacks[i], &tasks[i]);
        const uint32_t task = mel_cycles();
        xSemaphoreCreateBinaryStatic(&queues[i]);
        const uint32_t semaphore = mel_cycles();
        printf("%u %u\\n", (unsigned)(task - begun), (unsigned)(semaphore - task));
    }
    exit(0);
}
"""
AGAIN = """static int all(void)
{
    int count = 0;
    while (count < MEL_SEMAPHORES && (made[count] = xSemaphoreCreateBinaryStatic(&queues[count]))) {
        count++;
    }
    return count;
}
int main(void)
{
    const int most = all();
    vSemaphoreDelete(made[3]);
    vSemaphoreDelete(made[most - 2]);
    made[3] = xSemaphoreCreateBinaryStatic(&queues[3]);
    made[most - 2] = xSemaphoreCreateBinaryStatic(&queues[most - 2]);
    const int found = made[3] != NULL && made[most - 2] != NULL;
    mel_sem_delete(MEL_SEMAPHORES - 5); /* a call of Melanion's own: it was made[4] */
    const int own = xSemaphoreCreateBinaryStatic(&queues[4]) != NULL;
    printf("%d %d %d\\n", most == MEL_SEMAPHORES, found, own);
    exit(0);
}
"""


def app(folder: Path, body: str) -> App:
    (folder / "FreeRTOSConfig.h").write_text(CONFIG)
    (folder / "main.c").write_text(HEAD + body)
    return build.freertos_application(folder)


@pytest.mark.parametrize("system", SYSTEMS)
def test_creation_takes_no_longer_when_much_exists(system: str, tmp_path: Path) -> None:
    console = run_program(config.find(system), app(tmp_path, COSTS)).console
    rows = [[int(word) for word in line.split()] for line in console.splitlines()]
    tasks, semaphores = zip(*rows, strict=True)
    assert max(tasks) - tasks[0] <= 10 * len(tasks)  # a load for each that exists
    assert max(semaphores[1:]) - semaphores[1] <= 10


@pytest.mark.parametrize("system", SYSTEMS)
def test_semaphores_that_are_deleted_are_found_again(system: str, tmp_path: Path) -> None:
    assert run_program(config.find(system), app(tmp_path, AGAIN)).console == "1 1 1\n"
