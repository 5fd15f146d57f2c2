/* SPDX-License-Identifier: Apache-2.0 */
/* switch.c: two tasks with a fixed amount of work each take turns by a time quantum. The paper does not say what its tasks did; ours go through a table
 * of 4 KiB each and compute a while with every word: the longer a quantum, the more of the kernel's data has left a cache of 4 KiB when it ends. Both sums
 * must be the same. */
#include "pair.h"

enum { WORDS = 1024, STEPS = 8 };

/* Time quantum of round robin, in ms, and phase of the marks. Each run of the experiment loads its own (`loaded`): the instructions stay the same. */
static volatile uint32_t quantum_ms = 10;
static volatile uint32_t phase = PHASE_SWITCH;
static uint32_t tables[TASKS_OF_PAIR][WORDS];
static uint32_t sums[TASKS_OF_PAIR];

static uint32_t mixed(uint32_t word)
{
    for (uint32_t step = 0; step < STEPS; step++) {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
    }
    return word;
}

static void compute(uint32_t self)
{
    uint32_t *table = tables[self];
    uint32_t sum = 1;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < WORDS; i++) {
            sum = mixed(sum) + table[i];
            table[i] = sum;
        }
    }
    sums[self] = sum;
}

static void marked(uint32_t id)
{
    MEL_MARK(id, phase | (phase == PHASE_SWITCH ? quantum_ms : 0) << 8);
}

static void begun(void)
{
    marked(MARK_BEGIN);
}

void conduct(void)
{
    run_pair(compute, MS_CYCLES * quantum_ms, begun);
    marked(MARK_END);
    if (sums[0] != sums[1] || sums[0] == 0) {
        failed("the sum of a task", __LINE__);
    }
    mel_exit(0);
}
