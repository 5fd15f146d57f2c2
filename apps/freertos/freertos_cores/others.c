/* SPDX-License-Identifier: Apache-2.0 */
/* others.c: a task that runs on another core is suspended, goes on, is deleted, whatever it does; equal priorities take turns on each core. */
#include "cores.h"

#include <melanion/monitor.h>

enum { ROUNDS = 10, WORDS = 256, AHEAD = 600, APART = 30 }; /* cycles */

static volatile uint32_t steps, inside;
static QueueHandle_t nowhere;

/* In sections, in steps, in the heap, in waits that end by themselves: wherever it is caught, it keeps nobody out for ever. */
static void walk(void *parameters)
{
    (void)parameters;
    for (;;) {
        uint32_t item;
        taskENTER_CRITICAL();
        inside++;
        steps++;
        inside--;
        taskEXIT_CRITICAL();
        vTaskSuspendAll();
        steps++;
        (void)xTaskResumeAll();
        (void)xQueueReceive(nowhere, &item, 0);
        vPortFree(pvPortMalloc(24));
        (void)xTaskNotifyStateClear(NULL);
    }
}

static void caught(BaseType_t core)
{
    TaskHandle_t task = NULL;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        CHECK(xTaskCreateAffinitySet(walk, "walk", WORDS, NULL, 2, 1u << core, &task) == pdPASS);
        busy(700 + 61 * i);
        while (steps == 0) {
            taskYIELD();
        }
        vTaskSuspend(task);
        CHECK(eTaskGetState(task) == eSuspended);
        busy(100);
        const uint32_t before = steps;
        CHECK(inside == 0);
        busy(300);
        CHECK(steps == before);
        vTaskResume(task);
        for (uint32_t j = 0; j < 400 && steps == before; j++) {
            busy(100);
        }
        CHECK(steps != before);
        vTaskDelete(task);
        steps = 0;
        vPortFree(pvPortMalloc(16));
    }
}

/* It waits on another core, or is about to, when it is suspended, and goes on waiting: what is sent comes then. */
static void receive(void *parameters)
{
    uint32_t item = 0;
    busy(AHEAD);
    CHECK(xQueueReceive(nowhere, &item, portMAX_DELAY) == pdTRUE);
    *(volatile uint32_t *)parameters = item;
    vTaskDelete(NULL);
}

static void kept(uint32_t pause, BaseType_t early)
{
    TaskHandle_t task = NULL;
    volatile uint32_t got = 0;
    const uint32_t item = 5;
    CHECK(xTaskCreateAffinitySet(receive, "receive", WORDS, (void *)&got, URGENT, 1u << (CORES - 1), &task) == pdPASS);
    busy(pause);
    vTaskSuspend(task);
    if (early) {
        CHECK(xQueueSend(nowhere, &item, 0) == pdTRUE);
    }
    busy(AHEAD);
    CHECK(got == 0);
    vTaskResume(task);
    busy(AHEAD);
    if (!early) {
        CHECK(xQueueSend(nowhere, &item, 0) == pdTRUE);
    }
    for (uint32_t i = 0; i < 100 && got != item; i++) {
        busy(100);
    }
    CHECK(got == item);
}

/* Two on the last core that never wait. */
static void turn(void *parameters)
{
    volatile uint32_t *turns = parameters;
    for (;;) {
        ++*turns;
    }
}

static void turns(void)
{
    static volatile uint32_t counts[2];
    TaskHandle_t tasks[2];
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(xTaskCreateAffinitySet(turn, "turn", WORDS, (void *)&counts[i], 2, 1u << (CORES - 1), &tasks[i]) == pdPASS);
    }
    vTaskDelay(2); /* others may have moved the turn until here */
    const uint32_t before[2] = {counts[0], counts[1]};
    vTaskDelay(6);
    CHECK(counts[0] > before[0] && counts[1] > before[1]);
    vTaskDelete(tasks[0]);
    vTaskDelete(tasks[1]);
}

/* The control task moves to core 0: what is caught is on another core. */
static void on_core_0(void *parameters)
{
    (void)parameters;
    caught(CORES - 1);
    for (uint32_t pause = 0; pause < 2 * AHEAD; pause += APART) {
        kept(pause, pause / APART % 2 == 0);
    }
    turns();
    xTaskNotifyGive(workers[0]);
    vTaskDelete(NULL);
}

static void begin(BaseType_t core)
{
    if (core == 0) {
        CHECK(xTaskCreateAffinitySet(on_core_0, "core 0", 384, NULL, WORKER, 1, NULL) == pdPASS);
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    }
}

/* Nobody else has anything to do: all cores are idle, in their idle tasks. */
static void idle_times(void)
{
    enum { TICKS = 10, TICK = configCPU_CLOCK_HZ / configTICK_RATE_HZ };
    uint32_t ran;
    vTaskDelay(1);
    uint32_t grown = ulTaskGetIdleRunTimeCounter();
    vTaskDelay(TICKS);
    grown = ulTaskGetIdleRunTimeCounter() - grown;
#ifdef FREERTOS_ITSELF /* FreeRTOS itself counts when it switches tasks, and an idle task stays */
    ran = grown;
    CHECK(ran <= (CORES * TICKS + 1) * TICK);
    return;
#else
    if (mel_monitor_run_time(0, &ran) == MEL_E_RSFN) {
        CHECK(grown == 0);
        return;
    }
#endif
    CHECK(grown > (CORES * TICKS - 1) * TICK && grown < (CORES * TICKS + 1) * TICK);
    CHECK(ulTaskGetIdleRunTimePercent() < 100);
}

void others(void)
{
    idle_times();
    nowhere = xQueueCreate(1, sizeof(uint32_t));
    vTaskDelay(1);
    const size_t left = xPortGetFreeHeapSize();
    everywhere(begin);
    CHECK(free_again(left));
}
