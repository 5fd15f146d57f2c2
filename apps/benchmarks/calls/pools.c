/* SPDX-License-Identifier: Apache-2.0 */
/* pools.c: the calls of memory pools. */
#include "calls.h"

enum { BLOCKS = 24, BLOCK_BYTES = 20 };

static mel_pool_t pool;
static uint32_t memory[BLOCKS * BLOCK_BYTES / 4];
static void *block; /* that a measured get got */
static void *held;  /* that a measured put puts */

SHOT(create, mel_pool_create(&pool, memory, BLOCK_BYTES, BLOCKS, OBJECT))
SHOT(create_bad, mel_pool_create(&pool, memory, BLOCK_BYTES, BLOCKS, BAD))
SHOT(create_none, mel_pool_create(&pool, memory, BLOCK_BYTES, 0, OBJECT))
SHOT(delete, mel_pool_delete(&pool))
SHOT(get, mel_pool_get(&pool, MEL_FOREVER, &block))
SHOT(get_poll, mel_pool_get(&pool, MEL_POLL, &block))
SHOT(get_limited, mel_pool_get(&pool, LONG, &block))
SHOT(put, mel_pool_put(&pool, held))
SHOT(put_wrong, mel_pool_put(&pool, (uint8_t *)memory + 4))
SHOT(query, mel_pool_query(&pool, &word))

void clear_pool(void)
{
    const mel_status_t status = mel_pool_delete(&pool);
    if (status != MEL_E_NOEXS) {
        CHECK(status);
    }
}

/* n blocks are free, which nobody has had yet. */
static void fresh(uint32_t n)
{
    CHECK(mel_pool_create(&pool, memory, BLOCK_BYTES, BLOCKS, OBJECT));
    for (uint32_t i = n; i < BLOCKS; i++) {
        CHECK(mel_pool_get(&pool, MEL_POLL, &held));
    }
}

/* n blocks are free, which were put back. */
static void used(uint32_t n)
{
    void *blocks[BLOCKS];
    fresh(BLOCKS);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_get(&pool, MEL_POLL, &blocks[i]));
    }
    for (uint32_t i = 0; i < n; i++) {
        CHECK(mel_pool_put(&pool, blocks[i]));
    }
    held = blocks[BLOCKS - 1];
}

static void waiters_low(uint32_t n)
{
    used(0);
    send_low(n, get);
}

static void waiters_urgent(uint32_t n)
{
    used(0);
    send_urgent(n, get);
}

/* A wait has ended without a block; then n blocks were put, of which the first is kept for nobody. */
static void left(uint32_t n)
{
    void *blocks[BLOCKS];
    fresh(BLOCKS);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_get(&pool, MEL_POLL, &blocks[i]));
    }
    start_subject(URGENT, get);
    CHECK(mel_task_terminate(SUBJECT));
    for (uint32_t i = 0; i < n; i++) {
        CHECK(mel_pool_put(&pool, blocks[i]));
    }
    held = blocks[BLOCKS - 1];
}

static const row_t rows[] = {
    STAYS(CALL_POOL_CREATE, "new", nothing, 0, create, MEL_E_OK),
    STAYS(CALL_POOL_CREATE, "it exists", fresh, 0, create, MEL_E_OBJ),
    STAYS(CALL_POOL_CREATE, "no blocks", nothing, 0, create_none, MEL_E_PAR),
    STAYS(CALL_POOL_CREATE, "number of the semaphore out of range", nothing, 0, create_bad, MEL_E_ID),
    STAYS(CALL_POOL_DELETE, "nobody waits", used, BLOCKS, delete, MEL_E_OK),
    STAYS(CALL_POOL_DELETE, "24 waiters, less urgent", waiters_low, CREW, delete, MEL_E_OK),
    WAKES(CALL_POOL_DELETE, "1 waiter, more urgent", waiters_urgent, 1, delete, MEL_E_DLT),
    WAKES(CALL_POOL_DELETE, "24 waiters, more urgent", waiters_urgent, CREW, delete, MEL_E_DLT),
    STAYS(CALL_POOL_DELETE, "it does not exist", nothing, 0, delete, MEL_E_NOEXS),
    STAYS(CALL_POOL_GET, "24 blocks that nobody has had yet", fresh, BLOCKS, get, MEL_E_OK),
    STAYS(CALL_POOL_GET, "24 blocks that were put back", used, BLOCKS, get, MEL_E_OK),
    STAYS(CALL_POOL_GET, "the last block", used, 1, get_poll, MEL_E_OK),
    STAYS(CALL_POOL_GET, "the last block, kept for a task that does not wait any more", left, 1, get, MEL_E_OK),
    STAYS(CALL_POOL_GET, "no block, polled", used, 0, get_poll, MEL_E_TMOUT),
    STAYS(CALL_POOL_GET, "no block, 24 waiters, polled", waiters_low, CREW, get_poll, MEL_E_TMOUT),
    STAYS(CALL_POOL_GET, "it does not exist", nothing, 0, get, MEL_E_NOEXS),
    WAITS(CALL_POOL_GET, "no block", used, 0, get),
    WAITS(CALL_POOL_GET, "no block, before 24 waiters", waiters_low, CREW, get),
    WAITS(CALL_POOL_GET, "no block, behind 24 waiters", waiters_urgent, CREW, get),
    WAITS(CALL_POOL_GET, "no block, with a timeout", used, 0, get_limited),
    STAYS(CALL_POOL_PUT, "nobody waits", used, 0, put, MEL_E_OK),
    STAYS(CALL_POOL_PUT, "23 free blocks", used, BLOCKS - 1, put, MEL_E_OK),
    STAYS(CALL_POOL_PUT, "the task that waited does not any more", left, 0, put, MEL_E_OK),
    STAYS(CALL_POOL_PUT, "1 waiter, less urgent", waiters_low, 1, put, MEL_E_OK),
    STAYS(CALL_POOL_PUT, "24 waiters, less urgent", waiters_low, CREW, put, MEL_E_OK),
    STAYS(CALL_POOL_PUT, "no block of the pool", used, 0, put_wrong, MEL_E_PAR),
    STAYS(CALL_POOL_PUT, "it does not exist", nothing, 0, put, MEL_E_NOEXS),
    WAKES(CALL_POOL_PUT, "1 waiter, more urgent", waiters_urgent, 1, put, MEL_E_OK),
    WAKES(CALL_POOL_PUT, "24 waiters, more urgent", waiters_urgent, CREW, put, MEL_E_OK),
    STAYS(CALL_POOL_QUERY, "24 blocks", used, BLOCKS, query, MEL_E_OK),
    STAYS(CALL_POOL_QUERY, "24 waiters", waiters_low, CREW, query, MEL_E_OK),
    STAYS(CALL_POOL_QUERY, "it does not exist", nothing, 0, query, MEL_E_NOEXS),
};

const table_t pool_table = TABLE(rows);
