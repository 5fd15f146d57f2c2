/* SPDX-License-Identifier: Apache-2.0 */
/* list.c: FreeRTOS' own allocator (heaps.h), for the kernel `freertos`, whose objects are all static. */
#include "heaps.h"

#include <FreeRTOS.h>

#undef configSUPPORT_DYNAMIC_ALLOCATION
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configTOTAL_HEAP_SIZE HEAP_BYTES
#include <heap_4.c>

EDGES(measured, pvPortMalloc, vPortFree)

/* It has no way to begin anew, and needs none: what was held is freed. Its list is made by the first call. */
static void reset(void)
{
    vPortFree(pvPortMalloc(1));
}

static size_t largest(void)
{
    HeapStats_t stats;
    vPortGetHeapStats(&stats);
    return stats.xSizeOfLargestFreeBlockInBytes;
}

static size_t taken(size_t bytes)
{
    const size_t size = bytes + xHeapStructSize;
    return (size + portBYTE_ALIGNMENT_MASK) & ~(size_t)portBYTE_ALIGNMENT_MASK;
}

const heap_t heap_4 = {reset, measured_alloc, measured_free, xPortGetFreeHeapSize, largest, taken};
