/* SPDX-License-Identifier: Apache-2.0 */
/* locks.c: locks between tasks of one core (locks.h). */
#define MEL_HANDLERS_MAKE_NO_CALLS /* nor are these functions called by one: on FreeRTOS they need not look */
#include "locks.h"
#include "pair.h"

#define LOCK __attribute__((noinline)) void

/* Compiler barrier: memory accesses before it in the program stay before it. */
#define IN_ORDER() __asm__ volatile("" : : : "memory")

static volatile uint32_t wants[2];
static volatile uint32_t gives_way;

LOCK peterson_take(uint32_t self)
{
    const uint32_t other = 1 - self;
    wants[self] = 1;
    gives_way = self;
    while (wants[other] != 0 && gives_way == self) {
    }
    IN_ORDER();
}

LOCK peterson_release(uint32_t self)
{
    IN_ORDER();
    wants[self] = 0;
}

static uint32_t filter_tasks = 2;
static volatile uint32_t level_of[FILTER_LARGEST]; /* 0: does not want to */
static volatile uint32_t last_at[FILTER_LARGEST];  /* by level */

void filter_for(uint32_t tasks)
{
    filter_tasks = tasks;
    for (uint32_t i = 0; i < FILTER_LARGEST; i++) {
        level_of[i] = 0;
        last_at[i] = 0;
    }
}

/* Another task is at this level or beyond. */
static bool others_at(uint32_t level, uint32_t self)
{
    for (uint32_t task = 0; task < filter_tasks; task++) {
        if (task != self && level_of[task] >= level) {
            return true;
        }
    }
    return false;
}

LOCK filter_take(uint32_t self)
{
    for (uint32_t level = 1; level < filter_tasks; level++) {
        level_of[self] = level;
        last_at[level] = self;
        while (last_at[level] == self && others_at(level, self)) {
        }
    }
    IN_ORDER();
}

LOCK filter_release(uint32_t self)
{
    IN_ORDER();
    level_of[self] = 0;
}

#ifdef __riscv_atomic
static volatile uint32_t swapped;

/* As the paper says: look first, swap when it was free; who swapped in vain looks again. */
LOCK amoswap_take(uint32_t self)
{
    (void)self;
    uint32_t before;
    do {
        while (swapped != 0) {
        }
        __asm__ volatile("amoswap.w.aq %0, %1, (%2)" : "=r"(before) : "r"(1), "r"(&swapped) : "memory");
    } while (before != 0);
}

LOCK amoswap_release(uint32_t self)
{
    (void)self;
    __asm__ volatile("amoswap.w.rl zero, zero, (%0)" : : "r"(&swapped) : "memory");
}
#endif

LOCK critical_take(uint32_t self)
{
    (void)self;
#ifdef INC_FREERTOS_H
    taskENTER_CRITICAL();
#else
    __asm__ volatile("csrci mstatus, 8" : : : "memory");
#endif
}

LOCK critical_release(uint32_t self)
{
    (void)self;
#ifdef INC_FREERTOS_H
    taskEXIT_CRITICAL();
#else
    __asm__ volatile("csrsi mstatus, 8" : : : "memory");
#endif
}

LOCK semaphore_take(uint32_t self)
{
    (void)self;
    CHECK(mel_sem_take(0, MEL_FOREVER));
}

LOCK semaphore_release(uint32_t self)
{
    (void)self;
    CHECK(mel_sem_give(0));
}

LOCK mutex_take(uint32_t self)
{
    (void)self;
    CHECK(mel_mutex_lock(0, MEL_FOREVER));
}

LOCK mutex_release(uint32_t self)
{
    (void)self;
    CHECK(mel_mutex_unlock(0));
}
