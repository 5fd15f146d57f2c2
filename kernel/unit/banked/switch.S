/* SPDX-License-Identifier: Apache-2.0 */
/* switch.S: leaving the core to the task that the unit has chosen, with a store of contexts (decisions 0015, 0038):
 * a store changes the context, and x3 of the new one is where its task goes on.
 * The section .routines belongs to the region of vectors, in which the handlers' registers are read and written. */
#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "arch/riscv/frame.h"
#include "unit/coupling.h"
#include "common/current/current.h"

    .section .routines, "ax", @progbits
    .option push
    .option norvc
    .option norelax
/* An interrupt with a handler: the load of `claim` begins it. */
    .globl mel_vector_external
mel_vector_external:
    la sp, MEL_INTERRUPT_STACK_TOP
    lw a0, %lo(MEL_PORT_REGISTER(MEL_REG_CLAIM))(zero)
    jal mel_interrupt_claimed       /* within reach: one instruction less than a call that may not relax */
    sw x3, %lo(MEL_BANK_SWITCH_TRAP)(zero)
    csrw mepc, x3
    mret
    .option pop

    .text
/* mel_status_t mel_unit_switch(void) */
    .balign 4
    .option push
    .option norvc
    .globl mel_unit_switch
mel_unit_switch:
    sw x3, %lo(MEL_BANK_SWITCH)(zero)
    jr x3
    ret

/* mel_status_t mel_task_exit(void). The unit may refuse (mel_banked_exit): then it returns. */
    .balign 4
    .globl mel_task_exit
mel_task_exit:
    addi sp, sp, -16
    sw ra, 0(sp)
    csrrci a0, mstatus, MSTATUS_MIE
    sw a0, 4(sp)
    call mel_banked_exit
    bltz a0, 1f
    csrsi mstatus, MSTATUS_MIE      /* the next task may need them; who interrupts now leaves nothing behind */
    sw x3, %lo(MEL_BANK_SWITCH)(zero)
    jr x3
1:  lw a1, 4(sp)
    lw ra, 0(sp)
    csrs mstatus, a1
    addi sp, sp, 16
    li a1, MEL_E_BUSY
    beq a0, a1, mel_task_exit
    ret
    .option pop
