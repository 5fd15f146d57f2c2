/* SPDX-License-Identifier: Apache-2.0 */
/* queue_sets.c: sets of queues and semaphores: members in the order in which they got something. */
#include "parts.h"

static QueueSetHandle_t set;
static QueueHandle_t queue;
static SemaphoreHandle_t semaphore;
static QueueSetMemberHandle_t selected;

static void select(void)
{
    selected = xQueueSelectFromSet(set, portMAX_DELAY);
    result = 1;
}

static void in_a_handler(void)
{
    SHOW(semaphore, xQueueSelectFromSetFromISR(set));
    CHECK(queue, xQueueSelectFromSetFromISR(set));
    CHECK(NULL, xQueueSelectFromSetFromISR(set));
}

void queue_sets(void)
{
    uint32_t number = 1;
    set = xQueueCreateSet(3);
    shown(__FILE_NAME__, __LINE__, "xQueueCreateSet", set != NULL, 1);
    queue = xQueueCreate(2, sizeof number);
    semaphore = xSemaphoreCreateBinary();
    SHOW(pdPASS, xQueueAddToSet(queue, set));
    CHECK(pdPASS, xQueueAddToSet(semaphore, set));
    CHECK(pdFAIL, xQueueAddToSet(semaphore, set));
    CHECK(pdPASS, xQueueSend(queue, &number, 0));
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    number = 2;
    CHECK(pdPASS, xQueueSend(queue, &number, 0));
    SHOW(queue, xQueueSelectFromSet(set, 0));
    CHECK(pdPASS, xQueueReceive(queue, &number, 0));
    CHECK(1, number);
    in_handler(in_a_handler); /* the handles are taken, what they stand for is not */
    CHECK(pdTRUE, xSemaphoreTake(semaphore, 0));
    high(select);
    CHECK(BUSY, result);
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    CHECK(1, result);
    CHECK(semaphore, selected);
    CHECK(pdFAIL, xQueueRemoveFromSet(semaphore, set)); /* it is not empty */
    CHECK(pdTRUE, xSemaphoreTake(semaphore, 0));
    SHOW(pdPASS, xQueueRemoveFromSet(semaphore, set));
    CHECK(NULL, xQueueSelectFromSet(set, 2));
    vQueueDelete(queue);
    vSemaphoreDelete(semaphore);
    vQueueDelete(set);
}
