/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt_preemption.c: a thread interrupts itself; the handler counts and resumes a more urgent thread, which runs when the handler
 * ends, counts and suspends itself. An iteration is one such round. */
#include "test.h"

enum { URGENT = 1 };

void tm_interrupt_preemption_handler(void);
void tm_interrupt_preemption_handler(void)
{
    counter_2++;
    CHECK(tm_thread_resume(URGENT));
}

static void interrupting(void)
{
    for (;;) {
        TM_CAUSE_INTERRUPT
        COUNT(0);
    }
}

static void urgent(void)
{
    for (;;) {
        counter_1++;
        CHECK(tm_thread_suspend(URGENT));
    }
}

void interrupt_preemption(void)
{
    CHECK(tm_thread_create(0, 10, interrupting));
    CHECK(tm_thread_create(URGENT, 3, urgent));
    CHECK(tm_thread_resume(0));
    report(3, 1);
}
