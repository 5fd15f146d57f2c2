/* SPDX-License-Identifier: Apache-2.0 */
/* cooperative.c: five threads of one priority; each counts and lets the next one run. An iteration is one switch. */
#include "test.h"

#define THREAD(i)                   \
    static void thread_##i(void)    \
    {                               \
        for (;;) {                  \
            tm_thread_relinquish(); \
            COUNT(i);               \
        }                           \
    }

THREAD(0)
THREAD(1)
THREAD(2)
THREAD(3)
THREAD(4)

void cooperative(void)
{
    void (*const threads[])(void) = {thread_0, thread_1, thread_2, thread_3, thread_4};
    for (int i = 0; i < COUNTERS; i++) {
        CHECK(tm_thread_create(i, 3, threads[i]));
        CHECK(tm_thread_resume(i));
    }
    report(COUNTERS, COUNTERS);
}
