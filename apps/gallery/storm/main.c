/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: four interrupt lines rise at random, each wakes a task of its own; the fifth is the one that matters. */
#include "../common/gallery.h"

enum { SAMPLE_LINE = 3, STORM_LINE = 4, LINES = 4, CONTROL = 6, STORM = 2, PULSES = 1000 };

MEL_REGION_OF_LINE(0, "interrupt to task", 0, SAMPLE_LINE);

volatile uint32_t shortest_gap = 400; /* cycles */
volatile uint32_t longest_gap = 1600;
volatile uint32_t storm_lines = LINES; /* 1 to 4, a task each */

static void control(void *unused)
{
    (void)unused;
    for (;;) {
        const uint32_t count = ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        MEL_REGION_SERVED(0, count);
        work(50);
    }
}

static void served(void *unused)
{
    (void)unused;
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        work(10);
    }
}

static void start(void *unused)
{
    const uint32_t longest = longest_gap > shortest_gap ? longest_gap : shortest_gap;
    (void)unused;
    for (uint32_t i = 0; i < storm_lines; i++) {
        mel_irqgen_pulses(STORM_LINE + i, shortest_gap, longest, PULSES);
    }
    vTaskSuspend(NULL);
}

int main(void)
{
    static const char *const names[] = {"rain", "hail", "snow", "wind"};
    notify_on(make(control, "control", 0, CONTROL), SAMPLE_LINE);
    for (uint32_t i = 0; i < storm_lines; i++) {
        notify_on(make(served, names[i], i, STORM), STORM_LINE + i);
    }
    (void)make(start, "start", 0, STORM + 1);
    vTaskStartScheduler();
    return 1;
}
