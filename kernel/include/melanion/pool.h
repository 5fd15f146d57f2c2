/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h: memory pools: blocks of one size, got and put back in constant time. Tasks wait for a block in order of priority, equal
 * priorities in order of arrival; a block that is put while a task waits is kept for that task, so no later caller can take it away.
 *
 * A pool is no object of the kernel's but a variable of the program, of static storage (all zero: it does not exist), and the
 * semaphore in which its tasks wait, which is the pool's from create to delete: nobody else may touch it. So the same C serves every
 * kernel, the golden model sees what the semaphore sees, and a block that nobody has to wait for costs no kernel command.
 * What a block holds is its holder's; while nobody holds it the pool uses its first word.
 * Cycles: docs/reference/calls.md. Several cores take turns: a call waits while others are in one of any pool. Each call may also return MEL_E_NOEXS: there is no such pool. */
#ifndef MELANION_POOL_H
#define MELANION_POOL_H

#include <melanion/types.h>

/* One pool. The program defines it and looks at nothing in it. */
typedef struct {
    void *free;          /* blocks that were put back, the last one first; each begins with the address of the next */
    uintptr_t fresh;     /* the first of the blocks that nobody has had yet */
    int32_t spare;       /* free blocks that are kept for nobody; -1: the next one that is put goes to the semaphore */
    uint32_t generation; /* number of deletions */
    uint32_t count;      /* number of blocks; 0: it does not exist */
    uintptr_t first;
    uint32_t size;       /* bytes of a block: odd << shift */
    uint32_t inverse;    /* inverse * odd = 1, modulo 2^32 */
    uint32_t shift;
    mel_id_t sem;
} mel_pool_t;

/* Blocks begin at multiples of it, and are as long. */
#define MEL_POOL_ALIGNMENT 4

/* Make a pool of `count` blocks of `size` bytes in `memory`, which is `count` times `size` bytes long; its tasks wait in semaphore `sem`, which does not
 * exist yet. Callers: task, handler, idle. E_OK; E_ID: no such semaphore; E_PAR: no memory, memory or size no multiple of MEL_POOL_ALIGNMENT, size
 * or count 0, count above MEL_SEMAPHORE_COUNT_LIMIT, or more than the address space; E_OBJ: the pool or the semaphore exists.
 * µITRON: cre_mpf. FreeRTOS: none. */
mel_status_t mel_pool_create(mel_pool_t *pool, void *memory, size_t size, uint32_t count, mel_id_t sem);

/* Remove a pool, and its semaphore; the gets of its waiting tasks return E_DLT, the most urgent first. Blocks that somebody holds stay
 * his, and nobody may put them. Callers: task, idle. E_OK; E_CTX. µITRON: del_mpf. */
mel_status_t mel_pool_delete(mel_pool_t *pool);

/* Get a block into `block`, waiting for one at most `timeout` ticks (MEL_POLL: not at all, MEL_FOREVER: no limit). `block` is written only
 * with E_OK. Callers: task; with MEL_POLL also handler and idle. E_OK; E_TMOUT; E_CTX: there is no block, and the caller may not wait (while there is
 * one nobody looks at who calls); E_DLT when the pool is deleted meanwhile; E_RLWAI when released.
 * µITRON: get_mpf, pget_mpf, tget_mpf. */
mel_status_t mel_pool_get(mel_pool_t *pool, mel_ticks_t timeout, void **block);

/* Put a block back: to the first of the most urgent waiting tasks, or into the pool. Callers: task, handler, idle.
 * E_OK; E_PAR: it is not the address of one of the pool's blocks. That somebody holds it is not checked: a block that is put twice is held by two.
 * µITRON: rel_mpf. */
mel_status_t mel_pool_put(mel_pool_t *pool, void *block);

/* Read into `free` how many blocks a get would not wait for; it is written only with E_OK. Callers: any. E_OK. µITRON: ref_mpf. */
mel_status_t mel_pool_query(mel_pool_t *pool, uint32_t *free);

#endif
