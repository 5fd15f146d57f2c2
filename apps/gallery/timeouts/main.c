/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: sleepers wake in the same tick, all of them. An interrupt that comes then finds a software kernel in its tick, with interrupts off, and the unit at work beside the
 * processor. */
#include "../common/gallery.h"

enum { SAMPLE_LINE = 3, CONTROL = 6, SLEEPERS = 3, PERIOD = 2 };

MEL_REGION_OF_LINE(0, "interrupt to task", 0, SAMPLE_LINE);

volatile uint32_t sleepers = 16; /* 1 to 24: what the heap holds */
volatile uint32_t sleeper_work = 5;

static void control(void *unused)
{
    (void)unused;
    for (;;) {
        const uint32_t count = ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        MEL_REGION_SERVED(0, count);
        work(50);
    }
}

static void sleeper(void *unused)
{
    TickType_t last = 0;
    (void)unused;
    for (;;) {
        (void)xTaskDelayUntil(&last, PERIOD);
        work(sleeper_work);
    }
}

int main(void)
{
    static const char *const names[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15",
                                        "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23"};
    notify_on(make(control, "control", 0, CONTROL), SAMPLE_LINE);
    for (uint32_t i = 0; i < sleepers; i++) {
        (void)make(sleeper, names[i], i, SLEEPERS);
    }
    vTaskStartScheduler();
    return 1;
}
