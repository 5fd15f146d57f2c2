/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c: phases yield, sem_give_take, sem_give_switch.
 * The measured calls stand in functions of their own that are not inlined, so that the set-up of their arguments is
 * inside the measured span and cannot be moved out of a loop. No ticks meanwhile: a call is measured, not a tick. */
#include "latency.h"

enum { ROUNDS = 256 };

static __attribute__((noinline)) void yield_once(uint32_t self)
{
    MEL_TRACEPOINT(TRACEPOINT_START, self);
    const mel_status_t status = mel_task_yield();
    MEL_TRACEPOINT(TRACEPOINT_END, self);
    CHECK(status);
}

/* Two of these take turns. What is measured begins when both are suspended in a yield. */
static void yielder(void *argument)
{
    const uint32_t self = (uint32_t)(uintptr_t)argument;
    for (uint32_t round = 0;; round++) {
        if (self == TASK_FIRST && round == 1) {
            begin(PHASE_YIELD, 0);
        }
        if (self == TASK_FIRST && round == ROUNDS) {
            end(PHASE_YIELD, 0);
            finish();
        }
        yield_once(self);
    }
}

static __attribute__((noinline)) void give_take_once(void)
{
    MEL_TRACEPOINT(TRACEPOINT_START, 0);
    CHECK(mel_sem_give(SEM_MEASURED));
    CHECK(mel_sem_take(SEM_MEASURED, MEL_FOREVER));
    MEL_TRACEPOINT(TRACEPOINT_END, 0);
}

static void giver_and_taker(void *unused)
{
    (void)unused;
    begin(PHASE_SEM_GIVE_TAKE, 0);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        give_take_once();
    }
    end(PHASE_SEM_GIVE_TAKE, 0);
    finish();
}

static __attribute__((noinline)) void give_once(uint32_t self)
{
    MEL_TRACEPOINT(TRACEPOINT_START, self);
    CHECK(mel_sem_give(SEM_MEASURED));
}

static __attribute__((noinline)) void take_once(uint32_t self)
{
    const mel_status_t status = mel_sem_take(SEM_MEASURED, MEL_FOREVER);
    MEL_TRACEPOINT(TRACEPOINT_END, self);
    CHECK(status);
}

static void taker(void *argument)
{
    for (;;) {
        take_once((uint32_t)(uintptr_t)argument);
    }
}

static void giver(void *argument)
{
    begin(PHASE_SEM_GIVE_SWITCH, 0);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        give_once((uint32_t)(uintptr_t)argument);
    }
    end(PHASE_SEM_GIVE_SWITCH, 0);
    finish();
}

void measure_calls(void)
{
    set_tick(0);
    spawn(TASK_FIRST, yielder, TASK_FIRST, PRIORITY_HIGH);
    spawn(TASK_FIRST + 1, yielder, TASK_FIRST + 1, PRIORITY_HIGH);
    run_phase(2);

    CHECK(mel_sem_create(SEM_MEASURED, 0, 1));
    spawn(TASK_FIRST, giver_and_taker, 0, PRIORITY_HIGH);
    run_phase(1);

    spawn(TASK_FIRST, taker, TASK_FIRST, PRIORITY_HIGH);
    spawn(TASK_FIRST + 1, giver, TASK_FIRST + 1, PRIORITY_HIGH + 1);
    run_phase(2);
    CHECK(mel_sem_delete(SEM_MEASURED));
}
