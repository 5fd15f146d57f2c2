/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.c: a thread interrupts itself; the handler counts and puts a semaphore, which the thread then gets. No thread waits, so the interrupt
 * returns to the one it came from. An iteration is one such round. */
#include "test.h"

void tm_interrupt_handler(void);
void tm_interrupt_handler(void)
{
    counter_1++;
    CHECK(tm_semaphore_put(0));
}

static void interrupting(void)
{
    CHECK(tm_semaphore_get(0)); /* the unit that it begins with */
    for (;;) {
        TM_CAUSE_INTERRUPT
        CHECK(tm_semaphore_get(0));
        COUNT(0);
    }
}

void interrupt(void)
{
    CHECK(tm_semaphore_create(0));
    CHECK(tm_thread_create(0, 10, interrupting));
    CHECK(tm_thread_resume(0));
    report(2, 1);
}
