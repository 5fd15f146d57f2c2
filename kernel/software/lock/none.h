/* SPDX-License-Identifier: Apache-2.0 */
/* none.h: one core, so interrupts off is lock enough (implementation `none` of the interface `lock`).
 * The key is mstatus as it was: giving it back sets MIE only when it was set, so that calls nest in handlers and in boot
 * code; its other bits are ones that kernel code always finds set or does not care about.
 * Timing on Ibex: mel_lock 1 cycle; mel_unlock 1 and a pipeline flush. */
#ifndef MEL_SOFTWARE_LOCK_NONE_H
#define MEL_SOFTWARE_LOCK_NONE_H

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

_Static_assert(MEL_CORES == 1, "this kernel has no lock between cores (interface lock, implementation none): set cores to 1");

#define MEL_LOCK_TEXT "csrrci %[key_], mstatus, 8"
#define MEL_UNLOCK_TEXT "csrs mstatus, %[key_]"

#define MEL_LOCK_CLOBBERS

typedef uint32_t mel_key_t;

static inline mel_key_t mel_lock(void)
{
    mel_key_t key;
    __asm__ volatile(MEL_LOCK_TEXT : [key_] "=r"(key) : : "memory");
    return key;
}

static inline void mel_unlock(mel_key_t key)
{
    __asm__ volatile(MEL_UNLOCK_TEXT : : [key_] "r"(key) : "memory");
}

static inline void mel_lock_trap(void)
{
}

static inline void mel_unlock_trap(void)
{
}

static inline void mel_outer_take(void)
{
}

static inline void mel_outer_free(void)
{
}

static inline mel_key_t mel_section_begin(void)
{
    return mel_lock();
}

static inline void mel_section_end(mel_key_t key)
{
    mel_unlock(key);
}

/* A window in a section: interrupts come, if they did before it. A trap leaves its place in mepc, where none is 0, so nobody counts interrupts. Whoever
 * calls with interrupts off is in no trap, or in a handler, whose mepc is in its frame. */
static inline void mel_window_open(mel_key_t key)
{
    __asm__ volatile("csrw mepc, zero\n\tcsrs mstatus, %0" : : "r"(key) : "memory");
}

static inline bool mel_window_quiet(void)
{
    uint32_t place;
    __asm__ volatile("csrr %0, mepc" : "=r"(place) : : "memory");
    return place == 0;
}

static inline void mel_window_shut(void)
{
    __asm__ volatile("csrci mstatus, 8" : : : "memory");
}

#include "software/lock/no_cache.h"

#else

/* clang-format off */
.macro LOCK_FREE
.endm
/* clang-format on */

#endif

#endif
