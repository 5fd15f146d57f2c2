/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.c: tasks are made, begin, are known by name and number, and end. */
#include "parts.h"

#include <string.h>

static TaskHandle_t made;
static volatile uint32_t begun, parameter;

static void once(void *parameters)
{
    begun++;
    parameter = (uint32_t)(uintptr_t)parameters;
    vTaskDelete(NULL);
}

static void forever(void *parameters)
{
    (void)parameters;
    for (;;) {
        begun++;
        vTaskDelay(1);
    }
}

static BaseType_t hook(void *value)
{
    return *(BaseType_t *)value + 1;
}

static void in_a_handler(void)
{
    SHOW(MAIN, uxTaskPriorityGetFromISR(NULL));
    SHOW(MAIN, uxTaskBasePriorityGetFromISR(NULL));
    SHOW(hook, xTaskGetApplicationTaskTagFromISR(NULL));
}

static void made_and_ended(void)
{
    begun = 0;
    SHOW(pdPASS, xTaskCreate(once, "once", 256, (void *)7, HIGH, &made));
    CHECK(1, begun); /* more urgent: at once */
    CHECK(7, parameter);
    CHECK(pdPASS, xTaskCreate(once, "once", 256, (void *)8, MAIN, NULL));
    CHECK(1, begun); /* equal: later */
    DONE(taskYIELD());
    CHECK(2, begun);
    CHECK(pdPASS, xTaskCreate(once, "again", 256, NULL, HIGH, NULL));
    CHECK(3, begun);
    CHECK(pdPASS, xTaskCreate(forever, "forever", 256, NULL, HIGH, &made));
    vTaskDelay(3);
    CHECK(7, begun);
    const size_t before = xPortGetFreeHeapSize();
    DONE(vTaskDelete(made));
    CHECK(pdTRUE, xPortGetFreeHeapSize() > before);
    vTaskDelay(2);
    CHECK(7, begun);
    CHECK(pdPASS, xTaskCreate(forever, "forever", 256, NULL, LOW, &made));
    vTaskDelete(made); /* it has never run */
    vTaskDelay(2);
    CHECK(7, begun);
    CHECK(pdPASS, xTaskCreate(forever, "beyond", 256, NULL, configMAX_PRIORITIES, &made));
    shown(__FILE_NAME__, __LINE__, "configASSERT", asserts, 1);
    asserts = 0;
    CHECK(configMAX_PRIORITIES - 1, uxTaskPriorityGet(made));
    vTaskDelete(made);
    failures = 0;
    CHECK(errCOULD_NOT_ALLOCATE_REQUIRED_MEMORY, xTaskCreate(forever, "vast", 100000, NULL, LOW, &made));
    CHECK(1, failures);
}

/* The heap has room for so many tasks; then there is none, and what was taken for the one that failed is given back. */
static void too_many(void)
{
    static TaskHandle_t many[64];
    uint32_t count = 0;
    const size_t before = xPortGetFreeHeapSize();
    while (count < 64 && xTaskCreate(forever, "many", 256, NULL, LOW, &many[count]) == pdPASS) {
        count++;
    }
    CHECK(pdTRUE, count > 8 && count < 64);
    while (count > 0) {
        vTaskDelete(many[--count]);
    }
    CHECK(before, xPortGetFreeHeapSize());
}

static void known(void)
{
    BaseType_t value = 4;
    SHOW(main_task, xTaskGetCurrentTaskHandle());
    CHECK(0, strcmp(pcTaskGetName(high_task), "high"));
    shown(__FILE_NAME__, __LINE__, "pcTaskGetName", (uint32_t)strcmp(pcTaskGetName(NULL), "main"), 0);
    SHOW(low_task, xTaskGetHandle("low"));
    CHECK(NULL, xTaskGetHandle("nobody"));
    shown(__FILE_NAME__, __LINE__, "xTaskGetIdleTaskHandle", xTaskGetIdleTaskHandle() != NULL, 1);
    CHECK(0, uxTaskPriorityGet(xTaskGetIdleTaskHandle()));
    SHOW(5, uxTaskGetNumberOfTasks()); /* main, high, low, idle, timer */
    DONE(vTaskSetApplicationTaskTag(NULL, hook));
    SHOW(hook, xTaskGetApplicationTaskTag(NULL));
    SHOW(5, xTaskCallApplicationTaskHook(main_task, &value));
    CHECK(pdFAIL, xTaskCallApplicationTaskHook(high_task, &value));
    in_handler(in_a_handler);
    DONE(vTaskSetThreadLocalStoragePointer(NULL, 1, &value));
    SHOW(&value, pvTaskGetThreadLocalStoragePointer(main_task, 1));
    CHECK(NULL, pvTaskGetThreadLocalStoragePointer(main_task, 0));
}

static void listed(void)
{
    static TaskStatus_t all[8];
    static char text[400];
    configRUN_TIME_COUNTER_TYPE total;
    SHOW(5, uxTaskGetSystemState(all, 8, &total));
    CHECK(0, uxTaskGetSystemState(all, 2, NULL));
    DONE(vTaskGetInfo(low_task, &all[0], pdTRUE, eInvalid));
    CHECK(low_task, all[0].xHandle);
    CHECK(eSuspended, all[0].eCurrentState);
    CHECK(LOW, all[0].uxCurrentPriority);
    CHECK(LOW, all[0].uxBasePriority);
    CHECK(pdTRUE, all[0].usStackHighWaterMark > 100 && all[0].usStackHighWaterMark < 512);
    shown(__FILE_NAME__, __LINE__, "uxTaskGetStackHighWaterMark", uxTaskGetStackHighWaterMark(low_task), all[0].usStackHighWaterMark);
    shown(__FILE_NAME__, __LINE__, "uxTaskGetStackHighWaterMark2", uxTaskGetStackHighWaterMark2(low_task), all[0].usStackHighWaterMark);
    DONE(vTaskList(text));
    CHECK(pdTRUE, strstr(text, "main       \tX\t3\t") != NULL);
    CHECK(pdTRUE, strstr(text, "low        \tS\t2\t") != NULL);
    DONE(vTaskListTasks(text, 10));
    CHECK(0, strlen(text)); /* no line fits */
}

void tasks(void)
{
    made_and_ended();
    too_many();
    known();
    listed();
}
