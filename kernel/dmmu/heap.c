/* SPDX-License-Identifier: Apache-2.0 */
/* heap.c: memory for tasks over the blocks of the unit (dmmu.h). All state is the unit's, which performs one command at a time for all cores: no section, no
 * list, no header before the memory.
 * Timing: a division by a power of two, and a command; the same for any state of the heap. */
#include <melanion/task.h>

#include "dmmu/unit.h"

static uint8_t heap[MEL_DMMU_BLOCKS * MEL_DMMU_BLOCK_BYTES] __attribute__((aligned(MEL_DMMU_BLOCK_BYTES)));

/* Number of the block that begins at an address; MEL_DMMU_BLOCKS: none does. */
static inline uint32_t block_at(const void *memory)
{
    const uint32_t offset = (uint32_t)((uintptr_t)memory - (uintptr_t)heap);
    return offset < sizeof heap && offset % MEL_DMMU_BLOCK_BYTES == 0 ? offset / MEL_DMMU_BLOCK_BYTES : MEL_DMMU_BLOCKS;
}

void *mel_dmmu_alloc(size_t bytes)
{
    const mel_id_t task = mel_task_self();
    const uint32_t blocks = (bytes - 1) / MEL_DMMU_BLOCK_BYTES + 1; /* of 0 bytes: more than there are */
    if (task >= MEL_DMMU_OWNERS || blocks > MEL_DMMU_BLOCKS) {
        return NULL;
    }
    const uint32_t first = mel_dmmu_do(MEL_DMMU_COMMAND_ALLOCATE, MEL_DMMU_ARGUMENTS(task, blocks, 0u));
    return first != MEL_DMMU_ANSWER_FULL ? heap + first * MEL_DMMU_BLOCK_BYTES : NULL;
}

static inline mel_status_t release(uint32_t command, const void *memory, mel_id_t next)
{
    const mel_id_t task = mel_task_self();
    const uint32_t block = block_at(memory);
    if (block == MEL_DMMU_BLOCKS) {
        return MEL_E_PAR;
    }
    if (task >= MEL_DMMU_OWNERS) { /* it holds nothing */
        return MEL_E_ILUSE;
    }
    return mel_dmmu_do(command, MEL_DMMU_ARGUMENTS(task, block, next)) == MEL_DMMU_ANSWER_DONE ? MEL_E_OK : MEL_E_ILUSE;
}

mel_status_t mel_dmmu_free(void *memory)
{
    return release(MEL_DMMU_COMMAND_RELEASE, memory, 0);
}

mel_status_t mel_dmmu_give(void *memory, mel_id_t task)
{
    return task < MEL_DMMU_OWNERS && task < MEL_TASKS ? release(MEL_DMMU_COMMAND_GIVE, memory, task) : MEL_E_ID;
}
