/* SPDX-License-Identifier: Apache-2.0 */
/* start.S: vectors and reset.
 * Contract: .vectors stands at the start of memory, .init follows at start + 0x80, the reset pc. A vector
 * that no part of the kernel defines ends in mel_vector_unexpected. Reset: gp, the boot stack, .bss, then mel_boot() in C.
 * Timing: of a vector, arch/riscv/processor. */
#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "frame.h"
#include "common/current/current.h"
#include "common/cores/cores.h"
#include "arch/riscv/processor/processor.h"

    .section .vectors, "ax", @progbits
    .option push
    .option norvc
    .option norelax
    .globl mel_vectors
mel_vectors:
    PROCESSOR_VECTORS
    .option pop

    .section .init, "ax", @progbits
    .globl mel_reset
mel_reset:
    CORE_GLOBAL_POINTER
    CORE_RESET
    CORES_RESET
    la t0, MEL_BOOT_STACK_TOP
    mv sp, t0                       /* at once: the simulation watches every value of sp */
    PROCESSOR_RESET
    la t0, __bss_start              /* both are multiples of 16, and the boot stack is between them */
    la t1, __bss_end
1:  sw zero, 0(t0)
    sw zero, 4(t0)
    sw zero, 8(t0)
    sw zero, 12(t0)
    addi t0, t0, 16
    bltu t0, t1, 1b
    call mel_boot
    /* Does not return. */

    .text
    .weak mel_vector_software, mel_vector_timer, mel_vector_external, mel_vector_exception
mel_vector_software:
mel_vector_timer:
mel_vector_external:
mel_vector_unexpected:
mel_vector_exception:
    j mel_vector_panic

/* Every register may hold anything: user mode owes the kernel nothing. */
    .section .text_last, "ax", @progbits
mel_vector_panic:
    CORE_GLOBAL_POINTER
    mv a3, sp
    CORES_PANIC_STACK               /* interrupted code is lost: the run ends with a sentence */
    CORE_SELF
    csrr a0, mcause
    csrr a1, mepc
    csrr a2, mtval
    call mel_panic

/* Initial stack pointer of every handler, in memory: one load near gp is shorter than making the
 * address. */
    .section .sdata, "aw", @progbits
    .balign 4
    .globl mel_interrupt_sp
mel_interrupt_sp:
    .word MEL_INTERRUPT_STACK_TOP

    .text
/* The idle loop, with interrupts on: what runs when no task is ready. */
    .weak mel_idle                  /* the implementation `poll` of the interface `ipi` has another */
mel_idle:
1:  wfi
    j 1b
