/* SPDX-License-Identifier: Apache-2.0 */
/* user.S: the border between user mode and the kernel.
 * A trap from user mode is made to look like one that interrupted machine mode at mel_user_return, on the task's kernel stack and with the registers of user
 * mode: so the kernel's own vectors save and restore it as any other task, and a task is in machine mode whenever it does not run. mel_user_return then leads back.
 * The regions of a domain are written when another domain's task enters user mode on the core, so a switch of tasks costs nothing for them.
 * Timing (instructions): a trap from machine mode 4 more; from user mode 18 in, 18 out; 8 more with one other region, 12 with three. A write of mstatus or of a
 * pmp register flushes the pipeline. */
#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "arch/riscv/frame.h"
#include "common/current/current.h"
#include "isolation/slot.h"

#define MSTATUS_MPIE 0x80
#define CAUSE_USER_CALL 8

/* clang-format off */
/* From user mode: sp = the slot, in which sp, gp, tp and t0 of user mode are; gp and tp of the kernel; t0 free. From machine mode: go on at \machine, nothing changed. */
.macro FROM_USER machine
    csrrw t0, mscratch, t0
    bnez t0, 1f
    csrrw t0, mscratch, t0
    j \machine
1:  sw sp, SLOT_SP(t0)
    mv sp, t0
    csrrw t0, mscratch, zero
    sw t0, SLOT_T0(sp)
    sw gp, SLOT_GP(sp)
    sw tp, SLOT_TP(sp)
    lw tp, SLOT_KERNEL_TP(sp)
    CORE_GLOBAL_POINTER
    csrr t0, mepc
    sw t0, SLOT_PC(sp)
.endm

/* A vector in front of one of the kernel's. */
.macro GUARDED guard, vector
    .balign 4
    .globl \guard
\guard:
    FROM_USER \vector
    la t0, mel_user_return
    csrw mepc, t0
    li t0, MSTATUS_MPP
    csrs mstatus, t0
    lw t0, SLOT_T0(sp)
    j \vector
.endm
/* clang-format on */

    .text
    GUARDED mel_guard_software, mel_vector_software
    GUARDED mel_guard_timer, mel_vector_timer
    GUARDED mel_guard_external, mel_vector_external

    .balign 4
    .globl mel_guard_exception
mel_guard_exception:
    FROM_USER mel_vector_exception
    csrr t0, mcause
    addi t0, t0, -CAUSE_USER_CALL
    bnez t0, 2f
    lw t0, SLOT_PC(sp)
    addi t0, t0, 4
    sw t0, SLOT_PC(sp)
    csrsi mstatus, MSTATUS_MIE
    lw a4, SLOT_DOMAIN(sp)
    mv a5, a7
    call mel_user_call
    j mel_user_return
2:  csrr a0, mcause
    .pushsection .mel_tracepoints, "", @progbits /* the simulation goes on behind this exception (soc/sim/probe.cpp) */
    .balign 4
    .word 2b
    .word MEL_TRACE_TRACEPOINT
    .asciz "65523 0 0 0"
    .popsection
    csrr a1, mepc
    csrr a2, mtval
    lw a3, SLOT_DOMAIN(sp)
    csrsi mstatus, MSTATUS_MIE
    call mel_user_fault
    /* Does not return. */

/* Machine mode, interrupts on or off; sp = the slot; all other registers are those of user mode, but gp and tp. */
    .balign 4
    .globl mel_user_return
mel_user_return:
    sw t0, SLOT_T0(sp)
    li t0, MSTATUS_MPIE
    csrw mstatus, t0                /* interrupts off; behind mret user mode, with interrupts on */
    sw t1, SLOT_T1(sp)
    sw tp, SLOT_KERNEL_TP(sp)
    lw tp, SLOT_DOMAIN(sp)
    lui t1, %hi(mel_domain_loaded)
#if MEL_CORES > 1
    csrr t0, mhartid
    slli t0, t0, 2
    add t1, t1, t0
#endif
    lw t0, %lo(mel_domain_loaded)(t1)
    bne t0, tp, 2f
1:  lw t0, SLOT_PC(sp)
    csrw mscratch, sp
    csrw mepc, t0
    lw t0, SLOT_T0(sp)
    lw t1, SLOT_T1(sp)
    lw gp, SLOT_GP(sp)
    lw tp, SLOT_TP(sp)
    lw sp, SLOT_SP(sp)
    mret
/* Other regions. Two of the three are left as they are where the domain has one: its pmpcfg0 turns them off. */
2:  sw tp, %lo(mel_domain_loaded)(t1)
    bnez t0, 4f
    la t0, __constants_end          /* the first time on this core */
    srli t0, t0, 2
    csrw pmpaddr0, t0
4:  lw t0, DOMAIN_ADDRESS(tp)
    lw t1, DOMAIN_ACCESS(tp)
    csrw pmpaddr1, t0
    srli t0, t1, 16
    beqz t0, 3f
    lw t0, DOMAIN_ADDRESS + 4(tp)
    csrw pmpaddr2, t0
    lw t0, DOMAIN_ADDRESS + 8(tp)
    csrw pmpaddr3, t0
3:  csrw pmpcfg0, t1
    j 1b

/* void mel_user_begin(void *user): entry of a task in user mode, at the top of its kernel stack. */
    .balign 4
    .globl mel_user_begin
mel_user_begin:
    addi sp, sp, -SLOT_BYTES
    lw t0, USER_DOMAIN(a0)
    sw t0, SLOT_DOMAIN(sp)
    lw t0, USER_ENTRY(a0)
    sw t0, SLOT_PC(sp)
    lw t0, USER_STACK(a0)
    lw t1, USER_STACK_SIZE(a0)
    add t0, t0, t1
    addi t0, t0, -16
    sw t0, SLOT_SP(sp)
    sw gp, SLOT_GP(sp)
    sw tp, SLOT_TP(sp)
    la ra, mel_user_end
    lw a0, USER_ARGUMENT(a0)
    j mel_user_return

/* User mode: the entry of a task has returned. */
    .balign 4
mel_user_end:
    li a7, 5                        /* MEL_USER_EXIT */
    ecall
    j mel_user_end
