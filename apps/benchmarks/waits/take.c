/* SPDX-License-Identifier: Apache-2.0 */
/* take.c: phase take: a task waits for a semaphore for which 1, 2 or 4 tasks of each priority 2 … 14 wait already (patterns 1 to 3
 * of the white paper's Fig. 3-6), over its own priority. The list is built once per pattern; the caller is taken out of it again after each
 * measured call. No ticks. */
#include "waits.h"

enum { PATTERNS = 3, CALLER_FIRST = 1, CALLER_LAST = 15 /* priorities: before all that wait … behind all */, ROUNDS = 4 };
enum { CALLER = WORKERS };

static const uint8_t tasks_of_pattern[PATTERNS] = {1, 2, 4};

static void wait_for_ever(void *unused)
{
    (void)unused;
    CHECK(mel_sem_take(OBJECT_MEASURED, MEL_FOREVER)); /* nobody gives */
}

static __attribute__((noinline)) mel_status_t take_once(void)
{
    MEL_TRACEPOINT(TRACEPOINT_START, 0);
    return mel_sem_take(OBJECT_MEASURED, MEL_FOREVER);
}

/* Sleeps until the conductor, which is less urgent, wakes it. */
static void call(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_task_sleep(MEL_FOREVER));
        EXPECT(take_once(), MEL_E_RLWAI);
    }
}

/* Returns when the caller waits: its first instruction behind the call is what runs next. */
static __attribute__((noinline)) void wake_caller(void)
{
    const mel_status_t status = mel_task_wakeup(CALLER);
    MEL_TRACEPOINT(TRACEPOINT_END, 0);
    CHECK(status);
}

static void measure_priority(uint32_t pattern, uint32_t priority)
{
    CHECK(mel_task_set_priority(CALLER, priority));
    begin(PHASE_TAKE, pattern | priority << 12);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        mel_busy(PAUSE);
        wake_caller();
        CHECK(mel_task_release(CALLER));
    }
    end(PHASE_TAKE, pattern | priority << 12);
}

void measure_take(void)
{
    CHECK(mel_tick_set(0));
    CHECK(mel_task_set_priority(MEL_SELF, PRIORITY_NEXT));
    for (uint32_t pattern = 1; pattern <= PATTERNS; pattern++) {
        uint32_t tasks = 0;
        CHECK(mel_sem_create(OBJECT_MEASURED, 0, 1));
        for (uint32_t i = 0; i < tasks_of_pattern[pattern - 1]; i++) {
            for (mel_priority_t priority = PRIORITY_FIRST; priority <= PRIORITY_LAST; priority++) {
                spawn(TASK_FIRST + tasks++, wait_for_ever, 0, priority);
            }
        }
        spawn(CALLER, call, 0, CALLER_FIRST);
        for (mel_priority_t priority = CALLER_FIRST; priority <= CALLER_LAST; priority++) {
            measure_priority(pattern, priority);
        }
        CHECK(mel_task_terminate(CALLER));
        CHECK(mel_task_delete(CALLER));
        remove_tasks(tasks);
        CHECK(mel_sem_delete(OBJECT_MEASURED));
    }
    CHECK(mel_task_set_priority(MEL_SELF, PRIORITY_MAIN));
}
