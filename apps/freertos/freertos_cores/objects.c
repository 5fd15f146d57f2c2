/* SPDX-License-Identifier: Apache-2.0 */
/* objects.c: the heap, numbers of the kernel and timers from all cores at a time. */
#include "cores.h"

#include <string.h>

enum { ROUNDS = 24, BLOCKS = 4, PERIOD = 12 }; /* ticks: longer than all of the commands take */

static volatile uint32_t calls;
static TimerHandle_t timers[CORES];

/* Blocks of several sizes, each full of its owner's byte. */
static void allocate(BaseType_t core)
{
    uint8_t *blocks[BLOCKS] = {NULL};
    size_t sizes[BLOCKS] = {0};
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const uint32_t slot = i % BLOCKS;
        for (size_t j = 0; j < sizes[slot]; j++) {
            CHECK(blocks[slot][j] == (uint8_t)(16 * core + slot));
        }
        vPortFree(blocks[slot]);
        sizes[slot] = 8 + (i * 29 + (uint32_t)core * 13) % 120;
        blocks[slot] = pvPortMalloc(sizes[slot]);
        CHECK(blocks[slot] != NULL);
        memset(blocks[slot], (int)(16 * (uint32_t)core + slot), sizes[slot]);
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        vPortFree(blocks[i]);
    }
}

/* Objects whose waiting tasks need numbers of the kernel; tasks that end at once. */
static void nothing(void *parameters)
{
    *(volatile uint32_t *)parameters = 1;
    vTaskDelete(NULL);
}

static void make(BaseType_t core)
{
    for (uint32_t i = 0; i < ROUNDS / 4; i++) {
        volatile uint32_t begun = 0;
        QueueHandle_t queue = xQueueCreate(2, 4);
        SemaphoreHandle_t mutex = xSemaphoreCreateMutex();
        uint32_t item = (uint32_t)core;
        CHECK(queue != NULL && mutex != NULL);
        CHECK(xQueueSend(queue, &item, 0) == pdTRUE && xQueueReceive(queue, &item, 0) == pdTRUE && item == (uint32_t)core);
        CHECK(xTaskCreate(nothing, "nothing", 128, (void *)&begun, URGENT, NULL) == pdPASS);
        while (!begun) {
            taskYIELD();
        }
        vQueueDelete(queue);
        vSemaphoreDelete(mutex);
    }
}

static void expired(TimerHandle_t timer)
{
    CHECK(portGET_CORE_ID() == CORES - 1); /* configTIMER_SERVICE_TASK_CORE_AFFINITY */
    calls++;
    (void)timer;
}

static void command(BaseType_t core)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        CHECK(xTimerReset(timers[core], portMAX_DELAY) == pdPASS);
    }
}

void objects(void)
{
    const UBaseType_t before = uxTaskGetNumberOfTasks();
    const size_t left = xPortGetFreeHeapSize();
    everywhere(allocate);
    CHECK(xPortGetFreeHeapSize() == left);
    everywhere(make);
    CHECK(free_again(left));
    CHECK(uxTaskGetNumberOfTasks() == before);
    for (uint32_t i = 0; i < CORES; i++) {
        timers[i] = xTimerCreate("timer", PERIOD + i, pdFALSE, NULL, expired);
    }
    everywhere(command);
    vTaskDelay(PERIOD + CORES + 1);
    CHECK(calls == CORES);
    for (uint32_t i = 0; i < CORES; i++) {
        CHECK(xTimerDelete(timers[i], portMAX_DELAY) == pdPASS);
    }
}
