/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the tasks of the program, and its hooks. */
#include "parts.h"

TaskHandle_t main_task, high_task, low_task;
volatile uint32_t result, idles, ticks, failures, daemons;
volatile unsigned asserts, clocks;
static job_t *volatile high_job, *volatile low_job;

void vApplicationIdleHook(void)
{
    idles++;
}

void vApplicationTickHook(void)
{
    ticks++;
}

void vApplicationMallocFailedHook(void)
{
    failures++;
}

void vApplicationDaemonTaskStartupHook(void)
{
    daemons++;
}

/* Jobs come by resuming: whatever the job itself waits for is not touched by that. */
static void helper(void *parameters)
{
    job_t *volatile *job = parameters;
    for (;;) {
        vTaskSuspend(NULL);
        (*job)();
    }
}

void high(job_t *job)
{
    result = BUSY;
    high_job = job;
    vTaskResume(high_task);
}

void low(job_t *job)
{
    result = BUSY;
    low_job = job;
    vTaskResume(low_task);
}

static void all(void *parameters)
{
    static job_t *const parts[] = {tasks,  states,       delays, notifications, queues, queue_sets, semaphores,
                                   mutexes, event_groups, timers, scheduler,     heap,   criticals,  static_objects, streams,
                                   completions, run_times,    lists};
    CHECK(1000, (uintptr_t)parameters);
    shown(__FILE_NAME__, __LINE__, "vTaskStartScheduler", 0, 0);
    for (uint32_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        parts[i]();
        CHECK(0, asserts);
    }
    finish();
}

int main(void)
{
    CHECK(taskSCHEDULER_NOT_STARTED, xTaskGetSchedulerState());
    CHECK(pdPASS, xTaskCreate(helper, "high", 512, (void *)&high_job, HIGH, &high_task));
    CHECK(pdPASS, xTaskCreate(helper, "low", 512, (void *)&low_job, LOW, &low_task));
    CHECK(pdPASS, xTaskCreate(all, "main", 1024, (void *)1000, MAIN, &main_task));
    vTaskStartScheduler();
    return 1;
}
