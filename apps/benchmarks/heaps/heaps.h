/* SPDX-License-Identifier: Apache-2.0 */
/* heaps.h: the benchmark `heaps`: the same random allocations and frees for three heaps of 16 KiB: FreeRTOS' own heap_4, unmodified, with the alignment of its
 * port; the memory management unit (mel_dmmu_alloc); and the unit's algorithm in C. All memory that was allocated is filled, and looked at before it
 * is freed: a wrong word ends the run with exit code 1.
 * Its numbers are also in experiments/heaps.yaml (tests/lab/test_heaps.py compares them). */
#ifndef HEAPS_H
#define HEAPS_H

#include "../stage/stage.h"

enum { PHASE_RUN = 1 }; /* parameter: WAY_…, TRACE_… */

enum { WAY_HEAP_4 = 0, WAY_UNIT = 1, WAY_SOFTWARE = 2, WAYS = 3 };

/* Sizes that are asked for, in bytes: 8 to 64, all alike; 16 to 1023, as many of each power of two; 256 to 2047, all alike; three quarters 40 to 64 and
 * one quarter 1500 to 1536, as messages and frames of a network. */
enum { TRACE_SMALL = 0, TRACE_MIXED = 1, TRACE_LARGE = 2, TRACE_FRAMES = 3, TRACES = 4 };

/* Edges of alloc and of free. LARGEST, WASTE: every SAMPLED steps, the bytes of the largest free block, and the millionths of the memory that is held which nobody
 * asked for. Behind the last step the millionths of all allocs that failed, and of those that failed while as much memory was free. */
enum {
    TRACEPOINT_ALLOC = 1, TRACEPOINT_ALLOCATED = 2, TRACEPOINT_FREE = 3, TRACEPOINT_FREED = 4, TRACEPOINT_FAILED = 5, TRACEPOINT_SCATTERED = 6,
    TRACEPOINT_LARGEST = 7, TRACEPOINT_WASTE = 8
};

enum { HEAP_BYTES = 16384, SAMPLED = 50 };

typedef struct {
    void (*reset)(void);
    void *(*alloc)(size_t bytes);
    void (*release)(void *memory);
    size_t (*left)(void);            /* free bytes */
    size_t (*largest)(void);         /* bytes that one alloc could get */
    size_t (*taken)(size_t bytes);   /* bytes that an alloc of so many takes */
} heap_t;

extern const heap_t heap_4, heap_unit, heap_software;

/* A heap's two calls between their tracepoints (no cycle). */
#define EDGES(name, heap_alloc, heap_free)                      \
    static __attribute__((noinline)) void *name##_alloc(size_t bytes) \
    {                                                           \
        MEL_TRACEPOINT(TRACEPOINT_ALLOC, 0);                    \
        void *const memory = heap_alloc(bytes);                 \
        MEL_TRACEPOINT(TRACEPOINT_ALLOCATED, 0);                \
        return memory;                                          \
    }                                                           \
    static __attribute__((noinline)) void name##_free(void *memory) \
    {                                                           \
        MEL_TRACEPOINT(TRACEPOINT_FREE, 0);                     \
        heap_free(memory);                                      \
        MEL_TRACEPOINT(TRACEPOINT_FREED, 0);                    \
    }

#endif
