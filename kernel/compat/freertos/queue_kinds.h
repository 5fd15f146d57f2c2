/* SPDX-License-Identifier: Apache-2.0 */
/* queue_kinds.h: what queue.c and mutex.c share: queues, semaphores, sets and mutexes have one kind of handle. */
#ifndef FREERTOS_QUEUE_KINDS_H
#define FREERTOS_QUEUE_KINDS_H

#include "layer.h"
#include "queue.h"
#include "semphr.h"

typedef enum { FREERTOS_QUEUE, FREERTOS_SEMAPHORE, FREERTOS_SET, FREERTOS_MUTEX, FREERTOS_RECURSIVE } freertos_kind_t;

typedef struct freertos_queue {
    uint8_t *storage;
    UBaseType_t length, size; /* items; bytes of an item */
    volatile UBaseType_t count;
    UBaseType_t first; /* the oldest item */
    freertos_room_t receivers, senders;
    struct freertos_queue *set;
    mel_id_t mutex; /* instead of all of these */
    uint8_t kind, on_heap;
    volatile uint8_t held; /* a mutex: its owner has it by the layer's account, which a task that was deleted leaves behind */
} freertos_queue_t;

/* A queue in given memory; NULL: the system has no semaphore left for those who wait. */
QueueHandle_t freertos_queue_make(freertos_queue_t *queue, uint8_t *storage, UBaseType_t length, UBaseType_t size, freertos_kind_t kind);

/* FreeRTOS's number of a kind, for traceQUEUE_CREATE_FAILED. */
static inline uint8_t freertos_queue_type(freertos_kind_t kind)
{
    static const uint8_t types[] = {queueQUEUE_TYPE_BASE, queueQUEUE_TYPE_COUNTING_SEMAPHORE, queueQUEUE_TYPE_SET, queueQUEUE_TYPE_MUTEX,
                                    queueQUEUE_TYPE_RECURSIVE_MUTEX};
    return types[kind];
}

BaseType_t freertos_mutex_give(QueueHandle_t mutex);
UBaseType_t freertos_mutex_free(QueueHandle_t mutex);

#endif
