/* SPDX-License-Identifier: Apache-2.0 */
/* crowd.c: more tasks than blocks, on as many cores as there are. Each task gets a block with a timeout, or without one, writes its name all over it, lets
 * others run, finds its name still there, and puts the block back. */
#include <melanion/device.h>

#include "pools.h"

enum { ROUNDS = 60, CROWD_TICK = 2000 /* cycles */ };

static volatile uint32_t gets[TASK_FIRST + WORKERS];
static volatile uint32_t failures[TASK_FIRST + WORKERS];

static void member(void *argument)
{
    const uint32_t self = (uint32_t)(uintptr_t)argument;
    uint32_t random = self * 2654435761u;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        void *block = NULL;
        random = random * 1664525u + 1013904223u;
        const mel_ticks_t timeout = self % 3 == 0 ? MEL_FOREVER : self % 3 == 1 ? 1 : MEL_POLL;
        const mel_status_t status = mel_pool_get(&pool, timeout, &block);
        if (status != MEL_E_OK) {
            EXPECT(status, MEL_E_TMOUT);
            failures[self]++;
            if (timeout == MEL_POLL) {
                CHECK(mel_task_delay(1));
            }
            continue;
        }
        volatile uint32_t *words = block;
        for (uint32_t w = 0; w < BLOCK_BYTES / 4; w++) {
            words[w] = self;
        }
        if (random >> 31) {
            CHECK(mel_task_delay(1));
        } else {
            mel_busy(random >> 20 & 1023);
        }
        for (uint32_t w = 0; w < BLOCK_BYTES / 4; w++) {
            EXPECT(words[w], self);
        }
        gets[self]++;
        CHECK(mel_pool_put(&pool, block));
    }
    CHECK(mel_sem_give(SEM_DONE));
}

void crowd(void *unused)
{
    (void)unused;
    CHECK(mel_tick_set(CROWD_TICK));
    CHECK(mel_pool_create(&pool, memory, BLOCK_BYTES, BLOCKS, SEM_POOL));
    CHECK(mel_sem_create(SEM_DONE, 0, WORKERS));
    for (mel_id_t task = TASK_FIRST; task < TASK_FIRST + WORKERS; task++) {
        spawn(task, member, task, PRIORITY_LOW + task % 3);
    }
    for (uint32_t i = 0; i < WORKERS; i++) {
        CHECK(mel_sem_take(SEM_DONE, MEL_FOREVER));
    }
    uint32_t all = 0;
    uint32_t missed = 0;
    for (uint32_t i = TASK_FIRST; i < TASK_FIRST + WORKERS; i++) {
        all += gets[i];
        missed += failures[i];
    }
    EXPECT(all + missed, ROUNDS * WORKERS);
    EXPECT(missed != 0 && all > ROUNDS * 3, true); /* blocks were scarce, and were had */
    check_whole();
    mel_exit(0);
}
