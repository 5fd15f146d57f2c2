/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: what the heap says of itself is compared with what the program holds, at each step of a random sequence that fills it; then what is refused. The cycles
 * of each call are read with interrupts off. A wrong number ends the run with a sentence and exit code 1. */
#include "FreeRTOS.h"
#include "task.h"

#include <mel_system.h>
#include <melanion/console.h>
#include <melanion/kernel.h>

enum { PLACES = 64, STEPS = 1500, BLOCK = MEL_DMMU_BLOCK_BYTES, WHOLE = MEL_DMMU_BLOCKS * BLOCK };

typedef struct {
    unsigned char *memory;
    size_t bytes;
} place_t;

typedef struct {
    uint32_t least, most;
} range_t;

volatile unsigned asserts, failures;
volatile unsigned long traced, untraced;
static place_t places[PLACES];
static uint32_t state = 7;
static range_t mallocs = {UINT32_MAX, 0}, frees = {UINT32_MAX, 0};

void vApplicationMallocFailedHook(void)
{
    failures++;
}

static void same(int line, unsigned long found, unsigned long expected)
{
    if (found != expected) {
        mel_print("freertos_heap_unit: line ");
        mel_print_unsigned((uint32_t)line);
        mel_print(": ");
        mel_print_unsigned((uint32_t)found);
        mel_print(" instead of ");
        mel_print_unsigned((uint32_t)expected);
        mel_print("\n");
        mel_exit(1);
    }
}
#define SAME(found, expected) same(__LINE__, (unsigned long)(found), (unsigned long)(expected))

static uint32_t below(uint32_t limit)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static inline uint32_t cycles(void)
{
    uint32_t count;
    __asm__ volatile("csrr %0, mcycle" : "=r"(count) : : "memory");
    return count;
}

static void note(range_t *range, uint32_t took)
{
    range->least = took < range->least ? took : range->least;
    range->most = took > range->most ? took : range->most;
}

static __attribute__((noinline)) void *measured_malloc(size_t bytes)
{
    taskENTER_CRITICAL();
    const uint32_t begun = cycles();
    void *const memory = pvPortMalloc(bytes);
    const uint32_t took = cycles() - begun;
    taskEXIT_CRITICAL();
    note(&mallocs, took);
    return memory;
}

static __attribute__((noinline)) void measured_free(void *memory)
{
    taskENTER_CRITICAL();
    const uint32_t begun = cycles();
    vPortFree(memory);
    const uint32_t took = cycles() - begun;
    taskEXIT_CRITICAL();
    note(&frees, took);
}

static size_t rounded(size_t bytes)
{
    return (bytes + BLOCK - 1) / BLOCK * BLOCK;
}

/* A random sequence. `at_first`: bytes that were free before it. */
static void random_use(size_t at_first)
{
    size_t held = 0, most = 0;
    HeapStats_t stats;
    for (uint32_t step = 0; step < STEPS; step++) {
        place_t *const place = &places[below(PLACES)];
        if (place->memory != NULL) {
            for (size_t i = 0; i < place->bytes; i += BLOCK / 2) {
                SAME(place->memory[i], (unsigned char)(uintptr_t)place);
            }
            held -= rounded(place->bytes);
            measured_free(place->memory);
            place->memory = NULL;
        } else {
            const unsigned before = failures;
            place->bytes = 1 + below(8u << below(7));
            place->memory = measured_malloc(place->bytes);
            SAME(failures - before, place->memory == NULL);
            if (place->memory != NULL) {
                SAME((uintptr_t)place->memory % BLOCK, 0);
                held += rounded(place->bytes);
                for (size_t i = 0; i < place->bytes; i += BLOCK / 2) {
                    place->memory[i] = (unsigned char)(uintptr_t)place;
                }
            } else {
                vPortGetHeapStats(&stats);
                SAME(stats.xSizeOfLargestFreeBlockInBytes < place->bytes, 1);
            }
        }
        most = held > most ? held : most;
        SAME(xPortGetFreeHeapSize(), at_first - held);
    }
    vPortGetHeapStats(&stats);
    SAME(stats.xAvailableHeapSpaceInBytes, at_first - held);
    SAME(stats.xMinimumEverFreeBytesRemaining, at_first - most);
    SAME(xPortGetMinimumEverFreeHeapSize(), at_first - most);
    xPortResetHeapMinimumEverFreeHeapSize();
    SAME(xPortGetMinimumEverFreeHeapSize(), at_first - held);
    for (uint32_t i = 0; i < PLACES; i++) {
        vPortFree(places[i].memory);
        places[i].memory = NULL;
    }
    SAME(xPortGetMinimumEverFreeHeapSize(), at_first - held);
    void *const some = pvPortMalloc(at_first - held + 1);
    SAME(some != NULL, 1);
    SAME(xPortGetMinimumEverFreeHeapSize(), at_first - rounded(at_first - held + 1) < at_first - held ? at_first - rounded(at_first - held + 1) : at_first - held);
    vPortFree(some);
    SAME(asserts, 0);
}

static void show(const char *name, const range_t *range)
{
    mel_print(name);
    mel_print(" ");
    mel_print_unsigned(range->least);
    mel_print(" ");
    mel_print_unsigned(range->most);
    mel_print("\n");
}

/* Nothing of this changes what is free. */
static void refusals(size_t at_first)
{
    unsigned before = failures;
    SAME((uintptr_t)pvPortMalloc(0), 0);
    SAME((uintptr_t)pvPortMalloc(WHOLE + 1), 0); /* told, once */
    SAME((uintptr_t)pvPortMalloc(SIZE_MAX), 0);
    SAME((uintptr_t)pvPortCalloc(SIZE_MAX / 2, 4), 0);
    SAME(failures - before >= 3, 1);
    before = failures;
    SAME((uintptr_t)pvPortMalloc(at_first + 1), 0); /* less than the whole, more than is free */
    SAME(failures - before, 1);
    unsigned char *const memory = pvPortCalloc(10, 20);
    for (int i = 0; i < 200; i++) {
        SAME(memory[i], 0);
    }
    SAME(asserts, 0);
    vPortFree(memory + BLOCK); /* inside */
    vPortFree(memory + 1);
    vPortFree(&state); /* elsewhere */
    SAME(asserts, 3);
    vPortFree(memory);
    SAME(asserts, 3);
    vPortFree(memory); /* twice */
    SAME(asserts, 4);
    vPortFree(NULL);
    SAME(asserts, 4);
    SAME(xPortGetFreeHeapSize(), at_first);
}

static void *handed;

/* Any task may free what another one has. */
static void other_task(void *unused)
{
    (void)unused;
    vPortFree(handed);
    handed = NULL;
    vTaskDelete(NULL);
}

static void main_task(void *unused)
{
    (void)unused;
    const size_t at_first = xPortGetFreeHeapSize();
    random_use(at_first);
    refusals(at_first);
    asserts = 0;
    handed = pvPortMalloc(100);
    SAME(xTaskCreate(other_task, "other", configMINIMAL_STACK_SIZE, NULL, 5, NULL), pdPASS);
    while (handed != NULL) {
        vTaskDelay(1);
    }
    vTaskDelay(1);
    SAME(asserts, 0);
    SAME(xPortGetFreeHeapSize(), at_first); /* with what the deleted task had */
    SAME(traced - untraced, WHOLE - at_first);
    show("malloc", &mallocs);
    show("free", &frees);
    mel_exit(0);
}

int main(void)
{
    SAME(xPortGetFreeHeapSize(), WHOLE);
    SAME(xTaskCreate(main_task, "main", 512, NULL, 4, NULL), pdPASS);
    vTaskStartScheduler();
    mel_exit(1);
}
