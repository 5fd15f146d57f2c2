/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.c: an interrupt in every cycle of every call of a pool. Before each call line LINE is told to pulse some cycles later, one more
 * in each round. The handler works on the same pool: it gets and puts, or does what ends the wait of the interrupted call, or lets a more urgent
 * task run that takes part. After each call the pool must be whole.
 * Calls 91 and 92 wait for one tick; the pulse comes around its end, so that a put, a release and the timeout race. */
#include <melanion/device.h>

#include "pools.h"

enum { TASK_WAITER = 1, TASK_USER = 2, TICK_CYCLES = 1700, BEFORE_TICK = 90 /* cycles */ };

/* Action of the handler: get and put; put a held block; release the main task; wake USER, which gets and puts above the main task; put two
 * held blocks; wake USER, which deletes the pool and makes it anew. */
typedef enum { GET_AND_PUT, PUT, RELEASE, USE, PUT_FOR_BOTH, ANEW } deed_t;

static volatile deed_t deed;
static volatile uint32_t pulses;
static void *held[BLOCKS];
static void *volatile waiters_block;
static uint32_t late_puts; /* that met a pool made anew meanwhile */

static void get_and_put(void)
{
    void *block = NULL;
    if (mel_pool_get(&pool, MEL_POLL, &block) == MEL_E_OK) {
        *(uint32_t *)block = pulses;
        CHECK(mel_pool_put(&pool, block));
    }
}

static void handler(mel_id_t irq, void *unused)
{
    (void)irq;
    (void)unused;
    switch (deed) {
    case PUT: CHECK(mel_pool_put(&pool, held[0])); break;
    case RELEASE: (void)mel_task_release(TASK_MAIN); break;
    case USE:
    case ANEW: CHECK(mel_task_wakeup(TASK_USER)); break;
    case PUT_FOR_BOTH:
        CHECK(mel_pool_put(&pool, held[0]));
        CHECK(mel_pool_put(&pool, held[1]));
        break;
    default: get_and_put();
    }
    pulses++;
}

/* Above the main task. */
static void user(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_task_sleep(MEL_FOREVER));
        if (deed == ANEW) {
            CHECK(mel_pool_delete(&pool));
            CHECK(mel_pool_create(&pool, memory, BLOCK_BYTES, BLOCKS, SEM_POOL));
        } else {
            get_and_put();
        }
    }
}

/* Above the main task too: waits for a block before it. */
static void waiter(void *unused)
{
    (void)unused;
    for (;;) {
        void *block = NULL;
        CHECK(mel_task_sleep(MEL_FOREVER));
        CHECK(mel_pool_get(&pool, MEL_FOREVER, &block));
        waiters_block = block;
    }
}

/* One call, and the pulse `delay` cycles after the store that asks for it; then wait until it is over. */
#define PULSED(number, delay, call)            \
    do {                                       \
        const uint32_t before = pulses;        \
        mel_irqgen_pulse(LINE, delay);         \
        __asm__ volatile("nop\n\tnop\n\tnop"); \
        MEL_TRACEPOINT(CALL_BEGIN, number);         \
        status = (call);                       \
        MEL_TRACEPOINT(CALL_END, number);           \
        while (pulses == before) {             \
        }                                      \
    } while (0)

static void hold(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        CHECK(mel_pool_get(&pool, MEL_FOREVER, &held[i]));
    }
}

static void put_held(uint32_t first)
{
    for (uint32_t i = first; i < BLOCKS; i++) {
        CHECK(mel_pool_put(&pool, held[i]));
    }
}

/* Get and put with spare blocks, and of the last one; the handler, or a more urgent task, gets and puts meanwhile. */
static void uncontended(uint32_t delay, deed_t what, uint32_t number)
{
    mel_status_t status;
    void *block = NULL;
    deed = what;
    PULSED(number, delay, mel_pool_get(&pool, MEL_FOREVER, &block));
    CHECK(status);
    PULSED(number + 1, delay, mel_pool_put(&pool, block));
    CHECK(status);
    hold(BLOCKS - 1);
    PULSED(number + 2, delay, mel_pool_get(&pool, MEL_POLL, &held[BLOCKS - 1]));
    CHECK(status);
    PULSED(number + 3, delay, mel_pool_put(&pool, held[BLOCKS - 1]));
    CHECK(status);
    for (uint32_t i = 0; i < BLOCKS - 1; i++) {
        CHECK(mel_pool_put(&pool, held[i]));
    }
    check_whole();
}

/* Waits that a block ends. */
static void fed(uint32_t delay)
{
    mel_status_t status;
    void *block = NULL;
    hold(BLOCKS);
    deed = PUT;
    PULSED(80, delay, mel_pool_get(&pool, MEL_FOREVER, &block));
    CHECK(status);
    EXPECT(block == held[0], true);
    put_held(0);
    check_whole();

    hold(BLOCKS);
    CHECK(mel_task_wakeup(TASK_WAITER)); /* it waits now */
    deed = PUT_FOR_BOTH;
    PULSED(81, delay, mel_pool_get(&pool, MEL_FOREVER, &block));
    CHECK(status);
    EXPECT(waiters_block == held[0] || waiters_block == held[1], true);
    EXPECT(block != waiters_block && (block == held[0] || block == held[1]), true);
    put_held(0);
    check_whole();
}

/* Waits that end without one, or with one after all. Ticks run only here: elsewhere they would move the pulse away from its cycle. */
static void raced(uint32_t delay)
{
    mel_status_t status;
    void *block = NULL;
    CHECK(mel_tick_set(TICK_CYCLES));
    for (deed_t what = PUT; what <= RELEASE; what++) {
        hold(BLOCKS);
        deed = what;
        CHECK(mel_task_delay(1));
        PULSED(90 + (uint32_t)what, TICK_CYCLES - BEFORE_TICK + delay, mel_pool_get(&pool, 1, &block));
        if (status != MEL_E_TMOUT) {
            EXPECT(status, what == PUT ? MEL_E_OK : MEL_E_RLWAI);
        }
        /* A put that came too late went into the pool. */
        put_held(what == PUT && status == MEL_E_TMOUT ? 1 : 0);
        check_whole();
    }
    CHECK(mel_tick_set(0));
}

/* The pool is deleted, and made anew, under a get that waits or does not. */
static void renewed(uint32_t delay)
{
    mel_status_t status;
    void *block = NULL;
    hold(BLOCKS);
    deed = ANEW;
    PULSED(82, delay, mel_pool_get(&pool, MEL_FOREVER, &block));
    if (status == MEL_E_OK) { /* block of the new pool */
        CHECK(mel_pool_put(&pool, block));
    } else {
        EXPECT(status, MEL_E_DLT);
    }
    check_whole();
    hold(1);
    PULSED(14, delay, mel_pool_put(&pool, held[0]));
    if (status == MEL_E_OK) { /* into the old pool, or into the new one, whose block it is not: that cannot be told */
        CHECK(mel_pool_delete(&pool));
        CHECK(mel_pool_create(&pool, memory, BLOCK_BYTES, BLOCKS, SEM_POOL));
    } else {
        EXPECT(status, MEL_E_NOEXS);
        late_puts++;
    }
    check_whole();
}

void sweep(void *unused)
{
    (void)unused;
    CHECK(mel_tick_set(0));
    CHECK(mel_pool_create(&pool, memory, BLOCK_BYTES, BLOCKS, SEM_POOL));
    CHECK(mel_irq_attach(LINE, handler, NULL));
    CHECK(mel_irq_map(LINE, MEL_IRQ_ACTION_NONE, 0, 0, true));
    CHECK(mel_irq_enable(LINE));
    spawn(TASK_WAITER, waiter, 0, PRIORITY_HIGH);
    spawn(TASK_USER, user, 0, PRIORITY_URGENT);
    for (round_number = 0; round_number < DELAYS; round_number++) {
        const uint32_t delay = round_number;
        uncontended(delay, GET_AND_PUT, 1);
        uncontended(delay, USE, 10);
        fed(delay);
        raced(delay);
        renewed(delay);
    }
    EXPECT(late_puts != 0 || DELAYS < 100, true);
    mel_exit(0);
}
