/* SPDX-License-Identifier: Apache-2.0 */
/* set.c: phase set: a task sets a flag for which 0 … 60 less urgent tasks wait, none, the last one or all of them for what is set. The
 * call does not switch: what it costs is its own work. No ticks. */
#include "waits.h"

enum { FLAG = 0x1, OTHER_FLAG = 0x2, MOST = 60, STEP = 10, ROUNDS = 4 };

static uint32_t value; /* flags that a wait reported, unused */

/* Waits for `pattern` again and again. */
static void wait_for_flag(void *pattern)
{
    for (;;) {
        CHECK(mel_flags_wait_any(OBJECT_MEASURED, (uint32_t)(uintptr_t)pattern, MEL_FOREVER, &value));
    }
}

/* Below all that wait: whenever it runs, they wait. */
static void wake_main(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_task_wakeup(TASK_MAIN));
    }
}

static __attribute__((noinline)) void set_once(void)
{
    MEL_TRACEPOINT(TRACEPOINT_START, 0);
    const mel_status_t status = mel_flags_set(OBJECT_MEASURED, FLAG);
    MEL_TRACEPOINT(TRACEPOINT_END, 0);
    CHECK(status);
}

static void measure_waiting(uint32_t matching, uint32_t tasks)
{
    CHECK(mel_flags_create(OBJECT_MEASURED, 0));
    for (uint32_t i = 0; i < tasks; i++) {
        const bool match = matching == MATCHING_ALL || (matching == MATCHING_ONE && i == tasks - 1);
        spawn(TASK_FIRST + i, wait_for_flag, match ? FLAG : OTHER_FLAG,
              PRIORITY_FIRST + i * (PRIORITY_LAST - PRIORITY_FIRST + 1) / MOST);
    }
    spawn(TASK_FIRST + tasks, wake_main, 0, PRIORITY_BACKGROUND);
    begin(PHASE_SET, matching | tasks << 12);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        CHECK(mel_task_sleep(MEL_FOREVER)); /* until all wait */
        mel_busy(PAUSE);
        set_once();
        mel_busy(PAUSE);
        CHECK(mel_flags_clear(OBJECT_MEASURED, FLAG));
    }
    end(PHASE_SET, matching | tasks << 12);
    remove_tasks(tasks + 1);
    CHECK(mel_flags_delete(OBJECT_MEASURED));
}

void measure_set(void)
{
    for (uint32_t matching = MATCHING_NONE; matching <= MATCHING_ALL; matching++) {
        for (uint32_t tasks = 0; tasks <= MOST; tasks += STEP) {
            measure_waiting(matching, tasks);
        }
    }
}
