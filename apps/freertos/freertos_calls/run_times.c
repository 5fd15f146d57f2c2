/* SPDX-License-Identifier: Apache-2.0 */
/* run_times.c: how long tasks have run, in numbers and as text; nothing of it where the kernel does not measure it. Names from before V8. */
#include "parts.h"

#include <string.h>

enum { TICK = 10000, BUSY_TICKS = 4, IDLE_TICKS = 8 }; /* clock cycles of a tick: FreeRTOSConfig.h */

static char text[400];

/* `found` is within 25 % of `expected` where run times are measured; else 0. */
static BaseType_t about(uint32_t found, uint32_t expected)
{
    return measures() ? found >= expected - expected / 4 && found <= expected + expected / 4 : found == 0;
}

static uint32_t number(const char **place)
{
    uint32_t value = 0;
    while (**place >= '0' && **place <= '9') {
        value = value * 10 + (uint32_t)(*(*place)++ - '0');
    }
    return value;
}

/* Behind the name, padded to 11 letters: cycles and percent of the task, which are all right when the line has this form. */
static BaseType_t line_is(const char *line, uint32_t cycles, uint32_t percent)
{
    const char *place = line + 11;
    CHECK('\t', *place++);
    CHECK(pdTRUE, about(number(&place), cycles));
    CHECK(0, strncmp(place, "\t\t", 2));
    place += 2;
    if (percent == 0) {
        return strncmp(place, "<1%\r\n", 5) == 0;
    }
    const uint32_t found = number(&place);
    return found + 2 >= percent && found <= percent + 2 && strncmp(place, "%\r\n", 3) == 0;
}

static void busy(TickType_t ticks)
{
    const TickType_t begun = xTaskGetTickCount();
    while (xTaskGetTickCount() - begun < ticks) {
    }
}

static void as_text(void)
{
    const char *line;
    uint32_t lines = 0;
    for (line = text; *line != '\0'; line++) {
        lines += *line == '\n';
    }
    CHECK(measures() ? uxTaskGetNumberOfTasks() : 0, lines);
    if (measures()) {
        line = strstr(text, "main       \t");
        CHECK(pdTRUE, line != NULL);
        CHECK(pdTRUE, line_is(line, ulTaskGetRunTimeCounter(main_task), ulTaskGetRunTimePercent(main_task)));
        line = strstr(text, "resting    \t");
        CHECK(pdTRUE, line != NULL && strstr(line, "\t\t<1%\r\n") != NULL);
    }
}

static void rest(void *parameters)
{
    (void)parameters;
    vTaskSuspend(NULL);
}

static void called(xTimerHandle timer)
{
    (void)timer;
}

static void old_names(void)
{
    static StaticTimer_t memory;
    static StaticQueue_t queue_memory;
    static uint8_t storage[4];
    const xTaskHandle task = main_task;
    const xTimerHandle timer = xTimerCreateStatic("timer", (portTickType)1, pdFALSE, NULL, called, &memory);
    const xQueueHandle queue = xQueueCreateStatic(1, 4, storage, &queue_memory);
    xTaskStatusType status;
    vQueueAddToRegistry(queue, "queue");
    SHOW(eRunning, eTaskStateGet(task));
    SHOW('m', pcTaskGetTaskName(task)[0]);
    SHOW('t', pcTimerGetTimerName(timer)[0]);
    SHOW('q', pcQueueGetQueueName(queue)[0]);
    DONE(vTaskGetTaskInfo(task, &status, pdFALSE, eInvalid));
    CHECK(main_task, status.xHandle);
    shown(__FILE_NAME__, __LINE__, "xTaskGetIdleRunTimeCounter", xTaskGetIdleRunTimeCounter() != 0, measures());
    vQueueDelete(queue);
}

void run_times(void)
{
    TaskStatus_t all[8];
    TaskHandle_t resting;
    configRUN_TIME_COUNTER_TYPE total = 0;
    busy(1);
    shown(__FILE_NAME__, __LINE__, "portCONFIGURE_TIMER_FOR_RUN_TIME_STATS", clocks, 1);
    uint32_t before = portGET_RUN_TIME_COUNTER_VALUE();
    uint32_t own = ulTaskGetRunTimeCounter(NULL);
    busy(BUSY_TICKS);
    own = ulTaskGetRunTimeCounter(NULL) - own;
    before = portGET_RUN_TIME_COUNTER_VALUE() - before;
    shown(__FILE_NAME__, __LINE__, "ulTaskGetRunTimeCounter", about(own, BUSY_TICKS * TICK), pdTRUE);
    shown(__FILE_NAME__, __LINE__, "portGET_RUN_TIME_COUNTER_VALUE", before > (BUSY_TICKS - 1) * TICK && before < (BUSY_TICKS + 1) * TICK, pdTRUE);
    vTaskDelay(1);
    uint32_t idle = ulTaskGetIdleRunTimeCounter();
    vTaskDelay(IDLE_TICKS);
    idle = ulTaskGetIdleRunTimeCounter() - idle;
    shown(__FILE_NAME__, __LINE__, "ulTaskGetIdleRunTimeCounter", about(idle, IDLE_TICKS * TICK), pdTRUE);
    CHECK(pdPASS, xTaskCreate(rest, "resting", 256, NULL, HIGH, &resting));
    CHECK(uxTaskGetNumberOfTasks(), uxTaskGetSystemState(all, 8, &total));
    CHECK(measures() ? 1 : 0, total != 0);
    const uint32_t hundredth = measures() ? total / 100 : 1;
    uint32_t share = ulTaskGetRunTimeCounter(NULL) / hundredth; /* time goes on before the call: rounded down it may be one less */
    shown(__FILE_NAME__, __LINE__, "ulTaskGetRunTimePercent", share - ulTaskGetRunTimePercent(NULL) + 1 <= 2, pdTRUE);
    share = ulTaskGetIdleRunTimeCounter() / hundredth;
    shown(__FILE_NAME__, __LINE__, "ulTaskGetIdleRunTimePercent", share - ulTaskGetIdleRunTimePercent() + 1 <= 2, pdTRUE);
    CHECK(measures() ? 1 : 0, ulTaskGetIdleRunTimePercent() > 5 && ulTaskGetRunTimePercent(NULL) > 1);
    DONE(vTaskGetRunTimeStatistics(text, sizeof text));
    as_text();
    DONE(vTaskGetRunTimeStats(text));
    as_text();
    vTaskDelete(resting);
    old_names();
}
