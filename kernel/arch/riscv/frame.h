/* SPDX-License-Identifier: Apache-2.0 */
/* frame.h: where a task's registers are while it does not run. For assembly and C.
 *
 * A saved context is one word: the stack pointer, whose two lowest bits tell what lies there (stacks are 16-byte aligned).
 *   MEL_SAVED_CALL       suspended in a kernel call: 13 words (ra, s0 … s11); all else is dead across a call
 *   MEL_SAVED_PREEMPTED  interrupted: the full frame, 29 words (FRAME_… below)
 *   MEL_SAVED_NONE       not started: nothing lies there; entry and argument are in its mel_context_t
 * gp is the same for all tasks, tp belongs to the core, or, of one core, points to the thread area of the C library (common/current): neither is saved. mstatus neither: a task runs with interrupts on, or, with them
 * off, never gives up the core. */
#ifndef MEL_ARCH_RISCV_FRAME_H
#define MEL_ARCH_RISCV_FRAME_H

#define MEL_SAVED_CALL 0
#define MEL_SAVED_PREEMPTED 1
#define MEL_SAVED_NONE 2
#define MEL_SAVED_MASK 3

/* Byte offsets in mel_context_t (common/context.h checks them). */
#define CONTEXT_SAVED 0
#define CONTEXT_RESULT 4
#define CONTEXT_FRESH 4
#define CONTEXT_NUMBER 8
#define CONTEXT_ENTRY 12
#define CONTEXT_ARGUMENT 16
#define CONTEXT_STACK 20
#define CONTEXT_STACK_SIZE 24
#define CONTEXT_SIZE_LOG2 5

#define CALL_FRAME_BYTES 64
#define FRAME_BYTES 128

/* Stacks of the kernel itself: reset, main() and idle; handlers. Arrays of common/boot.c; other cores: common/cores/several.c. Every stack is used from 16 bytes
 * below its top, so that no stack pointer is at once the top of one stack and the base of its neighbour. */
#define MEL_BOOT_STACK_BYTES 2048
#define MEL_INTERRUPT_STACK_BYTES 2048
#define MEL_BOOT_STACK_TOP (mel_boot_stack + MEL_BOOT_STACK_BYTES - 16)
#define MEL_INTERRUPT_STACK_TOP (mel_interrupt_stack + MEL_INTERRUPT_STACK_BYTES - 16)

/* mstatus: interrupts on; and what mret needs to return to machine mode with interrupts on (MPP, MPIE). */
#define MSTATUS_MIE 8
#define MSTATUS_MRET 0x1880
#define MSTATUS_MPP 0x1800 /* the mode that a trap came from: 0 is user mode */

#ifdef __ASSEMBLER__

/* clang-format off */
#define FRAME_MEPC 64
#define FRAME_S0 68

.macro SAVE_CALL                    /* the callee-saved registers, in a call frame */
    addi sp, sp, -CALL_FRAME_BYTES
    sw ra, 0(sp)
    sw s0, 4(sp)
    sw s1, 8(sp)
    sw s2, 12(sp)
    sw s3, 16(sp)
    sw s4, 20(sp)
    sw s5, 24(sp)
    sw s6, 28(sp)
    sw s7, 32(sp)
    sw s8, 36(sp)
    sw s9, 40(sp)
    sw s10, 44(sp)
    sw s11, 48(sp)
.endm

.macro LOAD_CALL
    lw ra, 0(sp)
    lw s0, 4(sp)
    lw s1, 8(sp)
    lw s2, 12(sp)
    lw s3, 16(sp)
    lw s4, 20(sp)
    lw s5, 24(sp)
    lw s6, 28(sp)
    lw s7, 32(sp)
    lw s8, 36(sp)
    lw s9, 40(sp)
    lw s10, 44(sp)
    lw s11, 48(sp)
    addi sp, sp, CALL_FRAME_BYTES
.endm

.macro SAVE_CALLER                  /* open a full frame: the caller-saved registers, mepc, s0; s0 then is the frame */
    addi sp, sp, -FRAME_BYTES
    sw ra, 0(sp)
    sw t0, 4(sp)
    sw t1, 8(sp)
    sw t2, 12(sp)
    sw a0, 16(sp)
    sw a1, 20(sp)
    sw a2, 24(sp)
    sw a3, 28(sp)
    sw a4, 32(sp)
    sw a5, 36(sp)
    sw a6, 40(sp)
    sw a7, 44(sp)
    sw t3, 48(sp)
    sw t4, 52(sp)
    sw t5, 56(sp)
    sw t6, 60(sp)
    csrr t0, mepc
    sw s0, FRAME_S0(sp)
    sw t0, FRAME_MEPC(sp)
.endm

.macro LOAD_CALLER                  /* close it, s0 included */
    lw t0, FRAME_MEPC(sp)
    lw ra, 0(sp)
    lw t1, 8(sp)
    lw t2, 12(sp)
    csrw mepc, t0
    lw t0, 4(sp)
    lw a0, 16(sp)
    lw a1, 20(sp)
    lw a2, 24(sp)
    lw a3, 28(sp)
    lw a4, 32(sp)
    lw a5, 36(sp)
    lw a6, 40(sp)
    lw a7, 44(sp)
    lw t3, 48(sp)
    lw t4, 52(sp)
    lw t5, 56(sp)
    lw t6, 60(sp)
    lw s0, FRAME_S0(sp)
    addi sp, sp, FRAME_BYTES
.endm

.macro SAVE_CALLEE                  /* the rest of a full frame: s1 … s11 */
    sw s1, 72(sp)
    sw s2, 76(sp)
    sw s3, 80(sp)
    sw s4, 84(sp)
    sw s5, 88(sp)
    sw s6, 92(sp)
    sw s7, 96(sp)
    sw s8, 100(sp)
    sw s9, 104(sp)
    sw s10, 108(sp)
    sw s11, 112(sp)
.endm

.macro LOAD_CALLEE
    lw s1, 72(sp)
    lw s2, 76(sp)
    lw s3, 80(sp)
    lw s4, 84(sp)
    lw s5, 88(sp)
    lw s6, 92(sp)
    lw s7, 96(sp)
    lw s8, 100(sp)
    lw s9, 104(sp)
    lw s10, 108(sp)
    lw s11, 112(sp)
.endm

/* Continue with context a0, interrupts off. `answer` is a macro that puts the answer of the interrupted kernel call into a0
 * (it may use t0, t1); `from_trap` 0: mstatus must be made ready for mret; `run`, a macro that stores a0 alone, is done while the
 * stack pointer comes; `early` 1: interrupts are on while the registers of a call are loaded: whoever interrupts keeps what is there.
 * A task that starts begins with interrupts on, and returns from its entry into mel_task_exit. */
.macro RESUME answer, from_trap, run, early=0
    lw sp, CONTEXT_SAVED(a0)
    \run
    andi t0, sp, MEL_SAVED_MASK
    bnez t0, 2f
    .if \early
    csrsi mstatus, MSTATUS_MIE
    .endif
    \answer
    LOAD_CALL
    .if !\early
    csrsi mstatus, MSTATUS_MIE
    .endif
    ret
2:  addi t0, t0, -MEL_SAVED_PREEMPTED
    bnez t0, 3f
    .if !\from_trap
    li t0, MSTATUS_MRET
    csrs mstatus, t0
    .endif
    addi sp, sp, -MEL_SAVED_PREEMPTED
    LOAD_CALLEE
    LOAD_CALLER
    mret
3:  lw t1, CONTEXT_ENTRY(a0)
    lw a0, CONTEXT_ARGUMENT(a0)
    addi sp, sp, -MEL_SAVED_NONE
    la ra, mel_task_exit
    csrsi mstatus, MSTATUS_MIE
    jr t1
.endm

/* A trace record for the next instruction (docs/decisions/0002); operands as text. */
.macro TRACE kind, operands
880:
    .pushsection .mel_tracepoints,"",@progbits
    .balign 4
    .word 880b
    .word \kind
    .asciz "\operands"
    .popsection
.endm
/* clang-format on */

#endif
#endif
