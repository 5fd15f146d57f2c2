/* SPDX-License-Identifier: Apache-2.0 */
/* nothing.c: a thread calls the service that does nothing. An iteration is one call: the way into a service and back, and the loop. */
#include "test.h"

static void calling(void)
{
    for (;;) {
        CHECK(tm_nothing());
        COUNT(0);
    }
}

void nothing(void)
{
    CHECK(tm_thread_create(0, 10, calling));
    CHECK(tm_thread_resume(0));
    report(1, 1);
}
