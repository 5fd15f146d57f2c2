/* SPDX-License-Identifier: Apache-2.0 */
/* quantum.h: round robin among tasks of equal priority. Without a quantum a task keeps its turn until it waits, yields or ends.
 * The exact rule: docs/reference/commands.md, quantum_set. */
#ifndef MELANION_QUANTUM_H
#define MELANION_QUANTUM_H

#include <melanion/types.h>

/* A task of this priority runs for at most `ticks` ticks, 1 … 65535, before others that are ready have their turn; 0: as long as it
 * likes, which is so at first. Callers: task, handler, idle. E_OK; E_PAR: priority out of range, or ticks above 65535; E_RSFN: the
 * kernel lacks it (docs/reference/kernels.md). FreeRTOS: configUSE_TIME_SLICING, one tick for all. ThreadX: time_slice. */
mel_status_t mel_quantum_set(mel_priority_t priority, mel_ticks_t ticks);

#endif
