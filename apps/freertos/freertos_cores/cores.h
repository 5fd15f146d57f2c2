/* SPDX-License-Identifier: Apache-2.0 */
/* cores.h: how the program shows what it does. A control task gives jobs to workers, one on each core. It prints the name of each call that is of several cores, and ends with a
 * sentence at the first thing that is not as it should be. What is not of the FreeRTOS interface is in board.c. */
#ifndef CORES_H
#define CORES_H

#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "semphr.h"
#include "stream_buffer.h"
#include "task.h"
#include "timers.h"

#ifdef MEL_LACKS_SUSPENDED_WAIT /* no layer is between the program and FreeRTOS */
#define FREERTOS_ITSELF 1
#endif

enum { CORES = configNUMBER_OF_CORES };
enum { CONTROL = 3, WORKER = 4, URGENT = 5 }; /* priorities; the timer task has 6 */

/* ---- board.c ---- */

#define CHECK(condition) ((condition) ? (void)0 : failed(__FILE_NAME__, __LINE__, #condition))
void shown(const char *name);
void busy(uint32_t cycles);
/* `count` interrupts, `apart` cycles apart: each calls `handler`, on core 0. */
void interrupts(void (*handler)(void), uint32_t count, uint32_t apart);
void finish(void);

/* ---- main.c ---- */

typedef void job_t(BaseType_t core);

/* Every worker does this job; returns when all have. */
void everywhere(job_t *job);
extern TaskHandle_t workers[CORES];

/* So much memory is free, when tasks that are going to end have done so. */
BaseType_t free_again(size_t bytes);

/* The next core. */
static inline BaseType_t next(BaseType_t core)
{
    return (core + 1) % CORES;
}

void places(void), sections(void), handovers(void), objects(void), others(void);

#endif
