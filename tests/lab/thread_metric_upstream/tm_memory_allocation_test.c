/* SPDX-License-Identifier: Apache-2.0 */
/* tm_memory_allocation_test.c: stands in for the file of this name as its authors publish it: the entry is tm_main, without a prototype, the
 * counters are plain, and it prints what it counted itself, with a line that begins with ERROR where that cannot be right. The pool is made after its thread was resumed. */
#include "tm_api.h"

unsigned long passed;

static void work(void)
{
    unsigned char *block;
    for (;;) {
        tm_memory_pool_allocate(0, &block);
        if (tm_memory_pool_deallocate(0, block) != TM_SUCCESS)
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
        printf("Stand-in, blocks, after %lu seconds\n", seconds);
        if (passed == before) {
            printf("ERROR: a block was lost\n");
        }
        printf("In this period: %lu\n\n", passed - before);
        before = passed;
    }
}

static void make(void)
{
    tm_thread_create(0, 10, work);
    tm_thread_resume(0);
    tm_memory_pool_create(0);
    tm_thread_create(5, 2, report);
    tm_thread_resume(5);
}

void tm_main()
{
    tm_initialize(make);
}
