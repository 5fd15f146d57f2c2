/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c: memory pools of the software kernel: what common/pool.h stands on. Sections nest: the calls of semaphores lock again, and the
 * inner unlock leaves interrupts off. Where such a call runs another task, that one has interrupts on, and so has the caller afterwards. */
#include <melanion/semaphore.h>

#include "software/lock/lock.h"

typedef mel_key_t pool_key_t;

static inline pool_key_t pool_lock(void)
{
    return mel_section_begin();
}

static inline void pool_unlock(pool_key_t key)
{
    mel_section_end(key);
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
