/* SPDX-License-Identifier: Apache-2.0 */
/* tm_interrupt_preemption_processing_test.c: stands in for the file of this name as its authors publish it: the entry is tm_main, without a prototype, the
 * counters are plain, and it prints what it counted itself, with a line that begins with ERROR where that cannot be right. The handler has the name that the services call where there is no other. */
#include "tm_api.h"

unsigned long rounds, resumed, handled;

void tm_interrupt_preemption_handler(void)
{
    handled++;
    tm_thread_resume(0);
}

static void urgent(void)
{
    for (;;) {
        resumed++;
        tm_thread_suspend(0);
    }
}

static void work(void)
{
    for (;;) {
        TM_CAUSE_INTERRUPT
        rounds++;
    }
}

static void report(void)
{
    unsigned long before = 0, seconds = 0;
    for (;;) {
        tm_thread_sleep(TM_TEST_DURATION);
        seconds = seconds + TM_TEST_DURATION;
        printf("Stand-in, interrupts that preempt, after %lu seconds\n", seconds);
        const unsigned long even = (rounds + resumed + handled) / 3;
        if (rounds + 1 < even || rounds > even + 1 ||
            resumed + 1 < even || resumed > even + 1 ||
            handled + 1 < even || handled > even + 1) {
            printf("ERROR: an interrupt was lost\n");
        }
        printf("In this period: %lu\n\n", handled - before);
        before = handled;
    }
}

static void make(void)
{
    tm_thread_create(0, 3, urgent);
    tm_thread_create(1, 10, work);
    tm_thread_resume(1);
    tm_thread_create(5, 2, report);
    tm_thread_resume(5);
}

void tm_main()
{
    tm_initialize(make);
}
