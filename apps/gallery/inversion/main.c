/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: a low task holds a lock, a high one wants it, and a middle one, which needs no lock, comes between: with a plain semaphore the high task waits for the middle one,
 * too. With a mutex the low task inherits the priority of the high one, and gives the lock up before the middle task runs. */
#include "../common/gallery.h"

enum { HIGH_LINE = 3, MIDDLE_LINE = 4, HIGH = 6, MIDDLE = 4, LOW = 2 };

MEL_REGION_OF_LINE(0, "interrupt to lock", 0, HIGH_LINE);

volatile uint32_t inherits = 1; /* the lock is a mutex, not a semaphore */
volatile uint32_t middle_work = 1500;
volatile uint32_t locked_work = 400;
static SemaphoreHandle_t lock;

static void high(void *unused)
{
    (void)unused;
    for (;;) {
        const uint32_t count = ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        (void)xSemaphoreTake(lock, portMAX_DELAY);
        MEL_REGION_SERVED(0, count);
        work(50);
        (void)xSemaphoreGive(lock);
    }
}

static void middle(void *unused)
{
    (void)unused;
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        work(middle_work);
    }
}

static void low(void *unused)
{
    (void)unused;
    for (;;) {
        (void)xSemaphoreTake(lock, portMAX_DELAY);
        work(locked_work);
        (void)xSemaphoreGive(lock);
        work(100);
    }
}

int main(void)
{
    if (inherits != 0) {
        lock = xSemaphoreCreateMutex();
    } else {
        lock = xSemaphoreCreateBinary();
        (void)xSemaphoreGive(lock);
    }
    notify_on(make(high, "high", 0, HIGH), HIGH_LINE);
    notify_on(make(middle, "middle", 0, MIDDLE), MIDDLE_LINE);
    (void)make(low, "low", 0, LOW);
    vTaskStartScheduler();
    return 1;
}
