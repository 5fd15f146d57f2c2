/* SPDX-License-Identifier: Apache-2.0 */
/* tm_porting_layer.h: what Thread-Metric leaves to the system beside its fifteen services: how a thread interrupts itself; and a service that does nothing, to
 * measure the way into one. */
#ifndef TM_PORTING_LAYER_H
#define TM_PORTING_LAYER_H

/* Interrupt the calling thread; when it goes on, the handler has run: tm_interrupt_handler or, where that is not defined,
 * tm_interrupt_preemption_handler, which the test defines. */
void tm_cause_interrupt(void);
#define TM_CAUSE_INTERRUPT tm_cause_interrupt();

/* A service that does nothing, and says TM_SUCCESS: what it costs is the way into a service and back. */
int tm_nothing(void);

/* Numbers of threads and objects. */
#define TM_THREADS 10
#define TM_OBJECTS 4 /* queues, semaphores, pools: each */

/* Thirty seconds are this many ticks: the scale of a simulation. A tick stands for the benchmark's 10 ms. */
#ifndef TM_TICKS_PER_DURATION
#define TM_TICKS_PER_DURATION 3
#endif

/* Not 0: the run ends when the reporting thread sleeps again after so many reports, and each of its sleeps is between two marks. Tests of others do not end. */
#ifndef TM_REPORTS
#define TM_REPORTS 0
#endif
enum { TM_MARK_BEGIN = 1, TM_MARK_END = 2 };

#endif
