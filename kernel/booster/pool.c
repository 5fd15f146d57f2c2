/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c: memory pools over semaphores in C. What common/pool.h stands on. */
#include "unit/objects.h"

typedef uint32_t pool_key_t;

static inline pool_key_t pool_lock(void)
{
    return mel_unit_lock();
}

static inline void pool_unlock(pool_key_t key)
{
    mel_unit_unlock(key);
}

static inline int32_t pool_ask(uint32_t op, mel_id_t sem, uint32_t argument)
{
    switch (op) {
    case MEL_OP_SEMAPHORE_CREATE: return mel_objects_sem_create(sem, 0, argument);
    case MEL_OP_SEMAPHORE_DELETE: return mel_objects_sem_delete(sem);
    case MEL_OP_SEMAPHORE_GIVE: return mel_objects_sem_give(sem);
    default: return mel_objects_sem_take(sem, argument);
    }
}

static inline mel_status_t pool_end(pool_key_t key, int32_t answer)
{
    return mel_objects_end(key, answer);
}

#include "common/pool.h"
