/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c: memory pools on FreeRTOS on several cores. No task may wait inside a critical section there, which the pools of the other kernels need (common/pool.h): here the
 * semaphore counts the free blocks, so that a get is a take, then a block, and a put a block, then a give.
 * Timing: interrupts are off, and other cores kept out, for the few stores that link a block; nothing depends on the number of blocks. */
#include <melanion/pool.h>
#include <melanion/semaphore.h>

typedef struct free_block {
    struct free_block *next;
} free_block_t;

/* Newton's iteration: 5 right bits, then 10, 20, 40. */
static uint32_t inverse_of(uint32_t odd)
{
    uint32_t inverse = (3 * odd) ^ 2;
    for (uint32_t i = 0; i < 3; i++) {
        inverse *= 2 - odd * inverse;
    }
    return inverse;
}

static bool fits(const void *memory, size_t size, uint32_t count)
{
    const uintptr_t first = (uintptr_t)memory;
    return memory != NULL && first % MEL_POOL_ALIGNMENT == 0 && size != 0 && size % MEL_POOL_ALIGNMENT == 0 && count != 0 &&
           count <= MEL_SEMAPHORE_COUNT_LIMIT && count <= (UINT32_MAX - first) / size;
}

/* As in common/pool.h: the quotient of a block's distance and the block size, which is large where there is a remainder. */
static bool owns(const mel_pool_t *pool, const void *block)
{
    const uint32_t product = ((uint32_t)(uintptr_t)block - (uint32_t)pool->first) * pool->inverse;
    return (product >> pool->shift | product << (-pool->shift & 31)) < pool->count;
}

mel_status_t mel_pool_create(mel_pool_t *pool, void *memory, size_t size, uint32_t count, mel_id_t sem)
{
    if (!fits(memory, size, count)) {
        return MEL_E_PAR;
    }
    if (pool->count != 0) {
        return MEL_E_OBJ;
    }
    const mel_status_t status = mel_sem_create(sem, count, count);
    if (status == MEL_E_OK) {
        pool->free = NULL;
        pool->fresh = pool->first = (uintptr_t)memory;
        pool->size = size;
        pool->shift = (uint32_t)__builtin_ctz(size);
        pool->inverse = inverse_of(size >> pool->shift);
        pool->sem = sem;
        pool->count = count;
    }
    return status;
}

mel_status_t mel_pool_delete(mel_pool_t *pool)
{
    if (pool->count == 0) {
        return MEL_E_NOEXS;
    }
    const mel_status_t status = mel_sem_delete(pool->sem);
    if (status == MEL_E_OK) {
        pool->count = 0;
    }
    return status;
}

mel_status_t mel_pool_get(mel_pool_t *pool, mel_ticks_t timeout, void **block)
{
    if (pool->count == 0) {
        return MEL_E_NOEXS;
    }
    const mel_status_t status = mel_sem_take(pool->sem, timeout);
    if (status == MEL_E_OK) {
        const UBaseType_t before = mel_freertos_enter();
        free_block_t *taken = pool->free;
        if (taken != NULL) {
            pool->free = taken->next;
        } else {
            taken = (free_block_t *)pool->fresh;
            pool->fresh += pool->size;
        }
        mel_freertos_leave(before);
        *block = taken;
    }
    return status;
}

mel_status_t mel_pool_put(mel_pool_t *pool, void *block)
{
    if (!owns(pool, block)) {
        return pool->count == 0 ? MEL_E_NOEXS : MEL_E_PAR;
    }
    const UBaseType_t before = mel_freertos_enter();
    ((free_block_t *)block)->next = pool->free;
    pool->free = block;
    mel_freertos_leave(before);
    return mel_sem_give(pool->sem);
}

mel_status_t mel_pool_query(mel_pool_t *pool, uint32_t *free)
{
    return pool->count == 0 ? MEL_E_NOEXS : mel_sem_query(pool->sem, free);
}
