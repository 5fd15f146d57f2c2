/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c: the heap of the memory management unit (heaps.h). */
#include "heaps.h"

#include <melanion/dmmu.h>

#define ALLOCATION(block) (*(volatile uint32_t *)(MEL_DMMU_BASE + MEL_DMMU_REGION_ALLOCATION(block)))

EDGES(measured, mel_dmmu_alloc, (void)mel_dmmu_free)

static size_t left(void)
{
    mel_dmmu_info_t info;
    mel_dmmu_query(&info);
    return info.free * MEL_DMMU_BLOCK_BYTES;
}

static size_t largest(void)
{
    size_t most = 0, run = 0;
    for (uint32_t block = 0; block < MEL_DMMU_BLOCKS;) {
        const uint32_t word = ALLOCATION(block);
        const bool held = word != MEL_DMMU_ANSWER_NONE;
        run = held ? 0 : run + MEL_DMMU_BLOCK_BYTES;
        most = run > most ? run : most;
        block += held ? word >> 8 & 0x1FF : 1;
    }
    return most;
}

static size_t taken(size_t bytes)
{
    return (bytes + MEL_DMMU_BLOCK_BYTES - 1) / MEL_DMMU_BLOCK_BYTES * MEL_DMMU_BLOCK_BYTES;
}

const heap_t heap_unit = {mel_dmmu_boot, measured_alloc, measured_free, left, largest, taken};
