# SPDX-License-Identifier: Apache-2.0
"""Stacks of tasks for FreeRTOS, from the heap or the program's own: a run ends where a task leaves
its stack, even into its neighbour's; memory that a later task has otherwise is its stack alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from melanion import build, config
from melanion.build import App
from melanion.run import RunError, run_program

SYSTEMS = [
    "hwrtos",
    "sw",
    *(pytest.param(s, marks=pytest.mark.soak) for s in ("port", "banked", "hwrtos-2")),
]
CONFIG = """#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 5
#define configSUPPORT_STATIC_ALLOCATION STATIC
"""
MAIN = """#include "FreeRTOS.h"
#include "task.h"
#include <stdlib.h>
#if configSUPPORT_STATIC_ALLOCATION
static StaticTask_t memory;
static struct { char before[1024]; StackType_t words[WORDS]; } room;
#endif
static int deep(int n)
{
    volatile int a[8];
    a[n & 7] = n;
    return n != 0 ? deep(n - 1) + a[n & 7] : a[0];
}
static void greedy(void *unused)
{
    (void)unused;
    volatile int found = deep(12); /* 12 frames of 48 bytes or more */
    (void)found;
    exit(0);
}
static void waits(void *unused) { (void)unused; vTaskSuspend(NULL); }
static void ends(void *unused) { (void)unused; vTaskDelete(NULL); }
static void maker(void *unused)
{
    (void)unused;
    for (int words = 128; words < 160; words += 8) { /* each has the memory of the one before */
        (void)xTaskCreate(ends, "ends", words, NULL, 4, NULL);
        vTaskDelay(1);
    }
    (void)xTaskCreate(waits, "waits", 256, NULL, 3, NULL);
#if configSUPPORT_STATIC_ALLOCATION
    (void)xTaskCreateStatic(greedy, "greedy", WORDS, NULL, 3, room.words, &memory);
#else
    (void)xTaskCreate(greedy, "greedy", WORDS, NULL, 3, NULL);
#endif
    vTaskSuspend(NULL);
}
int main(void)
{
    (void)xTaskCreate(maker, "maker", 256, NULL, 2, NULL);
    vTaskStartScheduler();
}
"""


def app(folder: Path, static: int, words: int) -> App:
    (folder / "FreeRTOSConfig.h").write_text(CONFIG.replace("STATIC\n", f"{static}\n"))
    (folder / "main.c").write_text(MAIN.replace("WORDS", str(words)))
    return build.freertos_application(folder)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("static", [0, 1])
def test_a_stack_that_overflows_into_its_neighbour_ends_the_run(
    static: int, system: str, tmp_path: Path
) -> None:
    made = app(tmp_path, static, 128)
    with pytest.raises(RunError) as caught:
        run_program(config.find(system), made)
    assert re.fullmatch(
        rf"{made.name}: the stack of task \d \(greedy\) overflowed: sp became 0x1\w{{7}}, below its"
        r" lowest address 0x1\w{7}; make it larger\. It was at deep \(main\.c:\d+\) in cycle \d+",
        caught.value.message,
    )


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("static", [0, 1])
def test_a_stack_that_suffices_is_left_alone(static: int, system: str, tmp_path: Path) -> None:
    assert run_program(config.find(system), app(tmp_path, static, 512)).code == 0
