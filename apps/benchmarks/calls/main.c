/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the benchmark `calls`: its caller, which measures the rows of all tables in three environments. On a kernel
 * without mutexes it leaves out what needs one. Exit code 0: every status was right; 1: a wrong status. */
#include "round.h"

/* Environments: no ticks; ticks, and tasks that wait for time; besides, a release in the background, begun right before the call. */
enum { QUIET, BUSY, DRAINING, ENVIRONMENTS };

/* Rounds of a row: without ticks, so many that ticks of a software kernel, which spoil samples, leave enough; with them; and of a row that
 * stays and needs more than MANY of something, which takes long to make. */
enum { ROUNDS_QUIET = 26, ROUNDS = 10, ROUNDS_MANY = 4 };

MEL_TASK_STACK(stack_caller, CALLER, 1024);

static uint32_t seed = 1;

/* The phase of what follows against the ticks. */
static void pause_randomly(void)
{
    seed = seed * 1664525u + 1013904223u;
    mel_busy(PAUSE + (seed >> 8) % 256);
    for (uint32_t i = seed >> 28; i != 0; i--) {
        __asm__ volatile("nop");
    }
}

static void measure_once(uint32_t environment, uint32_t round)
{
    pause_randomly();
    if (environment == DRAINING) {
        prepare_drain(round);
    }
    current->prepare(current->n);
    if (current->rescue != NULL) {
        stand_by();
    }
    expect_rescue(current->rescue);
    if (environment == DRAINING) {
        begin_drain(round);
    }
    EXPECT(current->shot(MEASURED), current->status);
    mel_busy(PAUSE);
    settling = true;
    clear();
    settle();
    settling = false;
}

/* The state has owners of mutexes, or a task "owns 4"; "owns no mutex" is none. */
static bool owned(const char *state)
{
    for (; *state != '\0'; state++) {
        if (state[0] == 'o' && state[1] == 'w' && state[2] == 'n') {
            return !(state[3] == 's' && state[4] == ' ' && state[5] == 'n');
        }
    }
    return false;
}

static void measure(const table_t *table, uint32_t environment)
{
    for (uint32_t i = 0; i < table->count; i++) {
        current = &table->rows[i];
        if (owned(current->state) && !has_mutexes()) {
            continue;
        }
        const bool many = current->n > MANY;
        const uint32_t value = current->call | (uint32_t)(current->with ? 1 + many : 0) << 8;
        const uint32_t rounds = many && !current->with ? ROUNDS_MANY : environment == QUIET ? ROUNDS_QUIET : ROUNDS;
        MEL_MARK(MARK_BEGIN, value);
        for (uint32_t round = 0; round < rounds; round++) {
            measure_once(environment, round);
        }
        MEL_MARK(MARK_END, value);
    }
}

static void call(void *unused)
{
    (void)unused;
    hire();
    for (uint32_t environment = QUIET; environment < ENVIRONMENTS; environment++) {
        if (environment == BUSY) {
            crowd();
        }
        tick_cycles = environment == QUIET ? 0 : TICK;
        CHECK(mel_tick_set(tick_cycles));
        for (uint32_t i = 0; i < sizeof tables / sizeof *tables; i++) {
            if (has(tables[i])) {
                measure(tables[i], environment);
            }
        }
    }
    mel_exit(0);
}

int main(void)
{
    const mel_task_attributes_t attributes = {
        .entry = call,
        .stack = stack_caller,
        .stack_size = sizeof stack_caller,
        .priority = CALLER_PRIORITY,
        .name = "caller",
    };
    CHECK(mel_task_create(CALLER, &attributes));
    CHECK(mel_task_start(CALLER));
    mel_kernel_start();
}
