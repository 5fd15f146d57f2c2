/* SPDX-License-Identifier: Apache-2.0 */
/* tm_synchronization_processing_test.c: stands in for the file of this name as its authors publish it: the entry is tm_main, without a prototype, the
 * counters are plain, and it prints what it counted itself, with a line that begins with ERROR where that cannot be right. The semaphore is made after its thread was resumed. */
#include "tm_api.h"

unsigned long passed;

static void work(void)
{
    for (;;) {
        tm_semaphore_get(0);
        if (tm_semaphore_put(0) != TM_SUCCESS)
            break;
        passed++;
    }
}

static void report(void)
{
    unsigned long before = 0, seconds = 0;
    for (;;) {
        tm_thread_sleep(TM_TEST_DURATION);
        seconds = seconds + TM_TEST_DURATION;
        printf("Stand-in, a semaphore, after %lu seconds\n", seconds);
        if (passed == before) {
            printf("ERROR: a unit was lost\n");
        }
        printf("In this period: %lu\n\n", passed - before);
        before = passed;
    }
}

static void make(void)
{
    tm_thread_create(0, 10, work);
    tm_thread_resume(0);
    tm_semaphore_create(0);
    tm_thread_create(5, 2, report);
    tm_thread_resume(5);
}

void tm_main()
{
    tm_initialize(make);
}
