/* SPDX-License-Identifier: Apache-2.0 */
/* completions.c: stream and message buffers whose program is told when bytes have come or gone, batching buffers, what can be asked of a buffer. */
#include "parts.h"

#include "message_buffer.h"
#include "stream_buffer.h"

static StreamBufferHandle_t stream;
static MessageBufferHandle_t messages;
static uint8_t got[32], storage[11], *area;
static const uint8_t bytes[] = "0123456789";
static StaticStreamBuffer_t memory, *block;
static uint32_t sent, received; /* calls of the callbacks; 10 for one in a handler */
static BaseType_t woken, *told;

JOB(receive, xStreamBufferReceive(stream, got, sizeof got, portMAX_DELAY))
JOB(receive_3, xStreamBufferReceive(stream, got, sizeof got, 3))
JOB(send, xStreamBufferSend(stream, bytes, 8, portMAX_DELAY))

static void at_send(StreamBufferHandle_t buffer, BaseType_t inside, BaseType_t *const higher)
{
    CHECK(stream, buffer);
    CHECK(inside ? &woken : NULL, higher);
    sent += inside ? 10 : 1;
    told = higher;
}

static void at_receive(StreamBufferHandle_t buffer, BaseType_t inside, BaseType_t *const higher)
{
    CHECK(stream, buffer);
    CHECK(inside ? &woken : NULL, higher);
    received += inside ? 10 : 1;
}

static void release_reader(void)
{
    woken = pdFALSE;
    SHOW(pdTRUE, xStreamBufferSendCompletedFromISR(stream, &woken));
    CHECK(pdTRUE, woken);
    CHECK(pdFALSE, xStreamBufferSendCompletedFromISR(stream, NULL));
    portYIELD_FROM_ISR(woken);
}

static void release_writer(void)
{
    woken = pdFALSE;
    SHOW(pdTRUE, xStreamBufferReceiveCompletedFromISR(stream, &woken));
    CHECK(pdTRUE, woken);
    CHECK(pdFALSE, xStreamBufferReceiveCompletedFromISR(stream, NULL));
    portYIELD_FROM_ISR(woken);
}

static void both_in_a_handler(void)
{
    CHECK(4, xStreamBufferSendFromISR(stream, bytes, 4, &woken));
    CHECK(1, xStreamBufferReceiveFromISR(stream, got, 1, &woken));
}

/* A callback takes the place of the call: nobody who waits goes on by himself. */
static void told_by_callbacks(void)
{
    sent = received = 0;
    CHECK(2, xStreamBufferSend(stream, bytes, 2, 0)); /* the trigger level is 3 */
    CHECK(0, sent);
    CHECK(1, xStreamBufferSend(stream, bytes, 1, 0));
    CHECK(1, sent);
    CHECK(3, xStreamBufferReceive(stream, got, 3, 0));
    CHECK(1, received);
    CHECK(0, xStreamBufferReceive(stream, got, 3, 0));
    CHECK(1, received);
    high(receive);
    CHECK(5, xStreamBufferSend(stream, bytes, 5, 0));
    CHECK(2, sent);
    CHECK(BUSY, result);
    in_handler(release_reader);
    CHECK(5, result);
    CHECK(2, received);
    CHECK(8, xStreamBufferSend(stream, bytes, 8, 0));
    CHECK(3, sent);
    high(send);
    CHECK(BUSY, result);
    CHECK(8, xStreamBufferReceive(stream, got, 8, 0));
    CHECK(3, received);
    CHECK(BUSY, result);
    in_handler(release_writer);
    CHECK(8, result);
    CHECK(pdPASS, xStreamBufferReset(stream));
    sent = received = 0;
    in_handler(both_in_a_handler);
    CHECK(10, sent);
    CHECK(10, received);
    CHECK(&woken, told);
    CHECK(4, xStreamBufferSend(stream, bytes, 4, 0));
    CHECK(11, sent);
    CHECK(3, xStreamBufferSend(stream, bytes, 4, 0)); /* full, and told; then nothing is sent */
    CHECK(12, sent);
    CHECK(0, xStreamBufferSend(stream, bytes, 4, 0));
    CHECK(12, sent);
}

static void streams_told(void)
{
    stream = xStreamBufferCreateWithCallback(10, 3, at_send, at_receive);
    shown(__FILE_NAME__, __LINE__, "xStreamBufferCreateWithCallback", stream != NULL, 1);
    told_by_callbacks();
    vStreamBufferDelete(stream);
    stream = xStreamBufferCreateStaticWithCallback(sizeof storage, 3, storage, &memory, at_send, at_receive);
    shown(__FILE_NAME__, __LINE__, "xStreamBufferCreateStaticWithCallback", stream != NULL, 1);
    told_by_callbacks();
    vStreamBufferDelete(stream);
    stream = xStreamBufferCreateWithCallback(10, 1, NULL, at_receive); /* one side alone */
    received = 0;
    high(receive);
    CHECK(2, xStreamBufferSend(stream, bytes, 2, 0));
    CHECK(2, result);
    CHECK(1, received);
    vStreamBufferDelete(stream);
}

static void release_reader_of_message(void)
{
    SHOW(pdFALSE, xMessageBufferSendCompletedFromISR(messages, NULL));
    SHOW(pdFALSE, xMessageBufferReceiveCompletedFromISR(messages, NULL));
}

static void messages_told(void)
{
    stream = messages = xMessageBufferCreateWithCallback(16, at_send, at_receive);
    shown(__FILE_NAME__, __LINE__, "xMessageBufferCreateWithCallback", stream != NULL, 1);
    sent = received = 0;
    CHECK(4, xMessageBufferSend(messages, bytes, 4, 0));
    CHECK(1, sent);
    CHECK(0, xMessageBufferSend(messages, bytes, 10, 0));
    CHECK(1, sent);
    CHECK(0, xMessageBufferReceive(messages, got, 2, 0)); /* too long: it stays */
    CHECK(0, received);
    CHECK(4, xMessageBufferReceive(messages, got, sizeof got, 0));
    CHECK(1, received);
    in_handler(release_reader_of_message);
    CHECK(sbTYPE_MESSAGE_BUFFER, ucStreamBufferGetStreamBufferType(messages));
    vMessageBufferDelete(messages);
    stream = messages = xMessageBufferCreateStaticWithCallback(sizeof storage, storage, &memory, at_send, NULL);
    CHECK(3, xMessageBufferSend(messages, bytes, 3, 0));
    shown(__FILE_NAME__, __LINE__, "xMessageBufferCreateStaticWithCallback", sent, 2);
    SHOW(pdTRUE, xMessageBufferGetStaticBuffers(messages, &area, &block));
    CHECK(storage, area);
    CHECK(&memory, block);
    vMessageBufferDelete(messages);
}

static void poll_4(void)
{
    CHECK(4, xStreamBufferReceiveFromISR(stream, got, sizeof got, &woken)); /* handlers take what there is */
}

/* The trigger level is 4. A reader waits though there are bytes, is called when there are 4, and takes them when there are more than that: so V11.2 does it. */
static void batches(void)
{
    CHECK(sbTYPE_STREAM_BUFFER, ucStreamBufferGetStreamBufferType(stream)); /* V11.2 knows messages and bytes here */
    CHECK(2, xStreamBufferSend(stream, bytes, 2, 0));
    high(receive);
    CHECK(BUSY, result);
    CHECK(3, xStreamBufferSend(stream, bytes, 3, 0));
    CHECK(5, result);
    CHECK(3, xStreamBufferSend(stream, bytes, 3, 0));
    CHECK(0, xStreamBufferReceive(stream, got, sizeof got, 0));
    high(receive_3);
    vTaskDelay(4);
    CHECK(0, result); /* too few, too late: they stay */
    high(receive);
    CHECK(1, xStreamBufferSend(stream, bytes, 1, 0));
    CHECK(0, result);
    CHECK(4, xStreamBufferBytesAvailable(stream));
    in_handler(poll_4);
    CHECK(pdTRUE, xStreamBufferIsEmpty(stream));
}

static void batching(void)
{
    stream = xStreamBatchingBufferCreate(10, 4);
    shown(__FILE_NAME__, __LINE__, "xStreamBatchingBufferCreate", stream != NULL, 1);
    batches();
    vStreamBufferDelete(stream);
    stream = xStreamBatchingBufferCreateStatic(sizeof storage, 4, storage, &memory);
    shown(__FILE_NAME__, __LINE__, "xStreamBatchingBufferCreateStatic", stream != NULL, 1);
    batches();
    vStreamBufferDelete(stream);
    stream = xStreamBatchingBufferCreateWithCallback(10, 4, NULL, at_receive);
    shown(__FILE_NAME__, __LINE__, "xStreamBatchingBufferCreateWithCallback", stream != NULL, 1);
    batches();
    vStreamBufferDelete(stream);
    stream = xStreamBatchingBufferCreateStaticWithCallback(sizeof storage, 4, storage, &memory, NULL, at_receive);
    shown(__FILE_NAME__, __LINE__, "xStreamBatchingBufferCreateStaticWithCallback", stream != NULL, 1);
    batches();
    vStreamBufferDelete(stream);
}

static void reset_in_a_handler(void)
{
    SHOW(pdPASS, xStreamBufferResetFromISR(stream));
    SHOW(pdPASS, xMessageBufferResetFromISR(messages));
}

static void asked(void)
{
    stream = xStreamBufferCreateStatic(sizeof storage, 1, storage, &memory);
    messages = xMessageBufferCreate(16);
    SHOW(sbTYPE_STREAM_BUFFER, ucStreamBufferGetStreamBufferType(stream));
    SHOW(pdTRUE, xStreamBufferGetStaticBuffers(stream, &area, &block));
    CHECK(storage, area);
    CHECK(&memory, block);
    CHECK(pdFALSE, xStreamBufferGetStaticBuffers(messages, &area, &block));
    DONE(vStreamBufferSetStreamBufferNotificationIndex(stream, 1));
    SHOW(1, uxStreamBufferGetStreamBufferNotificationIndex(stream));
    CHECK(0, uxStreamBufferGetStreamBufferNotificationIndex(messages));
    DONE(vStreamBufferSetStreamBufferNumber(stream, 7));
    SHOW(7, uxStreamBufferGetStreamBufferNumber(stream));
    CHECK(2, xStreamBufferSend(stream, bytes, 2, 0));
    CHECK(3, xMessageBufferSend(messages, bytes, 3, 0));
    SHOW(3, xStreamBufferNextMessageLengthBytes(messages));
    high(receive_3); /* it waits for nothing: two bytes are there */
    CHECK(2, result);
    high(receive);
    CHECK(1, xStreamBufferSend(stream, bytes, 1, 0));
    CHECK(1, result);
    CHECK(1, xStreamBufferSend(stream, bytes, 1, 0));
    in_handler(reset_in_a_handler);
    CHECK(pdTRUE, xStreamBufferIsEmpty(stream));
    CHECK(pdTRUE, xMessageBufferIsEmpty(messages));
    CHECK(7, uxStreamBufferGetStreamBufferNumber(stream));
    CHECK(0, uxStreamBufferGetStreamBufferNotificationIndex(stream));
    vStreamBufferDelete(stream);
    vMessageBufferDelete(messages);
}

void completions(void)
{
    streams_told();
    messages_told();
    batching();
    asked();
}
