/* SPDX-License-Identifier: Apache-2.0 */
/* poll.S: idle of a core that nobody notifies: it looks at its mark.
 * Timing: three instructions a look, one of them a division (37 cycles), which keeps it away from the memory. */
#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "arch/riscv/frame.h"
#include "common/current/current.h"

    .text
    .balign 4
    .globl mel_idle
mel_idle:
    li t1, -1
1:  div t2, t1, sp
    lw t0, CORE_BLOCK_DUE(tp)
    beqz t0, 1b
    csrci mstatus, MSTATUS_MIE
    la t0, mel_idle
    csrw mepc, t0
    li t0, MSTATUS_MRET
    csrs mstatus, t0
    j mel_vector_software
