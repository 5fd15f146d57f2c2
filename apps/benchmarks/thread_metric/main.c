/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: runs one test of Thread-Metric, and says whether its counters are right. */
#include <melanion/console.h>

#include "test.h"

volatile unsigned long counter_0, counter_1, counter_2, counter_3, counter_4;
static volatile unsigned long *const counters[COUNTERS] = {&counter_0, &counter_1, &counter_2, &counter_3, &counter_4};
#define PASTE(a, b) a##b
#define PHASE_OF(test) PASTE(PHASE_, test)
enum { PHASE = PHASE_OF(TEST) + 256 * VARIANT };

static int counted;
static int iterating;

void failed(int line)
{
    mel_print("thread_metric: the service in line ");
    mel_print_unsigned((uint32_t)line);
    mel_print(" failed\n");
    mel_exit(1);
}

/* Every thread had its turn as often as the others. */
static void judge(void)
{
    unsigned long least = *counters[0];
    unsigned long most = *counters[0];
    unsigned long sum = 0;
    for (int i = 0; i < counted; i++) {
        const unsigned long count = *counters[i];
        least = count < least ? count : least;
        most = count > most ? count : most;
        sum += i < iterating ? count : 0;
    }
    MEL_MARK(MARK_COUNTED, sum);
    if (least == 0 || most - least > 1) {
        mel_print("thread_metric: the counters are uneven: from ");
        mel_print_unsigned((uint32_t)least);
        mel_print(" to ");
        mel_print_unsigned((uint32_t)most);
        mel_print("\n");
        mel_exit(1);
    }
    mel_exit(0);
}

static void reporter(void)
{
    MEL_MARK(MARK_BEGIN, PHASE);
    tm_thread_sleep(TM_TEST_DURATION);
    MEL_MARK(MARK_END, PHASE);
    judge();
}

void report(int used, int summed)
{
    counted = used;
    iterating = summed;
    CHECK(tm_thread_create(REPORTER, PRIORITY_REPORTER, reporter));
    CHECK(tm_thread_resume(REPORTER));
}

int main(void)
{
    tm_initialize(TEST);
}
