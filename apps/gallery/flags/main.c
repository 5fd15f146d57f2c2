/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: an interrupt starts workers; each sets its flag when it is done, and a collector goes on when all flags are set. */
#include "../common/gallery.h"

enum { START_LINE = 3, MOST = 8 };

MEL_REGION_OF_LINE(0, "interrupt to all done", 0, START_LINE);

volatile uint32_t workers = 4; /* 1 to 8 */
volatile uint32_t worker_work = 40;
static EventGroupHandle_t started, done;

static void starter(void *unused)
{
    (void)unused;
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        (void)xEventGroupSetBits(started, (1u << workers) - 1);
    }
}

static void worker(void *bit)
{
    const EventBits_t own = (EventBits_t)(uintptr_t)bit;
    for (;;) {
        (void)xEventGroupWaitBits(started, own, pdTRUE, pdTRUE, portMAX_DELAY);
        work(worker_work);
        (void)xEventGroupSetBits(done, own);
    }
}

static void collector(void *unused)
{
    (void)unused;
    for (;;) {
        (void)xEventGroupWaitBits(done, (1u << workers) - 1, pdTRUE, pdTRUE, portMAX_DELAY);
        MEL_REGION_SERVED(0, 1);
    }
}

int main(void)
{
    static const char *const names[MOST] = {"w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7"};
    started = xEventGroupCreate();
    done = xEventGroupCreate();
    notify_on(make(starter, "starter", 0, 6), START_LINE);
    (void)make(collector, "collector", 0, 5);
    for (uint32_t i = 0; i < workers; i++) {
        (void)make(worker, names[i], 1u << i, 3);
    }
    vTaskStartScheduler();
    return 1;
}
