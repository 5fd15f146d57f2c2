/* SPDX-License-Identifier: Apache-2.0 */
/* ibex.h: the core Ibex (implementation `ibex` of the interface `processor`): vectored interrupts; a store to a device is answered before the next
 * instruction but one. Timing: a vector costs one jump. */
#ifndef MEL_ARCH_RISCV_PROCESSOR_IBEX_H
#define MEL_ARCH_RISCV_PROCESSOR_IBEX_H

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#define MEL_PROCESSOR_MIE 0x888u /* software (the unit's dispatch interrupt), timer, external */

static inline void mel_processor_arrived(volatile uint32_t *stored)
{
    (void)stored;
}

static inline bool mel_processor_lost(uint32_t cause)
{
    (void)cause;
    return false;
}

#else

/* clang-format off */
.macro PROCESSOR_VECTORS
    j mel_vector_exception          /* 0: every exception */
    .rept 2
    j mel_vector_unexpected
    .endr
    CORE_VECTOR_SOFTWARE            /* 3 … 6: the unit's dispatch interrupt; 4 to 6 have no source */
    j mel_vector_timer              /* 7 */
    .rept 3
    j mel_vector_unexpected
    .endr
    j mel_vector_external           /* 11: interrupts with a handler */
    .rept 20
    j mel_vector_unexpected
    .endr
.endm

.macro PROCESSOR_RESET
    la t0, mel_vectors
    ori t0, t0, 1                   /* vectored */
    csrw mtvec, t0
.endm
/* clang-format on */

#endif
#endif
