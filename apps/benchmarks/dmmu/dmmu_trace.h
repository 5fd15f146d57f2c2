/* SPDX-License-Identifier: Apache-2.0 */
/* dmmu_trace.h: the benchmark `dmmu`: random allocations and frees, the same for a heap over the memory management unit (mel_dmmu_alloc) and for first fit
 * over a list in C, on as much memory. On average three quarters of it are asked for, so that some allocations fail; all memory that was allocated is filled,
 * and looked at before it is freed: a wrong word ends the run with exit code 1.
 * Its numbers are also in experiments/dmmu.yaml (tests/lab/test_dmmu_experiment.py compares them). */
#ifndef DMMU_TRACE_H
#define DMMU_TRACE_H

#include <melanion/dmmu.h>

#include "../stage/stage.h"

enum { PHASE_RUN = 1 }; /* parameter: WAY_…, TRACE_… */

enum { WAY_UNIT = 0, WAY_LIST = 1, WAYS = 2 };

/* Sizes that are asked for, in bytes: 8 to 64, all alike; 16 to 1023, as many of each power of two; 256 to 2047, all alike. */
enum { TRACE_SMALL = 0, TRACE_MIXED = 1, TRACE_LARGE = 2, TRACES = 3 };

/* Edges of alloc and of free; behind the last step the millionths of all allocs that failed, and of those that failed while as much memory was free. */
enum { TRACEPOINT_ALLOC = 1, TRACEPOINT_ALLOCATED = 2, TRACEPOINT_FREE = 3, TRACEPOINT_FREED = 4, TRACEPOINT_FAILED = 5, TRACEPOINT_SCATTERED = 6 };

enum { HEAP_BYTES = 16384 };

/* First fit over a list of free blocks, by address, as FreeRTOS' heap_4 has it: a block that is freed becomes one with free neighbours. */
void list_reset(void);
void *list_alloc(size_t bytes);
void list_free(void *memory);

/* Bytes in free blocks, of which an alloc takes its own and a header. */
size_t list_left(void);
enum { LIST_HEADER = 8 };

#endif
