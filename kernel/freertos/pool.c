/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c: memory pools over FreeRTOS's semaphores, which has no pools of blocks itself: the C of every kernel (common/pool.h). A task may wait inside the critical
 * section: the port keeps its depth for each task, and the semaphore's calls leave interrupts off in it. A handler has them off. */
#include <melanion/semaphore.h>

typedef bool pool_key_t; /* the caller is a task */

static inline pool_key_t pool_lock(void)
{
    const bool task = !mel_freertos_in_handler();
    if (task) {
        taskENTER_CRITICAL();
        mel_freertos_barrier();
    }
    return task;
}

static inline void pool_unlock(pool_key_t task)
{
    if (task) {
        mel_freertos_barrier();
        taskEXIT_CRITICAL();
    }
}

static inline int32_t pool_ask(uint32_t op, mel_id_t sem, uint32_t argument)
{
    switch (op) {
    case MEL_OP_SEMAPHORE_CREATE: return mel_sem_create(sem, 0, argument);
    case MEL_OP_SEMAPHORE_DELETE: return mel_sem_delete(sem);
    case MEL_OP_SEMAPHORE_GIVE: return mel_sem_give(sem);
    default: return mel_sem_take(sem, argument);
    }
}

static inline mel_status_t pool_end(pool_key_t key, int32_t answer)
{
    pool_unlock(key);
    return answer;
}

#include "common/pool.h"
