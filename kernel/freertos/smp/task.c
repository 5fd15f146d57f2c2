/* SPDX-License-Identifier: Apache-2.0 */
/* task.c: the life of a task on FreeRTOS on several cores: that of one core (freertos/task.c), and besides: where a task runs, and that a task may run elsewhere when it is
 * removed. FreeRTOS leaves the memory of such a task to its idle task, which may never run; here it is evicted first, so that it can be started again at once. */
#include <melanion/melanion.h>

#include "common/boot.h"

static UBaseType_t cores_of[MEL_TASKS]; /* mask of the cores of each task */

static bool runs_somewhere(TaskHandle_t task)
{
    for (BaseType_t core = 0; core < MEL_CORES; core++) {
        if (xTaskGetCurrentTaskHandleForCore(core) == task) {
            return true;
        }
    }
    return false;
}

/* This core has suspended the scheduler; outside of critical sections the lock for tasks means that. */
static bool suspends(void)
{
    uint32_t depth;
    __asm__ volatile("lw %0, %1(tp)" : "=r"(depth) : "i"(offsetof(mel_freertos_core_t, depth)) : "memory");
    return depth != 0;
}

/* The core that ran a task has saved it when it runs another. */
static void evict(TaskHandle_t task)
{
    vTaskSuspend(task);
    while (runs_somewhere(task)) {
        if (suspends()) {
            mel_boot_refuse("freertos: with dispatch disabled a task was terminated or started that runs on another core, which cannot"
                            " leave it; enable dispatch first");
        }
        __asm__ volatile("div x0, %0, sp" : : "r"(task)); /* a pause away from the memory */
    }
    vTaskDelete(task);
}

#define vTaskDelete evict
#define xTaskCreateStatic(...) xTaskCreateStaticAffinitySet(__VA_ARGS__, cores_of[task])
#define xTaskGetSchedulerState() (suspends() ? taskSCHEDULER_SUSPENDED : taskSCHEDULER_RUNNING)
#define mel_task_create_on create_dormant
#define mel_task_create create_on_core_0

#include "freertos/task.c"

#undef mel_task_create_on
#undef mel_task_create

static mel_status_t create(mel_id_t task, const mel_task_attributes_t *attributes, uint32_t core, UBaseType_t mask)
{
    const mel_status_t status = create_dormant(task, attributes, core);
    if (status == MEL_E_OK) {
        cores_of[task] = mask;
    }
    return status;
}

mel_status_t mel_task_create_on(mel_id_t task, const mel_task_attributes_t *attributes, uint32_t core)
{
    return create(task, attributes, core, (UBaseType_t)1 << core);
}

mel_status_t mel_task_create(mel_id_t task, const mel_task_attributes_t *attributes)
{
    return create(task, attributes, 0, tskNO_AFFINITY);
}
