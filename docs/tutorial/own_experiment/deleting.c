/* SPDX-License-Identifier: Apache-2.0 */
/* deleting.c: a task deletes a semaphore for which n less urgent tasks wait. No ticks. The program measures nothing: tracepoints, which
 * cost no cycle, say where the call begins and ends, and marks say which n it is. */
#include <melanion/device.h>

#include "stage.h"

/* Numbers and values as in deleting.yaml. */
enum { PHASE_DELETE = 1 };
enum { TRACEPOINT_START = 1, TRACEPOINT_END = 2 };
static const uint8_t waiters[] = {1, 2, 4, 8, 16, 32};

enum { SEMAPHORE = 1, ROUNDS = 4, PRIORITY_WAITERS = 2, PRIORITY_LAST = 30, PAUSE = 500 /* cycles */ };

static void wait_for_unit(void *unused)
{
    (void)unused;
    EXPECT(mel_sem_take(SEMAPHORE, MEL_FOREVER), MEL_E_DLT);
}

/* Less urgent than all that wait: when it runs, they wait. */
static void wake_main(void *unused)
{
    (void)unused;
    CHECK(mel_task_wakeup(TASK_MAIN));
}

static __attribute__((noinline)) void delete_once(void)
{
    MEL_TRACEPOINT(TRACEPOINT_START, 0);
    const mel_status_t status = mel_sem_delete(SEMAPHORE);
    MEL_TRACEPOINT(TRACEPOINT_END, 0);
    CHECK(status);
}

void conduct(void *unused)
{
    (void)unused;
    for (uint32_t i = 0; i < sizeof waiters; i++) {
        const uint32_t n = waiters[i];
        begin(PHASE_DELETE, n);
        for (uint32_t round = 0; round < ROUNDS; round++) {
            CHECK(mel_sem_create(SEMAPHORE, 0, 1));
            for (uint32_t task = 0; task < n; task++) {
                spawn(TASK_FIRST + task, wait_for_unit, 0, PRIORITY_WAITERS);
            }
            spawn(TASK_FIRST + n, wake_main, 0, PRIORITY_LAST);
            CHECK(mel_task_sleep(MEL_FOREVER));
            delete_once();
            mel_busy(PAUSE);
            remove_tasks(n + 1);
        }
        end(PHASE_DELETE, n);
    }
    mel_exit(0);
}
