/* SPDX-License-Identifier: Apache-2.0 */
/* delays.c: ticks, delays, timeouts of programs' own. */
#include "parts.h"

static TickType_t seen;

static void in_a_handler(void)
{
    seen = xTaskGetTickCountFromISR();
}

static void long_delay(void)
{
    vTaskDelay(50);
    result = 1;
}

static void until(void)
{
    TickType_t wake;
    vTaskDelay(1);
    wake = xTaskGetTickCount();
    const TickType_t begun = wake;
    SHOW(pdTRUE, xTaskDelayUntil(&wake, 3));
    CHECK(begun + 3, xTaskGetTickCount());
    CHECK(begun + 3, wake);
    DONE(vTaskDelayUntil(&wake, 2));
    CHECK(begun + 5, xTaskGetTickCount());
    vTaskDelay(7);
    CHECK(pdFALSE, xTaskDelayUntil(&wake, 3)); /* missed */
    CHECK(begun + 12, xTaskGetTickCount());
    CHECK(begun + 8, wake);
    CHECK(pdFALSE, xTaskDelayUntil(&wake, 4)); /* now */
    CHECK(pdTRUE, xTaskDelayUntil(&wake, 2));
    CHECK(begun + 14, xTaskGetTickCount());
}

static void limits(void)
{
    TimeOut_t timeout;
    TickType_t left = 5;
    DONE(vTaskSetTimeOutState(&timeout));
    SHOW(pdFALSE, xTaskCheckForTimeOut(&timeout, &left));
    CHECK(5, left);
    vTaskDelay(2);
    CHECK(pdFALSE, xTaskCheckForTimeOut(&timeout, &left));
    CHECK(3, left);
    vTaskDelay(3);
    CHECK(pdTRUE, xTaskCheckForTimeOut(&timeout, &left));
    CHECK(0, left);
    left = portMAX_DELAY;
    CHECK(pdFALSE, xTaskCheckForTimeOut(&timeout, &left));
    CHECK(portMAX_DELAY, left);
}

void delays(void)
{
    const uint32_t hooks = ticks;
    const TickType_t before = xTaskGetTickCount();
    shown(__FILE_NAME__, __LINE__, "xTaskGetTickCount", before != 0, 1);
    DONE(vTaskDelay(4));
    CHECK(before + 4, xTaskGetTickCount());
    shown(__FILE_NAME__, __LINE__, "vApplicationTickHook", ticks - hooks, 4);
    CHECK(pdTRUE, idles > 0);
    shown(__FILE_NAME__, __LINE__, "vApplicationIdleHook", idles > 0, 1);
    in_handler(in_a_handler);
    shown(__FILE_NAME__, __LINE__, "xTaskGetTickCountFromISR", seen - xTaskGetTickCount() + 1 <= 1, 1);
    vTaskDelay(0);
    high(long_delay);
    vTaskDelay(49);
    CHECK(BUSY, result);
    vTaskDelay(2);
    CHECK(1, result);
    until();
    limits();
    SHOW(10, pdMS_TO_TICKS(1));
    SHOW(2, pdTICKS_TO_MS(29));
    CHECK(portTICK_PERIOD_MS, 1000 / configTICK_RATE_HZ);
}
