/* SPDX-License-Identifier: Apache-2.0 */
/* pools.c: the calls of fixed memory pools, beside those of a pool of the kernel's with as many blocks. */
#include "itron_calls.h"

enum { BLOCKS = 4, BYTES = 16, NATIVE_SEM = 5 };

static uint32_t memory[BLOCKS * BYTES / sizeof(uint32_t)], memory_native[BLOCKS * BYTES / sizeof(uint32_t)], elsewhere[1];
static const T_CMPF packet = {TA_TPRI, BLOCKS, BYTES, memory}, packet_wrong = {TA_TPRI, BLOCKS, 0, memory};
static mel_pool_t pool;
static VP held[BLOCKS], block;
static void *held_native[BLOCKS], *block_native;
static T_RMPF rmpf;
static uint32_t count;
static ID made;

SHOTS(create, cre_mpf(OBJECT, &packet), mel_pool_create(&pool, memory_native, BYTES, BLOCKS, NATIVE_SEM))
SHOTS(create_wrong, cre_mpf(OBJECT, &packet_wrong), mel_pool_create(&pool, memory_native, 0, BLOCKS, NATIVE_SEM))
SHOTS(create_bad, cre_mpf(BAD, &packet), mel_pool_create(&pool, memory_native, BYTES, BLOCKS, BAD_NUMBER))
SHOTS(create_any, (made = acre_mpf(&packet)) > 0 ? E_OK : made, mel_pool_create(&pool, memory_native, BYTES, BLOCKS, NATIVE_SEM))
SHOTS(create_any_wrong, acre_mpf(&packet_wrong), mel_pool_create(&pool, memory_native, 0, BLOCKS, NATIVE_SEM))
SHOTS(delete, del_mpf(OBJECT), mel_pool_delete(&pool))
SHOT(t_delete_bad, del_mpf(BAD))
SHOTS(get, get_mpf(OBJECT, &block), mel_pool_get(&pool, MEL_FOREVER, &block_native))
SHOT(t_get_bad, get_mpf(BAD, &block))
SHOTS(poll, pget_mpf(OBJECT, &block), mel_pool_get(&pool, MEL_POLL, &block_native))
SHOT(t_poll_bad, pget_mpf(BAD, &block))
SHOTS(get_limited, tget_mpf(OBJECT, &block, LONG), mel_pool_get(&pool, LONG + 1, &block_native))
SHOT(t_get_limited_bad, tget_mpf(BAD, &block, LONG))
SHOTS(put, rel_mpf(OBJECT, held[0]), mel_pool_put(&pool, held_native[0]))
SHOTS(put_wrong, rel_mpf(OBJECT, elsewhere), mel_pool_put(&pool, elsewhere))
SHOT(t_put_bad, rel_mpf(BAD, held[0]))
SHOTS(refer, ref_mpf(OBJECT, &rmpf), mel_pool_query(&pool, &count))
SHOT(t_refer_bad, ref_mpf(BAD, &rmpf))

/* Pools of which the caller holds n blocks. */
static void taken(uint32_t n, shot_t order)
{
    (void)order;
    CHECK(cre_mpf(OBJECT, &packet));
    CHECK(mel_pool_create(&pool, memory_native, BYTES, BLOCKS, NATIVE_SEM));
    for (uint32_t i = 0; i < n; i++) {
        CHECK(pget_mpf(OBJECT, &held[i]));
        CHECK(mel_pool_get(&pool, MEL_POLL, &held_native[i]));
    }
}

/* Pools with a block that somebody has had already. */
static void used_before(uint32_t n, shot_t order)
{
    taken(1, order);
    CHECK(rel_mpf(OBJECT, held[0]));
    CHECK(mel_pool_put(&pool, held_native[0]));
    (void)n;
}

static void wanted_low(uint32_t n, shot_t order)
{
    taken(BLOCKS, order);
    send_low(n, order);
}

static void wanted(uint32_t n, shot_t order)
{
    taken(BLOCKS, order);
    send_urgent(n, order);
}

void clear_pools(void)
{
    (void)del_mpf(OBJECT);
    (void)mel_pool_delete(&pool);
    if (made > 0) {
        CHECK(del_mpf(made));
        made = 0;
    }
}

#define OUT_OF_RANGE(call, shot) ONLY_REFUSES(call, "number out of range", nothing, 0, none, shot##_bad, E_ID)
/* Rows of a call that gets a block. */
#define GETS(call, shot)                                           \
    STAYS(call, "no block was used", taken, 0, none, shot),        \
    STAYS(call, "a block was put back", used_before, 0, none, shot), \
    ABSENT(call, shot), OUT_OF_RANGE(call, shot)

static const row_t rows[] = {
    STAYS(cre_mpf, "new", nothing, 0, none, create),
    REFUSES(cre_mpf, "it exists", taken, 0, none, create, E_OBJ, MEL_E_OBJ),
    REFUSES(cre_mpf, "blocks of no bytes", nothing, 0, none, create_wrong, E_PAR, MEL_E_PAR),
    BEYOND(cre_mpf, create),
    STAYS(acre_mpf, "new", nothing, 0, none, create_any),
    REFUSES(acre_mpf, "blocks of no bytes", nothing, 0, none, create_any_wrong, E_PAR, MEL_E_PAR),
    STAYS(del_mpf, "no waiter", taken, 0, none, delete),
    WAKES(del_mpf, "1 waiter, more urgent", wanted, 1, get, delete),
    ABSENT(del_mpf, delete),
    OUT_OF_RANGE(del_mpf, delete),
    GETS(get_mpf, get),
    WAITS(get_mpf, "no block", taken, BLOCKS, none, get),
    GETS(pget_mpf, poll),
    REFUSES(pget_mpf, "no block", taken, BLOCKS, none, poll, E_TMOUT, MEL_E_TMOUT),
    GETS(tget_mpf, get_limited),
    WAITS(tget_mpf, "no block", taken, BLOCKS, none, get_limited),
    STAYS(rel_mpf, "no waiter", taken, 1, none, put),
    STAYS(rel_mpf, "8 waiters, less urgent", wanted_low, CREW, get, put),
    WAKES(rel_mpf, "1 waiter, more urgent", wanted, 1, get, put),
    WAKES(rel_mpf, "8 waiters, more urgent", wanted, CREW, get, put),
    REFUSES(rel_mpf, "no block of it", taken, 0, none, put_wrong, E_PAR, MEL_E_PAR),
    ABSENT(rel_mpf, put),
    OUT_OF_RANGE(rel_mpf, put),
    STAYS(ref_mpf, "no waiter", taken, 1, none, refer),
    ABSENT(ref_mpf, refer),
    OUT_OF_RANGE(ref_mpf, refer),
};

const table_t pool_table = TABLE(rows);
