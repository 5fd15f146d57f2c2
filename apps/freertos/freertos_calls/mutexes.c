/* SPDX-License-Identifier: Apache-2.0 */
/* mutexes.c: mutexes: owner, recursion, inheritance of priority. */
#include "parts.h"

static SemaphoreHandle_t mutex, other;

JOB(take, xSemaphoreTake(mutex, portMAX_DELAY))
JOB(take_3, xSemaphoreTake(mutex, 3))
JOB(give, xSemaphoreGive(mutex))
JOB(take_other, xSemaphoreTake(other, portMAX_DELAY))

static void take_and_give(void)
{
    CHECK(pdTRUE, xSemaphoreTake(mutex, portMAX_DELAY));
    result = uxTaskPriorityGet(NULL);
    CHECK(pdTRUE, xSemaphoreGive(mutex));
}

/* low takes the mutex, high waits for it: low is as urgent as high until it gives. */
static void low_owner(void)
{
    CHECK(pdTRUE, xSemaphoreTake(mutex, 0));
    vTaskSuspend(NULL);
    CHECK(pdTRUE, xSemaphoreGive(mutex));
    result = uxTaskPriorityGet(NULL);
}

static void owner_in_handler(void)
{
    SHOW(main_task, xSemaphoreGetMutexHolderFromISR(mutex));
}

static void owned(void)
{
    CHECK(1, uxSemaphoreGetCount(mutex));
    CHECK(NULL, xSemaphoreGetMutexHolder(mutex));
    CHECK(pdTRUE, xSemaphoreTake(mutex, 0));
    SHOW(main_task, xSemaphoreGetMutexHolder(mutex));
    in_handler(owner_in_handler);
    CHECK(0, uxSemaphoreGetCount(mutex));
    const TickType_t before = xTaskGetTickCount();
    CHECK(pdFALSE, xSemaphoreTake(mutex, 3)); /* not twice */
    CHECK(3, xTaskGetTickCount() - before);
    high(take_3);
    CHECK(HIGH, uxTaskPriorityGet(NULL));
    CHECK(MAIN, uxTaskBasePriorityGet(NULL));
    vTaskDelay(4);
    CHECK(pdFALSE, result);
    CHECK(MAIN, uxTaskPriorityGet(NULL));
    high(take_and_give);
    CHECK(BUSY, result);
    CHECK(pdTRUE, xSemaphoreGive(mutex));
    CHECK(HIGH, result);
    CHECK(pdFALSE, xSemaphoreGive(mutex));
}

static void inherited(void)
{
    low(low_owner);
    vTaskDelay(2);
    CHECK(low_task, xSemaphoreGetMutexHolder(mutex));
    high(take_and_give);
    CHECK(HIGH, uxTaskPriorityGet(low_task));
    CHECK(LOW, uxTaskBasePriorityGet(low_task));
    vTaskResume(low_task); /* as urgent as high: it runs at once */
    CHECK(HIGH, result);
    vTaskDelay(2);
    CHECK(LOW, result);
    CHECK(pdTRUE, xSemaphoreTake(mutex, 0));
    high(take);
    CHECK(pdPASS, xTaskAbortDelay(high_task));
    vTaskDelay(2);
    CHECK(pdFALSE, result);
    CHECK(MAIN, uxTaskPriorityGet(NULL));
    high(take);
    vTaskSuspend(high_task);
    vTaskResume(high_task);
    vTaskDelay(2);
    CHECK(HIGH, uxTaskPriorityGet(NULL));
    CHECK(pdTRUE, xSemaphoreGive(mutex));
    CHECK(pdTRUE, result);
    CHECK(high_task, xSemaphoreGetMutexHolder(mutex));
    high(give);
    CHECK(pdTRUE, result);
}

static void crossed(void)
{
    other = xSemaphoreCreateMutex();
    CHECK(pdTRUE, xSemaphoreTake(mutex, 0));
    high(take_other);
    CHECK(pdTRUE, result);
    high(take);
    CHECK(BUSY, result);
    CHECK(pdFALSE, xSemaphoreTake(other, 2)); /* each would wait for the other */
    CHECK(pdTRUE, xSemaphoreGive(mutex));
    CHECK(pdTRUE, result);
    high(give);
    vSemaphoreDelete(other);
}

static void recursive(void)
{
    mutex = xSemaphoreCreateRecursiveMutex();
    shown(__FILE_NAME__, __LINE__, "xSemaphoreCreateRecursiveMutex", mutex != NULL, 1);
    SHOW(pdTRUE, xSemaphoreTakeRecursive(mutex, 0));
    CHECK(pdTRUE, xSemaphoreTakeRecursive(mutex, portMAX_DELAY));
    high(take_3);
    SHOW(pdTRUE, xSemaphoreGiveRecursive(mutex));
    CHECK(BUSY, result);
    CHECK(pdTRUE, xSemaphoreGiveRecursive(mutex));
    CHECK(pdTRUE, result);
    CHECK(pdFALSE, xSemaphoreGiveRecursive(mutex));
    high(give);
    vSemaphoreDelete(mutex);
}

void mutexes(void)
{
    mutex = xSemaphoreCreateMutex();
    shown(__FILE_NAME__, __LINE__, "xSemaphoreCreateMutex", mutex != NULL, 1);
    owned();
    inherited();
    crossed();
    vSemaphoreDelete(mutex);
    recursive();
}
