/* SPDX-License-Identifier: Apache-2.0 */
/* test.h: how the program shows a call and its status. It prints each pair, and ends with a sentence at the first result that is not as
 * expected. TASK_MAIN makes the calls; TASK_HIGH, above it, and TASK_LOW, below it, do one job each time they are activated. */
#ifndef TEST_H
#define TEST_H

#include <kernel.h>
#include <melanion/device.h>

enum { LINE = 3, TICK_CYCLES = 1200 };

/* The value of `call` is `expected`; the pair of its name and of the status is printed. */
void shown(const char *file, UINT line, const char *call, const char *status, INT found, INT expected);
#define EXPECT(status, call) shown(__FILE_NAME__, __LINE__, #call, #status, (INT)(call), (INT)(status))
#define VALUE(number, call) shown(__FILE_NAME__, __LINE__, #call, "value", (INT)(call), (INT)(number))

/* Expect `status` of a job's call, which left it in `result`. */
#define RESULT(status, name) shown(__FILE_NAME__, __LINE__, #name, #status, result, (INT)(status))

/* Two numbers are equal; nothing is printed. */
void same(const char *file, UINT line, const char *what, INT found, INT expected);
#define CHECK(expected, found) same(__FILE_NAME__, __LINE__, #found, (INT)(found), (INT)(expected))

typedef void job_t(void);
extern volatile INT result;
extern VP_INT handed; /* to the activation that began last */
extern UINT activations; /* activations of TASK_LOW */

/* Activate TASK_HIGH or TASK_LOW for a job. The former does it at once, as far as it can. */
void high(job_t *job);
void low(job_t *job);
/* Let TASK_LOW do what it has to do. */
void rest(void);
/* Do a job in a handler. */
void in_handler(job_t *job);

/* A job that makes one call. */
#define JOB(name, call)     \
    static void name(void)  \
    {                       \
        result = (call);    \
    }

/* An ID that no object has; none of its kind can have. */
enum { NONE = 9 };
#define BEYOND(kind) (TMAX_##kind##ID + 1)

job_t contexts, tasks, lives, sleeps, semaphores, flags, data_queues, mailboxes, mutexes, pools, times, states;

#endif
