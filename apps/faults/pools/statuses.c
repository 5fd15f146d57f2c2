/* SPDX-License-Identifier: Apache-2.0 */
/* statuses.c: every status of every call, and the order in which tasks get blocks. */
#include <melanion/device.h>

#include "pools.h"

static void *got[TASK_FIRST + WORKERS];            /* the block that a waiting task got */
static mel_status_t status_of[TASK_FIRST + WORKERS]; /* status of its get */
static uint32_t order;                             /* digits: tasks whose gets returned, first come first */

static void waiter(void *argument)
{
    const uint32_t self = mel_task_self();
    status_of[self] = mel_pool_get(&pool, (mel_ticks_t)(uintptr_t)argument, &got[self]);
    order = order * 10 + self;
}

static void refused_creates(void)
{
    static mel_pool_t other;
    uint32_t free = 77;
    void *block = &free;
    EXPECT(mel_pool_get(&pool, MEL_POLL, &block), MEL_E_NOEXS);
    EXPECT(mel_pool_get(&pool, MEL_FOREVER, &block), MEL_E_NOEXS);
    EXPECT(mel_pool_put(&pool, memory), MEL_E_NOEXS);
    EXPECT(mel_pool_query(&pool, &free), MEL_E_NOEXS);
    EXPECT(mel_pool_delete(&pool), MEL_E_NOEXS);
    EXPECT(mel_pool_create(&pool, NULL, BLOCK_BYTES, BLOCKS, SEM_POOL), MEL_E_PAR);
    EXPECT(mel_pool_create(&pool, (uint8_t *)memory + 2, BLOCK_BYTES, BLOCKS, SEM_POOL), MEL_E_PAR);
    EXPECT(mel_pool_create(&pool, memory, 0, BLOCKS, SEM_POOL), MEL_E_PAR);
    EXPECT(mel_pool_create(&pool, memory, 6, BLOCKS, SEM_POOL), MEL_E_PAR);
    EXPECT(mel_pool_create(&pool, memory, BLOCK_BYTES, 0, SEM_POOL), MEL_E_PAR);
    EXPECT(mel_pool_create(&pool, memory, 4, MEL_SEMAPHORE_COUNT_LIMIT + 1, SEM_POOL), MEL_E_PAR);
    EXPECT(mel_pool_create(&pool, memory, UINT32_C(0x80000000), 2, SEM_POOL), MEL_E_PAR);
    EXPECT(mel_pool_create(&pool, memory, BLOCK_BYTES, BLOCKS, MEL_SEMAPHORES), MEL_E_ID);
    EXPECT(mel_pool_get(&pool, MEL_POLL, &block), MEL_E_NOEXS); /* a refused create has made nothing */
    EXPECT(block == &free && free == 77, true);
    CHECK(mel_pool_create(&pool, memory, BLOCK_BYTES, BLOCKS, SEM_POOL));
    EXPECT(mel_pool_create(&pool, memory, BLOCK_BYTES, BLOCKS, SEM_OTHER), MEL_E_OBJ);
    EXPECT(mel_sem_query(SEM_OTHER, &free), MEL_E_NOEXS);
    EXPECT(mel_pool_create(&other, memory, BLOCK_BYTES, BLOCKS, SEM_POOL), MEL_E_OBJ);
    EXPECT(mel_pool_query(&other, &free), MEL_E_NOEXS);
}

/* Blocks of every size are told from what lies between, before and behind them. */
static void only_its_blocks(void)
{
    static const uint32_t sizes[] = {4, 12, 16, 20, 24, 32};
    static mel_pool_t sized;
    void *block = NULL;
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const uint32_t size = sizes[i];
        uint8_t *first = (uint8_t *)memory + 8;
        CHECK(mel_pool_create(&sized, first, size, 2, SEM_OTHER));
        CHECK(mel_pool_get(&sized, MEL_POLL, &block));
        for (int32_t at = -8; at < (int32_t)(2 * size) + 8; at++) {
            if (at != 0 && at != (int32_t)size) {
                EXPECT(mel_pool_put(&sized, first + at), MEL_E_PAR);
            }
        }
        EXPECT(mel_pool_put(&sized, (uint8_t *)&sized), MEL_E_PAR);
        CHECK(mel_pool_put(&sized, block));
        CHECK(mel_pool_delete(&sized));
    }
}

/* Three tasks wait in order of priority; the fourth comes too late. */
static void in_order(void)
{
    void *blocks[BLOCKS];
    uint32_t free = 0;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_get(&pool, MEL_POLL, &blocks[i]));
    }
    order = 0;
    spawn(1, waiter, MEL_FOREVER, PRIORITY_HIGH);
    spawn(2, waiter, MEL_FOREVER, PRIORITY_URGENT);
    spawn(3, waiter, MEL_FOREVER, PRIORITY_HIGH);
    CHECK(mel_dispatch_disable());
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_put(&pool, blocks[i])); /* all are kept: for tasks that have not run yet */
    }
    void *none = NULL;
    CHECK(mel_pool_query(&pool, &free));
    EXPECT(free, 0);
    EXPECT(mel_pool_get(&pool, MEL_POLL, &none), MEL_E_TMOUT);
    EXPECT(mel_pool_get(&pool, 1, &none), MEL_E_CTX); /* dispatch is disabled */
    CHECK(mel_dispatch_enable());
    EXPECT(order, 213);
    for (mel_id_t task = 1; task <= BLOCKS; task++) {
        CHECK(status_of[task]);
        CHECK(mel_pool_put(&pool, got[task]));
        CHECK(mel_task_delete(task));
    }
    check_whole();
}

/* Waits that end without a block leave the pool as it was. */
static void without_a_block(void)
{
    void *blocks[BLOCKS];
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_get(&pool, MEL_FOREVER, &blocks[i]));
    }
    spawn(1, waiter, 1, PRIORITY_HIGH);
    CHECK(mel_task_delay(3));
    EXPECT(status_of[1], MEL_E_TMOUT);
    CHECK(mel_pool_put(&pool, blocks[0])); /* nobody waits for it any more */
    uint32_t free = 0;
    CHECK(mel_pool_query(&pool, &free));
    EXPECT(free, 1);
    CHECK(mel_pool_get(&pool, MEL_FOREVER, &blocks[0]));
    CHECK(mel_task_start(1));
    CHECK(mel_task_terminate(1)); /* while it waits */
    CHECK(mel_pool_put(&pool, blocks[0]));
    CHECK(mel_pool_get(&pool, MEL_FOREVER, &blocks[0]));
    CHECK(mel_task_start(1));
    CHECK(mel_task_release(1));
    EXPECT(status_of[1], MEL_E_RLWAI);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_put(&pool, blocks[i]));
    }
    check_whole();
    CHECK(mel_task_delete(1));
}

/* A pool is deleted, and made anew at once, under a task that waits and one that has been given a block but has not run since. */
static void deleted(void)
{
    void *blocks[BLOCKS];
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_get(&pool, MEL_FOREVER, &blocks[i]));
    }
    spawn(1, waiter, MEL_FOREVER, PRIORITY_URGENT);
    spawn(2, waiter, MEL_FOREVER, PRIORITY_HIGH);
    status_of[1] = status_of[2] = MEL_E_OK;
    CHECK(mel_dispatch_disable());
    CHECK(mel_pool_put(&pool, blocks[0]));
    CHECK(mel_pool_delete(&pool));
    EXPECT(mel_pool_put(&pool, blocks[1]), MEL_E_NOEXS);
    CHECK(mel_pool_create(&pool, memory, BLOCK_BYTES, BLOCKS, SEM_POOL));
    CHECK(mel_dispatch_enable());
    EXPECT(status_of[1], MEL_E_DLT);
    EXPECT(status_of[2], MEL_E_DLT);
    check_whole();
    CHECK(mel_task_delete(1));
    CHECK(mel_task_delete(2));
}

static volatile uint32_t handled;

static void handler(mel_id_t irq, void *unused)
{
    (void)irq;
    (void)unused;
    void *blocks[BLOCKS];
    void *none = NULL;
    uint32_t free = 0;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_get(&pool, MEL_POLL, &blocks[i]));
    }
    EXPECT(mel_pool_get(&pool, MEL_POLL, &none), MEL_E_TMOUT);
    EXPECT(mel_pool_get(&pool, 1, &none), MEL_E_CTX);
    EXPECT(mel_pool_delete(&pool), MEL_E_CTX);
    EXPECT(mel_pool_query(&pool, &free), MEL_E_OK); /* refused: the pool is still there */
    EXPECT(free, 0);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_put(&pool, blocks[i]));
    }
    EXPECT(mel_pool_delete(&pool), MEL_E_CTX);
    CHECK(mel_pool_query(&pool, &free));
    EXPECT(free, BLOCKS);
    handled++;
}

static void in_a_handler(void)
{
    CHECK(mel_irq_attach(LINE, handler, NULL));
    CHECK(mel_irq_map(LINE, MEL_IRQ_ACTION_NONE, 0, 0, true));
    CHECK(mel_irq_enable(LINE));
    mel_irqgen_pulse(LINE, 0);
    while (handled == 0) {
    }
    check_whole();
}

void statuses(void *unused)
{
    (void)unused;
    refused_creates();
    check_whole();
    check_whole(); /* now of blocks that were put back */
    in_order();
    without_a_block();
    deleted();
    in_a_handler();
    CHECK(mel_pool_delete(&pool));
    only_its_blocks();
    mel_exit(0);
}
