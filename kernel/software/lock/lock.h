/* SPDX-License-Identifier: Apache-2.0 */
/* lock.h: the interface `lock`: the critical sections of the software kernels.
 * Verbs: mel_lock() → key; mel_unlock(key). MEL_LOCK_TEXT and MEL_UNLOCK_TEXT are their instructions, operand [key_], which change MEL_LOCK_CLOBBERS, for
 * trace.h. mel_section_begin() → key, mel_section_end(key): a section of several calls, each of which locks and unlocks as ever; one that runs another task
 * ends it. mel_outer_take(), mel_outer_free(): a second lock, for sections around calls (melanion/compound.h), interrupts off; in these mel_lock, not the reverse. mel_lock_trap, mel_unlock_trap: in an interrupt, where interrupts are off; mel_lock_due: on several cores, in the one by which a core chooses anew.
 * mel_window_open(key), mel_window_quiet(), mel_window_shut(): let interrupts come inside a section of one core; quiet: none has come since. What is open may be read, and is
 * written when it is shut and was quiet.
 * Long locks, by which a lock cache calls a core, inside a section: mel_long_wait(semaphore, affinity, priority): the caller is going to wait for it;
 * mel_long_give(key, semaphore, affinity) → the core of the first waiter, which is called now, finds that task itself; false: the caller does. `affinity` is the task's.
 * mel_lock_boot(), once; mel_lock_owns(address): a bus error there means that the lock cache is silent.
 * Macro of assembly: LOCK_FREE (the end of a section in which another task was chosen; uses t0).
 * Implementations: `none` for one core; for several `spin`, or where spec/kernels.yaml says so, `lock_cache` (docs/decisions/0023). Nothing else in the kernel turns interrupts off. */
#ifndef MEL_SOFTWARE_LOCK_LOCK_H
#define MEL_SOFTWARE_LOCK_LOCK_H

#include "common/interface.h"
#include MEL_TEXT(MEL_INTERFACE_LOCK)

#endif
