# SPDX-License-Identifier: Apache-2.0
"""Hints of a run that ends well: calls where they are not allowed, missing objects, and interrupt
lines that rise without effect. The control is the same program with its faults mended."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion import build, config
from melanion.cli import run as run_command
from melanion.errors import MelanionError
from melanion.run import RunResult, Settings, evidence, hints, run_program
from tests.common.fetched import needs_cargo

MAIN = """#include <melanion/device.h>
#include <melanion/melanion.h>
MEL_TASK_STACK(own_stack, 0, 1024);
static void handler(mel_id_t line, void *argument)
{
    (void)line;
    (void)argument;
    (void)HANDLED;
}
static void own(void *argument)
{
    (void)argument;
    for (int i = 0; i < 3; i++) {
        for (uint32_t line = 3; line <= 7; line++) {
            mel_irqgen_pulse(line, 100 * line);
        }
        (void)mel_task_delay(1);
        (void)mel_queue_send(QUEUE, 1, 0);
    }
    mel_exit(0);
}
int main(void)
{
    const mel_task_attributes_t task = {
        .entry = own, .stack = own_stack, .stack_size = sizeof(own_stack), .priority = 3};
    (void)mel_sem_create(0, 0, 9);
    (void)mel_queue_create(1, 9);
    (void)mel_irq_attach(3, handler, NULL);
    (void)mel_irq_map(3, MEL_IRQ_ACTION_NONE, 0, 0, true);
    (void)mel_irq_enable(3);
    SET_UP
    (void)mel_task_create(0, &task);
    (void)mel_task_start(0);
    mel_kernel_start();
}
"""
WRONG = (
    "(void)mel_irq_map(4, MEL_IRQ_ACTION_NONE, 0, 0, true); (void)mel_irq_enable(5);"
    " (void)mel_irq_map(6, MEL_IRQ_ACTION_SEMAPHORE_GIVE, 5, 0, false); (void)mel_irq_enable(6);"
)
RIGHT = (
    "for (uint32_t i = 4; i <= 7; i++) {"
    " (void)mel_irq_map(i, MEL_IRQ_ACTION_SEMAPHORE_GIVE, 0, 0, false); (void)mel_irq_enable(i); }"
)


def app(folder: Path, handled: str, queue: int, set_up: str) -> build.App:
    (folder / "app.yaml").write_text("name: mine\n")
    text = MAIN.replace("HANDLED", handled).replace("QUEUE", f"{queue}").replace("SET_UP", set_up)
    (folder / "main.c").write_text(text)
    return build.application(folder)


def masked(sentences: list[str], result: RunResult) -> list[str]:
    """The sentences without cycles, which are some of the run."""
    found = []
    for sentence in sentences:
        words = sentence.split(" cycle ")
        for i, word in enumerate(words[1:], 1):
            number = word.partition(")")[0]
            assert 0 < int(number) < result.cycles
            words[i] = word.replace(number, "N", 1)
        found.append(" cycle ".join(words))
    return found


@pytest.mark.parametrize("kernel", ["sw", "hwrtos"])
def test_faults_that_no_exit_code_tells(kernel: str, tmp_path: Path) -> None:
    made = app(tmp_path, "mel_sem_take(0, MEL_FOREVER)", 9, WRONG)
    result = run_program(config.find(kernel), made)
    found = hints.of(result, failed=False)
    assert masked(found[:2], result) == [
        "mine: calls refused with E_CTX (not allowed there): semaphore_take of id 0 in the handler"
        " of line 3 (3 times, first in cycle N).",
        "mine: calls refused with E_NOEXS (there is no such object): queue_send of id 9 (3 times,"
        " first in cycle N).",
    ]
    assert found[2:] == [
        "interrupt line 4 rose 3 times and was never enabled: call mel_irq_enable(4).",
        "interrupt line 5 rose 3 times and was never mapped: say with mel_irq_map(5, …) what its"
        " edges do, an action, or true as its last argument for the attached handler.",
        "interrupt line 6 rose 3 times without an object for its action (semaphore_give of id 5):"
        " make it before the line is enabled.",
        "interrupt line 7 rose 3 times and was never enabled, and no call of the program names it:"
        " call mel_irq_enable(7).",
    ]
    assert hints.of(result, failed=True) == found[1:]  # the evidence of a failure counts E_CTX


def test_a_program_without_faults_has_no_hints(tmp_path: Path) -> None:
    made = app(tmp_path, "mel_sem_give(0)", 1, RIGHT)
    result = run_program(config.find("sw"), made)
    assert hints.of(result, failed=False) == []


def test_the_command_prints_them_before_its_last_line(tmp_path: Path) -> None:
    app(tmp_path, "mel_sem_give(0)", 1, WRONG)
    lines = CliRunner().invoke(run_command.command, [str(tmp_path)]).stdout.splitlines()
    assert lines[-2].startswith("interrupt line 7 rose 3 times")
    assert lines[-1].startswith("mine on sw: exit code 0 after ")
    done = CliRunner().invoke(run_command.command, [str(tmp_path), "--console"])
    assert done.stdout.strip() == ""


ASSERTS = """#include "FreeRTOS.h"
#include "task.h"
static void other(void *unused) { (void)unused; for (;;) { vTaskDelay(1); } }
static void own(void *given)
{
    vTaskDelay(3);
    configASSERT(given != NULL);
    for (;;) { vTaskDelay(1); }
}
int main(void)
{
    xTaskCreate(own, "own", 256, GIVEN, 1, NULL);
    xTaskCreate(other, "other", 256, NULL, 2, NULL);
    vTaskStartScheduler();
}
"""
STOPS = """#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 5
#define configASSERT(x) if (!(x)) { taskDISABLE_INTERRUPTS(); for (;;) {} }
"""


def ended(folder: Path, kernel: str, given: str) -> tuple[RunResult, bool]:
    """A run that its limit ends, and whether it failed."""
    (folder / "FreeRTOSConfig.h").write_text(STOPS)
    (folder / "main.c").write_text(ASSERTS.replace("GIVEN", given))
    made, left = build.freertos_application(folder), list[RunResult]()
    limited = Settings(max_cycles=1_500_000, endless=True)
    try:
        done = run_program(config.find(kernel), made, limited, failed=left.append)
    except MelanionError:
        return left[0], True
    return done, False


@pytest.mark.parametrize("kernel", ["sw", "hwrtos", pytest.param("freertos", marks=needs_cargo)])
def test_a_core_that_takes_no_interrupt_any_more(kernel: str, tmp_path: Path) -> None:
    """The kernel is not at fault where a configASSERT turned interrupts off."""
    result, failed = ended(tmp_path, kernel, "NULL")
    assert failed is (kernel != "freertos")
    [said] = hints.stuck(result, failed=failed)
    assert said.partition(": no interrupt was taken since cycle ")[2].partition(",")[2] == (
        " and the core was at own (main.c:7) in the end: if interrupts are off there, as in a"
        " configASSERT that failed, nothing else runs."
    )
    if failed:
        assert "no interrupt was taken" in " ".join(evidence.lines(result))


@pytest.mark.parametrize("kernel", ["sw", pytest.param("freertos", marks=needs_cargo)])
def test_a_program_that_waits_is_not_stuck(kernel: str, tmp_path: Path) -> None:
    result, failed = ended(tmp_path, kernel, "main")
    assert (failed, hints.stuck(result, failed=False)) == (False, [])
    assert hints.stuck(result, failed=True) == []
