/* SPDX-License-Identifier: Apache-2.0 */
/* quantum.c: round robin is what the software kernel lacks (spec/kernels.yaml): a slice begins wherever a task goes to the tail of a
 * ready list, so counting slices would cost a store in every call that makes a task ready, also where no quantum is set. */
#include <melanion/melanion.h>

mel_status_t mel_quantum_set(mel_priority_t priority, mel_ticks_t ticks)
{
    (void)priority;
    (void)ticks;
    return MEL_E_RSFN;
}
