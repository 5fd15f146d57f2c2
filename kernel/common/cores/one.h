/* SPDX-License-Identifier: Apache-2.0 */
/* one.h: a system with one core (implementation `one` of the interface `cores`). */
#ifndef MEL_COMMON_CORES_ONE_H
#define MEL_COMMON_CORES_ONE_H

#ifndef __ASSEMBLER__

static inline void mel_core_start_others(void)
{
}

static inline void mel_core_enter(void)
{
}

static inline void mel_core_leave(void)
{
}

static inline void mel_core_enter_outer(void)
{
}

static inline void mel_core_leave_outer(void)
{
}

static inline void mel_core_print(void)
{
}

#else

/* clang-format off */
.macro CORES_RESET
.endm

.macro CORES_PANIC_STACK
    lui t0, %hi(mel_interrupt_sp)
    lw sp, %lo(mel_interrupt_sp)(t0)
.endm
/* clang-format on */

#endif
#endif
