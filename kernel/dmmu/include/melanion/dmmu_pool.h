/* SPDX-License-Identifier: Apache-2.0 */
/* dmmu_pool.h: memory pools whose blocks the memory management unit hands out (docs/explanation/dmmu.md): as those of pool.h, but the blocks of all pools come from
 * the unit's memory, so that none is reserved for a pool that does not need it now, and a block that is put twice is refused. No task can wait for a block; what
 * a program must have, or wait for, belongs into a pool of pool.h.
 * A pool is an owner of the unit: its number is that of no other pool, and of no task that calls mel_dmmu_alloc. mel_dmmu_boot comes first.
 * Timing: get and put are a command of the unit each, the same for any state of it. Callers: any; on any core. */
#ifndef MELANION_DMMU_POOL_H
#define MELANION_DMMU_POOL_H

#include <mel_system.h>
#include <melanion/dmmu.h>

/* The unit's memory, which the program defines once for all its pools, of static storage: MEL_DMMU_POOL_MEMORY(name); its address is that of mel_dmmu_pool_create. */
#define MEL_DMMU_POOL_BYTES (MEL_DMMU_BLOCKS * MEL_DMMU_BLOCK_BYTES)
#define MEL_DMMU_POOL_MEMORY(name) static uint8_t name[MEL_DMMU_POOL_BYTES] __attribute__((aligned(MEL_DMMU_BLOCK_BYTES)))

/* One pool. The program defines it and looks at nothing in it. */
typedef struct {
    uint8_t *memory;
    uint32_t word; /* owner and blocks, of the command that gets a block */
} mel_dmmu_pool_t;

/* Make a pool of blocks of `size` bytes, which take whole blocks of the unit. Callers: any. E_OK; E_PAR: size 0, or above the unit's memory; E_ID: no such owner. */
static inline mel_status_t mel_dmmu_pool_create(mel_dmmu_pool_t *pool, uint8_t *memory, size_t size, uint32_t owner)
{
    const uint32_t blocks = (size - 1) / MEL_DMMU_BLOCK_BYTES + 1; /* 0 bytes: more than there are */
    if (blocks > MEL_DMMU_BLOCKS) {
        return MEL_E_PAR;
    }
    if (owner >= MEL_DMMU_OWNERS) {
        return MEL_E_ID;
    }
    *pool = (mel_dmmu_pool_t){.memory = memory, .word = owner | blocks << 8};
    return MEL_E_OK;
}

/* Get a block into `block`, which is written only with E_OK. Callers: any. E_OK; E_TMOUT: there is no room for one. */
static inline mel_status_t mel_dmmu_pool_get(mel_dmmu_pool_t *pool, void **block)
{
    const uint32_t first = mel_dmmu_command(MEL_DMMU_COMMAND_ALLOCATE, pool->word);
    if (first == MEL_DMMU_ANSWER_FULL) {
        return MEL_E_TMOUT;
    }
    *block = pool->memory + first * MEL_DMMU_BLOCK_BYTES;
    return MEL_E_OK;
}

/* Put a block back. Callers: any. E_OK; E_PAR: no block of the unit begins there; E_ILUSE: it is not, or no more, one of the pool. */
static inline mel_status_t mel_dmmu_pool_put(mel_dmmu_pool_t *pool, void *block)
{
    const uint32_t offset = (uint32_t)((uintptr_t)block - (uintptr_t)pool->memory);
    if (offset >= MEL_DMMU_POOL_BYTES || offset % MEL_DMMU_BLOCK_BYTES != 0) {
        return MEL_E_PAR;
    }
    const uint32_t word = (pool->word & 0xFF) | offset / MEL_DMMU_BLOCK_BYTES << 8;
    return mel_dmmu_command(MEL_DMMU_COMMAND_RELEASE, word) == MEL_DMMU_ANSWER_DONE ? MEL_E_OK : MEL_E_ILUSE;
}

#endif
