/* SPDX-License-Identifier: Apache-2.0 */
/* no_cache.h: systems without a lock cache (the implementations `none` and `spin` of the interface `lock`): who gives a semaphore finds the task that waits. */
#ifndef MEL_SOFTWARE_LOCK_NO_CACHE_H
#define MEL_SOFTWARE_LOCK_NO_CACHE_H

#include <melanion/types.h>

static inline void mel_long_wait(mel_id_t sem, uint32_t affinity, uint32_t priority)
{
    (void)sem;
    (void)affinity;
    (void)priority;
}

static inline bool mel_long_give(mel_key_t key, mel_id_t sem, uint32_t affinity)
{
    (void)key;
    (void)sem;
    (void)affinity;
    return false;
}

static inline void mel_lock_boot(void)
{
}

static inline bool mel_lock_owns(uint32_t address)
{
    (void)address;
    return false;
}

#endif
