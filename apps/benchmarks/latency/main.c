/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the benchmark `latency`: one phase after the other; each makes its own tasks, marks what is to be measured, and
 * ends in a kernel that is as empty as before. */
#include "latency.h"

_Static_assert(MEL_PRIORITIES > PRIORITY_BACKGROUND, "the latency benchmark needs a system with at least 31 priorities");
_Static_assert(MEL_SEMAPHORES > SEM_DOOMED, "the latency benchmark needs a system with at least 5 semaphores");
_Static_assert(MEL_INTERRUPTS > LINE_TASK, "the latency benchmark needs a system with at least 3 interrupts");

void conduct(void *unused)
{
    (void)unused;
    measure_calls();
    measure_interrupts();
    measure_ticks();
    measure_interrupts_off();
    mel_exit(0);
}
