/* stream_buffer.c: stream and message buffers: a ring of bytes with one writer and one reader, so bytes are copied with interrupts on, and a step publishes
 * them. Whoever waits sits in one of two seats and sleeps in the kernel (mel_task_sleep). A message is its length, four bytes, and its bytes. */
#include "stream_buffer.h"
#include "layer.h"

#include <string.h>

#define LENGTH_BYTES sizeof(uint32_t)

typedef struct freertos_stream {
    uint8_t *storage;
    size_t size;                      /* of the ring: one more than it holds */
    volatile size_t head, tail;       /* the next byte to write and to read */
    size_t trigger;                   /* so many bytes call a reader who found none */
    freertos_task_t *reader, *writer; /* that waits */
    uint8_t messages, on_heap;
} freertos_stream_t;

_Static_assert(sizeof(freertos_stream_t) <= sizeof(StaticStreamBuffer_t), "a stream buffer fits its static buffer");

/* ---- made ---------------------------------------------------------------------------------------------------------------- */

static StreamBufferHandle_t make(freertos_stream_t *stream, uint8_t *storage, size_t size, size_t trigger, BaseType_t messages)
{
    configASSERT(size > (messages ? LENGTH_BYTES + 1 : 1) && trigger < size);
    *stream = (freertos_stream_t){.storage = storage, .size = size, .trigger = trigger != 0 ? trigger : 1, .messages = messages != pdFALSE};
    return stream;
}

StreamBufferHandle_t freertos_stream_create(size_t bytes, size_t trigger, BaseType_t messages)
{
    freertos_stream_t *stream = pvPortMalloc(sizeof *stream + bytes + 1);
    if (stream != NULL) {
        (void)make(stream, (uint8_t *)(stream + 1), bytes + 1, trigger, messages);
        stream->on_heap = 1;
    }
    return stream;
}

StreamBufferHandle_t freertos_stream_create_static(size_t bytes, size_t trigger, BaseType_t messages, uint8_t *storage, StaticStreamBuffer_t *buffer)
{
    configASSERT(storage != NULL && buffer != NULL);
    return storage != NULL && buffer != NULL ? make((freertos_stream_t *)buffer, storage, bytes, trigger, messages) : NULL;
}

StreamBufferHandle_t xStreamBufferCreate(size_t xBufferSizeBytes, size_t xTriggerLevelBytes)
{
    return freertos_stream_create(xBufferSizeBytes, xTriggerLevelBytes, pdFALSE);
}

StreamBufferHandle_t xStreamBufferCreateStatic(size_t xBufferSizeBytes, size_t xTriggerLevelBytes, uint8_t *pucStreamBufferStorageArea,
                                               StaticStreamBuffer_t *pxStaticStreamBuffer)
{
    return freertos_stream_create_static(xBufferSizeBytes, xTriggerLevelBytes, pdFALSE, pucStreamBufferStorageArea, pxStaticStreamBuffer);
}

void vStreamBufferDelete(StreamBufferHandle_t xStreamBuffer)
{
    if (xStreamBuffer->on_heap) {
        vPortFree(xStreamBuffer);
    }
}

/* ---- bytes --------------------------------------------------------------------------------------------------------------- */

static size_t used(const freertos_stream_t *stream)
{
    const size_t head = stream->head, tail = stream->tail;
    return head >= tail ? head - tail : stream->size - tail + head;
}

static size_t room(const freertos_stream_t *stream)
{
    return stream->size - 1 - used(stream);
}

/* Copy into the ring from place `at` on; the place behind. */
static size_t write(freertos_stream_t *stream, size_t at, const void *bytes, size_t count)
{
    const size_t first = count < stream->size - at ? count : stream->size - at;
    memcpy(stream->storage + at, bytes, first);
    memcpy(stream->storage, (const uint8_t *)bytes + first, count - first);
    return at + count < stream->size ? at + count : at + count - stream->size;
}

static size_t read(const freertos_stream_t *stream, size_t at, void *bytes, size_t count)
{
    const size_t first = count < stream->size - at ? count : stream->size - at;
    memcpy(bytes, stream->storage + at, first);
    memcpy((uint8_t *)bytes + first, stream->storage, count - first);
    return at + count < stream->size ? at + count : at + count - stream->size;
}

/* ---- seats --------------------------------------------------------------------------------------------------------------- */

/* The caller `self`, in a step, which this ends, takes the seat and sleeps until it is called or its time is over. */
static void wait(freertos_step_t step, freertos_task_t *self, freertos_task_t **seat, freertos_limit_t *limit)
{
    configASSERT(*seat == NULL); /* one reader, one writer */
    *seat = self;
    self->waits_in = seat;
    self->next_waiter = NULL;
    const mel_status_t status = freertos_end(step, mel_compound_ask(MEL_OP_TASK_SLEEP, 0, freertos_limit_left(limit), 0, NULL), NULL);
    (void)freertos_wait_goes_on(status, limit);
    const freertos_step_t after = freertos_begin();
    self->waits_in = NULL;
    if (*seat == self) {
        *seat = NULL;
    } else if (status != MEL_E_OK) { /* called when its time was over: the wake-up has been counted */
        (void)mel_compound_ask(MEL_OP_TASK_SLEEP, 0, MEL_POLL, 0, NULL);
    }
    (void)freertos_end(after, MEL_E_OK, NULL);
}

/* The last command of a step: who sits there goes on. */
static int32_t call(freertos_task_t **seat, BaseType_t *woken)
{
    freertos_task_t *task = *seat;
    if (task == NULL) {
        return MEL_E_OK;
    }
    *seat = NULL;
    if (woken != NULL && freertos_outranks(task)) {
        *woken = pdTRUE;
    }
    return mel_compound_ask(MEL_OP_TASK_WAKEUP, task->id, 0, 0, NULL);
}

/* ---- send ---------------------------------------------------------------------------------------------------------------- */

/* What there is room for; the bytes sent. */
static size_t put(freertos_stream_t *stream, const void *bytes, size_t count, BaseType_t *woken)
{
    const size_t space = room(stream);
    size_t at = stream->head;
    if (stream->messages) {
        const uint32_t length = (uint32_t)count;
        if (space < count + LENGTH_BYTES) {
            return 0;
        }
        at = write(stream, at, &length, LENGTH_BYTES);
    } else if (count > space) {
        count = space;
    }
    at = write(stream, at, bytes, count);
    const freertos_step_t step = freertos_begin();
    stream->head = at;
    (void)freertos_end(step, used(stream) >= stream->trigger ? call(&stream->reader, woken) : MEL_E_OK, NULL);
    return count;
}

size_t xStreamBufferSend(StreamBufferHandle_t xStreamBuffer, const void *pvTxData, size_t xDataLengthBytes, TickType_t xTicksToWait)
{
    const size_t most = xStreamBuffer->size - 1;
    size_t needed = xDataLengthBytes + (xStreamBuffer->messages ? LENGTH_BYTES : 0);
    freertos_limit_t limit = {.ticks = xTicksToWait};
    if (needed > most) { /* a message never fits; of a stream, as much as there can be */
        limit.ticks = xStreamBuffer->messages ? 0 : limit.ticks;
        needed = most;
    }
    freertos_task_t *self = limit.ticks != 0 ? freertos_self() : NULL;
    while (limit.ticks != 0) {
        const freertos_step_t step = freertos_begin_waiting(limit.ticks);
        if (room(xStreamBuffer) >= needed || freertos_limit_left(&limit) == 0) {
            (void)freertos_end(step, MEL_E_OK, NULL);
            break;
        }
        wait(step, self, &xStreamBuffer->writer, &limit);
    }
    return put(xStreamBuffer, pvTxData, xDataLengthBytes, NULL);
}

size_t xStreamBufferSendFromISR(StreamBufferHandle_t xStreamBuffer, const void *pvTxData, size_t xDataLengthBytes,
                                BaseType_t *const pxHigherPriorityTaskWoken)
{
    return put(xStreamBuffer, pvTxData, xDataLengthBytes, pxHigherPriorityTaskWoken);
}

/* ---- receive ------------------------------------------------------------------------------------------------------------- */

static size_t get(freertos_stream_t *stream, void *bytes, size_t most, BaseType_t *woken)
{
    size_t count = used(stream);
    size_t at = stream->tail;
    if (count == 0) {
        return 0;
    }
    if (stream->messages) {
        uint32_t length;
        at = read(stream, at, &length, LENGTH_BYTES);
        if (length > most) {
            return 0; /* it stays */
        }
        count = length;
    } else if (count > most) {
        count = most;
    }
    at = read(stream, at, bytes, count);
    const freertos_step_t step = freertos_begin();
    stream->tail = at;
    (void)freertos_end(step, call(&stream->writer, woken), NULL);
    return count;
}

size_t xStreamBufferReceive(StreamBufferHandle_t xStreamBuffer, void *pvRxData, size_t xBufferLengthBytes, TickType_t xTicksToWait)
{
    freertos_limit_t limit = {.ticks = xTicksToWait};
    freertos_task_t *self = xTicksToWait != 0 ? freertos_self() : NULL;
    const freertos_step_t step = freertos_begin_waiting(xTicksToWait);
    if (used(xStreamBuffer) == 0 && xTicksToWait != 0) {
        wait(step, self, &xStreamBuffer->reader, &limit);
    } else {
        (void)freertos_end(step, MEL_E_OK, NULL);
    }
    return get(xStreamBuffer, pvRxData, xBufferLengthBytes, NULL);
}

size_t xStreamBufferReceiveFromISR(StreamBufferHandle_t xStreamBuffer, void *pvRxData, size_t xBufferLengthBytes,
                                   BaseType_t *const pxHigherPriorityTaskWoken)
{
    return get(xStreamBuffer, pvRxData, xBufferLengthBytes, pxHigherPriorityTaskWoken);
}

size_t freertos_stream_next_length(StreamBufferHandle_t stream)
{
    uint32_t length = 0;
    if (used(stream) != 0) {
        (void)read(stream, stream->tail, &length, LENGTH_BYTES);
    }
    return length;
}

/* ---- look ---------------------------------------------------------------------------------------------------------------- */

BaseType_t xStreamBufferReset(StreamBufferHandle_t xStreamBuffer)
{
    const freertos_step_t step = freertos_begin();
    const BaseType_t possible = xStreamBuffer->reader == NULL && xStreamBuffer->writer == NULL;
    if (possible) {
        xStreamBuffer->head = xStreamBuffer->tail = 0;
    }
    (void)freertos_end(step, MEL_E_OK, NULL);
    return possible ? pdPASS : pdFAIL;
}

BaseType_t xStreamBufferIsEmpty(StreamBufferHandle_t xStreamBuffer)
{
    return used(xStreamBuffer) == 0;
}

/* No byte, or not the shortest message, would fit. */
BaseType_t xStreamBufferIsFull(StreamBufferHandle_t xStreamBuffer)
{
    return room(xStreamBuffer) <= (xStreamBuffer->messages ? LENGTH_BYTES : 0);
}

size_t xStreamBufferSpacesAvailable(StreamBufferHandle_t xStreamBuffer)
{
    return room(xStreamBuffer);
}

size_t xStreamBufferBytesAvailable(StreamBufferHandle_t xStreamBuffer)
{
    return used(xStreamBuffer);
}

BaseType_t xStreamBufferSetTriggerLevel(StreamBufferHandle_t xStreamBuffer, size_t xTriggerLevel)
{
    const size_t level = xTriggerLevel != 0 ? xTriggerLevel : 1;
    if (level >= xStreamBuffer->size) {
        return pdFALSE;
    }
    xStreamBuffer->trigger = level;
    return pdTRUE;
}
