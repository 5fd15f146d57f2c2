/* SPDX-License-Identifier: Apache-2.0 */
/* lock.h: locks for programs on several cores, which need no kernel section: short ones that are spun for, and long ones whose waiters block. On systems with a lock cache
 * (docs/explanation/lock-cache.md) they are its locks, under another software kernel of several cores they stand on the shared test-and-set registers, on one core
 * interrupts are off: a program is the same on all. Kernels with the hardware unit and several cores have neither. Not part of melanion.h.
 *
 * A short lock is for a few instructions: interrupts are off from take to release, no kernel call may be between, and the same lock does not nest.
 * A long lock is a task's, on whatever core it runs. It has no owner that the kernel knows: no priority is inherited, and a task that is terminated while it
 * holds the lock, or waits for it, leaves it so; where that matters, take a mutex (melanion/mutex.h). Tasks wait in a semaphore of their own; who finds the lock free
 * may come before one that was woken.
 * Timing on a lock cache: take of a free long lock is one load of it, and release a load and a store of it and a load of memory. */
#ifndef MELANION_LOCK_H
#define MELANION_LOCK_H

#include <mel_system.h>
#include <melanion/irq_lock.h>
#include <melanion/kernel.h>
#include <melanion/semaphore.h>
#include <melanion/types.h>

#define MEL_LOCK_WORD(address) (*(volatile uint32_t *)(address))

/* Short locks 0 … MEL_SPIN_LOCKS - 1. The kernel has two besides, and this header one. */
#ifdef MEL_SHORT_LOCKS
#include <melanion/mel_lock_cache.h>
#define MEL_SPIN_LOCKS (MEL_SHORT_LOCKS - 3)
#define MEL_SPIN_WORD(lock) MEL_LOCK_WORD(MEL_LOCK_CACHE_BASE + MEL_LOCK_CACHE_LOCK_SHORT(2 + (lock)))
#define MEL_SPIN_TAKEN MEL_LOCK_CACHE_ANSWER_TAKEN
#else
#define MEL_SPIN_LOCKS 5
#define MEL_SPIN_TAKEN 0u
#if MEL_CORES > 1
#ifndef MEL_LOCKS_BASE
#error "melanion/lock.h: this system has several cores, and neither a lock cache nor test-and-set registers; take a system such as lockcache-3 or sw-3, or mutexes"
#endif
#define MEL_SPIN_WORD(lock) MEL_LOCK_WORD(MEL_LOCKS_BASE + 4 * (2 + (lock)))
#endif
#endif
#define MEL_SPIN_GUARD MEL_SPIN_LOCKS /* guard of the long locks' counters */

typedef mel_irq_key_t mel_spin_key_t;

/* Take short lock `lock`, which waits for at most one holder of every other core, and turn interrupts off; the key is for its release. Between two looks at a taken
 * lock stands a division, which keeps this core away from the memory. Callers: any. µITRON, FreeRTOS: none. */
static inline mel_spin_key_t mel_spin_take(uint32_t lock)
{
    const mel_spin_key_t key = mel_irq_lock();
#if MEL_CORES > 1
    uint32_t word;
    while ((word = MEL_SPIN_WORD(lock)) != MEL_SPIN_TAKEN) {
        __asm__ volatile("div %0, %0, sp" : "+r"(word));
    }
    __asm__ volatile("" : : : "memory");
#else
    (void)lock;
#endif
    return key;
}

/* Release it, and turn interrupts on again where they were. Callers: the holder. */
static inline void mel_spin_release(uint32_t lock, mel_spin_key_t key)
{
#if MEL_CORES > 1
    __asm__ volatile("" : : : "memory");
    MEL_SPIN_WORD(lock) = 0;
#else
    (void)lock;
#endif
    mel_irq_unlock(key);
}

/* A long lock. The program defines it, of static storage, and looks at nothing in it. */
typedef struct {
    uint32_t number;          /* long lock of the cache */
    volatile uint32_t held;   /* without a lock cache */
    volatile uint32_t waiting; /* tasks that wait, or are about to */
    mel_id_t sem;
} mel_lock_t;

/* Make long lock `number` of the program, 0, 1, …; tasks wait for it in semaphore `sem`, which does not exist yet and is the lock's from now on. On a lock cache it is
 * the long lock of semaphore MEL_SEMAPHORES - 1 - number, which then must not exist. Callers: task, idle. E_OK; E_PAR: no such lock, or `sem` is that
 * semaphore; E_ID, E_OBJ: as mel_sem_create. */
static inline mel_status_t mel_lock_create(mel_lock_t *lock, uint32_t number, mel_id_t sem)
{
    if (number >= MEL_SEMAPHORES || sem == MEL_SEMAPHORES - 1u - number) {
        return MEL_E_PAR;
    }
    *lock = (mel_lock_t){.number = MEL_SEMAPHORES - 1u - number, .sem = sem};
    return mel_sem_create(sem, 0, 1);
}

/* Take the lock if it is free. Callers: task. true: the caller holds it. */
static inline bool mel_lock_try(mel_lock_t *lock)
{
#ifdef MEL_SHORT_LOCKS
    const bool taken = MEL_LOCK_WORD(MEL_LOCK_CACHE_BASE + MEL_LOCK_CACHE_TRY_LONG(lock->number)) == MEL_LOCK_CACHE_ANSWER_TAKEN;
    __asm__ volatile("" : : : "memory");
    return taken;
#else
    const mel_spin_key_t key = mel_spin_take(MEL_SPIN_GUARD);
    const bool taken = lock->held == 0;
    if (taken) {
        lock->held = 1;
    }
    mel_spin_release(MEL_SPIN_GUARD, key);
    return taken;
#endif
}

static inline void mel_lock_count(mel_lock_t *lock, uint32_t by)
{
    const mel_spin_key_t key = mel_spin_take(MEL_SPIN_GUARD);
    lock->waiting += by;
    mel_spin_release(MEL_SPIN_GUARD, key);
}

/* The way of a task that found the lock taken. It counts itself before it looks again: who releases the lock later sees that, and gives. */
static __attribute__((noinline, unused)) void mel_lock_wait_for(mel_lock_t *lock)
{
    mel_lock_count(lock, 1);
    while (!mel_lock_try(lock)) {
        (void)mel_sem_take(lock->sem, MEL_FOREVER);
    }
    mel_lock_count(lock, UINT32_MAX);
}

/* Take the lock, and wait while it is taken. Not by its holder, who would wait for ever. Callers: task, with dispatch enabled. µITRON, FreeRTOS: none. */
static inline void mel_lock_take(mel_lock_t *lock)
{
    if (__builtin_expect(!mel_lock_try(lock), 0)) {
        mel_lock_wait_for(lock);
    }
}

/* Release it, in the name of the core on which it was taken, and wake a task that waits. Callers: the holder. */
static inline void mel_lock_release(mel_lock_t *lock)
{
    __asm__ volatile("" : : : "memory");
#ifdef MEL_SHORT_LOCKS
    const uint32_t state = MEL_LOCK_WORD(MEL_LOCK_CACHE_BASE + MEL_LOCK_CACHE_STATE_LONG(lock->number));
    const uint32_t holder = state >> MEL_LOCK_CACHE_STATE_HOLDER_LSB & MEL_LOCK_CACHE_STATE_HOLDER_MASK;
    MEL_LOCK_WORD(MEL_LOCK_CACHE_BASE + MEL_LOCK_CACHE_LOCK_LONG(lock->number)) = holder + 1;
#else
    lock->held = 0;
#endif
    if (__builtin_expect(lock->waiting != 0, 0)) {
        (void)mel_sem_give(lock->sem); /* E_QOVR: somebody is being woken already */
    }
}

#endif
