/* SPDX-License-Identifier: Apache-2.0 */
/* notifications.c: task notifications of index 0, which are the kernel's, and of the others. The same is asked of both. */
#include "parts.h"

static UBaseType_t of; /* the index that is tried */
static uint32_t value;
static BaseType_t woken;

JOB(wait, xTaskNotifyWaitIndexed(of, 0, 0xF, &value, portMAX_DELAY))
JOB(wait_3, xTaskNotifyWaitIndexed(of, 0, 0xF, &value, 3))
JOB(take, ulTaskNotifyTakeIndexed(of, pdFALSE, portMAX_DELAY))
JOB(take_all, ulTaskNotifyTakeIndexed(of, pdTRUE, portMAX_DELAY))
JOB(take_3, ulTaskNotifyTakeIndexed(of, pdTRUE, 3))

/* To the caller itself: what is pending, and what the value becomes. */
static void pending(void)
{
    uint32_t before = 1;
    SHOW(pdFALSE, xTaskNotifyWaitIndexed(of, 0, 0, &value, 0));
    CHECK(0, value);
    SHOW(pdPASS, xTaskNotifyIndexed(main_task, of, 0x11, eSetBits));
    SHOW(pdPASS, xTaskNotifyAndQueryIndexed(main_task, of, 0x22, eSetBits, &before));
    CHECK(0x11, before);
    CHECK(pdTRUE, xTaskNotifyWaitIndexed(of, 0xFF, 0x03, &value, 0)); /* pending: nothing is cleared on entry */
    CHECK(0x33, value);
    SHOW(0x30, ulTaskNotifyValueClearIndexed(NULL, of, 0x10));
    CHECK(pdFALSE, xTaskNotifyWaitIndexed(of, 0x20, 0, &value, 0)); /* a poll clears nothing, either */
    CHECK(0x20, value);
    CHECK(pdFALSE, xTaskNotifyWaitIndexed(of, 0x20, 0, &value, 1));
    CHECK(0, value);
    CHECK(pdPASS, xTaskNotifyIndexed(main_task, of, 5, eSetValueWithoutOverwrite));
    CHECK(pdFAIL, xTaskNotifyIndexed(main_task, of, 6, eSetValueWithoutOverwrite));
    CHECK(pdPASS, xTaskNotifyIndexed(main_task, of, 7, eSetValueWithOverwrite));
    CHECK(pdPASS, xTaskNotifyIndexed(main_task, of, 0, eIncrement));
    CHECK(pdPASS, xTaskNotifyIndexed(main_task, of, 99, eNoAction));
    SHOW(pdTRUE, xTaskNotifyStateClearIndexed(NULL, of));
    CHECK(pdFALSE, xTaskNotifyStateClearIndexed(main_task, of));
    CHECK(pdFALSE, xTaskNotifyWaitIndexed(of, 0, 0, NULL, 0));
    SHOW(8, ulTaskNotifyTakeIndexed(of, pdFALSE, 0));
    CHECK(7, ulTaskNotifyTakeIndexed(of, pdTRUE, 0));
    CHECK(0, ulTaskNotifyTakeIndexed(of, pdTRUE, 0));
    SHOW(pdPASS, xTaskNotifyGiveIndexed(main_task, of));
    CHECK(1, ulTaskNotifyTakeIndexed(of, pdTRUE, 0));
    CHECK(pdFALSE, xTaskNotifyWaitIndexed(of, 0, 0, NULL, 0)); /* taken is no longer pending */
}

static void waited(void)
{
    high(wait);
    CHECK(BUSY, result);
    CHECK(eBlocked, eTaskGetState(high_task));
    CHECK(pdPASS, xTaskNotifyIndexed(high_task, of, 0x31, eSetBits));
    CHECK(pdTRUE, result);
    CHECK(0x31, value);
    CHECK(0x30, ulTaskNotifyValueClearIndexed(high_task, of, UINT32_MAX));
    high(take);
    CHECK(pdPASS, xTaskNotifyIndexed(high_task, of, 0, eNoAction)); /* ends the wait with nothing */
    CHECK(0, result);
    high(take);
    CHECK(pdPASS, xTaskNotifyIndexed(high_task, of, 3, eSetValueWithOverwrite));
    CHECK(3, result);
    CHECK(2, ulTaskNotifyValueClearIndexed(high_task, of, 0));
    high(take_all);
    CHECK(2, result);
    high(take_all);
    CHECK(BUSY, result);
    CHECK(pdPASS, xTaskNotifyGiveIndexed(high_task, of));
    CHECK(1, result);
    high(take_3);
    vTaskDelay(4);
    CHECK(0, result);
    CHECK(pdPASS, xTaskNotifyGiveIndexed(high_task, of)); /* it no longer waits: this is kept */
    high(take_3);
    CHECK(1, result);
    high(wait_3);
    vTaskDelay(4);
    CHECK(pdFALSE, result);
}

static void waits_that_end(void)
{
    high(take);
    CHECK(pdPASS, xTaskAbortDelay(high_task));
    CHECK(0, result);
    high(wait);
    vTaskSuspend(high_task);
    vTaskResume(high_task);
    CHECK(pdFALSE, result);
    low(wait);
    vTaskDelay(2);
    CHECK(pdPASS, xTaskNotifyIndexed(low_task, of, 1, eSetValueWithOverwrite));
    CHECK(pdFAIL, xTaskNotifyIndexed(low_task, of, 2, eSetValueWithoutOverwrite)); /* it has not run yet */
    CHECK(pdPASS, xTaskNotifyIndexed(low_task, of, 4, eSetBits));
    vTaskDelay(2);
    CHECK(pdTRUE, result);
    CHECK(5, value);
}

static void in_a_handler(void)
{
    uint32_t before = 1;
    woken = pdFALSE;
    SHOW(pdPASS, xTaskNotifyIndexedFromISR(main_task, of, 1, eSetBits, &woken));
    SHOW(pdPASS, xTaskNotifyAndQueryIndexedFromISR(main_task, of, 2, eSetBits, &before, &woken));
    CHECK(1, before);
    CHECK(pdFALSE, woken);
    DONE(vTaskNotifyGiveIndexedFromISR(high_task, of, &woken));
    CHECK(pdTRUE, woken);
    CHECK(BUSY, result);
    portYIELD_FROM_ISR(woken);
}

static void one_index(void)
{
    pending();
    waited();
    waits_that_end();
    high(take);
    in_handler(in_a_handler);
    CHECK(1, result);
    CHECK(pdTRUE, xTaskNotifyWaitIndexed(of, 0, UINT32_MAX, &value, 0));
    CHECK(3, value);
    CHECK(pdTRUE, xTaskNotifyStateClearIndexed(low_task, of) == pdFALSE);
    (void)ulTaskNotifyValueClearIndexed(low_task, of, UINT32_MAX);
    (void)ulTaskNotifyValueClearIndexed(high_task, of, UINT32_MAX);
}

static void short_names_in_a_handler(void)
{
    uint32_t before;
    SHOW(pdPASS, xTaskNotifyFromISR(main_task, 4, eSetBits, NULL));
    SHOW(pdPASS, xTaskNotifyAndQueryFromISR(main_task, 8, eSetBits, &before, NULL));
    CHECK(4, before);
    DONE(vTaskNotifyGiveFromISR(main_task, NULL));
}

static void short_names(void)
{
    uint32_t before;
    SHOW(pdPASS, xTaskNotify(main_task, 1, eSetBits));
    SHOW(pdPASS, xTaskNotifyAndQuery(main_task, 2, eSetBits, &before));
    CHECK(1, before);
    SHOW(pdPASS, xTaskNotifyGive(main_task));
    SHOW(pdTRUE, xTaskNotifyWait(0, 1, &value, 0));
    CHECK(4, value);
    SHOW(4, ulTaskNotifyTake(pdTRUE, 0));
    in_handler(short_names_in_a_handler);
    SHOW(pdTRUE, xTaskNotifyStateClear(NULL));
    SHOW(13, ulTaskNotifyValueClear(NULL, UINT32_MAX));
}

void notifications(void)
{
    for (of = 0; of < configTASK_NOTIFICATION_ARRAY_ENTRIES; of++) {
        one_index();
    }
    short_names();
}
