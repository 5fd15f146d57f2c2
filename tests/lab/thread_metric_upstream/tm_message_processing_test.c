/* SPDX-License-Identifier: Apache-2.0 */
/* tm_message_processing_test.c: stands in for the file of this name as its authors publish it: the entry is tm_main, without a prototype, the
 * counters are plain, and it prints what it counted itself, with a line that begins with ERROR where that cannot be right. The queue is made after its thread was resumed. */
#include "tm_api.h"

unsigned long passed;
unsigned long out[4], in[4];

static void work(void)
{
    for (int i = 0; i < 4; i++) {
        out[i] = 0x01010101 * (unsigned long)i;
    }
    for (;;) {
        tm_queue_send(0, out);
        tm_queue_receive(0, in);
        if (in[3] != out[3])
            break;
        out[3]++;
        passed++;
    }
}

static void report(void)
{
    unsigned long before = 0, seconds = 0;
    for (;;) {
        tm_thread_sleep(TM_TEST_DURATION);
        seconds = seconds + TM_TEST_DURATION;
        printf("Stand-in, messages, after %lu seconds\n", seconds);
        if (passed == before) {
            printf("ERROR: a message was lost\n");
        }
        printf("In this period: %lu\n\n", passed - before);
        before = passed;
    }
}

static void make(void)
{
    tm_thread_create(0, 10, work);
    tm_thread_resume(0);
    tm_queue_create(0);
    tm_thread_create(5, 2, report);
    tm_thread_resume(5);
}

void tm_main()
{
    tm_initialize(make);
}
