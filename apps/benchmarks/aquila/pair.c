/* SPDX-License-Identifier: Apache-2.0 */
/* pair.c: two tasks that take turns (pair.h). Round robin is a quantum of one tick; FreeRTOS has no call for that, because its own time slices are one
 * tick each. */
#include "pair.h"

enum { STACK_SIZE = 1024 };
MEL_TASK_STACK(stack_main, TASK_MAIN, STACK_SIZE);
MEL_TASK_STACK(stack_first, TASK_FIRST, STACK_SIZE);
MEL_TASK_STACK(stack_second, TASK_SECOND, STACK_SIZE);

static void (*work_of_pair)(uint32_t self);

void failed(const char *what, uint32_t where)
{
    mel_print("aquila: ");
    mel_print(what);
    mel_print(" failed here: ");
    mel_print_unsigned(where);
    mel_print("\n");
    mel_exit(1);
}

static void member(void *self)
{
    work_of_pair((uint32_t)(uintptr_t)self);
    CHECK(mel_task_wakeup(TASK_MAIN)); /* more urgent, waits for both */
    CHECK(mel_task_sleep(MEL_FOREVER));
    failed("the end of a task", __LINE__);
}

/* Length of a tick from the next one on, which this waits for. */
static void set_tick(uint32_t cycles)
{
    CHECK(mel_tick_set(cycles));
    CHECK(mel_task_delay(1));
}

static void begin_turns(uint32_t tick_cycles)
{
    const mel_status_t counted = mel_quantum_set(PRIORITY_PAIR, 1);
    if (counted != MEL_E_RSFN) {
        CHECK(counted);
    }
    set_tick(tick_cycles);
}

void run_pair(void (*work)(uint32_t self), uint32_t turn_cycles, void (*begun)(void))
{
    static uint8_t *const stacks[TASKS_OF_PAIR] = {stack_first, stack_second};
    work_of_pair = work;
    if (turn_cycles != 0) {
        begin_turns(turn_cycles);
    } else {
        CHECK(mel_tick_set(0));
    }
    begun();
    for (uint32_t i = 0; i < TASKS_OF_PAIR; i++) {
        const mel_task_attributes_t attributes = {
            .entry = member,
            .argument = (void *)(uintptr_t)i,
            .stack = stacks[i],
            .stack_size = STACK_SIZE,
            .priority = PRIORITY_PAIR,
        };
        CHECK(mel_task_create(TASK_FIRST + i, &attributes));
        CHECK(mel_task_start(TASK_FIRST + i));
    }
    CHECK(mel_task_sleep(MEL_FOREVER));
    CHECK(mel_tick_set(0));
    CHECK(mel_task_sleep(MEL_FOREVER));
}

void remove_pair(void)
{
    for (mel_id_t task = TASK_FIRST; task < TASK_FIRST + TASKS_OF_PAIR; task++) {
        CHECK(mel_task_terminate(task));
        CHECK(mel_task_delete(task));
    }
}

static void run_conduct(void *unused)
{
    (void)unused;
    conduct();
}

int main(void)
{
    const mel_task_attributes_t attributes = {
        .entry = run_conduct,
        .stack = stack_main,
        .stack_size = STACK_SIZE,
        .priority = PRIORITY_MAIN,
        .name = "main",
    };
    CHECK(mel_task_create(TASK_MAIN, &attributes));
    CHECK(mel_task_start(TASK_MAIN));
    mel_kernel_start();
}
