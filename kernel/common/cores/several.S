/* SPDX-License-Identifier: Apache-2.0 */
/* several.S: reset of every core but 0: its stack, and then it waits until core 0 starts the kernel.
 * Timing: it looks once in about 45 cycles; the division between keeps it away from the memory that core 0 boots from. */
#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "arch/riscv/frame.h"
#include "common/cores/cores.h"
#include "arch/riscv/processor/processor.h"

#define MIE_SOFTWARE 8 /* mie: the unit's dispatch interrupt */

    .text
    .balign 4
    .globl mel_core_reset
mel_core_reset:
    CORES_PANIC_STACK
    PROCESSOR_RESET
    li t2, -1
1:  div t1, t2, sp
    lw t0, mel_cores_started
    beqz t0, 1b
    csrwi mie, MIE_SOFTWARE
    csrsi mstatus, MSTATUS_MIE
    call mel_core_join
    /* Does not return. */
