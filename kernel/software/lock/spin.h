/* SPDX-License-Identifier: Apache-2.0 */
/* spin.h: one spin lock for all cores (implementation `spin` of the interface `lock`): register 0 of soc/shared/mel_locks.sv, which hands it out in turn: a core waits for at
 * most one critical section of each other core. Everything else, timing included: section.h. */
#ifndef MEL_SOFTWARE_LOCK_SPIN_H
#define MEL_SOFTWARE_LOCK_SPIN_H

#include <mel_system.h>

#define MEL_SHORT_LOCK MEL_LOCKS_BASE
#define MEL_SHORT_TAKEN(word) ((word) == 0)
#define MEL_SHORT_AGAIN bnez

#include "software/lock/section.h"

#ifndef __ASSEMBLER__

static inline void mel_lock_trap(void)
{
    mel_short_take();
}

static inline void mel_lock_due(void)
{
    mel_short_take();
}

#include "software/lock/no_cache.h"

#else

/* clang-format off */
.macro SECTION_SETTLE
.endm
/* clang-format on */

#endif
#endif
