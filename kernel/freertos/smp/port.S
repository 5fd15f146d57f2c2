/* SPDX-License-Identifier: Apache-2.0 */
/* port.S: switches of tasks of FreeRTOS on several cores, and the interrupts that cause them. FreeRTOS chooses (vTaskSwitchContext), with its locks; here registers are saved before it
 * and loaded behind it. A saved context is the first word of the task's control block, as arch/riscv/frame.h describes it: a task that yields saves what a call keeps (MEL_SAVED_CALL),
 * one that is interrupted all registers (MEL_SAVED_PREEMPTED).
 *
 * Contract: a context is in memory, and its stack left, before FreeRTOS frees its locks: from then on another core may run the task. So the choice is made on the core's own stack.
 * The doorbell is silenced before the choice: what it was rung for is chosen then, and a second switch would give the task's turn away.
 * Timing (instructions, without vTaskSwitchContext): a yield 22 before it and 21 behind it; an interrupt 21 to its function and 22 behind it, without a switch. */
#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "arch/riscv/frame.h"
#include "arch/riscv/processor/processor.h"
#include "common/cores/cores.h"

#define CALL_MIE 52  /* in a call frame: whether interrupts were on */
#define MIE_SOFTWARE 8 /* mie: the doorbell */

/* clang-format off */
.macro SILENCE
    lw t0, CORE_BLOCK_BELL(tp)
    sw zero, 0(t0)
.endm

/* The interrupted task goes on unless its handler asked for a switch. */
.macro TRAP vector, function
    .balign 4
    .globl \vector
\vector:
    SAVE_CALLER
    mv s0, sp
    lw sp, CORE_BLOCK_TRAP_SP(tp)
    call \function
    lw t0, CORE_BLOCK_DUE(tp)
    mv sp, s0
    bnez t0, preempt
    LOAD_CALLER
    mret
.endm
/* clang-format on */

    .text
    TRAP mel_vector_external, freertos_risc_v_application_interrupt_handler
    TRAP mel_vector_timer, mel_freertos_tick

/* Another core has found a task for this one, or has taken its task away. */
    .balign 4
    .globl mel_vector_software
mel_vector_software:
    SAVE_CALLER
preempt:
    SAVE_CALLEE
    lw t1, CORE_BLOCK_TASK(tp)
    sw zero, CORE_BLOCK_DUE(tp)
    lw t1, 0(t1)
    ori t0, sp, MEL_SAVED_PREEMPTED
    sw t0, 0(t1)
choose:
    SILENCE
    lw sp, CORE_BLOCK_TRAP_SP(tp)
    lw a0, CORE_BLOCK_NUMBER(tp)
    call vTaskSwitchContext
/* Go on with the core's task; interrupts are off. */
    .globl mel_freertos_resume
mel_freertos_resume:
    lw t1, CORE_BLOCK_TASK(tp)
    lw t1, 0(t1)
    lw sp, 0(t1)
    TRACE MEL_TRACE_DISPATCH, "0xFFFF sp t1 0"
    andi t0, sp, MEL_SAVED_MASK
    bnez t0, 1f
    lw t0, CALL_MIE(sp)
    LOAD_CALL
    csrs mstatus, t0
    ret
1:  li t0, MSTATUS_MRET
    csrs mstatus, t0
    addi sp, sp, -MEL_SAVED_PREEMPTED
    LOAD_CALLEE
    LOAD_CALLER
    mret

/* void mel_freertos_yield(void): portYIELD, by a task, outside of critical sections. Returns with interrupts as they were. */
    .balign 4
    .globl mel_freertos_yield
mel_freertos_yield:
    csrrci t0, mstatus, MSTATUS_MIE
    andi t0, t0, MSTATUS_MIE
    SAVE_CALL
    sw t0, CALL_MIE(sp)
    lw t1, CORE_BLOCK_TASK(tp)
    lw t1, 0(t1)
    sw sp, 0(t1)
    j choose

/* A task's first context returns to here (port.c): s0 function, s1 argument, s2 what the function returns to. */
    .balign 4
    .globl mel_freertos_begin
mel_freertos_begin:
    mv a0, s1
    mv ra, s2
    jr s0

/* Reset of every core but 0: it waits until the scheduler starts, and begins with the idle task that FreeRTOS gave it. It looks once in about 45 cycles; the division between keeps it
 * away from the memory that core 0 boots from. */
    .balign 4
    .globl mel_core_reset
mel_core_reset:
    CORES_PANIC_STACK
    PROCESSOR_RESET
    li t2, -1
1:  div t1, t2, sp
    lw t0, mel_core_started
    beqz t0, 1b
    csrwi mie, MIE_SOFTWARE
    j mel_freertos_resume
