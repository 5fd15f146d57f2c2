/* SPDX-License-Identifier: Apache-2.0 */
/* wake.c: phase wake: n tasks wait for a semaphore, and the timeouts of all expire in the same tick. */
#include "waits.h"

enum {
    ROUNDS = 24,
    LIMIT = 2, /* ticks: in one tick all begin to wait, in the next one the phase begins, in the third they time out */
    /* Length of a tick that wakes n tasks. Prime, so that ticks meet the computing loop in ever other places. */
    TICK_CYCLES = 2003,
    TICK_CYCLES_A_TASK = 601
};

static struct {
    uint32_t tasks; /* that time out in the tick */
    uint32_t woken; /* so far */
} wake;

static __attribute__((noinline)) void take_once(uint32_t self)
{
    const mel_status_t status = mel_sem_take(OBJECT_MEASURED, LIMIT);
    MEL_TRACEPOINT(TRACEPOINT_END, self);
    EXPECT(status, MEL_E_TMOUT);
}

static void wait(void *argument)
{
    for (;;) {
        CHECK(mel_sem_take(OBJECT_STARTING, MEL_FOREVER));
        take_once((uint32_t)(uintptr_t)argument);
        if (++wake.woken == wake.tasks) {
            end(PHASE_WAKE, wake.tasks);
            CHECK(mel_task_wakeup(TASK_MAIN));
        }
    }
}

static void wake_once(void)
{
    CHECK(mel_task_delay(1));
    wake.woken = 0;
    for (uint32_t i = 0; i < wake.tasks; i++) {
        CHECK(mel_sem_give(OBJECT_STARTING));
    }
    CHECK(mel_task_delay(LIMIT - 1));
    begin(PHASE_WAKE, wake.tasks);
    CHECK(mel_task_sleep(MEL_FOREVER));
}

static void measure_tasks(uint32_t tasks)
{
    set_tick(TICK_CYCLES + tasks * TICK_CYCLES_A_TASK);
    CHECK(mel_sem_create(OBJECT_MEASURED, 0, 1));
    CHECK(mel_sem_create(OBJECT_STARTING, 0, WORKERS));
    wake.tasks = tasks;
    for (uint32_t i = 0; i < tasks; i++) {
        spawn(TASK_FIRST + i, wait, TASK_FIRST + i, PRIORITY_FIRST + i % (PRIORITY_LAST - PRIORITY_FIRST + 1));
    }
    spawn(TASK_FIRST + tasks, compute, 0, PRIORITY_BACKGROUND);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        wake_once();
    }
    remove_tasks(tasks + 1);
    CHECK(mel_sem_delete(OBJECT_MEASURED));
    CHECK(mel_sem_delete(OBJECT_STARTING));
}

void measure_wake(void)
{
    measure_tasks(1);
    measure_tasks(8);
    measure_tasks(16);
}
