/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the benchmark `waits`: its phases, one after the other. */
#include "waits.h"

_Static_assert(MEL_PRIORITIES > PRIORITY_BACKGROUND, "the benchmark `waits` needs a system with at least 31 priorities");
_Static_assert(MEL_SEMAPHORES > OBJECT_STARTING, "the benchmark `waits` needs a system with at least 3 semaphores");
_Static_assert(MEL_EVENT_FLAGS > OBJECT_MEASURED, "the benchmark `waits` needs a system with at least 2 event flags");

void conduct(void *unused)
{
    (void)unused;
    measure_take();
    measure_set();
    measure_wake();
    measure_length();
    mel_exit(0);
}
