/* SPDX-License-Identifier: Apache-2.0 */
/* lock_cache.c: what is left to the core of a waiting task, and how that comes by it (lock_cache.h). Everything inside a section, but for mel_lock_boot. */
#include "software/lock/lock.h"

#include "common/boot.h"
#include "common/boot_mismatch.h"
#include "software/ipi/ipi.h"
#include "software/call.h"
#include "software/semaphore.h"

#define WINDOW(offset) (*(volatile uint32_t *)(MEL_LOCK_CACHE_BASE + (offset)))
#define LONG_LOCK(sem) WINDOW(MEL_LOCK_CACHE_LOCK_LONG(sem))

uint32_t mel_long_given;

/* 1 + the core that holds the long lock, as the word of a release names it; 0: nobody holds it, or who was handed it has not heard of it yet. Then a give
 * finds the task itself. */
static uint8_t holders[MEL_SEMAPHORES + 1];

static inline uint32_t self(void)
{
    return (uint32_t)(mel_self - mel_cores);
}

/* This core waits for the long lock, since its most urgent task that waits for `sem` has that priority. A lock that is free is taken first: nobody can wait
 * for it else. */
void mel_long_arm(mel_id_t sem, uint32_t priority)
{
    if (MEL_LOCK_HAND_OVER) {
        WINDOW(MEL_LOCK_CACHE_REG_PRIORITY) = priority;
    }
    if (LONG_LOCK(sem) == MEL_LOCK_CACHE_ANSWER_TAKEN) {
        holders[sem] = (uint8_t)(1 + self());
        (void)LONG_LOCK(sem);
    }
}

/* The interrupt comes at once, and waits for the short lock that this core has. */
bool mel_long_release(mel_id_t sem)
{
    const uint32_t holder = holders[sem];
    if (holder == 0) {
        return false;
    }
    LONG_LOCK(sem) = holder;
    holders[sem] = 0;
    mel_long_given = 1 + sem;
    for (mel_core_t *core = mel_cores; core != mel_cores + MEL_CORES; core++) {
        core->due |= MEL_DUE_SETTLE;
    }
    return true;
}

/* The wait ends that a give has left; returns the semaphore. */
static inline mel_id_t settle(void)
{
    const mel_id_t sem = mel_long_given - 1;
    mel_long_given = 0;
    for (mel_core_t *core = mel_cores; core != mel_cores + MEL_CORES; core++) {
        core->due &= ~MEL_DUE_SETTLE;
    }
    return sem;
}

/* In a section that does not choose a task at its end: the core of the task is told as by any other call. */
void mel_long_settle_trap(void)
{
    const mel_id_t sem = settle();
    mel_core_t *core = &mel_cores[mel_wait_first(mel_sem_waiting(sem))->affinity - 1];
    (void)mel_sem_do_give(sem);
    if (core->due == 0 && (core->hold & MEL_HOLD_DISPATCH) == 0) {
        core->due = 1;
        mel_ipi_ring((uint32_t)(core - mel_cores));
    }
}

/* This core was told that the long lock of `sem` was released: it waits on, when another of its tasks does. */
static void heed(mel_id_t sem)
{
    if (MEL_LOCK_HAND_OVER) {
        holders[sem] = (uint8_t)(1 + self());
    }
    mel_wait_list_t *list = mel_sem_waiting(sem);
    for (mel_task_t *task = mel_wait_first(list); task != NULL; task = mel_wait_next(list, task)) {
        if (task->affinity == 1 + self()) {
            mel_long_arm(sem, task->priority);
            return;
        }
    }
}

/* In the interrupt by which a core chooses anew. One notice each time: who has another is interrupted again. */
void mel_long_called(void)
{
    if (mel_long_given != 0) {
        (void)mel_sem_do_give(settle());
    }
    const uint32_t notice = WINDOW(MEL_LOCK_CACHE_REG_NOTICE);
    if (notice != MEL_LOCK_CACHE_ANSWER_NONE) {
        heed(notice);
    }
}

/* Is it there, and built from the same facts and with the same sizes as the program? Its words are cleared by the time it answers. */
void mel_lock_boot(void)
{
    mel_boot_probe = "no lock cache answers at its address (bus error): run the program on a system with one";
    const uint32_t identity = WINDOW(MEL_LOCK_CACHE_REG_IDENTITY);
    mel_boot_probe = NULL;
    if (identity != MEL_LOCK_CACHE_IDENTITY) {
        mel_boot_mismatch("what answers at the lock cache's address is none: its identity is ", identity, " instead of ", MEL_LOCK_CACHE_IDENTITY,
               "; run the program on a system with one");
    }
    const uint32_t facts = WINDOW(MEL_LOCK_CACHE_REG_FACTS_HASH);
    if (facts != MEL_LOCK_CACHE_FACTS_HASH) {
        mel_boot_mismatch("the program was built for another lock cache: its facts hash is ", MEL_LOCK_CACHE_FACTS_HASH, ", the unit's is ", facts,
               "; build it again for this system");
    }
    const uint32_t sizes = (uint32_t)MEL_CORES << 16 | MEL_LONG_LOCKS << 8 | MEL_SHORT_LOCKS;
    if (WINDOW(MEL_LOCK_CACHE_REG_SIZES) != sizes) {
        mel_boot_mismatch("the program was built for another lock cache: its sizes are ", sizes, ", the unit's are ", WINDOW(MEL_LOCK_CACHE_REG_SIZES),
               "; build it again for this system");
    }
    const uint32_t priorities = MEL_LOCK_HAND_OVER ? MEL_PRIORITIES : 0;
    if (WINDOW(MEL_LOCK_CACHE_REG_PRIORITIES) != priorities) {
        mel_boot_mismatch("the program was built for another lock cache: its priorities are ", priorities, ", the unit's are ",
               WINDOW(MEL_LOCK_CACHE_REG_PRIORITIES), "; build it again for this system");
    }
}
