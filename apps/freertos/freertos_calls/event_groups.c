/* SPDX-License-Identifier: Apache-2.0 */
/* event_groups.c: event groups: any, all, cleared on exit, rendezvous, handlers. */
#include "parts.h"

static EventGroupHandle_t group;
static BaseType_t woken;

JOB(any, xEventGroupWaitBits(group, 0x6, pdFALSE, pdFALSE, portMAX_DELAY))
JOB(all_and_clear, xEventGroupWaitBits(group, 0x6, pdTRUE, pdTRUE, portMAX_DELAY))
JOB(all_3, xEventGroupWaitBits(group, 0x6, pdTRUE, pdTRUE, 3))
JOB(sync, xEventGroupSync(group, 0x10, 0x30, portMAX_DELAY))
JOB(sync_3, xEventGroupSync(group, 0x10, 0x30, 3))

static volatile uint32_t low_result;

static void low_all(void)
{
    low_result = xEventGroupWaitBits(group, 0xC, pdTRUE, pdTRUE, portMAX_DELAY);
}

static void waited(void)
{
    SHOW(0, xEventGroupGetBits(group));
    SHOW(1, xEventGroupSetBits(group, 1));
    SHOW(1, xEventGroupClearBits(group, 1));
    SHOW(0, xEventGroupWaitBits(group, 1, pdTRUE, pdFALSE, 0));
    CHECK(5, xEventGroupSetBits(group, 5));
    CHECK(5, xEventGroupWaitBits(group, 4, pdTRUE, pdTRUE, 0));
    CHECK(1, xEventGroupGetBits(group));
    high(any);
    CHECK(BUSY, result);
    CHECK(3, xEventGroupSetBits(group, 2));
    CHECK(3, result);
    CHECK(3, xEventGroupClearBits(group, 0xFF));
    high(all_and_clear);
    CHECK(2, xEventGroupSetBits(group, 2));
    CHECK(BUSY, result);
    CHECK(8, xEventGroupSetBits(group, 0xC)); /* the bits left */
    CHECK(0xE, result);
    const TickType_t before = xTaskGetTickCount();
    CHECK(8, xEventGroupWaitBits(group, 3, pdTRUE, pdFALSE, 3));
    CHECK(3, xTaskGetTickCount() - before);
    high(all_3);
    CHECK(0xA, xEventGroupSetBits(group, 2));
    vTaskDelay(4);
    CHECK(0xA, result);
    CHECK(0xA, xEventGroupClearBits(group, 0xFF));
    high(any);
    CHECK(pdPASS, xTaskAbortDelay(high_task));
    CHECK(0, result);
    CHECK(2, xEventGroupSetBits(group, 2)); /* nobody is in the list */
    (void)xEventGroupClearBits(group, 0xFF);
}

/* Both wait for bit 2, and clear it: both get it. */
static void all_at_once(void)
{
    low_result = BUSY;
    low(low_all);
    vTaskDelay(2);
    high(all_and_clear);
    CHECK(0, xEventGroupSetBits(group, 0xE));
    CHECK(0xE, result);
    vTaskDelay(2);
    CHECK(0xE, low_result);
}

static void met(void)
{
    high(sync);
    CHECK(BUSY, result);
    CHECK(0x10, xEventGroupGetBits(group));
    SHOW(0x30, xEventGroupSync(group, 0x20, 0x30, 0));
    CHECK(0x30, result);
    CHECK(0, xEventGroupGetBits(group));
    high(sync_3);
    vTaskDelay(4);
    CHECK(0x10, result);
    CHECK(0x10, xEventGroupGetBits(group));
    CHECK(0x10, xEventGroupSync(group, 0, 0x30, 0));
    CHECK(0x30, xEventGroupSync(group, 0x20, 0x30, portMAX_DELAY));
    CHECK(0, xEventGroupGetBits(group));
    low(sync);
    CHECK(0x30, xEventGroupSync(group, 0x20, 0x30, 5)); /* low comes meanwhile */
    vTaskDelay(2);
    CHECK(0x30, result);
}

static void in_a_handler(void)
{
    woken = pdFALSE;
    SHOW(0, xEventGroupGetBitsFromISR(group));
    SHOW(pdPASS, xEventGroupSetBitsFromISR(group, 0x41, &woken));
    SHOW(pdPASS, xEventGroupClearBitsFromISR(group, 0x40));
    CHECK(0, xEventGroupGetBitsFromISR(group)); /* later, by the timer task */
    CHECK(pdTRUE, woken);
    portYIELD_FROM_ISR(woken);
}

void event_groups(void)
{
    group = xEventGroupCreate();
    shown(__FILE_NAME__, __LINE__, "xEventGroupCreate", group != NULL, 1);
    waited();
    all_at_once();
    met();
    in_handler(in_a_handler);
    CHECK(1, xEventGroupGetBits(group));
    (void)xEventGroupClearBits(group, 0xFF);
    high(any);
    DONE(vEventGroupDelete(group));
    CHECK(0, result);
}
