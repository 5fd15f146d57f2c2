/* SPDX-License-Identifier: Apache-2.0 */
/* stream_buffer.c: stream and message buffers: a ring of bytes with one writer and one reader, so bytes are copied with interrupts on, and a step publishes
 * them. Whoever waits sits in one of two seats and sleeps in the kernel (mel_task_sleep). A message is its length, four bytes, and its bytes. A program may say
 * itself what happens when bytes have come or gone (callbacks, sbSEND_COMPLETED and its like): nobody is called by the step then. */
#include "stream_buffer.h"
#include "layer.h"

#include <string.h>

#define LENGTH_BYTES sizeof(uint32_t)

typedef struct freertos_stream {
    uint8_t *storage;
    size_t size;                      /* bytes of the ring: one more than it holds */
    volatile size_t head, tail;       /* the next byte to write and to read */
    size_t trigger;                   /* so many bytes call a reader who found none */
    freertos_task_t *reader, *writer; /* that waits */
    StreamBufferCallbackFunction_t sent, received; /* NULL: who waits is called */
    UBaseType_t number;
    uint8_t messages, batches, on_heap;
    uint8_t index;
} freertos_stream_t;

_Static_assert(sizeof(freertos_stream_t) <= sizeof(StaticStreamBuffer_t), "a stream buffer fits its static buffer");

/* ---- made ---------------------------------------------------------------------------------------------------------------- */

static StreamBufferHandle_t make(freertos_stream_t *stream, uint8_t *storage, size_t size, size_t trigger, BaseType_t type,
                                 StreamBufferCallbackFunction_t sent, StreamBufferCallbackFunction_t received)
{
    configASSERT(size > (type == sbTYPE_MESSAGE_BUFFER ? LENGTH_BYTES + 1 : 1) && trigger < size);
    *stream = (freertos_stream_t){
        .storage = storage,
        .size = size,
        .trigger = trigger != 0 ? trigger : 1,
        .sent = sent,
        .received = received,
        .messages = type == sbTYPE_MESSAGE_BUFFER,
        .batches = type == sbTYPE_STREAM_BATCHING_BUFFER,
    };
    traceSTREAM_BUFFER_CREATE(stream, type);
    return stream;
}

StreamBufferHandle_t xStreamBufferGenericCreate(size_t xBufferSizeBytes, size_t xTriggerLevelBytes, BaseType_t xStreamBufferType,
                                                StreamBufferCallbackFunction_t pxSendCompletedCallback,
                                                StreamBufferCallbackFunction_t pxReceiveCompletedCallback)
{
    freertos_stream_t *stream = pvPortMalloc(sizeof *stream + xBufferSizeBytes + 1);
    if (stream != NULL) {
        (void)make(stream, (uint8_t *)(stream + 1), xBufferSizeBytes + 1, xTriggerLevelBytes, xStreamBufferType, pxSendCompletedCallback,
                   pxReceiveCompletedCallback);
        stream->on_heap = 1;
    } else {
        traceSTREAM_BUFFER_CREATE_FAILED(xStreamBufferType);
    }
    return stream;
}

StreamBufferHandle_t xStreamBufferGenericCreateStatic(size_t xBufferSizeBytes, size_t xTriggerLevelBytes, BaseType_t xStreamBufferType,
                                                      uint8_t *const pucStreamBufferStorageArea,
                                                      StaticStreamBuffer_t *const pxStaticStreamBuffer,
                                                      StreamBufferCallbackFunction_t pxSendCompletedCallback,
                                                      StreamBufferCallbackFunction_t pxReceiveCompletedCallback)
{
    configASSERT(pucStreamBufferStorageArea != NULL && pxStaticStreamBuffer != NULL);
    if (pucStreamBufferStorageArea == NULL || pxStaticStreamBuffer == NULL) {
        traceSTREAM_BUFFER_CREATE_STATIC_FAILED(NULL, xStreamBufferType);
        return NULL;
    }
    return make((freertos_stream_t *)pxStaticStreamBuffer, pucStreamBufferStorageArea, xBufferSizeBytes, xTriggerLevelBytes, xStreamBufferType,
                pxSendCompletedCallback, pxReceiveCompletedCallback);
}

void vStreamBufferDelete(StreamBufferHandle_t xStreamBuffer)
{
    traceSTREAM_BUFFER_DELETE(xStreamBuffer);
    if (xStreamBuffer->on_heap) {
        vPortFree(xStreamBuffer);
    }
}

/* ---- bytes --------------------------------------------------------------------------------------------------------------- */

/* Bytes that there were at one moment: whoever asks may be neither writer nor reader, and both may run between two loads. */
static size_t used(const freertos_stream_t *stream)
{
    size_t head, tail;
    do {
        head = stream->head;
        tail = stream->tail;
    } while (head != stream->head);
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

/* The caller `self`, in a step, which this ends, takes the seat and sleeps until it is called or its time is over. In line: interrupts are off. */
static inline __attribute__((always_inline)) void wait(freertos_step_t step, freertos_task_t *self, freertos_task_t **seat, freertos_limit_t *limit)
{
    configASSERT(*seat == NULL); /* one reader, one writer */
    *seat = self;
    self->waits_in = seat;
    self->next_waiter = NULL;
    const TickType_t left = limit->ticks == portMAX_DELAY ? portMAX_DELAY : freertos_limit_left(limit);
    const mel_status_t status = freertos_end(step, mel_compound_ask(MEL_OP_TASK_SLEEP, 0, left, 0, NULL), NULL);
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

BaseType_t xStreamBufferSendCompletedFromISR(StreamBufferHandle_t xStreamBuffer, BaseType_t *pxHigherPriorityTaskWoken)
{
    const freertos_step_t step = freertos_begin();
    const BaseType_t waited = xStreamBuffer->reader != NULL;
    (void)freertos_end(step, call(&xStreamBuffer->reader, pxHigherPriorityTaskWoken), NULL);
    return waited ? pdTRUE : pdFALSE;
}

BaseType_t xStreamBufferReceiveCompletedFromISR(StreamBufferHandle_t xStreamBuffer, BaseType_t *pxHigherPriorityTaskWoken)
{
    const freertos_step_t step = freertos_begin();
    const BaseType_t waited = xStreamBuffer->writer != NULL;
    (void)freertos_end(step, call(&xStreamBuffer->writer, pxHigherPriorityTaskWoken), NULL);
    return waited ? pdTRUE : pdFALSE;
}

/* ---- who is told --------------------------------------------------------------------------------------------------------- */

/* Whether a side is the program's: it has a callback, or the program says for all buffers what happens, from tasks or from handlers. Without any of these
 * nothing of this section is left in the machine code. */
#if configUSE_SB_COMPLETED_CALLBACK
#define CALLBACK(stream, side) ((stream)->side)
#else
#define CALLBACK(stream, side) ((StreamBufferCallbackFunction_t)NULL)
#endif
#ifdef sbSEND_COMPLETED
#define SENDS_IN_TASKS 1
#else
#define SENDS_IN_TASKS 0
#define sbSEND_COMPLETED(stream) (void)(stream)
#endif
#ifdef sbSEND_COMPLETE_FROM_ISR
#define SENDS_IN_HANDLERS 1
#else
#define SENDS_IN_HANDLERS 0
#define sbSEND_COMPLETE_FROM_ISR(stream, woken) (void)(stream)
#endif
#ifdef sbRECEIVE_COMPLETED
#define RECEIVES_IN_TASKS 1
#else
#define RECEIVES_IN_TASKS 0
#define sbRECEIVE_COMPLETED(stream) (void)(stream)
#endif
#ifdef sbRECEIVE_COMPLETED_FROM_ISR
#define RECEIVES_IN_HANDLERS 1
#else
#define RECEIVES_IN_HANDLERS 0
#define sbRECEIVE_COMPLETED_FROM_ISR(stream, woken) (void)(stream)
#endif

/* User of a buffer: a task, or a handler. */
typedef struct {
    BaseType_t is_handler;
    BaseType_t *woken;
} user_t;

/* The last command of a step, which publishes bytes. */
static int32_t call_reader(freertos_stream_t *stream, user_t user)
{
    const BaseType_t own = CALLBACK(stream, sent) != NULL || (user.is_handler ? SENDS_IN_HANDLERS : SENDS_IN_TASKS);
    return own ? MEL_E_OK : call(&stream->reader, user.woken);
}

static int32_t call_writer(freertos_stream_t *stream, user_t user)
{
    const BaseType_t own = CALLBACK(stream, received) != NULL || (user.is_handler ? RECEIVES_IN_HANDLERS : RECEIVES_IN_TASKS);
    return own ? MEL_E_OK : call(&stream->writer, user.woken);
}

/* After that step. */
static void tell_of_send(freertos_stream_t *stream, user_t user)
{
    if (CALLBACK(stream, sent) != NULL) {
        CALLBACK(stream, sent)(stream, user.is_handler, user.woken);
    } else if (user.is_handler) {
        sbSEND_COMPLETE_FROM_ISR(stream, user.woken);
    } else {
        sbSEND_COMPLETED(stream);
    }
}

static void tell_of_receive(freertos_stream_t *stream, user_t user)
{
    if (CALLBACK(stream, received) != NULL) {
        CALLBACK(stream, received)(stream, user.is_handler, user.woken);
    } else if (user.is_handler) {
        sbRECEIVE_COMPLETED_FROM_ISR(stream, user.woken);
    } else {
        sbRECEIVE_COMPLETED(stream);
    }
}

/* ---- send ---------------------------------------------------------------------------------------------------------------- */

/* Send as many bytes as fit, a message wholly or not at all; return their number. */
static size_t put(freertos_stream_t *stream, const void *bytes, size_t count, user_t user)
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
    if (count == 0) {
        return 0;
    }
    at = write(stream, at, bytes, count);
    const freertos_step_t step = freertos_begin();
    stream->head = at;
    const BaseType_t enough = used(stream) >= stream->trigger;
    if (!user.is_handler) {
        FREERTOS_TRACE(traceSTREAM_BUFFER_SEND(stream, count));
    }
    (void)freertos_end(step, enough ? call_reader(stream, user) : MEL_E_OK, NULL);
    if (enough) {
        tell_of_send(stream, user);
    }
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
        FREERTOS_TRACE(traceBLOCKING_ON_STREAM_BUFFER_SEND(xStreamBuffer));
        wait(step, self, &xStreamBuffer->writer, &limit);
    }
    const size_t sent = put(xStreamBuffer, pvTxData, xDataLengthBytes, (user_t){.is_handler = pdFALSE});
    FREERTOS_TRACE_IF(sent == 0, traceSTREAM_BUFFER_SEND_FAILED(xStreamBuffer));
    return sent;
}

size_t xStreamBufferSendFromISR(StreamBufferHandle_t xStreamBuffer, const void *pvTxData, size_t xDataLengthBytes,
                                BaseType_t *const pxHigherPriorityTaskWoken)
{
    const size_t sent = put(xStreamBuffer, pvTxData, xDataLengthBytes, (user_t){pdTRUE, pxHigherPriorityTaskWoken});
    traceSTREAM_BUFFER_SEND_FROM_ISR(xStreamBuffer, sent);
    return sent;
}

/* ---- receive ------------------------------------------------------------------------------------------------------------- */

static size_t get(freertos_stream_t *stream, void *bytes, size_t most, user_t user)
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
    if (!user.is_handler) {
        FREERTOS_TRACE(traceSTREAM_BUFFER_RECEIVE(stream, count));
    }
    (void)freertos_end(step, call_writer(stream, user), NULL);
    tell_of_receive(stream, user);
    return count;
}

size_t xStreamBufferReceive(StreamBufferHandle_t xStreamBuffer, void *pvRxData, size_t xBufferLengthBytes, TickType_t xTicksToWait)
{
    const size_t few = xStreamBuffer->batches ? xStreamBuffer->trigger : 0; /* for so many nobody stops waiting, nor takes them */
    freertos_limit_t limit = {.ticks = xTicksToWait};
    freertos_task_t *self = xTicksToWait != 0 ? freertos_self() : NULL;
    const freertos_step_t step = freertos_begin_waiting(xTicksToWait);
    if (used(xStreamBuffer) <= few && xTicksToWait != 0) {
        FREERTOS_TRACE(traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(xStreamBuffer));
        wait(step, self, &xStreamBuffer->reader, &limit);
    } else {
        (void)freertos_end(step, MEL_E_OK, NULL);
    }
    const size_t got = used(xStreamBuffer) > few ? get(xStreamBuffer, pvRxData, xBufferLengthBytes, (user_t){.is_handler = pdFALSE}) : 0;
    FREERTOS_TRACE_IF(got == 0, traceSTREAM_BUFFER_RECEIVE_FAILED(xStreamBuffer));
    return got;
}

size_t xStreamBufferReceiveFromISR(StreamBufferHandle_t xStreamBuffer, void *pvRxData, size_t xBufferLengthBytes,
                                   BaseType_t *const pxHigherPriorityTaskWoken)
{
    const size_t got = get(xStreamBuffer, pvRxData, xBufferLengthBytes, (user_t){pdTRUE, pxHigherPriorityTaskWoken});
    traceSTREAM_BUFFER_RECEIVE_FROM_ISR(xStreamBuffer, got);
    return got;
}

size_t xStreamBufferNextMessageLengthBytes(StreamBufferHandle_t xStreamBuffer)
{
    uint32_t length = 0;
    if (xStreamBuffer->messages && used(xStreamBuffer) != 0) {
        (void)read(xStreamBuffer, xStreamBuffer->tail, &length, LENGTH_BYTES);
    }
    return length;
}

/* ---- look ---------------------------------------------------------------------------------------------------------------- */

static BaseType_t reset(StreamBufferHandle_t xStreamBuffer)
{
    const freertos_step_t step = freertos_begin();
    const BaseType_t possible = xStreamBuffer->reader == NULL && xStreamBuffer->writer == NULL;
    if (possible) {
        xStreamBuffer->head = xStreamBuffer->tail = 0;
        xStreamBuffer->index = 0;
    }
    (void)freertos_end(step, MEL_E_OK, NULL);
    return possible ? pdPASS : pdFAIL;
}

BaseType_t xStreamBufferReset(StreamBufferHandle_t xStreamBuffer)
{
    const BaseType_t done = reset(xStreamBuffer);
    FREERTOS_TRACE_IF(done, traceSTREAM_BUFFER_RESET(xStreamBuffer));
    return done;
}

BaseType_t xStreamBufferResetFromISR(StreamBufferHandle_t xStreamBuffer)
{
    const BaseType_t done = reset(xStreamBuffer);
    FREERTOS_TRACE_IF(done, traceSTREAM_BUFFER_RESET_FROM_ISR(xStreamBuffer));
    return done;
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

BaseType_t xStreamBufferGetStaticBuffers(StreamBufferHandle_t xStreamBuffer, uint8_t **ppucStreamBufferStorageArea,
                                         StaticStreamBuffer_t **ppxStaticStreamBuffer)
{
    if (xStreamBuffer->on_heap) {
        return pdFALSE;
    }
    *ppucStreamBufferStorageArea = xStreamBuffer->storage;
    *ppxStaticStreamBuffer = (StaticStreamBuffer_t *)xStreamBuffer;
    return pdTRUE;
}

UBaseType_t uxStreamBufferGetStreamBufferNotificationIndex(StreamBufferHandle_t xStreamBuffer)
{
    return xStreamBuffer->index;
}

void vStreamBufferSetStreamBufferNotificationIndex(StreamBufferHandle_t xStreamBuffer, UBaseType_t uxNotificationIndex)
{
    configASSERT(uxNotificationIndex < configTASK_NOTIFICATION_ARRAY_ENTRIES && xStreamBuffer->reader == NULL && xStreamBuffer->writer == NULL);
    xStreamBuffer->index = (uint8_t)uxNotificationIndex;
}

UBaseType_t uxStreamBufferGetStreamBufferNumber(StreamBufferHandle_t xStreamBuffer)
{
    return xStreamBuffer->number;
}

void vStreamBufferSetStreamBufferNumber(StreamBufferHandle_t xStreamBuffer, UBaseType_t uxStreamBufferNumber)
{
    xStreamBuffer->number = uxStreamBufferNumber;
}

uint8_t ucStreamBufferGetStreamBufferType(StreamBufferHandle_t xStreamBuffer)
{
    return xStreamBuffer->messages;
}
