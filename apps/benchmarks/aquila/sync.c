/* SPDX-License-Identifier: Apache-2.0 */
/* sync.c: what taking and releasing a lock costs. Two tasks use each lock one after the other, half of the times each: it is free when it is taken, and no
 * tick comes, so that a time is that of the lock alone. Then both use it at once, with short turns, around a counter that is read and written in two
 * steps: if the lock let both in, a count would be lost. The paper's critical sections kept its printing together; ours print a line each, too. */
#include <melanion/console.h>

#include "locks.h"
#include "pair.h"

/* Tracepoints: around the call that takes, and the call that releases. */
enum { TAKE = 1, TAKEN, RELEASE, RELEASED };
enum { CRITICAL_TIMES = 14, CONTENDED = 500, OTHER_CONTENDED = 100, TURN_CYCLES = 2000 };

static uint32_t mark;
static uint32_t times; /* uses of a lock, per task */
static volatile uint32_t counter;

static void print(uint32_t self)
{
    mel_print("task ");
    mel_print_unsigned(self);
    mel_print(" prints\n");
}

/* In the order of the phases: what is done with a lock while nothing else comes, and what while both tasks want it. `inside` is done while it is held. */
#define USE(lock, inside)                                                                               \
    static void use_##lock(uint32_t self)                                                               \
    {                                                                                                   \
        for (uint32_t i = 0; i < times; i++) {                                                          \
            MEL_TRACEPOINT(TAKE, 0);                                                                         \
            lock##_take(self);                                                                          \
            MEL_TRACEPOINT(TAKEN, 0);                                                                        \
            counter = counter + 1;                                                                      \
            inside;                                                                                     \
            MEL_TRACEPOINT(RELEASE, 0);                                                                      \
            lock##_release(self);                                                                       \
            MEL_TRACEPOINT(RELEASED, 0);                                                                     \
            __asm__ volatile("nop"); /* the tracepoint is on it, and not on what ends the loop */            \
        }                                                                                               \
    }                                                                                                   \
    static void contend_##lock(uint32_t self)                                                           \
    {                                                                                                   \
        for (uint32_t i = 0; i < times; i++) {                                                          \
            lock##_take(self);                                                                          \
            const uint32_t before = counter;                                                            \
            for (uint32_t pause = 0; pause < self + 3; pause++) { /* turns end in it */                 \
                __asm__ volatile("");                                                                   \
            }                                                                                           \
            counter = before + 1;                                                                       \
            lock##_release(self);                                                                       \
        }                                                                                               \
    }

USE(critical, print(self))
USE(peterson, (void)self)
USE(filter, (void)self)
USE(semaphore, (void)self)
USE(mutex, (void)self)
#ifdef __riscv_atomic
USE(amoswap, (void)self)
#endif

static void begun(void)
{
    MEL_MARK(MARK_BEGIN, mark);
}

static void nothing(void)
{
}

static void counted(const char *what)
{
    if (counter != TASKS_OF_PAIR * times) {
        failed(what, mark);
    }
    counter = 0;
}

static void measure(uint32_t phase, void (*use)(uint32_t self), uint32_t all, void (*contend)(uint32_t self), uint32_t contended)
{
    mark = phase;
    times = all / TASKS_OF_PAIR;
    run_pair(use, 0, begun);
    MEL_MARK(MARK_END, mark);
    remove_pair();
    counted("the count of a lock's uses");
    times = contended;
    run_pair(contend, TURN_CYCLES, nothing);
    remove_pair();
    counted("a lock let both tasks in, so the count");
}

#define MEASURE(phase, lock, all, contended) measure(phase, use_##lock, all, contend_##lock, contended)

void conduct(void)
{
    static const uint32_t filters[] = {2, 4, FILTER_LARGEST};
    CHECK(mel_sem_create(0, 1, 1));
    CHECK(mel_mutex_create(0, MEL_NO_CEILING));
    MEASURE(PHASE_CRITICAL, critical, CRITICAL_TIMES, CONTENDED);
    MEASURE(PHASE_PETERSON, peterson, TIMES, CONTENDED);
#ifdef __riscv_atomic
    MEASURE(PHASE_AMOSWAP, amoswap, TIMES, CONTENDED);
#endif
    for (uint32_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        filter_for(filters[i]);
        MEASURE(PHASE_FILTER | filters[i] << 8, filter, OTHER_TIMES, OTHER_CONTENDED);
    }
    MEASURE(PHASE_SEMAPHORE, semaphore, OTHER_TIMES, OTHER_CONTENDED);
    MEASURE(PHASE_MUTEX, mutex, OTHER_TIMES, OTHER_CONTENDED);
    mel_exit(0);
}
