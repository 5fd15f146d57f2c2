/* SPDX-License-Identifier: Apache-2.0 */
/* deadline.c: deadlines and budgets, by the hardware unit. */
#include "unit/unit.h"

mel_status_t mel_deadline_set(mel_id_t task, mel_ticks_t ticks)
{
    return mel_unit_call_task(MEL_OP_DEADLINE_SET, mel_unit_resolve(task), ticks);
}

mel_status_t mel_budget_set(mel_id_t task, uint32_t cycles)
{
    return mel_unit_call_task(MEL_OP_BUDGET_SET, mel_unit_resolve(task), cycles);
}

mel_status_t mel_report_get(mel_report_t *report)
{
    const uint32_t last = MEL_UNIT_REGISTER(MEL_REG_REPORTED);
    report->task = last & 0xFFFF;
    report->budget = last >> 16 != 0;
    report->missed = MEL_UNIT_REGISTER(MEL_REG_MISSED_DEADLINES);
    report->overruns = MEL_UNIT_REGISTER(MEL_REG_BUDGET_OVERRUNS);
    return MEL_E_OK;
}
