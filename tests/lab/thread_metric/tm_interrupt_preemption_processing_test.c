/* SPDX-License-Identifier: Apache-2.0 */
/* tm_interrupt_preemption_processing_test.c: stands in for a test of others: the handler has the name that theirs has there. */
#include "tm_api.h"

static volatile unsigned long rounds, resumed, handled;

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

static void interrupting(void)
{
    for (;;) {
        TM_CAUSE_INTERRUPT
        if (resumed != ++rounds || handled != rounds) {
            printf("the rounds are uneven\n");
        }
    }
}

static void print(void)
{
    for (;;) {
        tm_thread_sleep(TM_TEST_DURATION);
        printf("total %lu\n", rounds);
    }
}

static void make(void)
{
    tm_thread_create(0, 3, urgent);
    tm_thread_create(1, 10, interrupting);
    tm_thread_create(5, 2, print);
    tm_thread_resume(1);
    tm_thread_resume(5);
}

int main(void)
{
    tm_initialize(make);
    return 0;
}
