/* SPDX-License-Identifier: Apache-2.0 */
/* length.c: phase length: what ticks of 10 microseconds … 10 milliseconds take from a task that computes, while 16 tasks wait with
 * timeouts that no tick of the run ends. */
#include "waits.h"

enum {
    FAR_TASKS = 16,
    FAR = 100000000,    /* ticks */
    TURN_CYCLES = 100,  /* at most, of the loop */
    TURNS_LEAST = 2000,
    TICKS_LEAST = 6     /* the first and the last one are not counted */
};

static const uint16_t lengths[] = {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}; /* microseconds */

static void wait_far(void *unused)
{
    (void)unused;
    CHECK(mel_task_delay(FAR));
}

static __attribute__((noinline)) void turn(void)
{
    MEL_TRACEPOINT(TRACEPOINT_LOOP, 0);
    spin();
}

/* Turns of constant length: what a tick costs shows as a longer turn. */
static void loop(void *argument)
{
    const uint32_t length = (uint32_t)(uintptr_t)argument;
    const uint32_t turns = length * (MEL_CLOCK_HZ / 1000000) * TICKS_LEAST / TURN_CYCLES;
    begin(PHASE_LENGTH, length);
    for (uint32_t i = 0; i < (turns > TURNS_LEAST ? turns : TURNS_LEAST); i++) {
        turn();
    }
    end(PHASE_LENGTH, length);
    finish();
}

void measure_length(void)
{
    for (uint32_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        set_tick(lengths[i] * (MEL_CLOCK_HZ / 1000000));
        for (uint32_t task = 0; task < FAR_TASKS; task++) {
            spawn(TASK_FIRST + task, wait_far, 0, PRIORITY_FIRST);
        }
        spawn(TASK_FIRST + FAR_TASKS, loop, lengths[i], PRIORITY_BACKGROUND);
        run_phase(FAR_TASKS + 1);
    }
}
