/* SPDX-License-Identifier: Apache-2.0 */
/* states.c: tasks are held, go on, change priority, are released from waits. */
#include "parts.h"

static SemaphoreHandle_t semaphore;
static QueueHandle_t queue;
static uint32_t number;

JOB(take, xSemaphoreTake(semaphore, portMAX_DELAY))
JOB(take_5, xSemaphoreTake(semaphore, 5))
JOB(receive, xQueueReceive(queue, &number, 20))

static void delay_10(void)
{
    const TickType_t before = xTaskGetTickCount();
    vTaskDelay(10);
    result = xTaskGetTickCount() - before;
}

static void stop_itself(void)
{
    vTaskSuspend(NULL);
    result = 1;
}

static void held(void)
{
    SHOW(eRunning, eTaskGetState(main_task));
    SHOW(eSuspended, eTaskGetState(high_task));
    high(stop_itself);
    CHECK(BUSY, result);
    DONE(vTaskResume(high_task));
    CHECK(1, result);
    low(delay_10);
    CHECK(eReady, eTaskGetState(low_task));
    DONE(vTaskSuspend(low_task));
    CHECK(eSuspended, eTaskGetState(low_task));
    vTaskSuspend(low_task); /* once is enough */
    vTaskResume(low_task);
    vTaskDelay(2);
    CHECK(eBlocked, eTaskGetState(low_task));
    vTaskResume(low_task); /* it is not held */
    CHECK(eBlocked, eTaskGetState(low_task));
    vTaskDelay(11);
    CHECK(10, result);
}

/* Whoever is held waits for nothing meanwhile; then the wait begins again, and ends when it would have ended. */
static void held_while_waiting(void)
{
    high(take);
    vTaskSuspend(high_task);
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    CHECK(1, uxSemaphoreGetCount(semaphore));
    CHECK(BUSY, result);
    vTaskResume(high_task);
    CHECK(pdTRUE, result);
    high(take);
    vTaskSuspend(high_task);
    vTaskResume(high_task);
    CHECK(eBlocked, eTaskGetState(high_task));
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    CHECK(pdTRUE, result);
    high(take_5);
    vTaskSuspend(high_task);
    vTaskDelay(2);
    vTaskResume(high_task);
    vTaskDelay(1);
    CHECK(BUSY, result);
    vTaskDelay(3); /* 5 ticks in all are over, not 5 since it went on */
    CHECK(pdFALSE, result);
    high(delay_10);
    vTaskDelay(2);
    vTaskSuspend(high_task);
    vTaskResume(high_task); /* a delay is over then */
    CHECK(2, result);
}

static void by_handler(void)
{
    SHOW(pdTRUE, xTaskResumeFromISR(high_task));
    CHECK(pdFALSE, xTaskResumeFromISR(high_task));
    CHECK(BUSY, result);
    portYIELD_FROM_ISR(pdTRUE);
}

static void released(void)
{
    high(delay_10);
    vTaskDelay(3);
    SHOW(pdPASS, xTaskAbortDelay(high_task));
    CHECK(3, result);
    CHECK(pdFAIL, xTaskAbortDelay(high_task)); /* it is held */
    CHECK(eSuspended, eTaskGetState(high_task));
    high(take);
    CHECK(pdPASS, xTaskAbortDelay(high_task));
    CHECK(pdFALSE, result);
    high(receive);
    CHECK(pdPASS, xTaskAbortDelay(high_task));
    CHECK(errQUEUE_EMPTY, result);
    CHECK(pdTRUE, xSemaphoreGive(semaphore)); /* nobody is taken for waiting */
    CHECK(pdTRUE, xSemaphoreTake(semaphore, 0));
}

static uint32_t trace;

static void append(void *digit)
{
    trace = trace * 10 + (uint32_t)(uintptr_t)digit;
    vTaskDelete(NULL);
}

static void priorities(void)
{
    TaskHandle_t one, two;
    SHOW(MAIN, uxTaskPriorityGet(NULL));
    SHOW(LOW, uxTaskBasePriorityGet(low_task));
    low(delay_10);
    DONE(vTaskPrioritySet(low_task, HIGH)); /* it runs at once */
    CHECK(eBlocked, eTaskGetState(low_task));
    CHECK(HIGH, uxTaskPriorityGet(low_task));
    vTaskPrioritySet(low_task, LOW);
    vTaskDelay(12);
    CHECK(10, result);
    trace = 0;
    CHECK(pdPASS, xTaskCreate(append, "1", 256, (void *)1, LOW, &one));
    CHECK(pdPASS, xTaskCreate(append, "2", 256, (void *)2, LOW, &two));
    vTaskPrioritySet(two, MAIN); /* equal: it waits */
    CHECK(0, trace);
    vTaskPrioritySet(NULL, LOW); /* behind the one that is there */
    CHECK(21, trace);
    CHECK(LOW, uxTaskPriorityGet(NULL));
    vTaskPrioritySet(NULL, MAIN);
    low(stop_itself);
    vTaskDelay(2);
    vTaskResume(low_task);
    vTaskPrioritySet(NULL, tskIDLE_PRIORITY);
    CHECK(1, result);
    vTaskPrioritySet(NULL, MAIN);
}

/* A task that waits is deleted: what is given then is nobody's. */
static void take_and_hang(void *parameters)
{
    (void)parameters;
    (void)xSemaphoreTake(semaphore, portMAX_DELAY);
    result = 77;
    vTaskDelete(NULL);
}

static void deleted_while_waiting(void)
{
    TaskHandle_t task;
    result = 0;
    CHECK(pdPASS, xTaskCreate(take_and_hang, "hang", 256, NULL, HIGH, &task));
    CHECK(eBlocked, eTaskGetState(task));
    vTaskDelete(task);
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    CHECK(1, uxSemaphoreGetCount(semaphore));
    CHECK(pdTRUE, xSemaphoreTake(semaphore, 0));
    high(take);
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    CHECK(pdTRUE, result);
}

void states(void)
{
    semaphore = xSemaphoreCreateBinary();
    queue = xQueueCreate(1, sizeof number);
    held();
    held_while_waiting();
    high(stop_itself);
    in_handler(by_handler);
    CHECK(1, result);
    released();
    priorities();
    deleted_while_waiting();
    vSemaphoreDelete(semaphore);
    vQueueDelete(queue);
}
