/* SPDX-License-Identifier: Apache-2.0 */
/* freertos.c: calls that the kernel freertos lacks. Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again. */
#include <melanion/melanion.h>

mel_status_t mel_deadline_set(mel_id_t task, mel_ticks_t ticks)
{
    (void)task;
    (void)ticks;
    return MEL_E_RSFN;
}

mel_status_t mel_budget_set(mel_id_t task, uint32_t cycles)
{
    (void)task;
    (void)cycles;
    return MEL_E_RSFN;
}

mel_status_t mel_report_get(mel_report_t *report)
{
    (void)report;
    return MEL_E_RSFN;
}

mel_status_t mel_monitor_run_time(mel_id_t task, uint32_t *cycles)
{
    (void)task;
    (void)cycles;
    return MEL_E_RSFN;
}

mel_status_t mel_monitor_longest_wait(uint32_t *cycles)
{
    (void)cycles;
    return MEL_E_RSFN;
}

mel_status_t mel_monitor_latency(uint32_t bucket, uint32_t *count)
{
    (void)bucket;
    (void)count;
    return MEL_E_RSFN;
}

mel_status_t mel_monitor_clear(void)
{
    return MEL_E_RSFN;
}

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
