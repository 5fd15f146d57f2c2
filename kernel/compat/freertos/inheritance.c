/* SPDX-License-Identifier: Apache-2.0 */
/* inheritance.c: FreeRTOS' rule for an owner of several mutexes: raised, it stays so until it has given the last one, also when the task that raised it no longer
 * waits. The kernel's own rule is exact, so the layer keeps the raised priority as the kernel's base priority. Without the rule (configUSE_EXACT_INHERITANCE 1)
 * nothing of this file is in the machine code.
 * Timing: while no task waits for a mutex, a load in each unlock; else a query for each mutex of the program in an unlock, and where a wait has timed out. */
#include "queue_kinds.h"

#if !configUSE_EXACT_INHERITANCE

volatile UBaseType_t freertos_inheritance;

static freertos_queue_t *mutexes; /* all that there are; changed while the scheduler is suspended */

void freertos_mutex_enlist(QueueHandle_t mutex)
{
    vTaskSuspendAll();
    mutex->set = mutexes;
    mutexes = mutex;
    (void)xTaskResumeAll();
}

void freertos_mutex_delist(QueueHandle_t mutex)
{
    vTaskSuspendAll();
    freertos_queue_t **link = &mutexes;
    while (*link != NULL && *link != mutex) {
        link = &(*link)->set;
    }
    if (*link != NULL) {
        *link = mutex->set;
    }
    (void)xTaskResumeAll();
}

/* The scheduler is suspended: mutexes of a task, counted up to two. */
static UBaseType_t owned(mel_id_t task)
{
    UBaseType_t count = 0;
    for (const freertos_queue_t *mutex = mutexes; mutex != NULL && count < 2; mutex = mutex->set) {
        mel_mutex_info_t info;
        count += mel_mutex_query(mutex->mutex, &info) == MEL_E_OK && info.owner == task;
    }
    return count;
}

static void count(UBaseType_t change)
{
    if (FREERTOS_HAS_SHORT) {
        const UBaseType_t before = freertos_mask();
        freertos_inheritance += change;
        freertos_unmask(before);
    } else {
        const freertos_step_t step = freertos_begin();
        freertos_inheritance += change;
        (void)freertos_end(step, MEL_E_OK, NULL);
    }
}

/* The scheduler is suspended: a task is at least as urgent as `urgency` until it has given its last mutex. */
static void keep(freertos_task_t *task, mel_priority_t urgency)
{
    if (urgency >= freertos_kernel_urgency(task)) {
        return;
    }
    if (!task->keeps) {
        task->keeps = 1;
        count(1);
    }
    task->kept = (uint8_t)urgency;
    (void)mel_task_set_priority(task->id, urgency);
}

void freertos_keep_no_longer(freertos_task_t *task)
{
    if (task->keeps) {
        task->keeps = 0;
        count((UBaseType_t)-1);
    }
}

void freertos_inherit_no_longer(freertos_task_t *task)
{
    freertos_keep_no_longer(task);
    if (task->locks) {
        task->locks = 0;
        count((UBaseType_t)-1);
    }
}

/* The scheduler is suspended: a task has no mutex that keeps it raised. */
static void lower(freertos_task_t *task)
{
    if (task->keeps) {
        freertos_keep_no_longer(task);
        (void)mel_task_set_priority(task->id, freertos_urgency(task->base));
    }
}

/* A wait is over without the mutex: its owner keeps the priority that the caller has lent, or, where it has no other mutex, keeps none any more. */
static void judge_owner(QueueHandle_t mutex, const freertos_task_t *self)
{
    vTaskSuspendAll();
    freertos_task_t *owner = xSemaphoreGetMutexHolder(mutex);
    if (owner != NULL && owner != self) {
        if (owned(owner->id) > 1) {
            keep(owner, freertos_urgency_of(self));
        } else {
            lower(owner);
        }
    }
    (void)xTaskResumeAll();
}

freertos_task_t *freertos_inherit_begin(void)
{
    freertos_task_t *self = freertos_self();
    self->locks = 1;
    count(1);
    return self;
}

void freertos_inherit_end(freertos_task_t *self, QueueHandle_t mutex, BaseType_t over)
{
    self->locks = 0;
    count((UBaseType_t)-1);
    if (over) {
        judge_owner(mutex, self);
    }
}

mel_status_t freertos_unlock_judged(QueueHandle_t mutex)
{
    freertos_task_t *self = freertos_self();
    mel_status_t status;
    mel_mutex_info_t info;
    if (self == NULL || mel_mutex_query(mutex->mutex, &info) != MEL_E_OK || info.owner != self->id || info.locks != 1) {
        FREERTOS_CALL(status, mel_mutex_unlock(mutex->mutex));
        return status;
    }
    vTaskSuspendAll(); /* a waiter runs when the priority is right again */
    if (owned(self->id) > 1) {
        keep(self, freertos_urgency_of(self));
        status = mel_mutex_unlock(mutex->mutex);
    } else {
        status = mel_mutex_unlock(mutex->mutex);
        lower(self);
    }
    (void)xTaskResumeAll();
    return status;
}

#endif

typedef int freertos_inheritance_is_described; /* ISO C has no empty file */
