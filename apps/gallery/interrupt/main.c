/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: an interrupt wakes the control task, whatever the others do: they hand a lock on, wake each other and yield. */
#include "../common/gallery.h"

enum { SAMPLE_LINE = 3, CONTROL = 6, BACKGROUND = 2 };

MEL_REGION_OF_LINE(0, "interrupt to task", 0, SAMPLE_LINE);

volatile uint32_t background_tasks = 3; /* 0 to 8 */
volatile uint32_t background_work = 20;
static SemaphoreHandle_t lock;

static void control(void *unused)
{
    (void)unused;
    for (;;) {
        const uint32_t count = ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        MEL_REGION_SERVED(0, count);
        work(50);
    }
}

static void background(void *unused)
{
    (void)unused;
    for (;;) {
        (void)xSemaphoreTake(lock, portMAX_DELAY);
        work(background_work);
        (void)xSemaphoreGive(lock);
        taskYIELD();
    }
}

int main(void)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    lock = xSemaphoreCreateMutex();
    notify_on(make(control, "control", 0, CONTROL), SAMPLE_LINE);
    for (uint32_t i = 0; i < background_tasks; i++) {
        (void)make(background, names[i], i, BACKGROUND);
    }
    vTaskStartScheduler();
    return 1;
}
