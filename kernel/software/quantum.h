/* SPDX-License-Identifier: Apache-2.0 */
/* quantum.h: the slice of a task, as melanion/model/quantum.py: the ticks that it has run since it last came to the end of its ready list. Ticks count and
 * judge it; a slice that is over while no other task could run is judged again at the next tick.
 * Timing (instructions): mel_slice_count 13. */
#ifndef MEL_SOFTWARE_QUANTUM_H
#define MEL_SOFTWARE_QUANTUM_H

#include "software/state.h"

/* Quantum of each priority, in ticks; 0: none. */
extern uint16_t mel_quanta[MEL_PRIORITIES];

#define MEL_SLICE_STATE(slice) ((uint32_t)(slice) << 8) /* in mel_task_t.state, of a task that is not held */
#define MEL_SLICE_TICK (UINT32_C(1) << 16) /* the count stays at its largest */

/* A tick counts for `task`, which runs; returns its state. What is counted for idle, and for a task without its turn, is never read. */
static inline uint32_t mel_slice_count(mel_task_t *task)
{
    const uint32_t before = task->state;
    uint32_t state = before + MEL_SLICE_TICK;
    if (__builtin_expect(state < before, 0)) {
        state = before;
    }
    state &= ~MEL_SLICE_STATE(MEL_SLICE_OVER);
    if (mel_quanta[task->priority] - 1u < state >> 16) { /* no quantum is above all */
        state |= MEL_SLICE_STATE(MEL_SLICE_OVER);
    }
    task->state = state;
    return state;
}

/* The state of a task that runs and goes behind the others of its priority. */
static inline uint32_t mel_slice_lost(void)
{
    return mel_hold & MEL_HOLD_DISPATCH ? MEL_SLICE_STATE(MEL_SLICE_LOST) : 0;
}

#endif
