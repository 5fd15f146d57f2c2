/* SPDX-License-Identifier: Apache-2.0 */
/* timer.h: alarm and cyclic timers. A timer raises an interrupt line of its own: what happens then is said by mel_irq_map
 * of that line (a kernel operation, without the CPU where a hardware unit is present), by a C handler, or both.
 * Timers 0 … MEL_TIMERS - 1 always exist and are stopped at first; their lines start disabled and unmapped like the others.
 * Each call may also return MEL_E_CTX and MEL_E_ID as melanion.h says. */
#ifndef MELANION_TIMER_H
#define MELANION_TIMER_H

#include <melanion/types.h>

/* The interrupt line that a timer raises. */
#define MEL_TIMER_LINE(timer) (MEL_INTERRUPTS + (timer))

/* The longest first time and period, in ticks. */
#define MEL_TIMER_LONGEST UINT32_C(0x7FFFFFFF)

/* Raise the line of `timer` when the tick counter has advanced by `ticks`, and then every `period` ticks (0: only once). A
 * timer that runs starts again. Callers: task, handler, idle. E_OK; E_PAR: ticks is 0 or above MEL_TIMER_LONGEST, or period is
 * above it. µITRON: sta_alm, sta_cyc. FreeRTOS: xTimerStart, xTimerChangePeriod, xTimerReset. */
mel_status_t mel_timer_start(mel_id_t timer, mel_ticks_t ticks, mel_ticks_t period);

/* Stop a timer; an edge that it has raised already stays. Callers: task, handler, idle. E_OK; E_OBJ: it does not run.
 * µITRON: stp_alm, stp_cyc. FreeRTOS: xTimerStop. */
mel_status_t mel_timer_stop(mel_id_t timer);

#endif
