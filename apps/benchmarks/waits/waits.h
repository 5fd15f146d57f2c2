/* SPDX-License-Identifier: Apache-2.0 */
/* waits.h: the benchmark `waits`: calls and ticks over the number of tasks that wait, in the states of the white paper.
 * Its numbers, which are also in experiments/waits.yaml (tests/lab/test_waits.py compares them). The parameter of a phase holds those
 * of its metric in equal parts of 24 bits, the first one lowest. */
#ifndef WAITS_H
#define WAITS_H

#define MEL_HANDLERS_MAKE_NO_CALLS /* there are none (docs/decisions/0025) */
#include <melanion/device.h>

#include "../stage/stage.h"

enum {
    PHASE_TAKE = 1,  /* parameter: pattern, the caller's priority */
    PHASE_SET = 2,   /* parameter: MATCHING_…, waiting tasks */
    PHASE_WAKE = 3,  /* parameter: tasks whose wait ends */
    PHASE_LENGTH = 4 /* parameter: length of a tick in microseconds */
};

enum { MATCHING_NONE = 0, MATCHING_ONE = 1, MATCHING_ALL = 2 };

/* Tracepoints: a measured span starts, it ends, a turn of the computing loop begins. */
enum { TRACEPOINT_START = 1, TRACEPOINT_END = 2, TRACEPOINT_LOOP = 3 };

/* Priorities: those of tasks that wait, of the task that runs next when the caller waits, and of the computing task. */
enum { PRIORITY_FIRST = 2, PRIORITY_LAST = 14, PRIORITY_NEXT = 20, PRIORITY_BACKGROUND = 30 };

/* Numbers of objects: see apps/benchmarks/latency/latency.h. */
enum { OBJECT_MEASURED = 1, OBJECT_STARTING = 2 };

/* Cycles until everything in the background is over. */
enum { PAUSE = 1000 };

void measure_take(void);
void measure_set(void);
void measure_wake(void);
void measure_length(void);

#endif
