/* SPDX-License-Identifier: Apache-2.0 */
/* deadline.c: deadlines and budgets are what the software kernel lacks (spec/kernels.yaml): a budget in cycles would cost a timer
 * access in every context switch, a deadline a second list in every tick, also where none is set. */
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
