/* SPDX-License-Identifier: Apache-2.0 */
/* mel_lock_cache.h: the numbers that the lock cache and its software share: the window of a core, answers, limits.
 * Contract: the facts of spec/ (lock_cache.yaml), nothing else; usable from C and from assembly.
 * Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
 */
#ifndef MEL_LOCK_CACHE_H
#define MEL_LOCK_CACHE_H

/* First 32 bits of the hash of spec/lock_cache.yaml: boot code compares it with the unit's. */
#define MEL_LOCK_CACHE_FACTS_HASH 0xb6937bf9
#define MEL_LOCK_CACHE_IDENTITY 0x4D454C4B
#define MEL_LOCK_CACHE_WINDOW_BYTES 4096

/* Offsets in the window of a core. */
#define MEL_LOCK_CACHE_LOCK_SHORT(n) (0x000 + 4 * (n))
#define MEL_LOCK_CACHE_LOCK_LONG(n) (0x200 + 4 * (n))
#define MEL_LOCK_CACHE_TRY_SHORT(n) (0x400 + 4 * (n))
#define MEL_LOCK_CACHE_TRY_LONG(n) (0x600 + 4 * (n))
#define MEL_LOCK_CACHE_STATE_SHORT(n) (0x800 + 4 * (n))
#define MEL_LOCK_CACHE_STATE_LONG(n) (0xA00 + 4 * (n))
#define MEL_LOCK_CACHE_REG_IDENTITY 0xC00
#define MEL_LOCK_CACHE_REG_FACTS_HASH 0xC04
#define MEL_LOCK_CACHE_REG_SIZES 0xC08
#define MEL_LOCK_CACHE_REG_PRIORITIES 0xC0C
#define MEL_LOCK_CACHE_REG_CORE 0xC10
#define MEL_LOCK_CACHE_REG_REFUSED 0xC14
#define MEL_LOCK_CACHE_REG_PRIORITY 0xC18
#define MEL_LOCK_CACHE_REG_NOTICE 0xC1C

/* Answers of loads. */
#define MEL_LOCK_CACHE_ANSWER_WAITS 0x0 /* the lock is another's */
#define MEL_LOCK_CACHE_ANSWER_TAKEN 0x1 /* this core holds the lock now */
#define MEL_LOCK_CACHE_ANSWER_NONE 0xFFFFFFFF /* a refused load; no notice; stored to `try`: waits no more */

/* Fields of the state of a lock. */
#define MEL_LOCK_CACHE_STATE_HELD_LSB 0
#define MEL_LOCK_CACHE_STATE_HELD_MASK 0x1
#define MEL_LOCK_CACHE_STATE_HANDED_LSB 1
#define MEL_LOCK_CACHE_STATE_HANDED_MASK 0x1
#define MEL_LOCK_CACHE_STATE_HOLDER_LSB 4
#define MEL_LOCK_CACHE_STATE_HOLDER_MASK 0x3
#define MEL_LOCK_CACHE_STATE_WAITING_LSB 8
#define MEL_LOCK_CACHE_STATE_WAITING_MASK 0xF

/* Limits of the parameters. */
#define MEL_LOCK_CACHE_SHORT_LOCKS_MAX 128
#define MEL_LOCK_CACHE_LONG_LOCKS_MAX 128
#define MEL_LOCK_CACHE_CORES_MAX 4
#define MEL_LOCK_CACHE_HAND_OVER_MAX 1
#define MEL_LOCK_CACHE_PRIORITIES_MAX 256

#endif
