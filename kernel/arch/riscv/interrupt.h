/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.h: interrupt entry of the kernels, for assembly: INTERRUPT_ENTRY vector, function.
 * The vector saves the caller-saved registers on the interrupted stack, calls `function` on the interrupt stack, and then
 * returns to what was interrupted, or switches. `function` returns two contexts: the one to run (a0) and the interrupted
 * one (a1). The rest of a full frame is saved only when they differ.
 * Timing: 24 instructions to the function; 22 back to the same task. Interrupts are off throughout. */
#ifndef MEL_ARCH_RISCV_INTERRUPT_H
#define MEL_ARCH_RISCV_INTERRUPT_H

#include "frame.h"

/* clang-format off */
.macro INTERRUPT_ENTRY vector, function, resume
    .globl \vector
\vector:
    SAVE_CALLER
    mv s0, sp
    lui t0, %hi(mel_interrupt_sp)
    lw sp, %lo(mel_interrupt_sp)(t0)
    call \function
    mv sp, s0
    bne a0, a1, 1f
    LOAD_CALLER
    mret
1:  SAVE_CALLEE
    ori t0, sp, MEL_SAVED_PREEMPTED
    sw t0, CONTEXT_SAVED(a1)
    j \resume
.endm
/* clang-format on */

#endif
