/* SPDX-License-Identifier: Apache-2.0 */
/* timeouts.h: the tick counter, and the timeouts of waiting tasks in one list in order of expiry, each as the number of ticks after the
 * one before. A tick counts down the first one only.
 * Verbs: mel_timeout_init; mel_timeout_start (`task` waits at most `ticks`, not 0); mel_timeout_cancel (also without a timeout);
 * mel_timeout_pending (it has one that runs); mel_time_length (length of a tick in cycles, 0 stops). mel_time_now is the counter, mel_tick_cycles the length that mel_time_length was given last.
 * Timing: cancel is constant; start passes the timeouts that expire sooner, 6 instructions each; a tick with nobody to wake is
 * constant, and each task that it wakes adds 32 instructions, or what its mutex costs. */
#ifndef MEL_SOFTWARE_TIMEOUTS_H
#define MEL_SOFTWARE_TIMEOUTS_H

#include "software/state.h"

extern uint64_t mel_time_now;
extern uint32_t mel_tick_cycles; /* cycles per tick; 0: no ticks */

void mel_timeout_init(void);
void mel_timeout_start(mel_task_t *task, mel_ticks_t ticks);
void mel_time_length(uint32_t cycles);

/* The machine timer, in cycles: both of its words of one moment. */
static inline uint64_t mel_timer_now(void)
{
    const volatile uint32_t *timer = (const volatile uint32_t *)MEL_TIMER_BASE;
    uint32_t high;
    uint32_t low;
    do {
        high = timer[1];
        low = timer[0];
    } while (high != timer[1]);
    return (uint64_t)high << 32 | low;
}

static inline bool mel_timeout_pending(const mel_task_t *task)
{
    return task->timer.next != NULL;
}

static inline void mel_timeout_cancel(mel_task_t *task)
{
    extern mel_link_t mel_timeouts;
    mel_link_t *next = task->timer.next;
    if (next == NULL) {
        return;
    }
    if (next != &mel_timeouts) {
        MEL_TASK_OF(next, timer)->delta += task->delta;
    }
    next->previous = task->timer.previous;
    task->timer.previous->next = next;
    task->timer.next = NULL;
}

#endif
