/* SPDX-License-Identifier: Apache-2.0 */
/* test.h: what the bodies of the tests share. A test makes threads that count what they do; the reporting thread, more urgent than
 * all, sleeps for the time of the benchmark, looks at the counters and ends the run: exit code 0 when each has its share.
 * An iteration is one pass of the tracepoint ITERATION (no cycle, no instruction); the simulation says when. The numbers are also in
 * experiments/thread-metric.yaml. */
#ifndef TEST_H
#define TEST_H

#include <melanion/kernel.h>
#include <melanion/tracepoint.h>

#include "tm_api.h"

enum { ITERATION = 1 };
enum { MARK_BEGIN = 1, MARK_END = 2, MARK_COUNTED = 3 };

/* Phases, and how the program is made: the value of the first two marks is phase + 256 · variant. With optimization or without, services called or (kernel/compat/thread_metric_trap)
 * trapped into; no experiment has both. */
enum { PHASE_calibration = 1, PHASE_cooperative, PHASE_preemptive, PHASE_interrupt, PHASE_interrupt_preemption, PHASE_message, PHASE_synchronization, PHASE_memory, PHASE_nothing };
#if defined(__OPTIMIZE__) && !defined(TM_TRAP)
enum { VARIANT = 0 };
#else
enum { VARIANT = 1 };
#endif

enum { REPORTER = 5, PRIORITY_REPORTER = 2, COUNTERS = 5 };

/* Iterations of each thread and of the handler. */
extern volatile unsigned long counter_0, counter_1, counter_2, counter_3, counter_4;

/* One iteration more, of thread `i`. */
#define COUNT(i)                 \
    do {                         \
        MEL_TRACEPOINT(ITERATION, i); \
        counter_##i++;           \
    } while (0)

/* End the run with a sentence unless a service did what it had to. */
#define CHECK(call)                 \
    do {                            \
        if ((call) != TM_SUCCESS) { \
            failed(__LINE__);       \
        }                           \
    } while (0)
_Noreturn void failed(int line);

/* Make the reporting thread, and let it run. When the time is over the first `used` counters differ by 1 at most; iterations are the sum of the
 * first `summed`. */
void report(int used, int summed);

/* The tests. */
void calibration(void);
void cooperative(void);
void preemptive(void);
void interrupt(void);
void interrupt_preemption(void);
void message(void);
void synchronization(void);
void memory(void);
void nothing(void);

#endif
