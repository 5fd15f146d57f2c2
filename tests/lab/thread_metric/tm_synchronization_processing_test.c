/* SPDX-License-Identifier: Apache-2.0 */
/* tm_synchronization_processing_test.c: stands in for a test of others: it prints, and never ends. */
#include "tm_api.h"

static volatile unsigned long count;

static void get_and_put(void)
{
    for (;;) {
        if (tm_semaphore_get(0) != TM_SUCCESS || tm_semaphore_put(0) != TM_SUCCESS) {
            printf("a service failed\n");
            break;
        }
        count++;
    }
}

static void print(void)
{
    unsigned long last = 0;
    for (unsigned long time = TM_TEST_DURATION;; time += TM_TEST_DURATION) {
        tm_thread_sleep(TM_TEST_DURATION);
        printf("time %lu\n", time);
        printf("total %lu\n\n", count - last);
        last = count;
    }
}

static void make(void)
{
    tm_thread_create(0, 10, get_and_put);
    tm_semaphore_create(0);
    tm_thread_create(5, 2, print);
    tm_thread_resume(5);
    tm_thread_resume(0);
}

int main(void)
{
    tm_initialize(make);
    return 0;
}
