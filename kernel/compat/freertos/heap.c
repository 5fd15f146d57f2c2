/* SPDX-License-Identifier: Apache-2.0 */
/* heap.c: memory of the heap: first fit by address; a block that is freed becomes one with free neighbours. Sizes are those of FreeRTOS' heap_4: a
 * block has 16 bytes besides what was asked for, and is a multiple of 16 bytes.
 * Tasks' stacks are on the heap, so the simulation takes it for a stack; it stops a run whose stack pointer leaves the heap.
 * With configUSE_HEAP_UNIT 1: heap_unit.c.
 * Not for handlers. Timing: grows with the number of free blocks; dispatch is disabled meanwhile, interrupts are on. */
#include "layer.h"

#if !configUSE_HEAP_UNIT

#include <string.h>

#define HEADER 16u
#define SMALLEST (2 * HEADER) /* a rest that is smaller stays with its block */
#define USED UINT32_C(0x80000000)

typedef struct block {
    struct block *next; /* free block; NULL in a used one */
    uint32_t size;      /* bytes with the header; | USED */
} block_t;

#define HEAP_BYTES ((configTOTAL_HEAP_SIZE) & ~15u)

#if configAPPLICATION_ALLOCATED_HEAP
extern uint8_t ucHeap[configTOTAL_HEAP_SIZE];
#else
static uint8_t ucHeap[HEAP_BYTES] __attribute__((aligned(16)));
#endif

/* Number of a stack that is no task's own. */
#define STACKS_OF_THE_HEAP 0xFFFD
MEL_STACK_RECORD(ucHeap, STACKS_OF_THE_HEAP, HEAP_BYTES);

static block_t first; /* the list of free blocks, by address, begins here */
static BaseType_t ready;
static size_t left, least, taken, given;

static void prepare(void)
{
    block_t *whole = (block_t *)(((uintptr_t)ucHeap + 15) & ~(uintptr_t)15);
    whole->next = NULL;
    whole->size = (uint32_t)(((uintptr_t)ucHeap + sizeof ucHeap - (uintptr_t)whole) & ~(uintptr_t)15) - HEADER; /* heap_4 keeps an end mark */
    first.next = whole;
    left = least = whole->size;
    ready = pdTRUE;
}

/* `block` goes where it belongs by address, and together with its neighbours. */
static void insert(block_t *block)
{
    block_t *before = &first;
    while (before->next != NULL && before->next < block) {
        before = before->next;
    }
    block->next = before->next;
    if (block->next != NULL && (uint8_t *)block + block->size == (uint8_t *)block->next) {
        block->size += block->next->size;
        block->next = block->next->next;
    }
    if (before != &first && (uint8_t *)before + before->size == (uint8_t *)block) {
        before->size += block->size;
        before->next = block->next;
    } else {
        before->next = block;
    }
}

/* The first block of at least `size` bytes, out of the list. */
static block_t *find(size_t size)
{
    block_t *before = &first;
    while (before->next != NULL && before->next->size < size) {
        before = before->next;
    }
    block_t *block = before->next;
    if (block == NULL) {
        return NULL;
    }
    if (block->size - size > SMALLEST) { /* the rest has no free neighbour, and is in the list where the block was */
        block_t *rest = (block_t *)((uint8_t *)block + size);
        rest->size = block->size - size;
        rest->next = block->next;
        block->size = size;
        before->next = rest;
    } else {
        before->next = block->next;
    }
    return block;
}

void *pvPortMalloc(size_t xWantedSize)
{
    block_t *block = NULL;
    freertos_reap();
    vTaskSuspendAll();
    if (!ready) {
        prepare();
    }
    if (xWantedSize != 0 && xWantedSize < USED - 2 * HEADER) {
        block = find((xWantedSize + HEADER + 15) & ~(size_t)15);
    }
    if (block != NULL) {
        left -= block->size;
        least = left < least ? left : least;
        taken++;
        block->size |= USED;
        block->next = NULL;
    }
    traceMALLOC(block != NULL ? (uint8_t *)block + HEADER : NULL, block != NULL ? block->size & ~USED : 0);
    (void)xTaskResumeAll();
#if configUSE_MALLOC_FAILED_HOOK
    if (block == NULL) {
        vApplicationMallocFailedHook();
    }
#endif
    return block != NULL ? (uint8_t *)block + HEADER : NULL;
}

void *pvPortCalloc(size_t xNum, size_t xSize)
{
    const uint64_t bytes = (uint64_t)xNum * xSize;
    void *memory = bytes < USED ? pvPortMalloc((size_t)bytes) : NULL;
    return memory != NULL ? memset(memory, 0, (size_t)bytes) : NULL;
}

void vPortFree(void *pv)
{
    if (pv == NULL) {
        return;
    }
    block_t *block = (block_t *)((uint8_t *)pv - HEADER);
    configASSERT((block->size & USED) != 0 && block->next == NULL);
    if ((block->size & USED) == 0) {
        return;
    }
    vTaskSuspendAll();
    block->size &= ~USED;
    left += block->size;
    given++;
    traceFREE(pv, block->size);
    insert(block);
    (void)xTaskResumeAll();
}

size_t xPortGetFreeHeapSize(void)
{
    freertos_reap();
    vTaskSuspendAll();
    if (!ready) {
        prepare();
    }
    (void)xTaskResumeAll();
    return left;
}

size_t xPortGetMinimumEverFreeHeapSize(void)
{
    return ready ? least : xPortGetFreeHeapSize();
}

void xPortResetHeapMinimumEverFreeHeapSize(void)
{
    least = xPortGetFreeHeapSize();
}

void vPortGetHeapStats(HeapStats_t *pxHeapStats)
{
    (void)xPortGetFreeHeapSize();
    vTaskSuspendAll();
    *pxHeapStats = (HeapStats_t){
        .xAvailableHeapSpaceInBytes = left,
        .xSizeOfSmallestFreeBlockInBytes = SIZE_MAX,
        .xMinimumEverFreeBytesRemaining = least,
        .xNumberOfSuccessfulAllocations = taken,
        .xNumberOfSuccessfulFrees = given,
    };
    for (const block_t *block = first.next; block != NULL; block = block->next) {
        pxHeapStats->xNumberOfFreeBlocks++;
        if (block->size > pxHeapStats->xSizeOfLargestFreeBlockInBytes) {
            pxHeapStats->xSizeOfLargestFreeBlockInBytes = block->size;
        }
        if (block->size < pxHeapStats->xSizeOfSmallestFreeBlockInBytes) {
            pxHeapStats->xSizeOfSmallestFreeBlockInBytes = block->size;
        }
    }
    (void)xTaskResumeAll();
}

#endif
