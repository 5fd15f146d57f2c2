/* SPDX-License-Identifier: Apache-2.0 */
/* monitor.h: what the kernel measures while it works, at no cost to the program. All in clock cycles, modulo 2^32. Callers: any; none
 * of these is a kernel command. E_RSFN: the kernel has no monitor (docs/reference/kernels.md), or the system was built without. */
#ifndef MELANION_MONITOR_H
#define MELANION_MONITOR_H

#include <melanion/types.h>

/* Buckets of mel_monitor_latency. */
#define MEL_LATENCIES 16

/* For how long a task has run since it was created, handlers not included. E_OK; E_ID; E_NOEXS. FreeRTOS: ulTaskGetRunTimeCounter. */
mel_status_t mel_monitor_run_time(mel_id_t task, uint32_t *cycles);

/* The longest time from a request for an interrupt of this core to its service: interrupts off, and the entry of the trap. E_OK. */
mel_status_t mel_monitor_longest_wait(uint32_t *cycles);

/* Number of times a task ran 2^bucket … 2^(bucket+1) - 1 cycles after an interrupt's action had
 * made it ready (0: less than 2; 15: 2^15 and more). E_OK; E_PAR: there is no such bucket. */
mel_status_t mel_monitor_latency(uint32_t bucket, uint32_t *count);

/* Forget the longest wait of every core, and the latencies. E_OK. */
mel_status_t mel_monitor_clear(void);

#endif
