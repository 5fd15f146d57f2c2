/* SPDX-License-Identifier: Apache-2.0 */
/* several.h: several cores, each with one set of registers (implementation `several` of the interface `current`). Register tp points to the block of the core
 * that executes, from reset on; it is never saved, so a task finds the block of whatever core runs it.
 *
 * Two rules keep a task's registers right (docs/decisions/0009, 0010):
 *   A context is in memory before the load of `dispatch`: from that load on another core may run the task. So the whole frame of
 *   a task that a handler interrupted is saved, although the task mostly goes on.
 *   A task begins at its entry when its context is `fresh`, whatever `saved` says: the core on which it was terminated saves there
 *   all the same when it leaves. `fresh` is set while the task is dormant, between mel_core_enter and mel_core_leave (exit:
 *   before its core leaves, and no other can run the task earlier), and cleared by the core that first runs it.
 * Timing (instructions): CORE_RUNNING 1; CORE_DISPATCH 11, for idle 8, for a fresh task 17; a handler stores 12 words more than
 * with one core, after its function. */
#ifndef MEL_COMMON_CURRENT_SEVERAL_H
#define MEL_COMMON_CURRENT_SEVERAL_H

/* Byte offsets in mel_core_t (several.c checks them). */
#define CORE_BLOCK_RUNNING 0
#define CORE_BLOCK_IDLE 4
#define CORE_BLOCK_SIZE_LOG2 3

#ifndef __ASSEMBLER__

#include <melanion/melanion.h>

#include "common/context.h"

/* State of a core. */
typedef struct {
    mel_context_t *running; /* the context that runs on it, or was interrupted by the handler that runs */
    mel_context_t *idle;    /* runs when no task does: boot code, then mel_idle */
} mel_core_t;

extern mel_core_t mel_cores[MEL_CORES];

/* One load: an interrupt between two could move the caller to another core. */
static inline mel_context_t *mel_core_running(void)
{
    mel_context_t *context;
    __asm__ volatile("lw %0, %1(tp)" : "=r"(context) : "i"(CORE_BLOCK_RUNNING) : "memory");
    return context;
}

/* Interrupts off. */
static inline void mel_core_run(mel_context_t *context)
{
    __asm__ volatile("sw %0, %1(tp)" : : "r"(context), "i"(CORE_BLOCK_RUNNING) : "memory");
}

static inline void mel_core_joined(void)
{
}

static inline void mel_core_numbered(const mel_context_t *context)
{
    (void)context;
}

static inline void mel_core_ended(mel_context_t *context)
{
    context->fresh = 1;
}

#else

#include "arch/riscv/frame.h"
#include "arch/riscv/registers.h"

/* clang-format off */
.macro CORE_SELF
    csrr t0, mhartid
    slli t0, t0, CORE_BLOCK_SIZE_LOG2
    la tp, mel_cores
    add tp, tp, t0
.endm

.macro CORE_RESET
    CORE_SELF
.endm

.macro CORE_RUNNING
    lw t2, CORE_BLOCK_RUNNING(tp)
.endm

.macro CORE_DISPATCH
    COUPLING_REGISTER a0, MEL_REG_DISPATCH, t0
    li t1, MEL_TASKS
    lui t0, %hi(mel_contexts)
    addi t0, t0, %lo(mel_contexts)
    beq a0, t1, 890f
    slli a0, a0, CONTEXT_SIZE_LOG2
    add a0, a0, t0
    lw t0, CONTEXT_FRESH(a0)
    beqz t0, 891f
    sw zero, CONTEXT_FRESH(a0)
    lw t0, CONTEXT_STACK(a0)
    lw t1, CONTEXT_STACK_SIZE(a0)
    add t0, t0, t1
    addi t0, t0, MEL_SAVED_NONE - 16
    sw t0, CONTEXT_SAVED(a0)
    j 891f
890:
    lw a0, CORE_BLOCK_IDLE(tp)
891:
.endm

.macro CORE_RUN
    sw a0, CORE_BLOCK_RUNNING(tp)
.endm

.macro CORE_ENDED
    li t0, 1
    sw t0, CONTEXT_FRESH(t2)
.endm

.macro CORE_EXTERNAL vector, resume
    .globl \vector
\vector:
    SAVE_CALLER
    mv s0, sp
    lui t0, %hi(mel_interrupt_sp)
    lw sp, %lo(mel_interrupt_sp)(t0)
    call mel_interrupt_serve
    mv sp, s0
    CORE_RUNNING
    SAVE_CALLEE
    ori t0, sp, MEL_SAVED_PREEMPTED
    sw t0, CONTEXT_SAVED(t2)
    CORE_DISPATCH
    CORE_RUN
    lw t0, CONTEXT_SAVED(a0)
    ori t1, sp, MEL_SAVED_PREEMPTED
    bne t0, t1, \resume            /* another context, or the same task, started anew meanwhile */
    LOAD_CALLER
    mret
.endm
/* clang-format on */

#endif
#endif
