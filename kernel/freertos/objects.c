/* SPDX-License-Identifier: Apache-2.0 */
/* objects.c: objects on FreeRTOS: made and removed by number, in arrays. Their other calls are inline. Who waits for an object that is removed waits for
 * ever, but for event flags: FreeRTOS forbids the call then (`waited_delete`, spec/kernels.yaml). */
#include <melanion/melanion.h>

#include "common/number.h"

StaticSemaphore_t mel_freertos_semaphores[MEL_SEMAPHORES];
StaticSemaphore_t mel_freertos_mutexes[MEL_MUTEXES];
StaticEventGroup_t mel_freertos_flags[MEL_EVENT_FLAGS];
StaticQueue_t mel_freertos_queues[MEL_QUEUES];

/* Existing objects. Queues: the messages that each reserves, `capacity` words from `first` on. */
static bool semaphores[MEL_SEMAPHORES + 1];
static bool mutexes[MEL_MUTEXES + 1];
static bool groups[MEL_EVENT_FLAGS + 1];
static struct {
    uint32_t first, capacity; /* capacity 0: it does not exist */
} queues[MEL_QUEUES + 1];
static uint32_t messages[MEL_MESSAGES + 1];

static mel_status_t find(const bool *exist, mel_id_t number, uint32_t count)
{
    if (mel_beyond(number, count)) {
        return MEL_E_ID;
    }
    return exist[number] ? MEL_E_OK : MEL_E_NOEXS;
}

mel_status_t mel_sem_create(mel_id_t sem, uint32_t initial, uint32_t maximum)
{
    if (mel_beyond(sem, MEL_SEMAPHORES)) {
        return MEL_E_ID;
    }
    if (maximum == 0 || maximum > MEL_SEMAPHORE_COUNT_LIMIT || initial > maximum) {
        return MEL_E_PAR;
    }
    if (semaphores[sem]) {
        return MEL_E_OBJ;
    }
    (void)xSemaphoreCreateCountingStatic(maximum, initial, &mel_freertos_semaphores[sem]);
    semaphores[sem] = true;
    return MEL_E_OK;
}

mel_status_t mel_sem_delete(mel_id_t sem)
{
    const mel_status_t status = find(semaphores, sem, MEL_SEMAPHORES);
    if (status == MEL_E_OK) {
        vSemaphoreDelete((SemaphoreHandle_t)&mel_freertos_semaphores[sem]);
        semaphores[sem] = false;
    }
    return status;
}

mel_status_t mel_mutex_create(mel_id_t mutex, mel_priority_t ceiling)
{
    if (mel_beyond(mutex, MEL_MUTEXES)) {
        return MEL_E_ID;
    }
    if (ceiling != MEL_NO_CEILING) {
        return ceiling < MEL_PRIORITIES ? MEL_E_RSFN : MEL_E_PAR; /* FreeRTOS has no ceilings */
    }
    if (mutexes[mutex]) {
        return MEL_E_OBJ;
    }
    (void)xSemaphoreCreateRecursiveMutexStatic(&mel_freertos_mutexes[mutex]);
    mutexes[mutex] = true;
    return MEL_E_OK;
}

mel_status_t mel_mutex_delete(mel_id_t mutex)
{
    const mel_status_t status = find(mutexes, mutex, MEL_MUTEXES);
    if (status == MEL_E_OK) {
        vSemaphoreDelete((SemaphoreHandle_t)&mel_freertos_mutexes[mutex]);
        mutexes[mutex] = false;
    }
    return status;
}

mel_status_t mel_flags_create(mel_id_t flags, uint32_t initial)
{
    if (mel_beyond(flags, MEL_EVENT_FLAGS)) {
        return MEL_E_ID;
    }
    if ((initial & ~MEL_FREERTOS_FLAGS) != 0) {
        return MEL_E_PAR;
    }
    if (groups[flags]) {
        return MEL_E_OBJ;
    }
    (void)xEventGroupSetBits(xEventGroupCreateStatic(&mel_freertos_flags[flags]), initial);
    groups[flags] = true;
    return MEL_E_OK;
}

mel_status_t mel_flags_delete(mel_id_t flags)
{
    const mel_status_t status = find(groups, flags, MEL_EVENT_FLAGS);
    if (status == MEL_E_OK) {
        groups[flags] = false;
        vEventGroupDelete((EventGroupHandle_t)&mel_freertos_flags[flags]);
    }
    return status;
}

/* The first of `capacity` words that no queue has; MEL_MESSAGES: there is none. */
static uint32_t room(uint32_t capacity)
{
    uint32_t first = 0;
    for (mel_id_t i = 0; i < MEL_QUEUES; i++) {
        if (queues[i].capacity != 0 && first < queues[i].first + queues[i].capacity && queues[i].first < first + capacity) {
            first = queues[i].first + queues[i].capacity;
            i = UINT32_MAX; /* from the beginning, with a later place */
        }
    }
    return first + capacity <= MEL_MESSAGES ? first : MEL_MESSAGES;
}

mel_status_t mel_queue_create(mel_id_t queue, uint32_t capacity)
{
    if (mel_beyond(queue, MEL_QUEUES)) {
        return MEL_E_ID;
    }
    if (capacity == 0 || capacity > MEL_MESSAGES) {
        return MEL_E_PAR;
    }
    if (queues[queue].capacity != 0) {
        return MEL_E_OBJ;
    }
    const uint32_t first = room(capacity);
    if (first == MEL_MESSAGES) {
        return MEL_E_NOMEM;
    }
    queues[queue].first = first;
    queues[queue].capacity = capacity;
    (void)xQueueCreateStatic(capacity, sizeof *messages, (uint8_t *)&messages[first], &mel_freertos_queues[queue]);
    return MEL_E_OK;
}

mel_status_t mel_queue_delete(mel_id_t queue)
{
    if (mel_beyond(queue, MEL_QUEUES)) {
        return MEL_E_ID;
    }
    if (queues[queue].capacity == 0) {
        return MEL_E_NOEXS;
    }
    vQueueDelete((QueueHandle_t)&mel_freertos_queues[queue]);
    queues[queue].capacity = 0;
    return MEL_E_OK;
}
