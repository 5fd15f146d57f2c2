/* SPDX-License-Identifier: Apache-2.0 */
/* tm_trap.S: threads in user mode over a kernel whose tasks run in machine mode: the services that tests call, each an `ecall`; the trap
 * that serves them; and interrupts, which the kernel sees as if every thread were in machine mode.
 *
 * A service runs in machine mode on behalf of its thread, on the thread's stack, with interrupts on, and may switch: it is a kernel call like any
 * other, and the way back to user mode is part of the thread. An ecall from machine mode is served too: tests call services in main() and in handlers.
 * Interrupts: one that comes in user mode is told to the kernel as one of `to_user` in machine mode, which goes on in user mode. So a frame needs no
 * mode of its own, and a thread may be preempted anywhere.
 * a7: number of the service; a0, a1, a2 as in a call. Kept as in a call: ra, sp, gp, tp, s0 … s11. A number that is none: TM_ERROR, and nothing is done.
 * The price of an entry alone is here; no protection is bought: memory protection is not set up, and the stack pointer of a thread is believed.
 * Needs: one core Ibex (vectored traps), registers that software saves (no banks); interrupts are off nowhere longer than the kernel has them, and 12
 * instructions.
 * Timing on Ibex: docs/reference/thread-metric.md. */
#define MSTATUS_MIE 0x8
#define MSTATUS_MPIE 0x80
#define MSTATUS_MPP 0x1800
#define CSR_CPUCTRL 0x7C0           /* CSR of Ibex */
#define CPUCTRL_EXCEPTION_SEEN 0x40 /* sync_exc_seen */
#define CAUSE_ECALL_USER 8
#define CAUSE_ECALL_MACHINE 11
#define TM_ERROR 1

/* clang-format off */
.macro EACH_SERVICE do
    \do thread_create
    \do thread_resume
    \do thread_suspend
    \do thread_relinquish
    \do thread_sleep
    \do queue_create
    \do queue_send
    \do queue_receive
    \do semaphore_create
    \do semaphore_get
    \do semaphore_put
    \do memory_pool_create
    \do memory_pool_allocate
    \do memory_pool_deallocate
    \do cause_interrupt
    \do nothing
.endm

/* Services as tests call them: stubs with an ecall. */
    .text
    .set number, 0
.macro STUB name
    .balign 4
    .globl tm_\name
tm_\name:
    li a7, number
    ecall
    ret
    .set number, number + 1
.endm
    EACH_SERVICE STUB

    .section .rodata
    .balign 4
.macro ENTRY name
    .word served_\name
.endm
services:
    EACH_SERVICE ENTRY

/* Vector table, aligned to 256 bytes: mtvec does not keep bits 7 to 2. */
    .text
    .balign 256
    .globl tm_vectors
tm_vectors:
    .option push
    .option norvc
    .option norelax
    j exception
    .rept 2
    j mel_vectors + 4               /* nothing serves it */
    .endr
    j software                      /* 3 */
    .rept 3
    j mel_vectors + 4
    .endr
    j timer                         /* 7 */
    .rept 3
    j mel_vectors + 4
    .endr
    j external                      /* 11 */
    .rept 20
    j mel_vectors + 4
    .endr
    .option pop

/* Open a frame: ra, and behind the ecall; t1 = the service of a7. */
.macro OPEN
    csrr t0, mepc
    addi sp, sp, -16
    sw ra, 0(sp)
    addi t0, t0, 4
    sw t0, 4(sp)
    li t0, number
    la t1, refuse
    bgeu a7, t0, 880f
    la t1, services
    slli t0, a7, 2
    add t1, t1, t0
    lw t1, 0(t1)
880:
.endm

/* A stub is a call to its caller: t0 to t6 are free. A fault comes with any stack pointer, so nothing is stored before it is known for none. */
    .balign 4
exception:
    csrr t0, mcause
    addi t0, t0, -CAUSE_ECALL_USER
    bnez t0, not_from_user
    OPEN
    li t0, CPUCTRL_EXCEPTION_SEEN
    csrc CSR_CPUCTRL, t0            /* as mret would: another exception is no double fault */
    csrsi mstatus, MSTATUS_MIE
    jalr t1
    li t0, MSTATUS_MPIE
    csrw mstatus, t0                /* at once: interrupts off, and mret goes to user mode, with interrupts on */
    lw t0, 4(sp)
    lw ra, 0(sp)
    csrw mepc, t0
    addi sp, sp, 16
    mret

/* From main() or a handler: the exception is left at once, with interrupts as they were, and what mret of a handler's end needs is made again: the
 * kernel keeps mepc in its frame, and sees machine mode only. */
    .balign 4
not_from_user:
    addi t0, t0, CAUSE_ECALL_USER - CAUSE_ECALL_MACHINE
    bnez t0, mel_fault
    OPEN
    la t0, 882f
    csrw mepc, t0
    mret
882:
    li t0, MSTATUS_MPP
    csrs mstatus, t0
    jalr t1
    lw t0, 4(sp)
    lw ra, 0(sp)
    addi sp, sp, 16
    jr t0

mel_fault:
    j mel_vectors                   /* the kernel's sentence */

refuse:
    li a0, TM_ERROR
    ret

/* An interrupt, before the kernel's vector. */
.macro INTERRUPT name, vector
    .balign 4
\name:
    addi sp, sp, -16
    sw t0, 0(sp)
    csrr t0, mstatus
    slli t0, t0, 19                 /* the upper bit of MPP */
    bltz t0, 881f                   /* from machine mode */
    csrr t0, mepc
    sw t0, 4(sp)
    la t0, to_user
    csrw mepc, t0
    li t0, MSTATUS_MPP
    csrs mstatus, t0
    j \vector
881:
    lw t0, 0(sp)
    addi sp, sp, 16
    j \vector
.endm
    INTERRUPT software, mel_vector_software
    INTERRUPT timer, mel_vector_timer
    INTERRUPT external, mel_vector_external

/* The interrupted thread goes on: on its stack are its t0 and its pc. */
    .balign 4
to_user:
    li t0, MSTATUS_MPIE
    csrw mstatus, t0
    lw t0, 4(sp)
    csrw mepc, t0
    lw t0, 0(sp)
    addi sp, sp, 16
    mret

    .balign 4
    .globl tm_user
tm_user:
    li t0, MSTATUS_MPIE
    csrw mstatus, t0
    csrw mepc, a0
    mret
/* clang-format on */
