# SPDX-License-Identifier: Apache-2.0
"""State that the C library keeps for each thread (rand, strtok, errno): on one core all code shares
one block of it, which tp points to in boot code, tasks and handlers; with several cores tp belongs
to the kernel, and such programs are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from melanion import build, config
from melanion.build import App, BuildError
from melanion.run import Settings, run_program
from tests.common.fetched import needs_cargo

SOAK = pytest.mark.soak
SYSTEMS = [
    "hwrtos",
    "banked",
    *(pytest.param(name, marks=SOAK) for name in ("sw", "port", "booster")),
    pytest.param("freertos", marks=[needs_cargo, SOAK]),
]
LINE = 3
MAIN = f"""#include <errno.h>
#include <melanion/interrupt.h>
#include <melanion/melanion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MEL_TASK_STACK(worker_stack, 0, 2048);
static const mel_task_attributes_t worker;

static void use(const char *who)
{{
    char text[] = "a b";
    srand(7);
    const int first = rand();
    srand(7);
    printf("%s %d %s", who, first == rand(), strtok(text, " "));
    errno = 0;
    (void)strtol("99999999999", NULL, 10);
    printf(" %s %d\\n", strtok(NULL, " "), errno == ERANGE);
}}

static void handler(mel_id_t line, void *argument)
{{
    (void)line;
    (void)argument;
    use("handler");
}}

static void run(void *argument)
{{
    static int runs;
    (void)argument;
    use("task");
    if (runs++ == 0) {{
        mel_task_exit();
    }}
    mel_irq_attach({LINE}, handler, NULL);
    mel_irq_map({LINE}, MEL_IRQ_ACTION_NONE, 0, 0, true);
    mel_irq_enable({LINE});
    mel_task_delay(6);
    mel_exit(0);
}}

static void again(void *argument)
{{
    (void)argument;
    mel_task_delete(0);
    mel_task_create(0, &worker);
    mel_task_start(0);
    mel_task_delay(MEL_FOREVER);
}}

MEL_TASK_STACK(again_stack, 1, 1024);
static const mel_task_attributes_t worker = {{
    .entry = run, .stack = worker_stack, .stack_size = sizeof worker_stack, .priority = 3}};
static const mel_task_attributes_t other = {{
    .entry = again, .stack = again_stack, .stack_size = sizeof again_stack, .priority = 5}};

int main(void)
{{
    use("main");
    mel_task_create(0, &worker);
    mel_task_create(1, &other);
    mel_task_start(0);
    mel_task_start(1);
    mel_kernel_start();
}}
"""


def app(folder: Path) -> App:
    (folder / "app.yaml").write_text("name: threads\n")
    (folder / "main.c").write_text(MAIN)
    return build.application(folder)


@pytest.mark.parametrize("system", SYSTEMS)
def test_all_code_of_one_core_shares_the_state_of_the_library(system: str, tmp_path: Path) -> None:
    settings = Settings(pulses=((LINE, 100_000),))
    result = run_program(config.find(system), app(tmp_path), settings)
    callers = ["main", "task", "task", "handler"]
    assert result.console.splitlines() == [f"{who} 1 a b 1" for who in callers]


@pytest.mark.parametrize("system", ["sw-2", "hwrtos-2", "banked-2"])
def test_several_cores_have_no_such_state(system: str, tmp_path: Path) -> None:
    with pytest.raises(BuildError) as caught:
        build.program(config.find(system), app(tmp_path))
    assert caught.value.message == (
        "threads calls rand, srand or random, whose state the C library keeps for each task apart,"
        f" and tasks of several cores ({system}) have no memory for that; use rand_r, or a function"
        " of your own."
    )
