/* SPDX-License-Identifier: Apache-2.0 */
/* stage.c: the conductor task, and the life of its workers (stage.h). */
#include "stage.h"

_Static_assert(MEL_TASKS > WORKERS, "this benchmark needs a system with at least 63 tasks");

enum { STACK_SIZE = 512 };

#define EACH_WORKER(X)                                                                                        \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19)  \
    X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(33) X(34) X(35) X(36)     \
    X(37) X(38) X(39) X(40) X(41) X(42) X(43) X(44) X(45) X(46) X(47) X(48) X(49) X(50) X(51) X(52) X(53)     \
    X(54) X(55) X(56) X(57) X(58) X(59) X(60) X(61) X(62)

#define STACK(task) MEL_TASK_STACK(stack_##task, task, STACK_SIZE);
#define STACK_ADDRESS(task) stack_##task,

MEL_TASK_STACK(stack_main, TASK_MAIN, 1024);
EACH_WORKER(STACK)

static uint8_t *const stacks[WORKERS] = {EACH_WORKER(STACK_ADDRESS)};

void wrong_status(uint32_t line, mel_status_t status)
{
    mel_print("program: line ");
    mel_print_unsigned(line);
    mel_print(": unexpected status ");
    mel_print_signed(status);
    mel_print("\n");
    mel_exit(1);
}

void spawn(mel_id_t task, mel_task_entry_t entry, uint32_t argument, mel_priority_t priority)
{
    const mel_task_attributes_t attributes = {
        .entry = entry,
        .argument = (void *)(uintptr_t)argument,
        .stack = stacks[task - TASK_FIRST],
        .stack_size = STACK_SIZE,
        .priority = priority,
    };
    CHECK(mel_task_create(task, &attributes));
    CHECK(mel_task_start(task));
}

void run_phase(uint32_t tasks)
{
    CHECK(mel_task_sleep(MEL_FOREVER));
    remove_tasks(tasks);
}

void remove_tasks(uint32_t tasks)
{
    for (mel_id_t task = TASK_FIRST; task < TASK_FIRST + tasks; task++) {
        CHECK(mel_task_terminate(task));
        CHECK(mel_task_delete(task));
    }
}

void finish(void)
{
    CHECK(mel_task_wakeup(TASK_MAIN));
    wrong_status(__LINE__, MEL_E_SYS); /* the main task should have removed the caller */
}

mel_ticks_t now(void)
{
    uint64_t ticks = 0;
    CHECK(mel_time_get(&ticks));
    return (mel_ticks_t)ticks;
}

void set_tick(uint32_t cycles)
{
    CHECK(mel_tick_set(cycles));
    if (cycles != 0) {
        CHECK(mel_task_delay(1)); /* to the end of the tick that still has the old length */
    }
}

void compute(void *unused)
{
    (void)unused;
    for (;;) {
        spin();
    }
}

int main(void)
{
    const mel_task_attributes_t attributes = {
        .entry = conduct,
        .stack = stack_main,
        .stack_size = sizeof stack_main,
        .priority = PRIORITY_MAIN,
        .name = "main",
    };
    CHECK(mel_task_create(TASK_MAIN, &attributes));
    CHECK(mel_task_start(TASK_MAIN));
    mel_kernel_start();
}
