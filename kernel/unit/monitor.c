/* SPDX-License-Identifier: Apache-2.0 */
/* monitor.c: what the hardware unit measures. */
#include "unit/unit.h"

static bool missing(void)
{
    return MEL_UNIT_REGISTER(MEL_REG_MONITOR) == 0;
}

mel_status_t mel_monitor_run_time(mel_id_t task, uint32_t *cycles)
{
    if (missing()) {
        return MEL_E_RSFN;
    }
    if (mel_beyond(task, MEL_TASKS)) {
        return MEL_E_ID;
    }
    /* A long run time looks like a status: the state says whether the task exists. */
    const int32_t state = (int32_t)*mel_unit_word(MEL_QUERY_TASK_STATE, task);
    if (state < 0) {
        return state;
    }
    *cycles = *mel_unit_word(MEL_QUERY_RUN_TIME, task);
    return MEL_E_OK;
}

mel_status_t mel_monitor_longest_wait(uint32_t *cycles)
{
    if (missing()) {
        return MEL_E_RSFN;
    }
    *cycles = MEL_UNIT_REGISTER(MEL_REG_LONGEST_WAIT);
    return MEL_E_OK;
}

mel_status_t mel_monitor_latency(uint32_t bucket, uint32_t *count)
{
    if (missing()) {
        return MEL_E_RSFN;
    }
    if (bucket >= MEL_LATENCIES) {
        return MEL_E_PAR;
    }
    *count = MEL_UNIT_REGISTER(MEL_REG_LATENCY_0 + bucket * 4);
    return MEL_E_OK;
}

mel_status_t mel_monitor_clear(void)
{
    if (missing()) {
        return MEL_E_RSFN;
    }
    MEL_UNIT_REGISTER(MEL_REG_MONITOR) = 0;
    return MEL_E_OK;
}
