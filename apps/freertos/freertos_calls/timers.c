/* SPDX-License-Identifier: Apache-2.0 */
/* timers.c: software timers, and functions that the timer task calls. */
#include "parts.h"

#include <string.h>

static TimerHandle_t once, again;
static volatile uint32_t calls, order;
static volatile TickType_t called_at;
static BaseType_t woken;

static void callback(TimerHandle_t timer)
{
    calls++;
    called_at = xTaskGetTickCount();
    order = order * 10 + (uint32_t)(uintptr_t)pvTimerGetTimerID(timer);
}

static void pended(void *pointer, uint32_t number)
{
    *(volatile uint32_t *)pointer += number;
}

static void in_a_handler(void)
{
    woken = pdFALSE;
    SHOW(pdPASS, xTimerStartFromISR(once, &woken));
    CHECK(pdTRUE, woken);
    SHOW(pdPASS, xTimerStopFromISR(once, NULL));
    SHOW(pdPASS, xTimerChangePeriodFromISR(once, 4, NULL));
    SHOW(pdPASS, xTimerResetFromISR(once, NULL));
    SHOW(pdPASS, xTimerPendFunctionCallFromISR(pended, (void *)&calls, 100, NULL));
    CHECK(pdFALSE, xTimerIsTimerActive(once)); /* later */
    portYIELD_FROM_ISR(woken);
}

static void facts(void)
{
    CHECK(0, strcmp(pcTimerGetName(once), "once"));
    shown(__FILE_NAME__, __LINE__, "pcTimerGetName", 0, 0);
    SHOW(1, pvTimerGetTimerID(once));
    DONE(vTimerSetTimerID(once, (void *)3));
    CHECK(3, (uintptr_t)pvTimerGetTimerID(once));
    SHOW(3, xTimerGetPeriod(once));
    SHOW(pdFALSE, xTimerIsTimerActive(once));
    SHOW(pdFALSE, xTimerGetReloadMode(once));
    SHOW(pdTRUE, uxTimerGetReloadMode(again));
    DONE(vTimerSetReloadMode(again, pdFALSE));
    CHECK(pdFALSE, xTimerGetReloadMode(again));
    vTimerSetReloadMode(again, pdTRUE);
    CHECK(6, uxTaskPriorityGet(xTimerGetTimerDaemonTaskHandle()));
    shown(__FILE_NAME__, __LINE__, "xTimerGetTimerDaemonTaskHandle", 0, 0);
    CHECK(1, daemons);
    shown(__FILE_NAME__, __LINE__, "vApplicationDaemonTaskStartupHook", 0, 0);
}

static void one_time(void)
{
    vTaskDelay(1);
    TickType_t begun = xTaskGetTickCount();
    SHOW(pdPASS, xTimerStart(once, 0));
    CHECK(pdTRUE, xTimerIsTimerActive(once));
    SHOW(begun + 3, xTimerGetExpiryTime(once));
    vTaskDelay(2);
    SHOW(pdPASS, xTimerReset(once, 0));
    vTaskDelay(2);
    CHECK(0, calls);
    vTaskDelay(2);
    CHECK(1, calls);
    CHECK(begun + 5, called_at);
    CHECK(pdFALSE, xTimerIsTimerActive(once));
    begun = xTaskGetTickCount();
    SHOW(pdPASS, xTimerChangePeriod(once, 6, 0)); /* starts it, too */
    vTaskDelay(7);
    CHECK(begun + 6, called_at);
    CHECK(pdPASS, xTimerStart(once, 0));
    SHOW(pdPASS, xTimerStop(once, 0));
    CHECK(pdFALSE, xTimerIsTimerActive(once));
    vTaskDelay(8);
    CHECK(2, calls);
}

static void several(void)
{
    calls = order = 0;
    CHECK(pdPASS, xTimerStart(again, 0)); /* every 2 */
    vTaskDelay(7);
    CHECK(3, calls);
    CHECK(222, order);
    CHECK(pdPASS, xTimerChangePeriod(once, 3, 0));
    vTaskDelay(4);
    CHECK(pdPASS, xTimerStop(again, 0));
    CHECK(6, calls);
    calls = 0;
    vTaskDelay(3);
    CHECK(0, calls);
}

void timers(void)
{
    once = xTimerCreate("once", 3, pdFALSE, (void *)1, callback);
    shown(__FILE_NAME__, __LINE__, "xTimerCreate", once != NULL, 1);
    again = xTimerCreate("again", 2, pdTRUE, (void *)2, callback);
    facts();
    one_time();
    several();
    in_handler(in_a_handler);
    CHECK(100, calls);
    CHECK(pdTRUE, xTimerIsTimerActive(once));
    vTaskDelay(5);
    CHECK(101, calls);
    SHOW(pdPASS, xTimerPendFunctionCall(pended, (void *)&calls, 10, 0));
    CHECK(111, calls);
    SHOW(pdPASS, xTimerDelete(once, 0));
    CHECK(pdPASS, xTimerDelete(again, 0));
}
