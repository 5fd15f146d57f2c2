/* SPDX-License-Identifier: Apache-2.0 */
/* tm_cooperative_scheduling_test.c: stands in for the file of this name as its authors publish it: the entry is tm_main, without a prototype, the
 * counters are plain, and it prints what it counted itself, with a line that begins with ERROR where that cannot be right. Five threads of one priority. */
#include "tm_api.h"

unsigned long count_0, count_1, count_2, count_3, count_4;

static void thread_0(void)
{
    for (;;) {
        tm_thread_relinquish();
        count_0++;
    }
}

static void thread_1(void)
{
    for (;;) {
        tm_thread_relinquish();
        count_1++;
    }
}

static void thread_2(void)
{
    for (;;) {
        tm_thread_relinquish();
        count_2++;
    }
}

static void thread_3(void)
{
    for (;;) {
        tm_thread_relinquish();
        count_3++;
    }
}

static void thread_4(void)
{
    for (;;) {
        tm_thread_relinquish();
        count_4++;
    }
}

static void report(void)
{
    unsigned long before = 0, seconds = 0;
    for (;;) {
        tm_thread_sleep(TM_TEST_DURATION);
        seconds = seconds + TM_TEST_DURATION;
        printf("Stand-in, five equal threads, after %lu seconds\n", seconds);
        const unsigned long even = (count_0 + count_1 + count_2 + count_3 + count_4) / 5;
        if (count_0 + 1 < even || count_0 > even + 1 ||
            count_1 + 1 < even || count_1 > even + 1 ||
            count_2 + 1 < even || count_2 > even + 1 ||
            count_3 + 1 < even || count_3 > even + 1 ||
            count_4 + 1 < even || count_4 > even + 1) {
            printf("ERROR: the threads do not take turns\n");
        }
        printf("In this period: %lu\n\n", (count_0 + count_1 + count_2 + count_3 + count_4) - before);
        before = (count_0 + count_1 + count_2 + count_3 + count_4);
    }
}

static void make(void)
{
    tm_thread_create(0, 3, thread_0);
    tm_thread_create(1, 3, thread_1);
    tm_thread_create(2, 3, thread_2);
    tm_thread_create(3, 3, thread_3);
    tm_thread_create(4, 3, thread_4);
    tm_thread_resume(0);
    tm_thread_resume(1);
    tm_thread_resume(2);
    tm_thread_resume(3);
    tm_thread_resume(4);
    tm_thread_create(5, 2, report);
    tm_thread_resume(5);
}

void tm_main()
{
    tm_initialize(make);
}
