/* SPDX-License-Identifier: Apache-2.0 */
/* locks.h: the ways to keep another task out that the paper measures, and those that stand beside them; each as one function to take and one to release, which
 * are never inlined. They are for one core: where an access must not be moved, the compiler is told so, and no fence is needed. */
#ifndef LOCKS_H
#define LOCKS_H

#include <stdint.h>

enum { FILTER_LARGEST = 8 };

/* Peterson's algorithm: two tasks, 0 and 1. */
void peterson_take(uint32_t self);
void peterson_release(uint32_t self);

/* The filter lock, Peterson's algorithm for any number of tasks: n - 1 levels, at each of which the last one to come waits. `filter_for` says for how
 * many of them, 2 … FILTER_LARGEST, and frees the lock. */
void filter_for(uint32_t tasks);
void filter_take(uint32_t self);
void filter_release(uint32_t self);

#ifdef __riscv_atomic
/* A word that is swapped: amoswap.w.aq takes, amoswap.w.rl releases. */
void amoswap_take(uint32_t self);
void amoswap_release(uint32_t self);
#endif

/* A critical section: taskENTER_CRITICAL, taskEXIT_CRITICAL on FreeRTOS; elsewhere no interrupt, and so no other task either. */
void critical_take(uint32_t self);
void critical_release(uint32_t self);

/* A semaphore of one unit, and a mutex, which knows its owner and lends it priority. */
void semaphore_take(uint32_t self);
void semaphore_release(uint32_t self);
void mutex_take(uint32_t self);
void mutex_release(uint32_t self);

#endif
