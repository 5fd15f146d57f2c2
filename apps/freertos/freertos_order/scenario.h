/* SPDX-License-Identifier: Apache-2.0 */
/* scenario.h: what scenarios share. The runner, of priority RUNNER, runs one after the other; a scenario makes tasks and waits until they are done. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

#include "event.h"

enum { RUNNER = 6 }; /* above the timer task, which has 5 */

/* A task that ends by returning from `code`; its handle. */
TaskHandle_t spawn(void (*code)(void), UBaseType_t priority);

/* Compute until the tick count has gone on by `ticks`: the caller keeps the core. */
void busy(TickType_t ticks);

/* Wait for the beginning of a tick. */
TickType_t aligned(void);

void wrap(void);
void missed(void);
void groups(void);
void aborts(void);
void timer_time(void);
void timer_handlers(void);
void timer_stops(void);
void pending(void);
void sets(void);
void takes(void);
void held(void);

#endif
