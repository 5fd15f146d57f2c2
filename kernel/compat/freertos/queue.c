/* SPDX-License-Identifier: Apache-2.0 */
/* queue.c: queues, counting and binary semaphores (queues of empty items), sets of queues. Items and counts are kept here, tasks wait in the kernel
 * (freertos_room_t). Mutexes have the same handles and are in mutex.c.
 * Timing: the copy of an item is made with interrupts off. */
#include "queue_kinds.h"

#include <string.h>

_Static_assert(sizeof(freertos_queue_t) <= sizeof(StaticQueue_t), "a queue fits its static buffer");

/* ---- made and deleted ---------------------------------------------------------------------------------------------------- */

QueueHandle_t freertos_queue_make(freertos_queue_t *queue, uint8_t *storage, UBaseType_t length, UBaseType_t size, freertos_kind_t kind)
{
    *queue = (freertos_queue_t){.storage = storage, .length = length, .size = size, .kind = (uint8_t)kind};
    if (freertos_room_open(&queue->receivers) != pdPASS) {
        return NULL;
    }
    if (kind == FREERTOS_QUEUE && freertos_room_open(&queue->senders) != pdPASS) {
        freertos_room_close(&queue->receivers);
        return NULL;
    }
    traceQUEUE_CREATE(queue);
    return queue;
}

/* In line in each call, which prints its own name and place. */
#define IN_LINE static inline __attribute__((always_inline))

/* On the heap. */
IN_LINE QueueHandle_t make_new(UBaseType_t length, UBaseType_t size, freertos_kind_t kind)
{
    const uint64_t bytes = (uint64_t)length * size;
    if (length == 0 || bytes > SIZE_MAX - sizeof(freertos_queue_t)) {
        return NULL;
    }
    freertos_queue_t *queue = pvPortMalloc(sizeof *queue + (size_t)bytes);
    if (queue == NULL) {
        traceQUEUE_CREATE_FAILED(freertos_queue_type(kind));
        return NULL;
    }
    if (freertos_queue_make(queue, (uint8_t *)(queue + 1), length, size, kind) == NULL) {
        vPortFree(queue);
        traceQUEUE_CREATE_FAILED(freertos_queue_type(kind));
        return NULL;
    }
    queue->on_heap = 1;
    return queue;
}

QueueHandle_t xQueueCreate(UBaseType_t uxQueueLength, UBaseType_t uxItemSize)
{
    return freertos_created(make_new(uxQueueLength, uxItemSize, FREERTOS_QUEUE), __func__);
}

QueueHandle_t xQueueCreateStatic(UBaseType_t uxQueueLength, UBaseType_t uxItemSize, uint8_t *pucQueueStorage, StaticQueue_t *pxQueueBuffer)
{
    const BaseType_t fits = (pucQueueStorage != NULL) == (uxItemSize != 0);
    configASSERT(uxQueueLength > 0 && pxQueueBuffer != NULL && fits);
    if (uxQueueLength == 0 || pxQueueBuffer == NULL || !fits) {
        return NULL;
    }
    freertos_queue_t *queue = (freertos_queue_t *)pxQueueBuffer;
    return freertos_created(freertos_queue_make(queue, pucQueueStorage, uxQueueLength, uxItemSize, FREERTOS_QUEUE), __func__);
}

BaseType_t xQueueGetStaticBuffers(QueueHandle_t xQueue, uint8_t **ppucQueueStorage, StaticQueue_t **ppxStaticQueue)
{
    if (xQueue->on_heap) {
        return pdFALSE;
    }
    if (ppucQueueStorage != NULL) {
        *ppucQueueStorage = xQueue->storage;
    }
    *ppxStaticQueue = (StaticQueue_t *)xQueue;
    return pdTRUE;
}

void vQueueDelete(QueueHandle_t xQueue)
{
    configASSERT(xQueue != NULL);
    traceQUEUE_DELETE(xQueue);
    vQueueUnregisterQueue(xQueue);
    if (xQueue->kind >= FREERTOS_MUTEX) {
        freertos_mutex_delist(xQueue);
        (void)mel_mutex_delete(xQueue->mutex);
    } else {
        freertos_room_close(&xQueue->receivers);
        if (xQueue->kind == FREERTOS_QUEUE) {
            freertos_room_close(&xQueue->senders);
        }
    }
    if (xQueue->on_heap) {
        vPortFree(xQueue);
    }
}

/* A binary one is no counting one for a program that asks what is made. */
static void tell(const freertos_queue_t *queue, UBaseType_t most)
{
    FREERTOS_TRACE_IF(queue != NULL && most != 1, traceCREATE_COUNTING_SEMAPHORE());
    FREERTOS_TRACE_IF(queue == NULL && most != 1, traceCREATE_COUNTING_SEMAPHORE_FAILED());
}

IN_LINE QueueHandle_t counting(freertos_queue_t *queue, UBaseType_t most, UBaseType_t initial, const char *call)
{
    if (queue != NULL) {
        queue->count = initial;
    }
    tell(queue, most);
    return freertos_created(queue, call);
}

IN_LINE SemaphoreHandle_t counting_new(UBaseType_t most, UBaseType_t initial, const char *call)
{
    configASSERT(most != 0 && initial <= most);
    return counting(initial <= most ? make_new(most, 0, FREERTOS_SEMAPHORE) : NULL, most, initial, call);
}

IN_LINE SemaphoreHandle_t counting_static(UBaseType_t most, UBaseType_t initial, StaticSemaphore_t *buffer, const char *call)
{
    configASSERT(most != 0 && initial <= most && buffer != NULL);
    if (most == 0 || initial > most || buffer == NULL) {
        return NULL;
    }
    return counting(freertos_queue_make((freertos_queue_t *)buffer, NULL, most, 0, FREERTOS_SEMAPHORE), most, initial, call);
}

SemaphoreHandle_t xSemaphoreCreateCounting(UBaseType_t uxMaxCount, UBaseType_t uxInitialCount)
{
    return counting_new(uxMaxCount, uxInitialCount, __func__);
}

SemaphoreHandle_t xSemaphoreCreateCountingStatic(UBaseType_t uxMaxCount, UBaseType_t uxInitialCount, StaticSemaphore_t *pxSemaphoreBuffer)
{
    return counting_static(uxMaxCount, uxInitialCount, pxSemaphoreBuffer, __func__);
}

SemaphoreHandle_t xSemaphoreCreateBinary(void)
{
    return counting_new(1, 0, __func__);
}

SemaphoreHandle_t xSemaphoreCreateBinaryStatic(StaticSemaphore_t *pxStaticSemaphore)
{
    return counting_static(1, 0, pxStaticSemaphore, __func__);
}

/* ---- items, in a step ---------------------------------------------------------------------------------------------------- */

/* In line, and small items of words without a call: interrupts are off as long as that takes. */
#define IN_STEP static inline __attribute__((always_inline))

/* The place of the item that is `offset` after the oldest. */
IN_STEP uint8_t *place(const freertos_queue_t *queue, UBaseType_t offset)
{
    UBaseType_t index = queue->first + offset;
    if (index >= queue->length) {
        index -= queue->length;
    }
    return queue->storage + index * queue->size;
}

enum { FEW_BYTES = 16 };

IN_STEP void copy(void *to, const void *from, size_t bytes)
{
    typedef uint32_t __attribute__((may_alias)) word_t;
    if (bytes > FEW_BYTES || (((uintptr_t)to | (uintptr_t)from | bytes) & 3) != 0) {
        memcpy(to, from, bytes);
        return;
    }
    word_t *target = to;
    for (const word_t *source = from, *end = source + bytes / 4; source != end;) {
        *target++ = *source++;
    }
}

/* There is room, or the newest gives way. */
IN_STEP void put(freertos_queue_t *queue, const void *item, BaseType_t position)
{
    if (queue->size == 0) {
        queue->count++;
        return;
    }
    UBaseType_t offset = queue->count;
    if (position == queueSEND_TO_FRONT) {
        queue->first = (queue->first == 0 ? queue->length : queue->first) - 1;
        offset = 0;
    } else if (position == queueOVERWRITE && offset != 0) {
        offset--;
        queue->count--;
    }
    copy(place(queue, offset), item, queue->size);
    queue->count++;
}

IN_STEP void take(freertos_queue_t *queue, void *item)
{
    if (queue->size != 0) {
        copy(item, place(queue, 0), queue->size);
        queue->first = queue->first + 1 == queue->length ? 0 : queue->first + 1;
    }
    queue->count--;
}

/* Wait queue to call for a new item: of its set, where the handle is noted first, or of the queue.
 * NULL: nobody is called. */
IN_STEP freertos_room_t *listeners(freertos_queue_t *queue, BaseType_t replaced)
{
    freertos_queue_t *set = queue->set;
    if (set == NULL) {
        return &queue->receivers;
    }
    if (replaced || set->count == set->length) {
        configASSERT(replaced); /* a set has room for all that its members hold */
        return NULL;
    }
    FREERTOS_TRACE(traceQUEUE_SET_SEND(set));
    put(set, &queue, queueSEND_TO_BACK);
    return &set->receivers;
}

/* In a step: put an item, and call who waits for it: the answer for freertos_end. `woken` may be NULL. */
IN_STEP int32_t deliver(freertos_queue_t *queue, const void *item, BaseType_t position, BaseType_t *woken)
{
    const BaseType_t replaced = position == queueOVERWRITE && queue->count != 0;
    put(queue, item, position);
    freertos_room_t *room = listeners(queue, replaced);
    if (room == NULL) {
        return MEL_E_OK;
    }
    if (woken != NULL && freertos_room_outranks(room)) {
        *woken = pdTRUE;
    }
    return freertos_room_call(room);
}

/* In a short section: an item is put and nobody is called. pdFALSE: that takes a step. */
IN_STEP BaseType_t put_alone(freertos_queue_t *queue, const void *item, BaseType_t position)
{
    const UBaseType_t before = freertos_mask();
    const BaseType_t alone = queue->count < queue->length && queue->receivers.waiting == 0 && queue->set == NULL;
    if (alone) {
        put(queue, item, position);
    }
    freertos_unmask(before);
    return alone;
}

IN_STEP BaseType_t take_alone(freertos_queue_t *queue, void *item)
{
    const UBaseType_t before = freertos_mask();
    const BaseType_t alone = queue->count > 0 && queue->senders.waiting == 0;
    if (alone) {
        take(queue, item);
    }
    freertos_unmask(before);
    return alone;
}

/* ---- calls --------------------------------------------------------------------------------------------------------------- */

/* Slow ways are functions of their own, so that the fast ones save no registers. */
#define SLOW static __attribute__((noinline))

SLOW BaseType_t send(freertos_queue_t *queue, const void *item, TickType_t ticks, BaseType_t position)
{
    freertos_limit_t limit = {.ticks = ticks};
    for (;;) {
        const freertos_step_t step = freertos_begin();
        if (queue->count < queue->length || position == queueOVERWRITE) {
            FREERTOS_TRACE(traceQUEUE_SEND(queue));
            (void)freertos_end(step, deliver(queue, item, position, NULL), NULL);
            return pdPASS;
        }
        (void)freertos_end(step, MEL_E_OK, NULL);
        if (limit.ticks == 0) {
            traceQUEUE_SEND_FAILED(queue);
            return errQUEUE_FULL;
        }
        FREERTOS_TRACE_IF(freertos_limit_left(&limit) != 0, traceBLOCKING_ON_QUEUE_SEND(queue));
        freertos_room_wait(&queue->senders, &queue->count, queue->length, &limit);
    }
}

BaseType_t xQueueGenericSend(QueueHandle_t xQueue, const void *const pvItemToQueue, TickType_t xTicksToWait, const BaseType_t xCopyPosition)
{
    configASSERT(xQueue != NULL && (pvItemToQueue != NULL || xQueue->size == 0));
    configASSERT(xCopyPosition != queueOVERWRITE || xQueue->length == 1);
    if (xQueue->kind >= FREERTOS_MUTEX) {
        return freertos_mutex_give(xQueue);
    }
    if (FREERTOS_HAS_SHORT && !FREERTOS_TRACED(traceQUEUE_SEND(xQueue)) && put_alone(xQueue, pvItemToQueue, xCopyPosition)) {
        return pdPASS;
    }
    return send(xQueue, pvItemToQueue, xTicksToWait, xCopyPosition);
}

BaseType_t xQueueGenericSendFromISR(QueueHandle_t xQueue, const void *const pvItemToQueue, BaseType_t *const pxHigherPriorityTaskWoken,
                                    const BaseType_t xCopyPosition)
{
    configASSERT(xQueue != NULL && (pvItemToQueue != NULL || xQueue->size == 0) && xQueue->kind < FREERTOS_MUTEX);
    if (FREERTOS_HAS_SHORT && !FREERTOS_TRACED(traceQUEUE_SEND_FROM_ISR(xQueue)) && put_alone(xQueue, pvItemToQueue, xCopyPosition)) {
        return pdPASS;
    }
    const freertos_step_t step = freertos_begin();
    if (xQueue->count >= xQueue->length && xCopyPosition != queueOVERWRITE) {
        FREERTOS_TRACE(traceQUEUE_SEND_FROM_ISR_FAILED(xQueue));
        (void)freertos_end(step, MEL_E_OK, NULL);
        return errQUEUE_FULL;
    }
    FREERTOS_TRACE(traceQUEUE_SEND_FROM_ISR(xQueue));
    (void)freertos_end(step, deliver(xQueue, pvItemToQueue, xCopyPosition, pxHigherPriorityTaskWoken), NULL);
    return pdPASS;
}

SLOW BaseType_t receive(freertos_queue_t *queue, void *item, TickType_t ticks)
{
    freertos_limit_t limit = {.ticks = ticks};
    for (;;) {
        const freertos_step_t step = freertos_begin();
        if (queue->count > 0) {
            take(queue, item);
            FREERTOS_TRACE(traceQUEUE_RECEIVE(queue));
            (void)freertos_end(step, freertos_room_call(&queue->senders), NULL);
            return pdPASS;
        }
        (void)freertos_end(step, MEL_E_OK, NULL);
        if (limit.ticks == 0) {
            traceQUEUE_RECEIVE_FAILED(queue);
            return errQUEUE_EMPTY;
        }
        FREERTOS_TRACE_IF(freertos_limit_left(&limit) != 0, traceBLOCKING_ON_QUEUE_RECEIVE(queue));
        freertos_room_wait(&queue->receivers, &queue->count, 0, &limit);
    }
}

BaseType_t xQueueReceive(QueueHandle_t xQueue, void *const pvBuffer, TickType_t xTicksToWait)
{
    configASSERT(xQueue != NULL && (pvBuffer != NULL || xQueue->size == 0));
    if (FREERTOS_HAS_SHORT && !FREERTOS_TRACED(traceQUEUE_RECEIVE(xQueue)) && take_alone(xQueue, pvBuffer)) {
        return pdPASS;
    }
    return receive(xQueue, pvBuffer, xTicksToWait);
}

/* The item stays: whoever waits for one is called, too. */
BaseType_t xQueuePeek(QueueHandle_t xQueue, void *const pvBuffer, TickType_t xTicksToWait)
{
    configASSERT(xQueue != NULL && (pvBuffer != NULL || xQueue->size == 0));
    freertos_limit_t limit = {.ticks = xTicksToWait};
    for (;;) {
        const freertos_step_t step = freertos_begin();
        if (xQueue->count > 0) {
            memcpy(pvBuffer, place(xQueue, 0), xQueue->size);
            FREERTOS_TRACE(traceQUEUE_PEEK(xQueue));
            (void)freertos_end(step, freertos_room_call(&xQueue->receivers), NULL);
            return pdPASS;
        }
        (void)freertos_end(step, MEL_E_OK, NULL);
        if (limit.ticks == 0) {
            traceQUEUE_PEEK_FAILED(xQueue);
            return errQUEUE_EMPTY;
        }
        FREERTOS_TRACE_IF(freertos_limit_left(&limit) != 0, traceBLOCKING_ON_QUEUE_PEEK(xQueue));
        freertos_room_wait(&xQueue->receivers, &xQueue->count, 0, &limit);
    }
}

BaseType_t xQueueReceiveFromISR(QueueHandle_t xQueue, void *const pvBuffer, BaseType_t *const pxHigherPriorityTaskWoken)
{
    configASSERT(xQueue != NULL && (pvBuffer != NULL || xQueue->size == 0));
    if (FREERTOS_HAS_SHORT && !FREERTOS_TRACED(traceQUEUE_RECEIVE_FROM_ISR(xQueue)) && take_alone(xQueue, pvBuffer)) {
        return pdPASS;
    }
    const freertos_step_t step = freertos_begin();
    if (xQueue->count == 0) {
        FREERTOS_TRACE(traceQUEUE_RECEIVE_FROM_ISR_FAILED(xQueue));
        (void)freertos_end(step, MEL_E_OK, NULL);
        return pdFAIL;
    }
    take(xQueue, pvBuffer);
    FREERTOS_TRACE(traceQUEUE_RECEIVE_FROM_ISR(xQueue));
    if (pxHigherPriorityTaskWoken != NULL && freertos_room_outranks(&xQueue->senders)) {
        *pxHigherPriorityTaskWoken = pdTRUE;
    }
    (void)freertos_end(step, freertos_room_call(&xQueue->senders), NULL);
    return pdPASS;
}

BaseType_t xQueuePeekFromISR(QueueHandle_t xQueue, void *const pvBuffer)
{
    configASSERT(xQueue != NULL && pvBuffer != NULL && xQueue->size != 0);
    const freertos_step_t step = freertos_begin();
    const BaseType_t found = xQueue->count > 0;
    if (found) {
        memcpy(pvBuffer, place(xQueue, 0), xQueue->size);
        FREERTOS_TRACE(traceQUEUE_PEEK_FROM_ISR(xQueue));
    } else {
        FREERTOS_TRACE(traceQUEUE_PEEK_FROM_ISR_FAILED(xQueue));
    }
    (void)freertos_end(step, MEL_E_OK, NULL);
    return found ? pdPASS : pdFAIL;
}

BaseType_t xQueueReset(QueueHandle_t xQueue)
{
    configASSERT(xQueue != NULL);
    const freertos_step_t step = freertos_begin();
    xQueue->first = 0;
    xQueue->count = 0;
    (void)freertos_end(step, freertos_room_call(&xQueue->senders), NULL);
    return pdPASS;
}

UBaseType_t uxQueueMessagesWaiting(const QueueHandle_t xQueue)
{
    configASSERT(xQueue != NULL);
    return xQueue->kind >= FREERTOS_MUTEX ? freertos_mutex_free(xQueue) : xQueue->count;
}

UBaseType_t uxQueueMessagesWaitingFromISR(const QueueHandle_t xQueue)
{
    return uxQueueMessagesWaiting(xQueue);
}

UBaseType_t uxQueueSpacesAvailable(const QueueHandle_t xQueue)
{
    return xQueue->length - uxQueueMessagesWaiting(xQueue);
}

UBaseType_t uxQueueGetQueueItemSize(QueueHandle_t xQueue)
{
    return xQueue->size;
}

UBaseType_t uxQueueGetQueueLength(QueueHandle_t xQueue)
{
    return xQueue->length;
}

BaseType_t xQueueIsQueueEmptyFromISR(const QueueHandle_t xQueue)
{
    return uxQueueMessagesWaiting(xQueue) == 0;
}

BaseType_t xQueueIsQueueFullFromISR(const QueueHandle_t xQueue)
{
    return uxQueueMessagesWaiting(xQueue) == xQueue->length;
}

/* ---- sets ---------------------------------------------------------------------------------------------------------------- */

QueueSetHandle_t xQueueCreateSet(const UBaseType_t uxEventQueueLength)
{
    return freertos_created(make_new(uxEventQueueLength, sizeof(QueueHandle_t), FREERTOS_SET), __func__);
}

BaseType_t xQueueAddToSet(QueueSetMemberHandle_t xQueueOrSemaphore, QueueSetHandle_t xQueueSet)
{
    const freertos_step_t step = freertos_begin();
    const BaseType_t possible = xQueueOrSemaphore->set == NULL && xQueueOrSemaphore->count == 0 && xQueueOrSemaphore->kind < FREERTOS_SET;
    if (possible) {
        xQueueOrSemaphore->set = xQueueSet;
    }
    (void)freertos_end(step, MEL_E_OK, NULL);
    return possible ? pdPASS : pdFAIL;
}

BaseType_t xQueueRemoveFromSet(QueueSetMemberHandle_t xQueueOrSemaphore, QueueSetHandle_t xQueueSet)
{
    const freertos_step_t step = freertos_begin();
    const BaseType_t possible = xQueueOrSemaphore->set == xQueueSet && xQueueOrSemaphore->count == 0;
    if (possible) {
        xQueueOrSemaphore->set = NULL;
    }
    (void)freertos_end(step, MEL_E_OK, NULL);
    return possible ? pdPASS : pdFAIL;
}

QueueSetMemberHandle_t xQueueSelectFromSet(QueueSetHandle_t xQueueSet, const TickType_t xTicksToWait)
{
    QueueSetMemberHandle_t member = NULL;
    (void)xQueueReceive(xQueueSet, &member, xTicksToWait);
    return member;
}

QueueSetMemberHandle_t xQueueSelectFromSetFromISR(QueueSetHandle_t xQueueSet)
{
    QueueSetMemberHandle_t member = NULL;
    (void)xQueueReceiveFromISR(xQueueSet, &member, NULL);
    return member;
}
