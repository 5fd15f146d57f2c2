/* SPDX-License-Identifier: Apache-2.0 */
/* deadline.h: deadlines and budgets of tasks. What is missed is counted and reported: an edge of the interrupt line MEL_REPORT_LINE, to which
 * mel_irq_map gives a kernel operation, a C handler, or both. The task goes on; what follows is the program's decision. Both
 * are forgotten when the task ends. Calls that may also return MEL_E_CTX, MEL_E_ID and MEL_E_NOEXS do so as melanion.h says. */
#ifndef MELANION_DEADLINE_H
#define MELANION_DEADLINE_H

#include <melanion/interrupt.h>
#include <melanion/types.h>

/* The interrupt line of reports. */
#define MEL_REPORT_LINE (MEL_INTERRUPTS + MEL_TIMERS)

/* Last report, and totals. */
typedef struct {
    mel_id_t task;     /* MEL_TASKS: nothing was reported yet */
    bool budget;       /* its budget was used up; else it missed its deadline */
    uint32_t missed;   /* deadlines, of all tasks */
    uint32_t overruns; /* budgets, likewise */
} mel_report_t;

/* The deadline of `task` is missed when the tick counter has advanced by `ticks` and nobody has set it anew; 0 ends the watch. Callers:
 * task, handler, idle. E_OK; E_OBJ: dormant; E_RSFN: the kernel lacks it (docs/reference/kernels.md). µITRON: none. */
mel_status_t mel_deadline_set(mel_id_t task, mel_ticks_t ticks);

/* `task` may run for `cycles` clock cycles more, handlers not included; 0: it has no budget. Callers: task, handler, idle.
 * E_OK; E_OBJ: dormant; E_RSFN: the kernel lacks it. µITRON: sta_ovr, stp_ovr (overrun handler). */
mel_status_t mel_budget_set(mel_id_t task, uint32_t cycles);

/* Read what was reported. Callers: any. Not a kernel command. E_OK; E_RSFN: the kernel lacks it. */
mel_status_t mel_report_get(mel_report_t *report);

#endif
