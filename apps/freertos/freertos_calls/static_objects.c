/* SPDX-License-Identifier: Apache-2.0 */
/* static_objects.c: objects in the program's own memory. */
#include "parts.h"

static StaticTask_t task_memory;
static StackType_t stack[256];
static StaticQueue_t queue_memory;
static uint8_t storage[2 * sizeof(uint32_t)];
static StaticSemaphore_t semaphore_memory[4];
static StaticEventGroup_t group_memory;
static StaticTimer_t timer_memory;
static volatile uint32_t calls;

static void task(void *parameters)
{
    calls = (uint32_t)(uintptr_t)parameters;
    vTaskDelete(NULL);
}

static void callback(TimerHandle_t timer)
{
    (void)timer;
    calls++;
}

static void semaphores_of_each_kind(void)
{
    SemaphoreHandle_t all[4];
    all[0] = xSemaphoreCreateBinaryStatic(&semaphore_memory[0]);
    shown(__FILE_NAME__, __LINE__, "xSemaphoreCreateBinaryStatic", all[0] != NULL && uxSemaphoreGetCount(all[0]) == 0, 1);
    all[1] = xSemaphoreCreateCountingStatic(3, 2, &semaphore_memory[1]);
    shown(__FILE_NAME__, __LINE__, "xSemaphoreCreateCountingStatic", uxSemaphoreGetCount(all[1]), 2);
    all[2] = xSemaphoreCreateMutexStatic(&semaphore_memory[2]);
    shown(__FILE_NAME__, __LINE__, "xSemaphoreCreateMutexStatic", uxSemaphoreGetCount(all[2]), 1);
    all[3] = xSemaphoreCreateRecursiveMutexStatic(&semaphore_memory[3]);
    shown(__FILE_NAME__, __LINE__, "xSemaphoreCreateRecursiveMutexStatic", (uint32_t)xSemaphoreTakeRecursive(all[3], 0), pdTRUE);
    CHECK(pdTRUE, xSemaphoreGiveRecursive(all[3]));
    for (uint32_t i = 0; i < 4; i++) {
        vSemaphoreDelete(all[i]);
    }
}

void static_objects(void)
{
    const size_t before = xPortGetFreeHeapSize();
    uint32_t number = 5;
    uint8_t *its_storage;
    StaticQueue_t *its_memory;
    SHOW(&task_memory, xTaskCreateStatic(task, "static", 256, (void *)9, HIGH, stack, &task_memory));
    CHECK(9, calls);
    QueueHandle_t queue = xQueueCreateStatic(2, sizeof number, storage, &queue_memory);
    shown(__FILE_NAME__, __LINE__, "xQueueCreateStatic", queue != NULL, 1);
    CHECK(pdPASS, xQueueSend(queue, &number, 0));
    CHECK(5, storage[0]);
    SHOW(pdTRUE, xQueueGetStaticBuffers(queue, &its_storage, &its_memory));
    CHECK(storage, its_storage);
    CHECK(&queue_memory, its_memory);
    vQueueDelete(queue);
    semaphores_of_each_kind();
    EventGroupHandle_t group = xEventGroupCreateStatic(&group_memory);
    shown(__FILE_NAME__, __LINE__, "xEventGroupCreateStatic", xEventGroupSetBits(group, 3), 3);
    vEventGroupDelete(group);
    TimerHandle_t timer = xTimerCreateStatic("static", 1, pdFALSE, NULL, callback, &timer_memory);
    shown(__FILE_NAME__, __LINE__, "xTimerCreateStatic", timer != NULL, 1);
    CHECK(pdPASS, xTimerStart(timer, 0));
    vTaskDelay(2);
    CHECK(10, calls);
    CHECK(pdPASS, xTimerDelete(timer, 0));
    CHECK(before, xPortGetFreeHeapSize());
}
