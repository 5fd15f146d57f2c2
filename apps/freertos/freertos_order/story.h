/* SPDX-License-Identifier: Apache-2.0 */
/* story.h: what stories share. The teller, of priority TELLER, runs one after the other; a story makes tasks and waits until they are done. */
#ifndef STORY_H
#define STORY_H

#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

#include "event.h"

enum { TELLER = 6 }; /* above the timer task, which has 5 */

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
