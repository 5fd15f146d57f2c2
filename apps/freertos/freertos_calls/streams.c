/* SPDX-License-Identifier: Apache-2.0 */
/* streams.c: stream and message buffers: bytes in order over the end of the ring, trigger level, waits of both sides, handlers. */
#include "parts.h"

#include "message_buffer.h"
#include "stream_buffer.h"

static StreamBufferHandle_t stream;
static MessageBufferHandle_t messages;
static uint8_t got[32];
static const uint8_t bytes[] = "0123456789";
static BaseType_t woken;
static StaticStreamBuffer_t memory;
static StaticMessageBuffer_t message_memory;
static uint8_t storage[11];

JOB(receive, xStreamBufferReceive(stream, got, sizeof got, portMAX_DELAY))
JOB(receive_3, xStreamBufferReceive(stream, got, sizeof got, 3))
JOB(send, xStreamBufferSend(stream, bytes, 8, portMAX_DELAY))
JOB(send_3, xStreamBufferSend(stream, bytes, 10, 3))
JOB(receive_message, xMessageBufferReceive(messages, got, sizeof got, portMAX_DELAY))
JOB(send_message, xMessageBufferSend(messages, bytes, 4, portMAX_DELAY))

static void bytes_in_order(void)
{
    SHOW(pdTRUE, xStreamBufferIsEmpty(stream));
    SHOW(6, xStreamBufferSend(stream, bytes, 6, 0));
    SHOW(6, xStreamBufferBytesAvailable(stream));
    SHOW(4, xStreamBufferSpacesAvailable(stream));
    SHOW(5, xStreamBufferReceive(stream, got, 5, 0));
    CHECK('4', got[4]);
    CHECK(9, xStreamBufferSend(stream, bytes, 10, 0)); /* as much as fits, over the end */
    SHOW(pdTRUE, xStreamBufferIsFull(stream));
    CHECK(0, xStreamBufferSend(stream, bytes, 1, 0));
    CHECK(10, xStreamBufferReceive(stream, got, sizeof got, 0));
    CHECK('5', got[0]);
    CHECK('0', got[1]);
    CHECK('8', got[9]);
    CHECK(0, xStreamBufferReceive(stream, got, sizeof got, 0));
}

static void waited(void)
{
    high(receive); /* the trigger level is 3 */
    CHECK(2, xStreamBufferSend(stream, bytes, 2, 0));
    CHECK(BUSY, result);
    CHECK(pdFAIL, xStreamBufferReset(stream));
    CHECK(1, xStreamBufferSend(stream, bytes, 1, 0));
    CHECK(3, result);
    SHOW(pdTRUE, xStreamBufferSetTriggerLevel(stream, 1));
    CHECK(pdFALSE, xStreamBufferSetTriggerLevel(stream, 11));
    high(receive_3);
    vTaskDelay(4);
    CHECK(0, result);
    high(receive);
    CHECK(1, xStreamBufferSend(stream, bytes, 1, 0));
    CHECK(1, result);
    CHECK(5, xStreamBufferSend(stream, bytes, 5, 0));
    high(send);
    CHECK(BUSY, result);
    CHECK(2, xStreamBufferReceive(stream, got, 2, 0));
    CHECK(BUSY, result);
    CHECK(1, xStreamBufferReceive(stream, got, 1, 0));
    CHECK(8, result);
    high(send_3);
    vTaskDelay(4);
    CHECK(0, result);
    SHOW(pdPASS, xStreamBufferReset(stream));
    CHECK(pdTRUE, xStreamBufferIsEmpty(stream));
    high(receive);
    CHECK(pdPASS, xTaskAbortDelay(high_task));
    CHECK(0, result);
}

static void in_a_handler(void)
{
    woken = pdFALSE;
    SHOW(3, xStreamBufferSendFromISR(stream, bytes, 3, &woken));
    CHECK(pdTRUE, woken);
    CHECK(BUSY, result);
    SHOW(2, xStreamBufferReceiveFromISR(stream, got, 2, NULL));
    portYIELD_FROM_ISR(woken);
}

static void whole_messages(void)
{
    SHOW(pdTRUE, xMessageBufferIsEmpty(messages));
    SHOW(4, xMessageBufferSend(messages, bytes, 4, 0));
    CHECK(3, xMessageBufferSend(messages, bytes + 5, 3, 0));
    SHOW(1, xMessageBufferSpacesAvailable(messages));
    CHECK(0, xMessageBufferSend(messages, bytes, 2, 0));
    SHOW(pdTRUE, xMessageBufferIsFull(messages)); /* no message fits */
    SHOW(4, xMessageBufferNextLengthBytes(messages));
    CHECK(0, xMessageBufferReceive(messages, got, 3, 0)); /* too long: it stays */
    SHOW(4, xMessageBufferReceive(messages, got, sizeof got, 0));
    CHECK('3', got[3]);
    CHECK(3, xMessageBufferNextLengthBytes(messages));
    CHECK(3, xMessageBufferReceive(messages, got, sizeof got, 0));
    CHECK('5', got[0]);
    CHECK(0, xMessageBufferSend(messages, bytes, 17, 10)); /* never: at once */
    high(receive_message);
    CHECK(2, xMessageBufferSend(messages, bytes, 2, 0));
    CHECK(2, result);
    CHECK(10, xMessageBufferSend(messages, bytes, 10, 0));
    high(send_message);
    CHECK(BUSY, result);
    CHECK(10, xMessageBufferReceive(messages, got, sizeof got, 0));
    CHECK(4, result);
    SHOW(pdPASS, xMessageBufferReset(messages));
    shown(__FILE_NAME__, __LINE__, "xMessageBufferSpaceAvailable", xMessageBufferSpaceAvailable(messages), 16);
}

static void messages_in_a_handler(void)
{
    SHOW(3, xMessageBufferSendFromISR(messages, bytes, 3, NULL));
    SHOW(3, xMessageBufferReceiveFromISR(messages, got, sizeof got, NULL));
    CHECK(0, xMessageBufferReceiveFromISR(messages, got, sizeof got, NULL));
}

void streams(void)
{
    stream = xStreamBufferCreate(10, 3);
    shown(__FILE_NAME__, __LINE__, "xStreamBufferCreate", stream != NULL, 1);
    bytes_in_order();
    waited();
    high(receive);
    in_handler(in_a_handler);
    CHECK(1, result);
    DONE(vStreamBufferDelete(stream));
    stream = xStreamBufferCreateStatic(sizeof storage, 1, storage, &memory);
    shown(__FILE_NAME__, __LINE__, "xStreamBufferCreateStatic", xStreamBufferSpacesAvailable(stream), 10);
    bytes_in_order();
    vStreamBufferDelete(stream);
    messages = xMessageBufferCreate(16);
    shown(__FILE_NAME__, __LINE__, "xMessageBufferCreate", messages != NULL, 1);
    whole_messages();
    in_handler(messages_in_a_handler);
    DONE(vMessageBufferDelete(messages));
    messages = xMessageBufferCreateStatic(sizeof storage, storage, &message_memory);
    shown(__FILE_NAME__, __LINE__, "xMessageBufferCreateStatic", xMessageBufferSpacesAvailable(messages), 10);
    vMessageBufferDelete(messages);
}
