/* SPDX-License-Identifier: Apache-2.0 */
/* heap.c: memory of the heap. */
#include "parts.h"

void heap(void)
{
    HeapStats_t stats;
    const size_t before = xPortGetFreeHeapSize();
    shown(__FILE_NAME__, __LINE__, "xPortGetFreeHeapSize", before > 1000 && before < configTOTAL_HEAP_SIZE, 1);
    uint8_t *one = pvPortMalloc(100);
    shown(__FILE_NAME__, __LINE__, "pvPortMalloc", one != NULL && (uintptr_t)one % portBYTE_ALIGNMENT == 0, 1);
    CHECK(before - 128, xPortGetFreeHeapSize());
    uint8_t *two = pvPortMalloc(1);
    uint8_t *three = pvPortMalloc(33);
    CHECK(one + 128, two);
    CHECK(two + 32, three);
    CHECK(before - 128 - 32 - 64, xPortGetFreeHeapSize());
    DONE(vPortFree(one));
    vPortFree(NULL);
    uint8_t *small = pvPortMalloc(40);
    CHECK(one, small); /* the first that is large enough */
    vPortFree(small);
    vPortFree(three);
    vPortFree(two);
    CHECK(before, xPortGetFreeHeapSize());
    one = pvPortMalloc(before / 2); /* neighbours have become one */
    CHECK(pdTRUE, one != NULL);
    vPortFree(one);
    uint32_t *words = pvPortCalloc(4, sizeof *words);
    shown(__FILE_NAME__, __LINE__, "pvPortCalloc", words != NULL && words[0] == 0 && words[3] == 0, 1);
    vPortFree(words);
    failures = 0;
    CHECK(NULL, pvPortMalloc(before + 1));
    shown(__FILE_NAME__, __LINE__, "vApplicationMallocFailedHook", failures, 1);
    CHECK(NULL, pvPortCalloc(0x10000, 0x10000));
    DONE(vPortGetHeapStats(&stats));
    CHECK(before, stats.xAvailableHeapSpaceInBytes);
    CHECK(pdTRUE, stats.xNumberOfFreeBlocks >= 1);
    CHECK(pdTRUE, stats.xSizeOfLargestFreeBlockInBytes >= stats.xSizeOfSmallestFreeBlockInBytes);
    CHECK(pdTRUE, stats.xNumberOfSuccessfulAllocations - stats.xNumberOfSuccessfulFrees > 5);
    shown(__FILE_NAME__, __LINE__, "xPortGetMinimumEverFreeHeapSize", xPortGetMinimumEverFreeHeapSize() < before / 2 + 32, 1);
    CHECK(stats.xMinimumEverFreeBytesRemaining, xPortGetMinimumEverFreeHeapSize());
    DONE(xPortResetHeapMinimumEverFreeHeapSize());
    CHECK(before, xPortGetMinimumEverFreeHeapSize());
}
