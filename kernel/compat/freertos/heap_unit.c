/* SPDX-License-Identifier: Apache-2.0 */
/* heap_unit.c: memory of the heap from the memory management unit (docs/explanation/dmmu.md), with configUSE_HEAP_UNIT 1; without it heap.c. The heap is all memory of
 * the unit, in its blocks: what is asked for is rounded up to whole ones, and has no header. Any task may free what another one has: the heap is one owner.
 * A second free of the same memory, or one of an address inside it, frees nothing and fails configASSERT.
 * Not for handlers. Timing: malloc and free are a division by a power of two and a command each, the same for any state of the heap; interrupts are off for
 * the command. malloc also releases what deleted tasks had, as heap.c does. vPortGetHeapStats reads a word of the unit per block. */
#include "layer.h"

#if configUSE_HEAP_UNIT

#include <string.h>

#ifndef MEL_DMMU_BLOCKS
#error "FreeRTOSConfig.h: configUSE_HEAP_UNIT is 1, and this system has no memory management unit; take a system with components: dmmu, such as sw-dmmu, or set it to 0"
#else

#include <melanion/console.h>
#include <melanion/dmmu.h>
#include <melanion/irq_lock.h>

#define BLOCK MEL_DMMU_BLOCK_BYTES
#define HEAP_BYTES (MEL_DMMU_BLOCKS * BLOCK)
#define WORD(offset) (*(volatile uint32_t *)(MEL_DMMU_BASE + (offset)))
#define ARGUMENTS(number) ((MEL_DMMU_OWNERS - 1u) | (number) << 8)

_Static_assert(BLOCK % 16 == 0, "configUSE_HEAP_UNIT: block_bytes of the memory management unit must be 16 or more: stacks begin at multiples of 16");
_Static_assert((configTOTAL_HEAP_SIZE) <= HEAP_BYTES,
               "FreeRTOSConfig.h: configTOTAL_HEAP_SIZE is more than blocks * block_bytes of the memory management unit; make it smaller, raise these "
               "(components: dmmu), or set configUSE_HEAP_UNIT to 0");
#if configAPPLICATION_ALLOCATED_HEAP
#error "FreeRTOSConfig.h: configAPPLICATION_ALLOCATED_HEAP is 1, and the heap of configUSE_HEAP_UNIT is the layer's; set one of them to 0"
#endif

static uint8_t ucHeap[HEAP_BYTES] __attribute__((aligned(BLOCK)));

/* Number of a stack that is no task's own. */
#define STACKS_OF_THE_HEAP 0xFFFD
MEL_STACK_RECORD(ucHeap, STACKS_OF_THE_HEAP, HEAP_BYTES);

static volatile BaseType_t ready, said;
static volatile BaseType_t watched; /* the least is counted here: the unit's own begins at its boot */
static volatile uint32_t least;     /* blocks */
static volatile size_t taken[MEL_CORES], given[MEL_CORES];

static __attribute__((noinline)) void prepare(void)
{
    vTaskSuspendAll();
    if (!ready) {
        mel_dmmu_boot();
        ready = pdTRUE;
    }
    (void)xTaskResumeAll();
}

/* No state of the heap can serve that. Once in a run. */
static __attribute__((noinline)) void tell(size_t bytes)
{
    if (!said) {
        said = pdTRUE;
        mel_print("FreeRTOS heap: ");
        mel_print_unsigned(bytes);
        mel_print(" bytes were asked for, and the memory management unit has ");
        mel_print_unsigned(HEAP_BYTES);
        mel_print(" in all; raise blocks or block_bytes (components: dmmu)\n");
    }
}

void *pvPortMalloc(size_t xWantedSize)
{
    uint8_t *memory = NULL;
    const uint32_t blocks = (xWantedSize - 1) / BLOCK + 1; /* 0 bytes: more than there are */
    freertos_reap();
    if (!ready) {
        prepare();
    }
    if (blocks <= MEL_DMMU_BLOCKS) {
        const mel_irq_key_t key = mel_irq_lock();
        const uint32_t first = mel_dmmu_command(MEL_DMMU_COMMAND_ALLOCATE, ARGUMENTS(blocks));
        if (first != MEL_DMMU_ANSWER_FULL) {
            memory = ucHeap + first * BLOCK;
            taken[mel_core_self()]++;
            if (watched) {
                const uint32_t now = WORD(MEL_DMMU_REG_FREE);
                least = now < least ? now : least;
            }
        }
        mel_irq_unlock(key);
    } else if (xWantedSize != 0) {
        tell(xWantedSize);
    }
    traceMALLOC(memory, memory != NULL ? blocks * BLOCK : 0);
#if configUSE_MALLOC_FAILED_HOOK
    if (memory == NULL) {
        vApplicationMallocFailedHook();
    }
#endif
    return memory;
}

void *pvPortCalloc(size_t xNum, size_t xSize)
{
    const uint64_t bytes = (uint64_t)xNum * xSize;
    void *memory = bytes < SIZE_MAX ? pvPortMalloc((size_t)bytes) : NULL;
    return memory != NULL ? memset(memory, 0, (size_t)bytes) : NULL;
}

/* Number of the blocks of an allocation that begins at a block; 0: none does. */
static inline uint32_t held(uint32_t block)
{
    const uint32_t word = WORD(MEL_DMMU_REGION_ALLOCATION(block));
    return word != MEL_DMMU_ANSWER_NONE ? word >> 8 & 0x1FF : 0;
}

void vPortFree(void *pv)
{
    if (pv == NULL) {
        return;
    }
    const uint32_t offset = (uint32_t)((uintptr_t)pv - (uintptr_t)ucHeap);
    uint32_t answer = MEL_DMMU_ANSWER_NONE;
    if (offset < HEAP_BYTES && offset % BLOCK == 0) {
        traceFREE(pv, held(offset / BLOCK) * BLOCK);
        const mel_irq_key_t key = mel_irq_lock();
        answer = mel_dmmu_command(MEL_DMMU_COMMAND_RELEASE, ARGUMENTS(offset / BLOCK));
        given[mel_core_self()] += answer == MEL_DMMU_ANSWER_DONE;
        mel_irq_unlock(key);
    }
    configASSERT(answer == MEL_DMMU_ANSWER_DONE);
    (void)answer;
}

size_t xPortGetFreeHeapSize(void)
{
    freertos_reap();
    if (!ready) {
        prepare();
    }
    return WORD(MEL_DMMU_REG_FREE) * BLOCK;
}

size_t xPortGetMinimumEverFreeHeapSize(void)
{
    if (!ready) {
        prepare();
    }
    return (watched ? least : WORD(MEL_DMMU_REG_LEAST)) * BLOCK;
}

void xPortResetHeapMinimumEverFreeHeapSize(void)
{
    (void)xPortGetFreeHeapSize();
    const mel_irq_key_t key = mel_irq_lock();
    least = WORD(MEL_DMMU_REG_FREE);
    watched = pdTRUE;
    mel_irq_unlock(key);
}

static size_t sum(const volatile size_t *counters)
{
    size_t all = 0;
    for (uint32_t core = 0; core < MEL_CORES; core++) {
        all += counters[core];
    }
    return all;
}

static void note(HeapStats_t *stats, size_t bytes)
{
    if (bytes == 0) {
        return;
    }
    stats->xNumberOfFreeBlocks++;
    if (bytes > stats->xSizeOfLargestFreeBlockInBytes) {
        stats->xSizeOfLargestFreeBlockInBytes = bytes;
    }
    if (bytes < stats->xSizeOfSmallestFreeBlockInBytes) {
        stats->xSizeOfSmallestFreeBlockInBytes = bytes;
    }
}

void vPortGetHeapStats(HeapStats_t *pxHeapStats)
{
    size_t run = 0; /* free bytes one behind the other */
    (void)xPortGetFreeHeapSize();
    vTaskSuspendAll();
    *pxHeapStats = (HeapStats_t){
        .xAvailableHeapSpaceInBytes = WORD(MEL_DMMU_REG_FREE) * BLOCK,
        .xSizeOfSmallestFreeBlockInBytes = SIZE_MAX,
        .xMinimumEverFreeBytesRemaining = xPortGetMinimumEverFreeHeapSize(),
        .xNumberOfSuccessfulAllocations = sum(taken),
        .xNumberOfSuccessfulFrees = sum(given),
    };
    for (uint32_t block = 0; block < MEL_DMMU_BLOCKS;) {
        const uint32_t blocks = held(block);
        if (blocks != 0) {
            note(pxHeapStats, run);
            run = 0;
            block += blocks;
        } else {
            run += BLOCK;
            block++;
        }
    }
    note(pxHeapStats, run);
    (void)xTaskResumeAll();
}

#endif
#endif
