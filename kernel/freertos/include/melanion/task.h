/* SPDX-License-Identifier: Apache-2.0 */
/* task.h: on the kernel `freertos`: the interface of kernel/include/melanion/task.h, inline over FreeRTOS; the life of a task is in freertos/task.c.
 * Wake-ups are notification 1. A suspended task does not wait: its wait ends, and begins anew when it is resumed. */
#ifndef MELANION_FREERTOS_TASK_H
#define MELANION_FREERTOS_TASK_H

#include_next <melanion/task.h>

#include <mel_freertos.h>

#define MEL_FREERTOS_WAKEUPS 1 /* index of the notification */

/* FreeRTOS's yield is an ecall, which does not retire but traps, so that a tracepoint before the call would never be passed: there is an instruction for it. */
MEL_FREERTOS_CALL mel_status_t mel_task_yield(void)
{
    __asm__ volatile("nop");
    taskYIELD();
    mel_freertos_barrier();
    return MEL_E_OK;
}

/* Only the caller's own priority: FreeRTOS has no call for another one. */
MEL_FREERTOS_CALL mel_status_t mel_task_rotate(mel_priority_t priority)
{
    return priority == MEL_OWN_PRIORITY ? mel_task_yield() : MEL_E_RSFN;
}

MEL_FREERTOS_CALL mel_status_t mel_task_sleep(mel_ticks_t timeout)
{
    if (mel_freertos_in_handler()) {
        return MEL_E_CTX;
    }
    if (__builtin_expect(ulTaskNotifyTakeIndexed(MEL_FREERTOS_WAKEUPS, pdFALSE, timeout) != 0, 1)) {
        return MEL_E_OK;
    }
    return mel_freertos_end(timeout);
}

MEL_FREERTOS_CALL mel_status_t mel_task_wakeup(mel_id_t task)
{
    if (mel_freertos_in_handler()) {
        vTaskNotifyGiveIndexedFromISR(mel_freertos_task(task), MEL_FREERTOS_WAKEUPS, &mel_freertos_due);
    } else {
        (void)xTaskNotifyGiveIndexed(mel_freertos_task(task), MEL_FREERTOS_WAKEUPS);
    }
    return MEL_E_OK;
}

/* A handler cannot: E_RSFN. */
MEL_FREERTOS_CALL mel_status_t mel_task_suspend(mel_id_t task)
{
    if (mel_freertos_in_handler()) {
        return MEL_E_RSFN;
    }
    vTaskSuspend(task == MEL_SELF ? NULL : mel_freertos_task(task));
    return MEL_E_OK;
}

MEL_FREERTOS_CALL mel_status_t mel_task_resume(mel_id_t task)
{
    if (mel_freertos_in_handler()) {
        mel_freertos_due |= xTaskResumeFromISR(mel_freertos_task(task));
    } else {
        vTaskResume(mel_freertos_task(task));
    }
    return MEL_E_OK;
}

/* A handler cannot: E_RSFN. */
MEL_FREERTOS_CALL mel_status_t mel_task_set_priority(mel_id_t task, mel_priority_t priority)
{
    if (priority >= MEL_PRIORITIES) {
        return MEL_E_PAR;
    }
    if (mel_freertos_in_handler()) {
        return MEL_E_RSFN;
    }
    vTaskPrioritySet(task == MEL_SELF ? NULL : mel_freertos_task(task), mel_freertos_priority(priority));
    return MEL_E_OK;
}

MEL_FREERTOS_CALL mel_id_t mel_task_self(void)
{
    const uintptr_t distance = (uintptr_t)xTaskGetCurrentTaskHandle() - (uintptr_t)mel_freertos_tasks;
    const mel_id_t number = distance / sizeof *mel_freertos_tasks;
    return number < MEL_TASKS ? number : MEL_TASKS;
}

#endif
