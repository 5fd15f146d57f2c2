/* SPDX-License-Identifier: Apache-2.0 */
/* tm_interrupt_processing_test.c: stands in for the file of this name as its authors publish it: the entry is tm_main, without a prototype, the
 * counters are plain, and it prints what it counted itself, with a line that begins with ERROR where that cannot be right. The handler has the name that the services call. */
#include "tm_api.h"

unsigned long rounds, handled;

void tm_interrupt_handler(void)
{
    handled++;
    tm_semaphore_put(0);
}

static void work(void)
{
    if (tm_semaphore_get(0) != TM_SUCCESS)
        return;
    for (;;) {
        TM_CAUSE_INTERRUPT
        if (tm_semaphore_get(0) != TM_SUCCESS)
            return;
        rounds++;
    }
}

static void report(void)
{
    unsigned long before = 0, seconds = 0;
    for (;;) {
        tm_thread_sleep(TM_TEST_DURATION);
        seconds = seconds + TM_TEST_DURATION;
        printf("Stand-in, interrupts, after %lu seconds\n", seconds);
        const unsigned long even = (rounds + handled) / 2;
        if (rounds + 1 < even || rounds > even + 1 ||
            handled + 1 < even || handled > even + 1) {
            printf("ERROR: an interrupt was lost\n");
        }
        printf("In this period: %lu\n\n", handled - before);
        before = handled;
    }
}

static void make(void)
{
    tm_thread_create(0, 10, work);
    tm_semaphore_create(0);
    tm_thread_resume(0);
    tm_thread_create(5, 2, report);
    tm_thread_resume(5);
}

void tm_main()
{
    tm_initialize(make);
}
