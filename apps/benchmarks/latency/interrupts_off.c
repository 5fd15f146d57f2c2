/* SPDX-License-Identifier: Apache-2.0 */
/* interrupts_off.c: phase irq_off: with 4, 16 and 60 tasks, everything that a kernel might do with interrupts off for
 * longer the more tasks there are: a list of waiters that is filled, served, reordered and deleted, timeouts of all
 * tasks in one tick, every task woken by one caller. What a kernel does not know (MEL_LACKS_…) is left out: waiters are not reordered while
 * they are suspended, and are released before their semaphore is deleted. */
#include "latency.h"

#ifdef MEL_LACKS_SUSPENDED_WAIT
enum { SUSPENDED_WAIT = false };
#else
enum { SUSPENDED_WAIT = true };
#endif
#ifdef MEL_LACKS_WAITED_DELETE
enum { WAITED_DELETE = false };
#else
enum { WAITED_DELETE = true };
#endif

enum { ROUNDS = 4, TICK_CYCLES = 2000, TICK_CYCLES_A_TASK = 500, LONG = 1000000 /* ticks */ };

static mel_ticks_t common; /* the tick in which all delays end */

static void worker(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_sem_take(SEM_MEASURED, MEL_FOREVER));
        CHECK(mel_task_delay_until(common));
        CHECK(mel_task_sleep(MEL_FOREVER));
        EXPECT(mel_sem_take(SEM_MEASURED, LONG), MEL_E_RLWAI);
        EXPECT(mel_sem_take(SEM_DOOMED, MEL_FOREVER), WAITED_DELETE ? MEL_E_DLT : MEL_E_RLWAI);
    }
}

/* The workers run until each waits again. A kernel that needs the releases below needs longer. */
static void let_them_wait(void)
{
    CHECK(mel_task_delay(WAITED_DELETE ? 2 : 4));
}

static void one_round(uint32_t workers)
{
    let_them_wait();
    common = now() + 3;
    for (uint32_t i = 0; i < workers; i++) {
        CHECK(mel_sem_give(SEM_MEASURED));
    }
    CHECK(mel_task_delay_until(common));
    let_them_wait();
    for (uint32_t i = 0; i < workers; i++) {
        CHECK(mel_task_wakeup(TASK_FIRST + i));
    }
    let_them_wait();
    for (uint32_t i = 0; i < workers; i++) {
        if (SUSPENDED_WAIT) {
            CHECK(mel_task_suspend(TASK_FIRST + i));
        }
        CHECK(mel_task_set_priority(TASK_FIRST + i, PRIORITY_HIGH + (i + 7) % (PRIORITY_LOW - PRIORITY_HIGH)));
        if (SUSPENDED_WAIT) {
            CHECK(mel_task_resume(TASK_FIRST + i));
        }
        CHECK(mel_task_release(TASK_FIRST + i));
    }
    let_them_wait();
    for (uint32_t i = 0; !WAITED_DELETE && i < workers; i++) {
        CHECK(mel_task_release(TASK_FIRST + i));
    }
    CHECK(mel_sem_delete(SEM_DOOMED));
    CHECK(mel_sem_create(SEM_DOOMED, 0, 1));
}

/* `tasks` counts the conductor and the computing task. */
static void measure(uint32_t tasks)
{
    const uint32_t workers = tasks - 2;
    set_tick(TICK_CYCLES + tasks * TICK_CYCLES_A_TASK);
    CHECK(mel_sem_create(SEM_MEASURED, 0, WORKERS));
    CHECK(mel_sem_create(SEM_DOOMED, 0, 1));
    for (uint32_t i = 0; i < workers; i++) {
        spawn(TASK_FIRST + i, worker, 0, PRIORITY_HIGH + i % (PRIORITY_LOW - PRIORITY_HIGH));
    }
    spawn(TASK_FIRST + workers, compute, 0, PRIORITY_BACKGROUND);
    begin(PHASE_IRQ_OFF, tasks);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        one_round(workers);
    }
    end(PHASE_IRQ_OFF, tasks);
    remove_tasks(workers + 1);
    CHECK(mel_sem_delete(SEM_MEASURED));
    CHECK(mel_sem_delete(SEM_DOOMED));
}

void measure_interrupts_off(void)
{
    measure(4);
    measure(16);
    measure(60);
}
