/* SPDX-License-Identifier: Apache-2.0 */
/* lock_cache.h: locks in hardware (implementation `lock_cache` of the interface `lock`; docs/decisions/0023): short lock 0 of the lock cache (hw/lock_cache) is the one of
 * section.h; long lock n calls the core at which a task waits for semaphore n.
 *
 * A give that finds a waiting task of another core releases the long lock and goes on; the task still stands in its wait list. The unit interrupts the waiting
 * cores, or with hand-over the one with the most urgent waiter, and the section that comes next, on whatever core, *settles* before anything else: it ends
 * that task's wait. So no section sees a semaphore between its give and what that does, and at most one give is unsettled at a time. Every core is marked
 * MEL_DUE_SETTLE meanwhile (software/smp.h), which costs calls no instruction.
 * Timing (instructions): of section.h; mel_long_give 8 and 3 for each core, instead of all that a core does to make a task ready and find who runs it. */
#ifndef MEL_SOFTWARE_LOCK_LOCK_CACHE_H
#define MEL_SOFTWARE_LOCK_LOCK_CACHE_H

#include <mel_system.h>

#define MEL_SHORT_LOCK MEL_LOCK_CACHE_BASE
#define MEL_SHORT_TAKEN(word) ((word) == MEL_LOCK_CACHE_ANSWER_TAKEN)
#define MEL_SHORT_AGAIN beqz

#include <melanion/mel_lock_cache.h>

#include "software/lock/section.h"

#ifndef __ASSEMBLER__

_Static_assert(MEL_LOCK_CACHE_LOCK_SHORT(0) == 0, "section.h makes the address of short lock 0 by one instruction");
_Static_assert(MEL_LOCK_CACHE_ANSWER_WAITS == 0, "section.h: the branch");
_Static_assert(MEL_SEMAPHORES <= MEL_LONG_LOCKS, "each semaphore has a long lock");

#define MEL_DUE_SETTLE 2u /* in mel_core_t.due: a section must settle before it begins */

/* 1 + the semaphore of which a give is not settled; 0: none. */
extern uint32_t mel_long_given;

void mel_long_settle_trap(void);
void mel_long_called(void);
void mel_long_arm(mel_id_t sem, uint32_t priority);
bool mel_long_release(mel_id_t sem);
void mel_lock_boot(void);

static inline void mel_lock_trap(void)
{
    mel_short_take();
    if (__builtin_expect(mel_long_given != 0, 0)) {
        mel_long_settle_trap();
    }
}

static inline void mel_lock_due(void)
{
    mel_short_take();
    mel_long_called();
}

/* Only a task that may run nowhere else is called: of another, the giver must find the core (docs/decisions/0009). */
static inline void mel_long_wait(mel_id_t sem, uint32_t affinity, uint32_t priority)
{
    if (affinity != 0) {
        mel_long_arm(sem, priority);
    }
}

/* Inside a section of several calls, and with interrupts off, nothing may be left for later. */
static inline bool mel_long_give(mel_key_t key, mel_id_t sem, uint32_t affinity)
{
    return key == MEL_KEY_ON && affinity != 0 && affinity != 1 + (uint32_t)(mel_self - mel_cores) && mel_long_release(sem);
}

static inline bool mel_lock_owns(uint32_t address)
{
    return address - MEL_LOCK_CACHE_BASE < MEL_LOCK_CACHE_WINDOW_BYTES;
}

#else

/* clang-format off */
.macro SECTION_SETTLE
    lui t1, %hi(mel_long_given)
    lw t1, %lo(mel_long_given)(t1)
    beqz t1, 5f
    addi sp, sp, -64
    sw ra, 0(sp)
    sw t0, 4(sp)
    sw t2, 8(sp)
    sw a0, 12(sp)
    sw a1, 16(sp)
    sw a2, 20(sp)
    sw a3, 24(sp)
    sw a4, 28(sp)
    sw a5, 32(sp)
    sw a6, 36(sp)
    sw a7, 40(sp)
    sw t3, 44(sp)
    sw t4, 48(sp)
    sw t5, 52(sp)
    sw t6, 56(sp)
    call mel_long_settle_trap
    lw ra, 0(sp)
    lw t0, 4(sp)
    lw t2, 8(sp)
    lw a0, 12(sp)
    lw a1, 16(sp)
    lw a2, 20(sp)
    lw a3, 24(sp)
    lw a4, 28(sp)
    lw a5, 32(sp)
    lw a6, 36(sp)
    lw a7, 40(sp)
    lw t3, 44(sp)
    lw t4, 48(sp)
    lw t5, 52(sp)
    lw t6, 56(sp)
    addi sp, sp, 64
5:
.endm
/* clang-format on */

#endif
#endif
