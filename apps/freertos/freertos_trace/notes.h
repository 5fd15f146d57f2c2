/* SPDX-License-Identifier: Apache-2.0 */
/* notes.h: what the parts of the program share. */
#ifndef NOTES_H
#define NOTES_H

#include "FreeRTOS.h"
#include "event_groups.h"
#include "message_buffer.h"
#include "queue.h"
#include "semphr.h"
#include "stream_buffer.h"
#include "task.h"
#include "timers.h"

/* Notes name this object so; those of objects without a name are left out. */
void name_it(const void *object, const char *name);

/* Print the notes so far as the part `name`: by whom (m: main, h: high, T: the timer task, !: a handler), what, of which object, value. Names are forgotten. */
void part(const char *name);

/* Leave out kinds of notes until the next part; at the beginning of each part: HELPER and SIZES. */
enum { HELPER = 1, SIZES = 2, NOTIFICATIONS = 4 };
void leave_out(uint32_t kinds);

typedef void job_t(void);
void high(job_t *job);    /* the more urgent helper does it at once, as far as it can */
void handler(job_t *job); /* a handler does it */

extern TaskHandle_t main_task, high_task;

job_t tasks, notifications, queues, sets, semaphores, mutexes, groups, timers, buffers, memory, no_memory;

#endif
