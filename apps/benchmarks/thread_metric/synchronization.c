/* SPDX-License-Identifier: Apache-2.0 */
/* synchronization.c: a thread gets a semaphore and puts it back. An iteration is both. The slides have two rows for it, "semaphore" and
 * "synchronization", and describe the first. */
#include "test.h"

static void synchronizing(void)
{
    for (;;) {
        CHECK(tm_semaphore_get(0));
        CHECK(tm_semaphore_put(0));
        COUNT(0);
    }
}

void synchronization(void)
{
    CHECK(tm_semaphore_create(0));
    CHECK(tm_thread_create(0, 10, synchronizing));
    CHECK(tm_thread_resume(0));
    report(1, 1);
}
