/* SPDX-License-Identifier: Apache-2.0 */
/* semaphores.c: binary and counting semaphores: counts, waits, who gets what is given, handlers. */
#include "parts.h"

static SemaphoreHandle_t semaphore;
static BaseType_t woken;

JOB(take, xSemaphoreTake(semaphore, portMAX_DELAY))
JOB(take_3, xSemaphoreTake(semaphore, 3))

static void counted(void)
{
    SHOW(0, uxSemaphoreGetCount(semaphore));
    SHOW(pdFALSE, xSemaphoreTake(semaphore, 0));
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    SHOW(1, uxSemaphoreGetCountFromISR(semaphore));
    SHOW(pdFALSE, xSemaphoreGive(semaphore));
    CHECK(pdTRUE, xSemaphoreTake(semaphore, portMAX_DELAY));
    const TickType_t before = xTaskGetTickCount();
    CHECK(pdFALSE, xSemaphoreTake(semaphore, 3));
    CHECK(3, xTaskGetTickCount() - before);
}

/* Whoever comes first gets it: a task that was called and has not run yet may come too late. */
static void waited(void)
{
    high(take);
    CHECK(BUSY, result);
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    CHECK(pdTRUE, result);
    low(take);
    vTaskDelay(2);
    CHECK(BUSY, result);
    CHECK(pdTRUE, xSemaphoreGive(semaphore)); /* low is ready, not more */
    CHECK(1, uxSemaphoreGetCount(semaphore));
    CHECK(pdFALSE, xSemaphoreGive(semaphore));
    CHECK(pdTRUE, xSemaphoreTake(semaphore, 0));
    vTaskDelay(2);
    CHECK(BUSY, result); /* it waits again */
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    vTaskDelay(2);
    CHECK(pdTRUE, result);
    low(take);
    vTaskDelay(2);
    high(take_3);
    vTaskDelay(5);
    CHECK(pdFALSE, result);
    CHECK(pdTRUE, xSemaphoreGive(semaphore)); /* one of the two has given up: the other gets it */
    vTaskDelay(2);
    CHECK(pdTRUE, result);
}

static void by_handler(void)
{
    woken = pdFALSE;
    SHOW(pdTRUE, xSemaphoreGiveFromISR(semaphore, &woken));
    CHECK(pdTRUE, woken);
    CHECK(BUSY, result); /* its task runs behind the handler */
    DONE(portYIELD_FROM_ISR(woken));
}

static void by_handler_alone(void)
{
    woken = pdFALSE;
    CHECK(pdTRUE, xSemaphoreGiveFromISR(semaphore, &woken));
    CHECK(pdFALSE, xSemaphoreGiveFromISR(semaphore, NULL));
    SHOW(pdTRUE, xSemaphoreTakeFromISR(semaphore, &woken));
    CHECK(pdFALSE, xSemaphoreTakeFromISR(semaphore, NULL));
    CHECK(pdFALSE, woken);
}

/* A less urgent task is called by a handler: nobody more urgent than the interrupted one is. */
static void by_handler_for_low(void)
{
    woken = pdFALSE;
    CHECK(pdTRUE, xSemaphoreGiveFromISR(semaphore, &woken));
    CHECK(pdFALSE, woken);
    DONE(portEND_SWITCHING_ISR(woken));
}

void semaphores(void)
{
    semaphore = xSemaphoreCreateBinary();
    shown(__FILE_NAME__, __LINE__, "xSemaphoreCreateBinary", semaphore != NULL, 1);
    counted();
    waited();
    high(take);
    in_handler(by_handler);
    CHECK(pdTRUE, result);
    in_handler(by_handler_alone);
    low(take);
    vTaskDelay(2);
    in_handler(by_handler_for_low);
    vTaskDelay(2);
    CHECK(pdTRUE, result);
    DONE(vSemaphoreDelete(semaphore));
    semaphore = xSemaphoreCreateCounting(3, 1);
    shown(__FILE_NAME__, __LINE__, "xSemaphoreCreateCounting", semaphore != NULL, 1);
    CHECK(1, uxSemaphoreGetCount(semaphore));
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    CHECK(pdFALSE, xSemaphoreGive(semaphore));
    CHECK(3, uxSemaphoreGetCount(semaphore));
    CHECK(pdTRUE, xSemaphoreTake(semaphore, 0));
    CHECK(pdTRUE, xSemaphoreTake(semaphore, 0));
    CHECK(pdTRUE, xSemaphoreTake(semaphore, 0));
    CHECK(pdFALSE, xSemaphoreTake(semaphore, 0));
    vSemaphoreDelete(semaphore);
}
