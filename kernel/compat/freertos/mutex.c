/* SPDX-License-Identifier: Apache-2.0 */
/* mutex.c: mutexes: the kernel's, with its priority inheritance, which is exact where FreeRTOS simplifies (docs/reference/freertos.md), and the calls of
 * semphr.h, which are for semaphores and mutexes alike. */
#include "queue_kinds.h"

static QueueHandle_t make(freertos_queue_t *queue, freertos_kind_t kind)
{
    *queue = (freertos_queue_t){.length = 1, .kind = (uint8_t)kind};
    for (mel_id_t id = MEL_MUTEXES; id-- > 0;) {
        if (mel_mutex_create(id, MEL_NO_CEILING) == MEL_E_OK) {
            queue->mutex = id;
            freertos_mutex_enlist(queue);
            traceQUEUE_CREATE(queue); /* as a queue with one item, which is sent at once */
            traceCREATE_MUTEX(queue);
            traceQUEUE_SEND(queue);
            return queue;
        }
    }
    freertos_limit_met = FREERTOS_MUTEXES;
    return NULL;
}

static QueueHandle_t make_new(freertos_kind_t kind)
{
    freertos_queue_t *queue = pvPortMalloc(sizeof *queue);
    if (queue == NULL) {
        traceQUEUE_CREATE_FAILED(freertos_queue_type(kind));
        traceCREATE_MUTEX_FAILED();
        return NULL;
    }
    if (make(queue, kind) == NULL) {
        vPortFree(queue);
        traceCREATE_MUTEX_FAILED();
        return NULL;
    }
    queue->on_heap = 1;
    return queue;
}

SemaphoreHandle_t xSemaphoreCreateMutex(void)
{
    return freertos_created(make_new(FREERTOS_MUTEX), __func__);
}

SemaphoreHandle_t xSemaphoreCreateMutexStatic(StaticSemaphore_t *pxMutexBuffer)
{
    return freertos_created(make((freertos_queue_t *)pxMutexBuffer, FREERTOS_MUTEX), __func__);
}

SemaphoreHandle_t xSemaphoreCreateRecursiveMutex(void)
{
    return freertos_created(make_new(FREERTOS_RECURSIVE), __func__);
}

SemaphoreHandle_t xSemaphoreCreateRecursiveMutexStatic(StaticSemaphore_t *pxMutexBuffer)
{
    return freertos_created(make((freertos_queue_t *)pxMutexBuffer, FREERTOS_RECURSIVE), __func__);
}

static mel_id_t owner_of(QueueHandle_t mutex)
{
    mel_mutex_info_t info;
    return mel_mutex_query(mutex->mutex, &info) == MEL_E_OK ? info.owner : MEL_TASKS;
}

UBaseType_t freertos_mutex_free(QueueHandle_t mutex)
{
    return owner_of(mutex) == MEL_TASKS;
}

/* Wait out the timeout for a mutex that can never be had: the caller's own, or one whose owner
 * waits for the caller. */
static mel_status_t wait_in_vain(TickType_t ticks)
{
    mel_status_t status;
    FREERTOS_WAIT(status, ticks, mel_task_delay(ticks));
    return status == MEL_E_OK ? MEL_E_TMOUT : status;
}

/* For a program that asks: lock without waiting, or tell that a wait begins, before others run. */
static mel_status_t lock_traced(QueueHandle_t mutex, TickType_t ticks)
{
    const mel_status_t status = mel_mutex_lock(mutex->mutex, MEL_POLL);
    if (status != MEL_E_TMOUT || ticks == 0) {
        return status;
    }
    traceBLOCKING_ON_QUEUE_RECEIVE(mutex);
    return mel_mutex_lock(mutex->mutex, ticks);
}

/* Lock count of a mutex that the caller owns; else 0. */
static uint32_t locks_of_self(QueueHandle_t mutex)
{
    mel_mutex_info_t info;
    return mel_mutex_query(mutex->mutex, &info) == MEL_E_OK && info.owner == mel_task_self() ? info.locks : 0;
}

/* Lock a mutex that is free; also one that has become so while the wait for it ended, as FreeRTOS does. */
static inline mel_status_t lock_at_once(QueueHandle_t mutex)
{
    mel_status_t status;
    FREERTOS_CALL(status, mel_mutex_lock(mutex->mutex, MEL_POLL));
    return status;
}

/* The mutex is the caller's. */
static BaseType_t locked(QueueHandle_t mutex, BaseType_t recursive)
{
    mutex->held = pdTRUE;
    FREERTOS_TRACE_IF(!recursive || locks_of_self(mutex) == 1, traceQUEUE_RECEIVE(mutex));
    return pdTRUE;
}

#if configUSE_EXACT_INHERITANCE
#define INHERIT_BEGIN(ticks)
#define INHERIT_END(mutex, status)
#else
#define INHERIT_BEGIN(ticks) freertos_task_t *const lender = (ticks) != 0 ? freertos_inherit_begin() : NULL
#define INHERIT_END(mutex, status)                                          \
    do {                                                                    \
        if (lender != NULL) {                                               \
            freertos_inherit_end(lender, (mutex), (status) != MEL_E_OK);    \
        }                                                                   \
    } while (0)
#endif

/* A mutex that could not be had at once, or that the caller has already and may not lock again. */
static __attribute__((noinline)) BaseType_t lock_later(QueueHandle_t mutex, TickType_t ticks, BaseType_t recursive)
{
    freertos_limit_t limit = {.ticks = ticks};
    for (;;) {
        mel_status_t status = MEL_E_ILUSE;
        const TickType_t left = freertos_limit_left(&limit);
        const BaseType_t others = recursive || owner_of(mutex) != mel_task_self();
        if (others) {
            INHERIT_BEGIN(left);
            if (FREERTOS_TRACED(traceBLOCKING_ON_QUEUE_RECEIVE(mutex))) {
                FREERTOS_WAIT(status, left, lock_traced(mutex, left));
            } else {
                FREERTOS_WAIT(status, left, mel_mutex_lock(mutex->mutex, left));
            }
            INHERIT_END(mutex, status);
        }
        if (status == MEL_E_ILUSE) {
            status = wait_in_vain(left);
        }
        const BaseType_t goes_on = status != MEL_E_OK && freertos_wait_goes_on(status, &limit);
        if (status == MEL_E_OK || (!goes_on && others && left != 0 && lock_at_once(mutex) == MEL_E_OK)) {
            return locked(mutex, recursive);
        }
        if (!goes_on) {
            traceQUEUE_RECEIVE_FAILED(mutex);
            return pdFALSE;
        }
    }
}

static inline BaseType_t lock(QueueHandle_t mutex, TickType_t ticks, BaseType_t recursive)
{
    if (lock_at_once(mutex) == MEL_E_OK) {
        if (recursive || !mutex->held || locks_of_self(mutex) == 1) {
            return locked(mutex, recursive);
        }
        (void)mel_mutex_unlock(mutex->mutex);
    }
    return lock_later(mutex, ticks, recursive);
}

/* Unlocked with this status, in the layer's account, too. */
static inline BaseType_t unlocked(QueueHandle_t mutex, mel_status_t status)
{
    if (status != MEL_E_OK) {
        mutex->held = status == MEL_E_ILUSE; /* another task's */
    }
    return status == MEL_E_OK ? pdPASS : pdFAIL;
}

#if configUSE_EXACT_INHERITANCE
#define JUDGED pdFALSE
#define freertos_unlock_judged(mutex) mel_mutex_unlock((mutex)->mutex)
#else
#define JUDGED (freertos_inheritance != 0)
#endif

static __attribute__((noinline)) BaseType_t unlock_judged(QueueHandle_t mutex)
{
    return unlocked(mutex, freertos_unlock_judged(mutex));
}

static inline BaseType_t unlock(QueueHandle_t mutex)
{
    mel_status_t status;
    FREERTOS_TRACE_IF(locks_of_self(mutex) == 1, traceQUEUE_SEND(mutex));
    mutex->held = pdFALSE;
    if (__builtin_expect(JUDGED, 0)) {
        return unlock_judged(mutex);
    }
    FREERTOS_CALL(status, mel_mutex_unlock(mutex->mutex));
    return unlocked(mutex, status);
}

BaseType_t freertos_mutex_give(QueueHandle_t mutex)
{
    const BaseType_t given = unlock(mutex);
    FREERTOS_TRACE_IF(!given, traceQUEUE_SEND_FAILED(mutex));
    return given;
}

static __attribute__((noinline)) BaseType_t lock_once(QueueHandle_t mutex, TickType_t ticks)
{
    return lock(mutex, ticks, pdFALSE);
}

BaseType_t xSemaphoreTake(SemaphoreHandle_t xSemaphore, TickType_t xTicksToWait)
{
    configASSERT(xSemaphore != NULL);
    if (xSemaphore->kind >= FREERTOS_MUTEX) {
        return lock_once(xSemaphore, xTicksToWait);
    }
    if (FREERTOS_HAS_SHORT && !FREERTOS_TRACED(traceQUEUE_RECEIVE(xSemaphore))) {
        const UBaseType_t before = freertos_mask();
        const UBaseType_t count = xSemaphore->count;
        if (count != 0) { /* nobody waits to give */
            xSemaphore->count = count - 1;
            freertos_unmask(before);
            return pdPASS;
        }
        freertos_unmask(before);
    }
    return xQueueReceive(xSemaphore, NULL, xTicksToWait);
}

BaseType_t xSemaphoreGive(SemaphoreHandle_t xSemaphore)
{
    return xQueueGenericSend(xSemaphore, NULL, 0, queueSEND_TO_BACK);
}

BaseType_t xSemaphoreTakeFromISR(SemaphoreHandle_t xSemaphore, BaseType_t *pxHigherPriorityTaskWoken)
{
    return xQueueReceiveFromISR(xSemaphore, NULL, pxHigherPriorityTaskWoken);
}

BaseType_t xSemaphoreGiveFromISR(SemaphoreHandle_t xSemaphore, BaseType_t *pxHigherPriorityTaskWoken)
{
    return xQueueGenericSendFromISR(xSemaphore, NULL, pxHigherPriorityTaskWoken, queueSEND_TO_BACK);
}

BaseType_t xSemaphoreTakeRecursive(SemaphoreHandle_t xMutex, TickType_t xTicksToWait)
{
    configASSERT(xMutex != NULL && xMutex->kind == FREERTOS_RECURSIVE);
    traceTAKE_MUTEX_RECURSIVE(xMutex);
    const BaseType_t taken = lock(xMutex, xTicksToWait, pdTRUE);
    FREERTOS_TRACE_IF(!taken, traceTAKE_MUTEX_RECURSIVE_FAILED(xMutex));
    return taken;
}

BaseType_t xSemaphoreGiveRecursive(SemaphoreHandle_t xMutex)
{
    configASSERT(xMutex != NULL && xMutex->kind == FREERTOS_RECURSIVE);
    FREERTOS_TRACE_IF(locks_of_self(xMutex) != 0, traceGIVE_MUTEX_RECURSIVE(xMutex));
    FREERTOS_TRACE_IF(locks_of_self(xMutex) == 0, traceGIVE_MUTEX_RECURSIVE_FAILED(xMutex));
    return unlock(xMutex);
}

TaskHandle_t xSemaphoreGetMutexHolder(SemaphoreHandle_t xMutex)
{
    return xMutex->kind >= FREERTOS_MUTEX ? freertos_tasks[owner_of(xMutex)] : NULL;
}

TaskHandle_t xSemaphoreGetMutexHolderFromISR(SemaphoreHandle_t xMutex)
{
    return xSemaphoreGetMutexHolder(xMutex);
}
