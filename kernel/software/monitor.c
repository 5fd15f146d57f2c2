/* SPDX-License-Identifier: Apache-2.0 */
/* monitor.c: the software kernel measures nothing: that would cost the cycles that it counts. */
#include <melanion/melanion.h>

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
