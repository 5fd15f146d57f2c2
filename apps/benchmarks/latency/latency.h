/* SPDX-License-Identifier: Apache-2.0 */
/* latency.h: what the files of the benchmark share: its numbers and its phases. Its tasks' life: ../stage/stage.h.
 * The numbers below are also in experiments/latency.yaml (tests/lab/test_latency.py compares them). */
#ifndef LATENCY_H
#define LATENCY_H

/* The handler only counts: on a kernel whose handlers have calls of their own (docs/decisions/0025) the others need not ask who calls. */
#define MEL_HANDLERS_MAKE_NO_CALLS
#include "../stage/stage.h"

enum {
    PHASE_YIELD = 1,
    PHASE_SEM_GIVE_TAKE = 2,
    PHASE_SEM_GIVE_SWITCH = 3,
    PHASE_IRQ_TO_HANDLER = 4, /* parameter: LOAD_… */
    PHASE_IRQ_TO_TASK = 5,    /* parameter: LOAD_… */
    PHASE_TICK_IDLE = 6,
    PHASE_TICK_WAKE = 7, /* parameter: tasks that wake */
    PHASE_IRQ_OFF = 8    /* parameter: tasks that exist */
};

enum { LOAD_IDLE = 0, LOAD_CALLS = 1, LOAD_DIVIDE = 2 };

/* Tracepoints: a measured span starts, it ends, the C handler begins, a turn of the computing loop begins. */
enum { TRACEPOINT_START = 1, TRACEPOINT_END = 2, TRACEPOINT_HANDLER = 3, TRACEPOINT_LOOP = 4 };

/* Lines of the interrupt generator. */
enum { LINE_HANDLER = 1, LINE_TASK = 2 };

/* Priorities: the background is below everything else. */
enum { PRIORITY_HIGH = 4, PRIORITY_LOW = 24, PRIORITY_BACKGROUND = 30 };

/* Semaphores. Not 0: a compiler that knows that a status is 0 would pass it on as the number. */
enum { SEM_MEASURED = 1, SEM_LOAD, SEM_PARTNER, SEM_DOOMED };

/* The phases. Main task only. */
void measure_calls(void);
void measure_interrupts(void);
void measure_ticks(void);
void measure_interrupts_off(void);

#endif
