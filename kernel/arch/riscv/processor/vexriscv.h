/* SPDX-License-Identifier: Apache-2.0 */
/* vexriscv.h: the core VexRiscv (implementation `vexriscv` of the interface `processor`): one entry for all traps; stores are posted; a bus error is
 * an interrupt. Timing: 9 instructions, 4 of them on CSRs, which wait until the pipeline is empty, before the vector of an interrupt. */
#ifndef MEL_ARCH_RISCV_PROCESSOR_VEXRISCV_H
#define MEL_ARCH_RISCV_PROCESSOR_VEXRISCV_H

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#define MEL_PROCESSOR_MIE 0xA88u /* software (the unit's dispatch interrupt), timer, bus error, external */

/* Two stores fit between core and bus, and loads of cached memory overtake them: what follows the store (mret, csrs mstatus) would come before
 * it. A load of the device is behind it on the bus; and the core has seen the interrupt wires of then before the next instruction on a CSR. */
static inline void mel_processor_arrived(volatile uint32_t *stored)
{
    (void)*stored;
}

#define MEL_CAUSE_BUS_ERROR 0x80000009u /* soc/cores/vexriscv/mel_core_vexriscv.sv */

static inline bool mel_processor_lost(uint32_t cause)
{
    return cause == MEL_CAUSE_BUS_ERROR;
}

#else

/* Masks of the core's interrupt array: interrupts that reach mip, by CSR (machine external, 11;
 * supervisor external, 9). */
#define CSR_EXTERNAL_MASK 0xBC0
#define CSR_BUS_ERROR_MASK 0x9C0
#define ARRAY_EXTERNAL 1
#define ARRAY_BUS_ERROR 2

/* clang-format off */
/* mscratch keeps t0: one core, and traps do not nest. An exception comes with any stack pointer, so nothing is stored yet. */
.macro PROCESSOR_VECTORS
    csrw mscratch, t0
    csrr t0, mcause
    bgez t0, 3f                     /* an exception */
    slli t0, t0, 28
    bltz t0, 2f                     /* 11 or 9 */
    slli t0, t0, 1
    bltz t0, 1f                     /* 7 */
    csrr t0, mscratch
    j mel_vector_software           /* 3 */
1:  csrr t0, mscratch
    j mel_vector_timer
2:  slli t0, t0, 2
    bgez t0, 3f                     /* 9: a bus error */
    csrr t0, mscratch
    j mel_vector_external           /* 11: interrupts with a handler */
3:  csrr t0, mscratch
    j mel_vector_exception
.endm

.macro PROCESSOR_RESET
    la t0, mel_vectors              /* for all traps */
    csrw mtvec, t0
    csrwi CSR_EXTERNAL_MASK, ARRAY_EXTERNAL
    csrwi CSR_BUS_ERROR_MASK, ARRAY_BUS_ERROR
.endm
/* clang-format on */

#endif
#endif
