/* SPDX-License-Identifier: Apache-2.0 */
/* timer.c: alarm and cyclic timers of the software kernel. Checks and effects as melanion/model/timer.py. Each call is one
 * critical section. A running timer stands among the timeouts of waiting tasks (timeouts.h), so that a tick looks at one
 * list only; when it expires it raises its line at the interrupt controller, which interrupts when the tick is done. */
#include "software/call.h"

typedef struct {
    mel_task_t limit; /* no task: only what timeouts.h needs of one, its number and `held` are used */
    mel_ticks_t period; /* 0: once */
} alarm_t;

static alarm_t alarms[MEL_TIMERS + 1]; /* C has no empty array: the last one is never used */

mel_status_t mel_timer_start(mel_id_t timer, mel_ticks_t ticks, mel_ticks_t period)
{
    const mel_key_t key = mel_lock_operand(period);
    MEL_REFUSE_WHEN(mel_beyond(timer, MEL_TIMERS), MEL_OP_TIMER_START, timer, ticks, MEL_E_ID);
    MEL_REFUSE_WHEN(ticks == 0 || (ticks | period) > MEL_TIMER_LONGEST, MEL_OP_TIMER_START, timer, ticks, MEL_E_PAR);
    alarm_t *subject = &alarms[timer];
    subject->limit.held = MEL_HELD_LISTED | MEL_HELD_TIMER;
    subject->limit.context.number = timer;
    subject->period = period;
    mel_timeout_cancel(&subject->limit);
    mel_timeout_start(&subject->limit, ticks);
    return mel_leave(key, MEL_OP_TIMER_START, timer, ticks, MEL_E_OK);
}

mel_status_t mel_timer_stop(mel_id_t timer)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(timer, MEL_TIMERS), MEL_OP_TIMER_STOP, timer, 0, MEL_E_ID);
    mel_task_t *limit = &alarms[timer].limit;
    MEL_REFUSE_WHEN(!mel_timeout_pending(limit), MEL_OP_TIMER_STOP, timer, 0, MEL_E_OBJ);
    mel_timeout_cancel(limit);
    return mel_leave(key, MEL_OP_TIMER_STOP, timer, 0, MEL_E_OK);
}

void mel_timer_expire(mel_task_t *limit)
{
    const mel_ticks_t period = ((alarm_t *)(void *)limit)->period;
    if (period != 0) {
        mel_timeout_start(limit, period);
    }
    mel_irq_edge(MEL_TIMER_LINE(limit->context.number));
}
