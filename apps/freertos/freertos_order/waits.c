/* SPDX-License-Identifier: Apache-2.0 */
/* waits.c: scenarios of waiting: groups, aborted waits, notifications, sets, who takes what was given, a held scheduler. */
#include "scenario.h"

static EventGroupHandle_t group;
static QueueHandle_t queue, full;
static SemaphoreHandle_t semaphore, mutex;
static TaskHandle_t task;
static uint32_t number;

static void wait_a(void)
{
    event_number("a", xEventGroupWaitBits(group, 3, pdTRUE, pdTRUE, portMAX_DELAY));
}

static void wait_b(void)
{
    event_number("b", xEventGroupWaitBits(group, 1, pdTRUE, pdFALSE, portMAX_DELAY));
}

static void wait_c(void)
{
    event_number("c", xEventGroupWaitBits(group, 6, pdFALSE, pdFALSE, portMAX_DELAY));
}

static void wait_d(void)
{
    event_number("d", xEventGroupWaitBits(group, 8, pdTRUE, pdTRUE, 4));
}

static void meet(void)
{
    event_number("meet", xEventGroupSync(group, 0x10, 0x70, portMAX_DELAY));
}

static void meet_too(void)
{
    event_number("too", xEventGroupSync(group, 0x20, 0x70, portMAX_DELAY));
}

/* All who wait for what is set go on, though each clears it for itself. */
void groups(void)
{
    group = xEventGroupCreate();
    (void)spawn(wait_a, 2);
    (void)spawn(wait_b, 3);
    (void)spawn(wait_c, 2);
    (void)spawn(wait_d, 4);
    vTaskDelay(2); /* all wait, also where making tasks takes long */
    event_number("left", xEventGroupSetBits(group, 0x103));
    vTaskDelay(6);
    event_number("now", xEventGroupGetBits(group));
    (void)spawn(meet, 2);
    (void)spawn(meet_too, 3);
    vTaskDelay(2);
    event_number("sync", xEventGroupSync(group, 0x40, 0x70, 0));
    vTaskDelay(2);
    event_number("now", xEventGroupGetBits(group));
    vEventGroupDelete(group);
    report("groups");
}

/* ---- a wait is aborted --------------------------------------------------------------------------------------------------- */

static volatile UBaseType_t kind;

static void wait_for_something(void)
{
    const TickType_t begun = xTaskGetTickCount();
    uint32_t result = 0;
    switch (kind) {
    case 0: vTaskDelay(50); break;
    case 1: result = (uint32_t)xQueueReceive(queue, &number, 50); break;
    case 2: result = (uint32_t)xQueuePeek(queue, &number, portMAX_DELAY); break;
    case 3: result = (uint32_t)xQueueSend(full, &number, 50); break;
    case 4: result = (uint32_t)xSemaphoreTake(semaphore, portMAX_DELAY); break;
    case 5: result = (uint32_t)xSemaphoreTake(mutex, 50); break;
    case 6: result = xEventGroupWaitBits(group, 6, pdTRUE, pdFALSE, portMAX_DELAY); break;
    case 7: result = ulTaskNotifyTake(pdTRUE, portMAX_DELAY); break;
    case 8: result = (uint32_t)xTaskNotifyWaitIndexed(1, 0, 0, &number, 50); break;
    default: result = xEventGroupSync(group, 8, 0x18, 50); break;
    }
    event_number("r", result);
    event_number("t", xTaskGetTickCount() - begun);
}

void aborts(void)
{
    group = xEventGroupCreate();
    queue = xQueueCreate(1, sizeof number);
    full = xQueueCreate(1, sizeof number);
    semaphore = xSemaphoreCreateBinary();
    mutex = xSemaphoreCreateMutex();
    (void)xQueueSend(full, &number, 0);
    (void)xSemaphoreTake(mutex, 0);
    (void)xEventGroupSetBits(group, 1);
    for (kind = 0; kind < 10; kind++) {
        (void)aligned();
        task = spawn(wait_for_something, 4);
        vTaskDelay(3);
        event_number("abort", (uint32_t)xTaskAbortDelay(task));
        vTaskDelay(1);
    }
    event_number("priority", uxTaskPriorityGet(NULL));
    event_number("bits", xEventGroupGetBits(group));
    (void)xSemaphoreGive(mutex);
    vSemaphoreDelete(mutex);
    vSemaphoreDelete(semaphore);
    vQueueDelete(full);
    vQueueDelete(queue);
    vEventGroupDelete(group);
    report("aborts");
}

/* ---- notifications ------------------------------------------------------------------------------------------------------- */

static void take_later(void)
{
    for (UBaseType_t index = 0; index < 2; index++) {
        vTaskSuspend(NULL);
        event_number("taken", ulTaskNotifyTakeIndexed(index, pdFALSE, portMAX_DELAY));
        event_number("taken", ulTaskNotifyTakeIndexed(index, pdTRUE, portMAX_DELAY));
        event_number("taken", ulTaskNotifyTakeIndexed(index, pdTRUE, 0));
        event_number("waited", (uint32_t)xTaskNotifyWaitIndexed(index, 0xFF, 0, &number, 3));
        event_number("value", number);
        event_number("waited", (uint32_t)xTaskNotifyWaitIndexed(index, 0xF0, 0x0F, &number, portMAX_DELAY));
        event_number("value", number);
        event_number("waited", (uint32_t)xTaskNotifyWaitIndexed(index, 0, UINT32_MAX, &number, portMAX_DELAY));
        event_number("value", number);
    }
}

/* Notified before it waits, and several times before it runs. */
void pending(void)
{
    task = spawn(take_later, 3);
    for (UBaseType_t index = 0; index < 2; index++) {
        vTaskDelay(2);
        (void)xTaskNotifyGiveIndexed(task, index);
        (void)xTaskNotifyGiveIndexed(task, index);
        (void)xTaskNotifyGiveIndexed(task, index);
        vTaskResume(task);
        vTaskDelay(6);
        (void)xTaskNotifyIndexed(task, index, 0x81, eSetBits);
        (void)xTaskNotifyIndexed(task, index, 0x18, eSetBits); /* released, not running yet */
        event_number("second", (uint32_t)xTaskNotifyIndexed(task, index, 7, eSetValueWithoutOverwrite));
        vTaskDelay(2);
        (void)xTaskNotifyIndexed(task, index, 1, eNoAction);
        vTaskDelay(2);
    }
    report("pending notifications");
}

/* ---- sets ---------------------------------------------------------------------------------------------------------------- */

static QueueSetHandle_t set;

static void select(void)
{
    for (int i = 0; i < 5; i++) {
        const QueueSetMemberHandle_t member = xQueueSelectFromSet(set, 4);
        event(member == NULL ? "none" : member == queue ? "queue" : member == semaphore ? "semaphore" : "full");
    }
}

static void give_in_handler(void)
{
    BaseType_t woken = pdFALSE;
    (void)xSemaphoreGiveFromISR(semaphore, &woken);
    (void)xQueueSendFromISR(full, &number, &woken);
    portYIELD_FROM_ISR(woken);
}

void sets(void)
{
    queue = xQueueCreate(2, sizeof number);
    full = xQueueCreate(1, sizeof number);
    semaphore = xSemaphoreCreateBinary();
    set = xQueueCreateSet(4);
    (void)xQueueAddToSet(queue, set);
    (void)xQueueAddToSet(full, set);
    (void)xQueueAddToSet(semaphore, set);
    (void)spawn(select, 3);
    vTaskDelay(2);
    (void)xQueueSend(queue, &number, 0);
    in_handler(give_in_handler);
    (void)xQueueSendToFront(queue, &number, 0);
    vTaskDelay(12);
    (void)xSemaphoreTake(semaphore, 0);
    (void)xQueueReset(queue);
    (void)xQueueReset(full);
    (void)xQueueRemoveFromSet(queue, set);
    (void)xQueueRemoveFromSet(full, set);
    (void)xQueueRemoveFromSet(semaphore, set);
    vQueueDelete(set);
    vQueueDelete(full);
    vQueueDelete(queue);
    vSemaphoreDelete(semaphore);
    report("sets");
}

/* ---- who takes ------------------------------------------------------------------------------------------------------------ */

static void take_low(void)
{
    event_number("low", (uint32_t)xSemaphoreTake(semaphore, 8));
}

static void take_high(void)
{
    event_number("high", (uint32_t)xSemaphoreTake(semaphore, 20));
}

static void receive_low(void)
{
    event_number("received", (uint32_t)xQueueReceive(queue, &number, 20));
    event_number("number", number);
}

/* Another task can take a unit or an item that was given to a waiting task before that one runs. */
void takes(void)
{
    semaphore = xSemaphoreCreateCounting(2, 0);
    queue = xQueueCreate(2, sizeof number);
    (void)spawn(take_low, 2);
    (void)spawn(take_high, 3);
    (void)spawn(receive_low, 2);
    (void)aligned();
    (void)xSemaphoreGive(semaphore);
    event_number("count", uxSemaphoreGetCount(semaphore));
    event_number("again", (uint32_t)xSemaphoreTake(semaphore, 0));
    vTaskDelay(2);
    (void)xSemaphoreGive(semaphore);
    vTaskDelay(10);
    for (uint32_t i = 1; i <= 3; i++) {
        event_number("sent", (uint32_t)xQueueSend(queue, &i, 0));
    }
    (void)xQueueReceive(queue, &number, 0);
    event_number("first", number);
    vTaskDelay(2);
    vQueueDelete(queue);
    vSemaphoreDelete(semaphore);
    report("takes");
}

/* ---- held ----------------------------------------------------------------------------------------------------------------- */

static void three(void)
{
    event("three");
    vTaskSuspend(NULL);
    event("again");
}

static void seven(void)
{
    event("seven");
}

void held(void)
{
    vTaskSuspendAll();
    task = spawn(three, 3);
    (void)spawn(seven, 7);
    event("made");
    event_number("switched", (uint32_t)xTaskResumeAll());
    vTaskDelay(1);
    vTaskSuspendAll();
    vTaskResume(task);
    event("resumed");
    event_number("switched", (uint32_t)xTaskResumeAll());
    vTaskDelay(1);
    report("held");
}
