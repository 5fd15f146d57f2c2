/* SPDX-License-Identifier: Apache-2.0 */
/* control.c: the task with a period, and the one that counts what is left. */
#include "network.h"

#include <melanion/device.h>

/* An undisturbed turn of the idle task's loop is shorter, and every switch of tasks is longer. */
enum { TURN_MAX = 32 };

volatile uint32_t idle_cycles;

/* A filter of second order, as a controller has it. */
static int32_t filter(int32_t input)
{
    static int32_t x1, x2, y1, y2;
    const int32_t output = (input + 2 * x1 + x2 + 6 * y1 - 3 * y2) / 4;
    x2 = x1;
    x1 = input;
    y2 = y1;
    y1 = output & 0xFFFF;
    return output;
}

void control(void *unused)
{
    (void)unused;
    static volatile int32_t actuator;
    uint64_t time = 0;
    CHECK(mel_time_get(&time));
    for (mel_ticks_t next = (mel_ticks_t)time + 1;; next++) {
        CHECK(mel_task_delay_until(next));
        MEL_TRACEPOINT(TRACEPOINT_CONTROL, 0);
        actuator = filter((int32_t)next & 0xFF);
    }
}

void idle(void *unused)
{
    (void)unused;
    for (uint32_t before = mel_cycles();;) {
        const uint32_t now = mel_cycles();
        if (now - before <= TURN_MAX) {
            idle_cycles += now - before;
        }
        before = now;
    }
}
