/* SPDX-License-Identifier: Apache-2.0 */
/* section.h: a critical section of several cores: interrupts off, then one lock that all cores spin for. What the implementations `spin` and `lock_cache` of the interface `lock`
 * share. They define, before they include it: MEL_SHORT_LOCK, the address of the lock, whose load takes it and whose store of 0 frees it, and which is handed out
 * in turn, so that a core waits for at most one critical section of each other core; MEL_SHORT_TAKEN(word), that a load took it; MEL_SHORT_AGAIN, the branch of
 * assembly when it did not; SECTION_SETTLE of assembly: what is done at the begin of a section whose caller has interrupts off (may use t1).
 *
 * A core that is due (software/smp.h) changes what it runs before it begins a section: the caller goes on when it has its turn again. So a section never
 * begins in a task that has ended, is suspended or is outdone, except with dispatch disabled, in a handler, or where the task has turned interrupts off.
 *
 * The key: MEL_KEY_ON, interrupts were on; 1, they were off (handlers, a locked CPU): leave them off; 0, this is inside a section of several calls: leave all
 * to its end. 1 is a bit of mstatus that Ibex does not have.
 * Between two looks at a taken lock stands a division (37 cycles): it keeps this core away from the memory, from which the holder fetches.
 * Timing (instructions): mel_lock 8 when the lock is free, of which one loads from a device; mel_unlock 4, of which one stores there. */
#ifndef MEL_SOFTWARE_LOCK_SECTION_H
#define MEL_SOFTWARE_LOCK_SECTION_H

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#include "common/current/current.h"
#include "common/interface.h"

_Static_assert(MEL_CORES > 1, "one core needs no lock: implementation none");
_Static_assert(MEL_SHORT_LOCK % 0x1000 == 0, "one instruction makes the address of the lock");

#define MEL_LOCK_HI "%%hi(" MEL_TEXT(MEL_SHORT_LOCK) ")"
#define MEL_LOCK_OFFSET(offset) MEL_TEXT(offset)
#define MEL_LOCK_CLOBBERS , "t0", "t1"

#define MEL_LOCK_TEXT                                                                                             \
    "\n881: csrrci %[key_], mstatus, 8\n\t"                                                                       \
    "andi %[key_], %[key_], 8\n\t"                                                                                \
    "beqz %[key_], 883f\n\t"                                                                                      \
    "lui t0, " MEL_LOCK_HI "\n"                                                                                   \
    "882: lw t1, 0(t0)\n\t"                                                                                       \
    MEL_TEXT(MEL_SHORT_AGAIN) " t1, 886f\n\t"                                                              \
    "lw t1, " MEL_LOCK_OFFSET(CORE_BLOCK_DUE) "(tp)\n\t"                                                          \
    "beqz t1, 884f\n\t"                                                                                           \
    "jal t0, mel_lock_look\n\t"                                                                                   \
    "j 881b\n"                                                                                                    \
    "886: div t1, t1, sp\n\t"                                                                                     \
    "j 882b\n"                                                                                                    \
    "883: jal t0, mel_lock_inside\n\t"                                                                            \
    "mv %[key_], t1\n"                                                                                            \
    "884:"
#define MEL_UNLOCK_TEXT                                                                                           \
    "beqz %[key_], 885f\n\t"                                                                                      \
    "lui t0, " MEL_LOCK_HI "\n\t"                                                                                 \
    "sw zero, 0(t0)\n\t"                                                                                          \
    "csrs mstatus, %[key_]\n"                                                                                     \
    "885:"

typedef uint32_t mel_key_t;

#define MEL_KEY_ON 8u

static inline mel_key_t mel_lock(void)
{
    mel_key_t key;
    __asm__ volatile(MEL_LOCK_TEXT : [key_] "=r"(key) : : "memory" MEL_LOCK_CLOBBERS);
    return key;
}

static inline void mel_unlock(mel_key_t key)
{
    __asm__ volatile(MEL_UNLOCK_TEXT : : [key_] "r"(key) : "memory" MEL_LOCK_CLOBBERS);
}

/* Other cores would come in a window, too: a section has none. */
static inline void mel_window_open(mel_key_t key)
{
    (void)key;
}

static inline bool mel_window_quiet(void)
{
    return true;
}

static inline void mel_window_shut(void)
{
}

/* Interrupts are off, and not by mel_lock. */
static inline void mel_short_take(void)
{
    uint32_t taken;
    while (!MEL_SHORT_TAKEN(taken = *(volatile uint32_t *)MEL_SHORT_LOCK)) {
        __asm__ volatile("div %0, %0, sp" : "+r"(taken));
    }
    __asm__ volatile("" : : : "memory");
}

static inline void mel_unlock_trap(void)
{
    __asm__ volatile("" : : : "memory");
    *(volatile uint32_t *)MEL_SHORT_LOCK = 0;
}

/* The next short lock, for a section around calls; interrupts are off. */
#define MEL_OUTER_LOCK (MEL_SHORT_LOCK + 4u)

static inline void mel_outer_take(void)
{
    uint32_t taken;
    while (!MEL_SHORT_TAKEN(taken = *(volatile uint32_t *)MEL_OUTER_LOCK)) {
        __asm__ volatile("div %0, %0, sp" : "+r"(taken));
    }
    __asm__ volatile("" : : : "memory");
}

static inline void mel_outer_free(void)
{
    __asm__ volatile("" : : : "memory");
    *(volatile uint32_t *)MEL_OUTER_LOCK = 0;
}

static inline mel_key_t mel_section_begin(void)
{
    const mel_key_t key = mel_lock();
    mel_self->nested = 1;
    return key;
}

/* A call in between that ran another task ended the section: then interrupts are on, and no core runs this task in a section. */
static inline void mel_section_end(mel_key_t key)
{
    if (key != 0 && *(volatile uint32_t *)&mel_self->nested != 0) {
        mel_self->nested = 0;
        mel_unlock(key);
    }
}

#else

/* clang-format off */
/* The end of a critical section that an interrupt or a switch of tasks ends. */
.macro LOCK_FREE scratch=t0
    lui \scratch, %hi(MEL_SHORT_LOCK)
    sw zero, %lo(MEL_SHORT_LOCK)(\scratch)
.endm

/* The rarer ways into a critical section. Called with t0 as the link; they keep everything but t0 and t1. */
.macro SECTION_WAYS
    .text
/* This core is due, and has the lock: free it, and do what its doorbell would do where the caller stands. */
    .balign 4
    .globl mel_lock_look
mel_lock_look:
    LOCK_FREE t1
    csrw mepc, t0
    li t0, MSTATUS_MRET
    csrs mstatus, t0
    j mel_vector_software

/* Interrupts were off: t1 = the key. */
    .balign 4
    .globl mel_lock_inside
mel_lock_inside:
    lw t1, CORE_BLOCK_NESTED(tp)
    bnez t1, 2f
1:  lui t1, %hi(MEL_SHORT_LOCK)
    lw t1, %lo(MEL_SHORT_LOCK)(t1)
    MEL_SHORT_AGAIN t1, 1b
    SECTION_SETTLE
    lw t1, CORE_BLOCK_ENDED(tp)
    bnez t1, 3f
4:  li t1, 1
    jr t0
2:  li t1, 0
    jr t0
3:  lw t1, CORE_BLOCK_HOLD(tp)      /* the task ended meanwhile: it goes no further, a handler does */
    andi t1, t1, 1
    bnez t1, 4b
    j mel_lock_look
.endm
/* clang-format on */

#endif
#endif
