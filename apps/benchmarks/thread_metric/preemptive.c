/* SPDX-License-Identifier: Apache-2.0 */
/* preemptive.c: five threads, each more urgent than the one before; all but the first are suspended. The first one resumes the second, which preempts
 * it and resumes the third, and so on; the fifth counts and suspends itself, then the fourth, and so back to the first, which counts
 * and begins again. An iteration is one count: five of them need eight switches. */
#include "test.h"

static void thread_0(void)
{
    for (;;) {
        CHECK(tm_thread_resume(1));
        COUNT(0);
    }
}

#define THREAD(i, next)                        \
    static void thread_##i(void)               \
    {                                          \
        for (;;) {                             \
            CHECK(tm_thread_resume(next));     \
            COUNT(i);                          \
            CHECK(tm_thread_suspend(i));       \
        }                                      \
    }

THREAD(1, 2)
THREAD(2, 3)
THREAD(3, 4)

static void thread_4(void)
{
    for (;;) {
        COUNT(4);
        CHECK(tm_thread_suspend(4));
    }
}

void preemptive(void)
{
    void (*const threads[])(void) = {thread_0, thread_1, thread_2, thread_3, thread_4};
    for (int i = 0; i < COUNTERS; i++) {
        CHECK(tm_thread_create(i, 10 - i, threads[i]));
    }
    CHECK(tm_thread_resume(0));
    report(COUNTERS, COUNTERS);
}
