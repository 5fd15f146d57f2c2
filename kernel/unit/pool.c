/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c: memory pools, in C; their tasks wait in the hardware unit. What common/pool.h stands on. A command whose answer says that
 * another task runs is asked in the section and obeyed behind it, as when a task is made (unit/task.c). */
#include "unit/unit.h"

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
    return mel_unit_ask_again(op, mel_unit_limit(sem), op == MEL_OP_SEMAPHORE_CREATE ? argument << 16 : argument);
}

static inline mel_status_t pool_end(pool_key_t key, int32_t answer)
{
    pool_unlock(key);
    return __builtin_expect(answer > 0, 0) ? mel_unit_switch() : answer;
}

#include "common/pool.h"
