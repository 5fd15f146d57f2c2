/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h: the calls of memory pools, for every kernel. One file of each kernel includes it, behind the verbs that it stands on:
 *   pool_lock() → key, pool_unlock(key): only one context of the system between them;
 *   pool_ask(op, sem, argument) → answer: a command on the pool's semaphore, between them. Negative: refused, and nothing happened. Else the command is done, the
 *     caller may wait, and another task may run before pool_ask returns: what must be true of the pool then is true before it;
 *   pool_end(key, answer) → status: pool_unlock, and the end of the call that asked: returns when the caller runs again.
 *
 * Every free block is either spare, or kept: for a unit that the semaphore counts, or for a task that the semaphore has released and that
 * has not fetched it yet.                             free = spare + units + released tasks         (1)
 * Get takes a spare block, if there is one. Else it takes a unit of the semaphore, for which a block is kept, or waits for one.
 * Put adds a spare block, unless spare is CONTENDED: then it gives the semaphore a unit, and the block is kept.
 * spare is CONTENDED from the command with which a task begins to wait until a get finds a unit: who finds one knows that nobody waits.
 *                                                     somebody waits → spare = CONTENDED            (2)
 * So the kernel alone decides who waits, in what order, and whether a put or the end of a wait came first: a waiting task leaves the semaphore with
 * a unit or without, and only with one it fetches a block. A wait that ended otherwise (timeout, release, termination) leaves nothing to be mended: the
 * next put gives a unit that nobody waits for, and the next get that finds no spare block finds that.
 * A task that has a unit fetches its block in a section of its own. Meanwhile the pool may have been deleted, and even made anew: it was deleted under
 * the task when `generation` is another. A task that is terminated between the two takes its block with it, as any that it holds.
 *
 * Timing (Ibex, zero wait states): interrupts are off from pool_lock to pool_unlock: 9 instructions in a get, 12 in a put, and one or two
 * commands where there is no spare block. Nothing depends on the number of blocks or of waiting tasks. */
#ifndef MEL_COMMON_POOL_H
#define MEL_COMMON_POOL_H

#include <melanion/pool.h>

#define CONTENDED (-1)

typedef struct free_block {
    struct free_block *next;
} free_block_t;

/* A block that nobody holds; (1) promises that there is one. */
static inline void *take(mel_pool_t *pool)
{
    free_block_t *block = pool->free;
    if (block != NULL) {
        pool->free = block->next;
        return block;
    }
    const uintptr_t fresh = pool->fresh;
    pool->fresh = fresh + pool->size;
    return (void *)fresh;
}

/* Is it the address of a block? The distance from the first one, times the inverse of the odd part of the size, turned by its even part, is the
 * number of a block where the distance is a multiple of the size, and larger than every number of a block where it is not. */
static inline bool owns(const mel_pool_t *pool, const void *block)
{
    const uint32_t product = ((uint32_t)(uintptr_t)block - (uint32_t)pool->first) * pool->inverse;
    const uint32_t shift = pool->shift;
    return (product >> shift | product << (-shift & 31)) < pool->count;
}

/* Newton's iteration: 5 right bits, then 10, 20, 40. */
static inline uint32_t inverse_of(uint32_t odd)
{
    uint32_t inverse = (3 * odd) ^ 2;
    for (uint32_t i = 0; i < 3; i++) {
        inverse *= 2 - odd * inverse;
    }
    return inverse;
}

static inline bool fits(const void *memory, size_t size, uint32_t count)
{
    const uintptr_t first = (uintptr_t)memory;
    return memory != NULL && first % MEL_POOL_ALIGNMENT == 0 && size != 0 && size % MEL_POOL_ALIGNMENT == 0 && count != 0 &&
           count <= MEL_SEMAPHORE_COUNT_LIMIT && count <= (UINT32_MAX - first) / size;
}

mel_status_t mel_pool_create(mel_pool_t *pool, void *memory, size_t size, uint32_t count, mel_id_t sem)
{
    if (!fits(memory, size, count)) {
        return MEL_E_PAR;
    }
    const pool_key_t key = pool_lock();
    if (pool->count != 0) {
        pool_unlock(key);
        return MEL_E_OBJ;
    }
    const int32_t answer = pool_ask(MEL_OP_SEMAPHORE_CREATE, sem, count);
    if (answer >= 0) {
        pool->free = NULL;
        pool->fresh = pool->first = (uintptr_t)memory;
        pool->spare = (int32_t)count;
        pool->count = count;
        pool->size = size;
        pool->shift = (uint32_t)__builtin_ctz(size);
        pool->inverse = inverse_of(size >> pool->shift);
        pool->sem = sem;
    }
    return pool_end(key, answer);
}

mel_status_t mel_pool_delete(mel_pool_t *pool)
{
    const pool_key_t key = pool_lock();
    const uint32_t count = pool->count;
    const int32_t spare = pool->spare;
    if (count == 0) {
        pool_unlock(key);
        return MEL_E_NOEXS;
    }
    pool->count = 0;
    pool->spare = 0;
    pool->generation++;
    const int32_t answer = pool_ask(MEL_OP_SEMAPHORE_DELETE, pool->sem, 0);
    if (answer < 0) {
        pool->count = count;
        pool->spare = spare;
        pool->generation--;
    }
    return pool_end(key, answer);
}

/* The half of mel_pool_get without a spare block; apart, so that the other half is a leaf. */
static __attribute__((noinline)) mel_status_t get_kept(mel_pool_t *pool, mel_ticks_t timeout, void **block, pool_key_t key)
{
    if (pool->count == 0) {
        pool_unlock(key);
        return MEL_E_NOEXS;
    }
    const uint32_t generation = pool->generation;
    int32_t answer = pool_ask(MEL_OP_SEMAPHORE_TAKE, pool->sem, MEL_POLL);
    if (answer >= 0) { /* a unit: so nobody waits */
        pool->spare = 0;
        *block = take(pool);
        return pool_end(key, answer);
    }
    if (timeout == MEL_POLL) {
        pool_unlock(key);
        return answer;
    }
    pool->spare = CONTENDED;
    answer = pool_ask(MEL_OP_SEMAPHORE_TAKE, pool->sem, timeout);
    const mel_status_t status = pool_end(key, answer);
    if (status != MEL_E_OK) {
        return status;
    }
    const pool_key_t again = pool_lock();
    const bool deleted = generation != pool->generation;
    if (!deleted) {
        *block = take(pool);
    }
    pool_unlock(again);
    return deleted ? MEL_E_DLT : MEL_E_OK;
}

mel_status_t mel_pool_get(mel_pool_t *pool, mel_ticks_t timeout, void **block)
{
    const pool_key_t key = pool_lock();
    const int32_t spare = pool->spare;
    if (__builtin_expect(spare <= 0, 0)) {
        return get_kept(pool, timeout, block, key);
    }
    pool->spare = spare - 1;
    void *taken = take(pool);
    pool_unlock(key);
    *block = taken;
    return MEL_E_OK;
}

mel_status_t mel_pool_put(mel_pool_t *pool, void *block)
{
    const uint32_t generation = *(volatile uint32_t *)&pool->generation;
    if (!owns(pool, block)) {
        return pool->count == 0 ? MEL_E_NOEXS : MEL_E_PAR;
    }
    const pool_key_t key = pool_lock();
    if (__builtin_expect(generation != pool->generation, 0)) { /* it is the block of a pool that was just deleted */
        pool_unlock(key);
        return MEL_E_NOEXS;
    }
    ((free_block_t *)block)->next = pool->free;
    pool->free = block;
    const int32_t spare = pool->spare;
    if (__builtin_expect(spare == CONTENDED, 0)) {
        return pool_end(key, pool_ask(MEL_OP_SEMAPHORE_GIVE, pool->sem, 0));
    }
    pool->spare = spare + 1;
    pool_unlock(key);
    return MEL_E_OK;
}

mel_status_t mel_pool_query(mel_pool_t *pool, uint32_t *free)
{
    const pool_key_t key = pool_lock();
    uint32_t units = 0;
    if (pool->count == 0 || mel_sem_query(pool->sem, &units) != MEL_E_OK) {
        pool_unlock(key);
        return MEL_E_NOEXS;
    }
    const int32_t spare = pool->spare;
    pool_unlock(key);
    *free = units + (spare == CONTENDED ? 0 : (uint32_t)spare);
    return MEL_E_OK;
}

#endif
