/* SPDX-License-Identifier: Apache-2.0 */
/* lacks.c: calls that FreeRTOS lacks (spec/kernels.yaml): time slices of several ticks, deadlines, budgets, limits and a monitor; the state of a task or mutex as
 * Melanion tells it; timers, which FreeRTOS has, but as functions that a task of its own calls, and not as interrupt lines. */
#include <melanion/melanion.h>

/* Deadlines, budgets, monitor: the software kernel lacks the same. */
#include "software/deadline.c"
#include "software/monitor.c"

mel_status_t mel_quantum_set(mel_priority_t priority, mel_ticks_t ticks)
{
    (void)priority;
    (void)ticks;
    return MEL_E_RSFN;
}

mel_status_t mel_claim_limit(uint32_t claims)
{
    (void)claims;
    return MEL_E_RSFN;
}

mel_status_t mel_timer_start(mel_id_t timer, mel_ticks_t ticks, mel_ticks_t period)
{
    (void)timer;
    (void)ticks;
    (void)period;
    return MEL_E_RSFN;
}

mel_status_t mel_timer_stop(mel_id_t timer)
{
    (void)timer;
    return MEL_E_RSFN;
}

mel_status_t mel_task_query(mel_id_t task, mel_task_info_t *info)
{
    (void)task;
    (void)info;
    return MEL_E_RSFN;
}

mel_status_t mel_mutex_query(mel_id_t mutex, mel_mutex_info_t *info)
{
    (void)mutex;
    (void)info;
    return MEL_E_RSFN;
}
