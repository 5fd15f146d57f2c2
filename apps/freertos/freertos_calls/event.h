/* SPDX-License-Identifier: Apache-2.0 */
/* event.h: how the program shows what it does. It prints the name of each call that returned what is expected, and ends with a sentence at the first
 * that did not. main.c makes the calls in a task of priority MAIN; it has helpers above (high) and below it (low), which do one job each time they are
 * asked, and handlers. All that is not of the FreeRTOS interface is here and in event.c: printing, the end of the run, interrupts. */
#ifndef EVENT_H
#define EVENT_H

#include <stdint.h>

enum { LOW = 2, MAIN = 3, HIGH = 4 }; /* priorities; the timer task has 6 */

/* The name of `call` is printed when `found` is `expected`. */
void shown(const char *file, uint32_t line, const char *call, uint32_t found, uint32_t expected);
#define SHOW(expected, call) shown(__FILE_NAME__, __LINE__, #call, (uint32_t)(uintptr_t)(call), (uint32_t)(uintptr_t)(expected))

/* Make a call without a result and print its name. */
#define DONE(call)                                     \
    do {                                               \
        call;                                          \
        shown(__FILE_NAME__, __LINE__, #call, 0, 0);   \
    } while (0)

/* Two numbers are equal; nothing is printed. */
void same(const char *file, uint32_t line, const char *what, uint32_t found, uint32_t expected);
#define CHECK(expected, found) same(__FILE_NAME__, __LINE__, #found, (uint32_t)(uintptr_t)(found), (uint32_t)(uintptr_t)(expected))

typedef void job_t(void);
extern volatile uint32_t result; /* result of the last job; BUSY: it has not ended */
#define BUSY 0xB0B0B0B0u

/* Let a helper do a job: the more urgent one at once, as far as it can; the other when main() waits. */
void high(job_t *job);
void low(job_t *job);

/* A job that makes one call. */
#define JOB(name, call)                                \
    static void name(void)                             \
    {                                                  \
        result = (uint32_t)(uintptr_t)(call);          \
    }

/* Do a job in a handler. */
void in_handler(job_t *job);

/* The kernel measures how long tasks run. */
int measures(void);

/* End the run well. */
void finish(void);

job_t tasks, states, delays, notifications, queues, queue_sets, semaphores, mutexes, event_groups, timers, scheduler, heap, criticals, static_objects, streams, completions, run_times, lists;

#endif
