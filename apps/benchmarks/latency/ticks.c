/* SPDX-License-Identifier: Apache-2.0 */
/* ticks.c: phases tick_idle and tick_wake. */
#include "latency.h"

enum {
    TICK_IDLE_CYCLES = 2003,
    TURNS = 4400, /* loop of about 100 cycles: more than 200 ticks */
    FAR_TASKS = 16,
    FAR = 1000000, /* ticks: beyond the end of the run */
    WAKE_REPEATS = 24,
    /* Length of a tick that wakes n tasks. Prime, so that ticks meet the computing loop in ever other places. */
    WAKE_TICK_CYCLES = 2003,
    WAKE_TICK_CYCLES_A_TASK = 601
};

/* --- nobody wakes ------------------------------------------------------------------------------------------------ */

static void wait_far(void *argument)
{
    CHECK(mel_task_delay(FAR + (uint32_t)(uintptr_t)argument));
}

static __attribute__((noinline)) void turn(void)
{
    MEL_TRACEPOINT(TRACEPOINT_LOOP, 0);
    spin();
}

/* Turns of constant length: what a tick costs shows as a longer turn. */
static void loop(void *unused)
{
    (void)unused;
    begin(PHASE_TICK_IDLE, 0);
    for (uint32_t i = 0; i < TURNS; i++) {
        turn();
    }
    end(PHASE_TICK_IDLE, 0);
    finish();
}

static void measure_tick_idle(void)
{
    set_tick(TICK_IDLE_CYCLES);
    for (uint32_t i = 0; i < FAR_TASKS; i++) {
        spawn(TASK_FIRST + i, wait_far, i, PRIORITY_HIGH);
    }
    spawn(TASK_FIRST + FAR_TASKS, loop, 0, PRIORITY_BACKGROUND);
    run_phase(FAR_TASKS + 1);
}

/* --- n tasks wake ------------------------------------------------------------------------------------------------ */

static struct {
    uint32_t tasks; /* that wake in the tick */
    mel_ticks_t at; /* the tick */
    uint32_t woken; /* so far */
} wake;

static __attribute__((noinline)) void delay_once(uint32_t self)
{
    const mel_status_t status = mel_task_delay_until(wake.at);
    MEL_TRACEPOINT(TRACEPOINT_END, self);
    CHECK(status);
}

static void sleeper(void *argument)
{
    for (;;) {
        CHECK(mel_sem_take(SEM_MEASURED, MEL_FOREVER));
        delay_once((uint32_t)(uintptr_t)argument);
        if (++wake.woken == wake.tasks) {
            end(PHASE_TICK_WAKE, wake.tasks);
            CHECK(mel_task_wakeup(TASK_MAIN));
        }
    }
}

/* Everybody waits for tick `at`; the main task passes the tick before it, so that the phase holds `at` as its first. */
static void wake_once(void)
{
    CHECK(mel_task_delay(1));
    wake.woken = 0;
    wake.at = now() + 2;
    for (uint32_t i = 0; i < wake.tasks; i++) {
        CHECK(mel_sem_give(SEM_MEASURED));
    }
    CHECK(mel_task_delay_until(wake.at - 1));
    begin(PHASE_TICK_WAKE, wake.tasks);
    CHECK(mel_task_sleep(MEL_FOREVER));
}

static void measure_tick_wake(uint32_t tasks)
{
    set_tick(WAKE_TICK_CYCLES + tasks * WAKE_TICK_CYCLES_A_TASK);
    CHECK(mel_sem_create(SEM_MEASURED, 0, WORKERS));
    wake.tasks = tasks;
    for (uint32_t i = 0; i < tasks; i++) {
        spawn(TASK_FIRST + i, sleeper, TASK_FIRST + i, PRIORITY_HIGH + i % (PRIORITY_LOW - PRIORITY_HIGH));
    }
    spawn(TASK_FIRST + tasks, compute, 0, PRIORITY_BACKGROUND);
    for (uint32_t i = 0; i < WAKE_REPEATS; i++) {
        wake_once();
    }
    remove_tasks(tasks + 1);
    CHECK(mel_sem_delete(SEM_MEASURED));
}

void measure_ticks(void)
{
    measure_tick_idle();
    measure_tick_wake(1);
    measure_tick_wake(8);
    measure_tick_wake(16);
    measure_tick_wake(32);
}
