/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the runner; and the first scenario, which is over when the scheduler has begun: who of equals runs first. */
#include "scenario.h"

static void begin(void *code)
{
    ((void (*)(void))code)();
    vTaskDelete(NULL);
}

TaskHandle_t spawn(void (*code)(void), UBaseType_t priority)
{
    TaskHandle_t task = NULL;
    (void)xTaskCreate(begin, "task", 256, (void *)code, priority, &task);
    return task;
}

void busy(TickType_t ticks)
{
    const TickType_t begun = xTaskGetTickCount();
    while (xTaskGetTickCount() - begun < ticks) {
    }
}

TickType_t aligned(void)
{
    vTaskDelay(1);
    return xTaskGetTickCount();
}

static void equal(void *name)
{
    for (int i = 0; i < 3; i++) {
        event(name);
        taskYIELD();
    }
    vTaskDelete(NULL);
}

static void runner(void *parameters)
{
    static void (*const scenarios[])(void) = {
        wrap, missed, groups, aborts, timer_time, timer_handlers, timer_stops, pending, sets, takes, held,
    };
    (void)parameters;
    vTaskPrioritySet(NULL, RUNNER);
    report("equals begin");
    for (uint32_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        scenarios[i]();
    }
    finish();
}

int main(void)
{
    (void)xTaskCreate(runner, "runner", 512, NULL, 1, NULL);
    (void)xTaskCreate(equal, "a", 256, "a", 7, NULL);
    (void)xTaskCreate(equal, "b", 256, "b", 7, NULL);
    (void)xTaskCreate(equal, "c", 256, "c", 7, NULL);
    vTaskStartScheduler();
    return 1;
}
