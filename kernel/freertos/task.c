/* SPDX-License-Identifier: Apache-2.0 */
/* task.c: the life of a task on FreeRTOS, which knows none that is dormant: it is made when it starts, and deleted when it is terminated. A task that
 * exits cannot delete itself at once, for its control block would stay in use until the idle task runs: it is suspended until it is deleted or started again. */
#include <melanion/melanion.h>

#include "common/number.h"

enum state { ABSENT, DORMANT, STARTED, EXITED };

static struct {
    mel_task_attributes_t attributes;
    uint8_t state;
    volatile bool released; /* its wait was, and has not returned yet */
} tasks[MEL_TASKS];

static bool valid(const mel_task_attributes_t *attributes)
{
    return attributes->entry != NULL && attributes->stack != NULL &&
           (uintptr_t)attributes->stack % MEL_STACK_ALIGNMENT == 0 &&
           attributes->stack_size % MEL_STACK_ALIGNMENT == 0 && attributes->stack_size >= MEL_STACK_MINIMUM;
}

static mel_status_t find(mel_id_t task)
{
    if (mel_beyond(task, MEL_TASKS)) {
        return MEL_E_ID;
    }
    return tasks[task].state == ABSENT ? MEL_E_NOEXS : MEL_E_OK;
}

mel_status_t mel_task_create_on(mel_id_t task, const mel_task_attributes_t *attributes, uint32_t core)
{
    if (mel_beyond(task, MEL_TASKS)) {
        return MEL_E_ID;
    }
    if (core >= MEL_CORES || attributes->priority >= MEL_PRIORITIES || !valid(attributes)) {
        return MEL_E_PAR;
    }
    if (tasks[task].state != ABSENT) {
        return MEL_E_OBJ;
    }
    tasks[task].attributes = *attributes;
    tasks[task].state = DORMANT;
    return MEL_E_OK;
}

mel_status_t mel_task_create(mel_id_t task, const mel_task_attributes_t *attributes)
{
    return mel_task_create_on(task, attributes, 0);
}

static void forget_release(mel_id_t task)
{
    taskENTER_CRITICAL();
    mel_freertos_releases -= tasks[task].released;
    tasks[task].released = false;
    taskEXIT_CRITICAL();
}

mel_status_t mel_task_start(mel_id_t task)
{
    const mel_status_t status = mel_freertos_in_handler() ? MEL_E_RSFN : find(task);
    if (status != MEL_E_OK) {
        return status;
    }
    if (tasks[task].state == STARTED) {
        return MEL_E_OBJ;
    }
    if (tasks[task].state == EXITED) {
        vTaskDelete(mel_freertos_task(task));
    }
    const mel_task_attributes_t *attributes = &tasks[task].attributes;
    forget_release(task);
    tasks[task].state = STARTED; /* before it runs */
    (void)xTaskCreateStatic(attributes->entry, mel_task_name(task), attributes->stack_size / sizeof(StackType_t), attributes->argument,
                            mel_freertos_priority(attributes->priority), attributes->stack, &mel_freertos_tasks[task].block);
    return MEL_E_OK;
}

mel_status_t mel_task_exit(void)
{
    const mel_id_t self = mel_task_self();
    if (self == MEL_TASKS || mel_freertos_in_handler()) {
        return MEL_E_CTX;
    }
    tasks[self].state = EXITED;
    if (xTaskGetSchedulerState() == taskSCHEDULER_SUSPENDED) {
        (void)xTaskResumeAll();
    }
    for (;;) {
        vTaskSuspend(NULL);
    }
}

/* End a task whose function has returned: FreeRTOS's configTASK_RETURN_ADDRESS. */
void mel_freertos_returned(void)
{
    (void)mel_task_exit();
}

mel_status_t mel_task_terminate(mel_id_t task)
{
    const mel_status_t status = find(task);
    if (status != MEL_E_OK) {
        return status;
    }
    if (task == mel_task_self()) {
        return MEL_E_ILUSE;
    }
    if (tasks[task].state != STARTED) {
        return MEL_E_OBJ;
    }
    vTaskDelete(mel_freertos_task(task));
    forget_release(task);
    tasks[task].state = DORMANT;
    return MEL_E_OK;
}

mel_status_t mel_task_delete(mel_id_t task)
{
    const mel_status_t status = find(task);
    if (status != MEL_E_OK) {
        return status;
    }
    if (tasks[task].state == STARTED) {
        return MEL_E_OBJ;
    }
    if (tasks[task].state == EXITED) {
        vTaskDelete(mel_freertos_task(task));
    }
    tasks[task].state = ABSENT;
    return MEL_E_OK;
}

mel_status_t mel_task_release(mel_id_t task)
{
    mel_status_t status = mel_freertos_in_handler() ? MEL_E_RSFN : find(task);
    if (status != MEL_E_OK) {
        return status;
    }
    if (tasks[task].state != STARTED) {
        return MEL_E_OBJ;
    }
    vTaskSuspendAll(); /* it must find the mark when it runs */
    tasks[task].released = true;
    mel_freertos_releases++;
    if (xTaskAbortDelay(mel_freertos_task(task)) != pdPASS) {
        tasks[task].released = false;
        mel_freertos_releases--;
        status = MEL_E_OBJ;
    }
    (void)xTaskResumeAll();
    return status;
}

mel_status_t mel_freertos_failed(mel_ticks_t timeout)
{
    const mel_id_t self = mel_task_self();
    if (self != MEL_TASKS && tasks[self].released) {
        forget_release(self);
        return MEL_E_RLWAI;
    }
    return timeout == MEL_FOREVER ? MEL_E_DLT : MEL_E_TMOUT; /* an event group that is deleted ends its waits */
}

mel_id_t mel_task_self(void)
{
    const uintptr_t distance = (uintptr_t)xTaskGetCurrentTaskHandle() - (uintptr_t)mel_freertos_tasks;
    return distance < MEL_TASKS * sizeof *mel_freertos_tasks ? distance / sizeof *mel_freertos_tasks : MEL_TASKS;
}

const char *mel_task_name(mel_id_t task)
{
    if (task >= MEL_TASKS) {
        return task == MEL_TASKS ? "idle" : "?";
    }
    const char *name = tasks[task].attributes.name;
    return name != NULL ? name : "unnamed";
}
