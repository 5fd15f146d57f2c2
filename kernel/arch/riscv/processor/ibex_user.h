/* SPDX-License-Identifier: Apache-2.0 */
/* ibex_user.h: the core Ibex with physical memory protection (implementation `ibex_user` of the interface `processor`): every vector passes the border of user
 * mode (isolation/user.S) first. Timing: as ibex.h; four instructions more for what interrupts machine mode. */
#ifndef MEL_ARCH_RISCV_PROCESSOR_IBEX_USER_H
#define MEL_ARCH_RISCV_PROCESSOR_IBEX_USER_H

#include "arch/riscv/processor/ibex.h"

#ifdef __ASSEMBLER__

/* clang-format off */
.purgem PROCESSOR_VECTORS
.macro PROCESSOR_VECTORS
    j mel_guard_exception           /* 0: every exception */
    .rept 2
    j mel_vector_unexpected
    .endr
    j mel_guard_software            /* 3 */
    .rept 3
    j mel_vector_unexpected
    .endr
    j mel_guard_timer               /* 7 */
    .rept 3
    j mel_vector_unexpected
    .endr
    j mel_guard_external            /* 11 */
    .rept 20
    j mel_vector_unexpected
    .endr
.endm
/* clang-format on */

#endif
#endif
