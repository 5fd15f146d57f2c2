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
    struct freertos_queue *set; /* a queue: its set; a mutex: the next in the list of all */
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

#if configUSE_EXACT_INHERITANCE
#define freertos_mutex_enlist(mutex)
#define freertos_mutex_delist(mutex)
#else /* inheritance.c */

/* Tasks that wait for a mutex or keep a priority. 0: an unlock has nothing to judge. */
extern volatile UBaseType_t freertos_inheritance;

void freertos_mutex_enlist(QueueHandle_t mutex);
void freertos_mutex_delist(QueueHandle_t mutex);

/* Around the caller's wait for a mutex; `over`: it ended without the mutex. */
freertos_task_t *freertos_inherit_begin(void);
void freertos_inherit_end(freertos_task_t *self, QueueHandle_t mutex, BaseType_t over);

/* Unlock, and keep the caller's priority, or the last time lower it. */
mel_status_t freertos_unlock_judged(QueueHandle_t mutex);
#endif

BaseType_t freertos_mutex_give(QueueHandle_t mutex);
UBaseType_t freertos_mutex_free(QueueHandle_t mutex);

#endif
