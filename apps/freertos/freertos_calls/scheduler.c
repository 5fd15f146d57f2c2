/* SPDX-License-Identifier: Apache-2.0 */
/* scheduler.c: the scheduler is held, and asked. */
#include "parts.h"

static SemaphoreHandle_t semaphore;

JOB(take, xSemaphoreTake(semaphore, portMAX_DELAY))

static void in_a_handler(void)
{
    BaseType_t woken = pdFALSE;
    CHECK(pdTRUE, xSemaphoreGiveFromISR(semaphore, &woken));
    portYIELD_FROM_ISR(woken);
}

void scheduler(void)
{
    semaphore = xSemaphoreCreateBinary();
    SHOW(taskSCHEDULER_RUNNING, xTaskGetSchedulerState());
    high(take);
    DONE(vTaskSuspendAll());
    CHECK(taskSCHEDULER_SUSPENDED, xTaskGetSchedulerState());
    vTaskSuspendAll();
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    CHECK(BUSY, result);
    SHOW(pdFALSE, xTaskResumeAll());
    CHECK(BUSY, result);
    CHECK(pdTRUE, xTaskResumeAll()); /* others have run */
    CHECK(pdTRUE, result);
    CHECK(taskSCHEDULER_RUNNING, xTaskGetSchedulerState());
    high(take);
    vTaskSuspendAll();
    in_handler(in_a_handler);
    CHECK(BUSY, result);
    CHECK(pdTRUE, xTaskResumeAll());
    CHECK(pdTRUE, result);
    vTaskSuspendAll();
    CHECK(pdFALSE, xTaskResumeAll());
    vSemaphoreDelete(semaphore);
}
