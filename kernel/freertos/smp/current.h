/* SPDX-License-Identifier: Apache-2.0 */
/* current.h: what runs on a core is FreeRTOS's business (implementation `freertos_smp` of the interface `current`); register tp points to the block of the core. */
#ifndef MEL_FREERTOS_SMP_CURRENT_H
#define MEL_FREERTOS_SMP_CURRENT_H

#include "freertos/smp/port/mel_freertos_core.h"

#ifdef __ASSEMBLER__

#include "arch/riscv/registers.h"

/* clang-format off */
.macro CORE_SELF
    csrr t0, mhartid
    slli t0, t0, CORE_BLOCK_SIZE_LOG2
    la tp, mel_freertos_cores
    add tp, tp, t0
.endm

.macro CORE_RESET
    CORE_SELF
.endm
/* clang-format on */

#endif
#endif
