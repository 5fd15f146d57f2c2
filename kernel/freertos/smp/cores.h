/* SPDX-License-Identifier: Apache-2.0 */
/* cores.h: two to four cores under FreeRTOS (implementation `freertos` of the interface `cores`). The cores other than 0 wait at reset until FreeRTOS's scheduler starts; handlers in C
 * run on core 0. */
#ifndef MEL_FREERTOS_SMP_CORES_H
#define MEL_FREERTOS_SMP_CORES_H

#include "freertos/smp/port/mel_freertos_core.h"

#ifndef __ASSEMBLER__

extern mel_freertos_core_t mel_freertos_cores[];

void mel_core_start_others(void);
void mel_core_print(void);

#else

/* clang-format off */
.macro CORES_RESET
    csrr t0, mhartid
    beqz t0, 1f
    j mel_core_reset                 /* anywhere in .text */
1:
.endm

.macro CORES_PANIC_STACK
    csrr t0, mhartid
    slli t0, t0, CORE_BLOCK_SIZE_LOG2
    la t1, mel_freertos_cores
    add t1, t1, t0
    lw sp, CORE_BLOCK_TRAP_SP(t1)
.endm
/* clang-format on */

#endif
#endif
