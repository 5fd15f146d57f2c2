/* SPDX-License-Identifier: Apache-2.0 */
/* calibration.c: the baseline: a thread that computes and calls no service. An iteration goes through a table of 1024 words, each of which
 * becomes a mixture of itself and the number of the iteration. */
#include "test.h"

enum { WORDS = 1024 };

static volatile unsigned long table[WORDS];

static void compute(void)
{
    for (;;) {
        for (int i = 0; i < WORDS; i++) {
            table[i] = (table[i] + counter_0) ^ table[i];
        }
        COUNT(0);
    }
}

void calibration(void)
{
    CHECK(tm_thread_create(0, 10, compute));
    CHECK(tm_thread_resume(0));
    report(1, 1);
}
