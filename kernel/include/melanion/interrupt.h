/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.h: what the rising edge of an interrupt line does. It can perform a kernel operation (the action: without
 * the CPU where a hardware unit is present), run a C handler, both, or nothing. Handlers run one at a time, on their own
 * stack, with interrupts off; they may make every kernel call that does not block.
 * An edge on a disabled line is forgotten. Lines start disabled and unmapped.
 * Each call may also return MEL_E_CTX and MEL_E_ID as melanion.h says. */
#ifndef MELANION_INTERRUPT_H
#define MELANION_INTERRUPT_H

#include <melanion/types.h>

/* Interrupt lines: those of the system, then one per timer (timer.h), then that of reports (deadline.h). */
#define MEL_LINES (MEL_INTERRUPTS + MEL_TIMERS + 1)

typedef void (*mel_irq_function_t)(mel_id_t irq, void *argument);

/* The function that serves interrupt `irq` when it is mapped with `handler`; NULL: none (the edge is then claimed and
 * does nothing). Callers: any; on another core than 0 only while the line is disabled. Not a kernel command: it is not
 * traced. E_OK; E_ID.
 * µITRON: att_isr. FreeRTOS: the application's vector table. */
mel_status_t mel_irq_attach(mel_id_t irq, mel_irq_function_t function, void *argument);

/* Say what an edge of `irq` does: `action` is MEL_IRQ_ACTION_NONE, _SEMAPHORE_GIVE, _TASK_WAKEUP, _TASK_RELEASE,
 * _EVENT_FLAGS_SET (of the flags `word`), _QUEUE_POST (of the message `word`, with the least urgent message priority),
 * _NOTIFICATION_SET (of the bits `word`) or _NOTIFICATION_GIVE on `object`; the other actions do not look at `word`. With `handler` the attached function runs too, after the action.
 * Callers: task, handler, idle. E_OK; E_PAR: no such action, or the object number is out of range for it.
 * The object need not exist yet: an edge that finds none is counted as lost. */
mel_status_t mel_irq_map(mel_id_t irq, uint32_t action, mel_id_t object, uint32_t word, bool handler);

/* Edges count from now on; edges before are forgotten. Callers: task, handler, idle. E_OK. µITRON: ena_int. */
mel_status_t mel_irq_enable(mel_id_t irq);

/* Edges are ignored from now on, and one that is pending is forgotten. Callers: task, handler, idle. E_OK.
 * µITRON: dis_int. */
mel_status_t mel_irq_disable(mel_id_t irq);

/* Behave as if the interrupt line rose. Callers: task, handler, idle. E_OK. */
mel_status_t mel_irq_raise(mel_id_t irq);

/* Bound what handlers take from tasks in a storm: at most `claims` of them begin in each tick, so that they take at most
 * `claims` times the longest handler, with its entry and return, whatever the lines do; 0: no bound, as after boot. The
 * others begin in later ticks; actions do not wait, and a handler that waits runs once for all edges of its line, as always
 * (those without an action count as lost). Without ticks there is no bound. Callers: task, handler, idle; the count begins
 * anew. E_OK; E_PAR: above 65535; E_RSFN: the kernel lacks it (docs/reference/kernels.md). */
mel_status_t mel_claim_limit(uint32_t claims);

#endif
