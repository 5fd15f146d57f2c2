/* SPDX-License-Identifier: Apache-2.0 */
/* queues.c: queues: items in order, room, waits of both sides, front, peek, overwrite, reset, handlers, names. */
#include "parts.h"

typedef struct {
    uint32_t number;
    uint8_t text[3];
} item_t;

static QueueHandle_t queue;
static item_t item, got;
static BaseType_t woken;

JOB(receive, xQueueReceive(queue, &got, portMAX_DELAY))
JOB(send, xQueueSend(queue, &item, portMAX_DELAY))
JOB(send_3, xQueueSendToBack(queue, &item, 3))
JOB(peek, xQueuePeek(queue, &got, portMAX_DELAY))

static void send_number(uint32_t number, BaseType_t front)
{
    const item_t sent = {number, {1, 2, (uint8_t)number}};
    CHECK(pdPASS, front ? xQueueSendToFront(queue, &sent, 0) : xQueueSend(queue, &sent, 0));
}

static uint32_t receive_number(void)
{
    got.number = 0;
    CHECK(pdPASS, xQueueReceive(queue, &got, 0));
    CHECK((uint8_t)got.number, got.text[2]);
    return got.number;
}

static void in_order(void)
{
    const item_t first = {1, {1, 2, 1}};
    SHOW(pdPASS, xQueueSend(queue, &first, 0));
    send_number(2, pdFALSE);
    SHOW(2, uxQueueMessagesWaiting(queue));
    SHOW(1, uxQueueSpacesAvailable(queue));
    const item_t front = {3, {1, 2, 3}};
    SHOW(pdPASS, xQueueSendToFront(queue, &front, 0));
    SHOW(errQUEUE_FULL, xQueueSendToBack(queue, &first, 0));
    SHOW(pdPASS, xQueuePeek(queue, &got, 0));
    CHECK(3, got.number);
    CHECK(3, receive_number());
    CHECK(1, receive_number());
    send_number(4, pdTRUE);
    send_number(5, pdTRUE);
    CHECK(5, receive_number());
    CHECK(4, receive_number());
    CHECK(2, receive_number());
    SHOW(errQUEUE_EMPTY, xQueueReceive(queue, &got, 0));
    CHECK(errQUEUE_EMPTY, xQueuePeek(queue, &got, 0));
}

static void waited(void)
{
    high(receive);
    CHECK(BUSY, result);
    send_number(6, pdFALSE);
    CHECK(pdPASS, result);
    CHECK(6, got.number);
    high(peek);
    send_number(7, pdFALSE);
    CHECK(pdPASS, result);
    CHECK(7, receive_number());
    for (uint32_t i = 1; i <= 3; i++) {
        send_number(i, pdFALSE);
    }
    item = (item_t){9, {0, 0, 9}};
    high(send);
    CHECK(BUSY, result);
    CHECK(1, receive_number());
    CHECK(pdPASS, result);
    high(send_3);
    vTaskDelay(4);
    CHECK(errQUEUE_FULL, result);
    high(send);
    SHOW(pdPASS, xQueueReset(queue));
    CHECK(pdPASS, result); /* there was room then */
    CHECK(9, receive_number());
    const TickType_t before = xTaskGetTickCount();
    CHECK(errQUEUE_EMPTY, xQueueReceive(queue, &got, 3));
    CHECK(3, xTaskGetTickCount() - before);
}

static void by_handler(void)
{
    const item_t sent = {1, {0, 0, 1}};
    SHOW(pdTRUE, xQueueIsQueueEmptyFromISR(queue));
    SHOW(pdPASS, xQueueSendFromISR(queue, &sent, &woken));
    SHOW(pdPASS, xQueueSendToBackFromISR(queue, &sent, NULL));
    SHOW(pdPASS, xQueueSendToFrontFromISR(queue, &sent, NULL));
    SHOW(pdTRUE, xQueueIsQueueFullFromISR(queue));
    CHECK(errQUEUE_FULL, xQueueSendFromISR(queue, &sent, NULL));
    SHOW(3, uxQueueMessagesWaitingFromISR(queue));
    SHOW(pdPASS, xQueuePeekFromISR(queue, &got));
    SHOW(pdPASS, xQueueReceiveFromISR(queue, &got, NULL));
    CHECK(pdPASS, xQueueReceiveFromISR(queue, &got, NULL));
    CHECK(pdPASS, xQueueReceiveFromISR(queue, &got, NULL));
    CHECK(pdFAIL, xQueueReceiveFromISR(queue, &got, NULL));
    CHECK(pdFAIL, xQueuePeekFromISR(queue, &got));
    CHECK(pdFALSE, woken);
}

static void wake_receiver(void)
{
    CHECK(pdPASS, xQueueSendFromISR(queue, &item, &woken));
    portYIELD_FROM_ISR(woken);
}

static void wake_sender(void)
{
    CHECK(pdPASS, xQueueReceiveFromISR(queue, &got, &woken));
    portYIELD_FROM_ISR(woken);
}

static void of_handlers(void)
{
    woken = pdFALSE;
    in_handler(by_handler);
    high(receive);
    in_handler(wake_receiver);
    CHECK(pdTRUE, woken);
    CHECK(pdPASS, result);
    CHECK(9, got.number);
    for (uint32_t i = 1; i <= 3; i++) {
        send_number(i, pdFALSE);
    }
    high(send);
    woken = pdFALSE;
    in_handler(wake_sender);
    CHECK(pdTRUE, woken);
    CHECK(pdPASS, result);
    CHECK(pdPASS, xQueueReset(queue));
}

static void overwrite_in_handler(void)
{
    const uint32_t number = 4;
    SHOW(pdPASS, xQueueOverwriteFromISR(queue, &number, NULL));
}

static void mailbox(void)
{
    uint32_t number = 1;
    queue = xQueueCreate(1, sizeof number);
    SHOW(pdPASS, xQueueOverwrite(queue, &number));
    number = 2;
    CHECK(pdPASS, xQueueOverwrite(queue, &number));
    CHECK(1, uxQueueMessagesWaiting(queue));
    CHECK(pdPASS, xQueuePeek(queue, &number, 0));
    CHECK(2, number);
    in_handler(overwrite_in_handler);
    CHECK(pdPASS, xQueueReceive(queue, &number, 0));
    CHECK(4, number);
    vQueueDelete(queue);
}

void queues(void)
{
    queue = xQueueCreate(3, sizeof(item_t));
    shown(__FILE_NAME__, __LINE__, "xQueueCreate", queue != NULL, 1);
    SHOW(3, uxQueueGetQueueLength(queue));
    SHOW(sizeof(item_t), uxQueueGetQueueItemSize(queue));
    DONE(vQueueAddToRegistry(queue, "items"));
    CHECK('i', *pcQueueGetName(queue));
    shown(__FILE_NAME__, __LINE__, "pcQueueGetName", 0, 0);
    in_order();
    waited();
    of_handlers();
    DONE(vQueueUnregisterQueue(queue));
    CHECK(NULL, pcQueueGetName(queue));
    DONE(vQueueDelete(queue));
    mailbox();
    CHECK(NULL, xQueueCreate(1000, 1000));
}
