/* SPDX-License-Identifier: Apache-2.0 */
/* sw.c: calls that the kernel sw lacks. Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again. */
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

mel_status_t mel_claim_limit(uint32_t claims)
{
    (void)claims;
    return MEL_E_RSFN;
}
