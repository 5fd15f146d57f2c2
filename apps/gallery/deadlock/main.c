/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: two tasks take two locks. In opposite order each comes to hold what the other wants, until a timeout ends one of the waits; in one order that never happens. */
#include "../common/gallery.h"

enum { PATIENCE = 2 }; /* ticks */

MEL_REGION(0, "both locks", 0);

volatile uint32_t opposite = 1;
volatile uint32_t pause = 300;
static SemaphoreHandle_t left, right;

/* Returns pdFALSE when it gave up. */
static BaseType_t both(SemaphoreHandle_t first, SemaphoreHandle_t second)
{
    BaseType_t taken = pdFALSE;
    (void)xSemaphoreTake(first, portMAX_DELAY);
    work(pause);
    if (xSemaphoreTake(second, PATIENCE) == pdTRUE) {
        taken = pdTRUE;
        work(50);
        (void)xSemaphoreGive(second);
    }
    (void)xSemaphoreGive(first);
    return taken;
}

static void reader(void *unused)
{
    (void)unused;
    for (;;) {
        MEL_REGION_BEGIN(0);
        __asm__ volatile("nop"); /* an instruction that the loop does not come to again */
        while (both(left, right) == pdFALSE) {
        }
        MEL_REGION_END(0);
        vTaskDelay(1);
    }
}

static void writer(void *unused)
{
    (void)unused;
    for (;;) {
        (void)(opposite != 0 ? both(right, left) : both(left, right));
        work(100);
    }
}

int main(void)
{
    left = xSemaphoreCreateMutex();
    right = xSemaphoreCreateMutex();
    (void)make(reader, "reader", 0, 4);
    (void)make(writer, "writer", 0, 3);
    vTaskStartScheduler();
    return 1;
}
