/* several.S: reset of every core but 0: its block, its stack, and then it waits until core 0 starts the kernel.
 * Timing: it looks once in about 45 cycles; the division between keeps it away from the memory that core 0 boots from. */
#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "seam/core/core.h"

#define MIE_SOFTWARE 8 /* mie: the unit's dispatch interrupt */

    .section .init, "ax", @progbits
    .globl mel_core_reset
/* t0 = the core's number */
mel_core_reset:
    slli t0, t0, CORE_BLOCK_SIZE_LOG2
    la tp, mel_cores
    add tp, tp, t0
    lw sp, CORE_BLOCK_PANIC_SP(tp)
    la t0, mel_vectors
    ori t0, t0, 1                   /* vectored */
    csrw mtvec, t0
    li t2, -1
1:  div t1, t2, tp
    lw t0, mel_cores_started
    beqz t0, 1b
    csrwi mie, MIE_SOFTWARE
    csrsi mstatus, MSTATUS_MIE
    call mel_core_join
    /* Does not return. */
