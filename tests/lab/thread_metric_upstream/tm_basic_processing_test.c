/* SPDX-License-Identifier: Apache-2.0 */
/* tm_basic_processing_test.c: stands in for the file of this name as its authors publish it: the entry is tm_main, without a prototype, the
 * counters are plain, and it prints what it counted itself, with a line that begins with ERROR where that cannot be right. It is the calibration: no call lies between two counts, so a compiler that optimizes may keep the counter in a register. */
#include "tm_api.h"

unsigned long rounds;
volatile unsigned long words[1024];

static void work(void)
{
    for (int i = 0; i < 1024; i++) {
        words[i] = 0;
    }
    for (;;) {
        for (int i = 0; i < 1024; i++) {
            words[i] = (words[i] + rounds) ^ words[i];
        }
        rounds++;
    }
}

static void report(void)
{
    unsigned long before = 0, seconds = 0;
    for (;;) {
        tm_thread_sleep(TM_TEST_DURATION);
        seconds = seconds + TM_TEST_DURATION;
        printf("Stand-in, one thread, after %lu seconds\n", seconds);
        if (rounds == before) {
            printf("ERROR: the thread does not count\n");
        }
        printf("In this period: %lu\n\n", rounds - before);
        before = rounds;
    }
}

static void make(void)
{
    tm_thread_create(0, 10, work);
    tm_thread_resume(0);
    tm_thread_create(5, 2, report);
    tm_thread_resume(5);
}

void tm_main()
{
    tm_initialize(make);
}
