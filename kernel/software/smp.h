/* SPDX-License-Identifier: Apache-2.0 */
/* smp.h: several cores under a software kernel (implementation `smp` of the interface `current`). Register tp points to the block of the core that executes, from reset on; it is
 * never saved, so a task finds the block of whatever core runs it. Another core reads and writes a block only with the kernel's lock.
 *
 * A context is in memory before the lock is freed (docs/decisions/0018): from then on another core may run the task. What a core has of a task that
 * another core terminated goes to a context that nobody reads, so that the task begins at its entry.
 * Timing (instructions): an interrupt 25 to its function, as with one core; behind it 2 more, which free the lock. */
#ifndef MEL_SOFTWARE_SMP_H
#define MEL_SOFTWARE_SMP_H

/* Byte offsets in mel_core_t (smp.c checks them). */
#define CORE_BLOCK_RUNNING 0
#define CORE_BLOCK_DUE 4
#define CORE_BLOCK_NESTED 8
#define CORE_BLOCK_ENDED 12
#define CORE_BLOCK_HOLD 16
#define CORE_BLOCK_TRAP_SP 20
#define CORE_BLOCK_SIZE_LOG2 6

#ifndef __ASSEMBLER__

#include <melanion/melanion.h>

#include "common/context.h"
#include "software/ipi/ipi.h"

#define MEL_RANK_LEAST (1 + MEL_PRIORITIES)

/* State of a core. */
typedef struct {
    _Alignas(1 << CORE_BLOCK_SIZE_LOG2) mel_context_t *running; /* the context that runs on it, or was interrupted by the handler that runs */
    uint32_t due;           /* 1: it must choose anew; only while it may dispatch. More bits: of the interface `lock` */
    uint32_t nested;        /* it is in a section of several calls (software/lock/spin.h) */
    uint32_t ended;         /* the task `running` has ended meanwhile */
    uint32_t hold;          /* MEL_HOLD_… */
    uintptr_t trap_sp;      /* initial stack pointer of its interrupts */
    mel_context_t *idle;    /* runs when no task does: boot code, then mel_idle */
    mel_context_t *turn;    /* `running`, while it can go on and has not lost its turn; NULL: else, and for idle */
    uint32_t rank;          /* a task takes this core when its priority + 1 is lower: 1 + that of `turn`, or MEL_RANK_LEAST */
    uint32_t moved;         /* the last choice for this core changed what runs there */
} mel_core_t;

extern mel_core_t mel_cores[MEL_CORES];

/* Only where the calling task cannot be moved: interrupts are off. */
register mel_core_t *mel_self __asm__("tp");

#define mel_running (mel_self->running)
#define mel_hold (mel_self->hold)
#define MEL_CORE_IDLE (mel_self->idle)

/* One load: an interrupt between two could move the caller to another core. */
static inline mel_context_t *mel_core_running(void)
{
    mel_context_t *context;
    __asm__ volatile("lw %0, %1(tp)" : "=r"(context) : "i"(CORE_BLOCK_RUNNING) : "memory");
    return context;
}

/* With the lock. */
void mel_core_ended(mel_context_t *context);

extern mel_context_t mel_core_nowhere;

static inline mel_context_t *mel_core_left(mel_context_t *context)
{
    return mel_self->ended ? &mel_core_nowhere : context;
}

#define mel_core_joined mel_ipi_join

#else

#include "arch/riscv/frame.h"
#include "arch/riscv/registers.h"
#include "software/lock/lock.h"

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

.macro CORE_REPORT_RUN
    TRACE MEL_TRACE_DISPATCH, "t1 t2 0 0"
    sw a0, CORE_BLOCK_RUNNING(tp)
.endm

/* The function is its locked form (smp.c), which leaves with the lock; whoever resumes frees it. */
.macro CORE_TRAP vector, function, resume
    .globl \vector
\vector:
    SAVE_CALLER
    mv s0, sp
    lw sp, CORE_BLOCK_TRAP_SP(tp)
    call \function\()_locked
    mv sp, s0
    bne a0, a1, 1f
    LOCK_FREE
    LOAD_CALLER
    mret
1:  SAVE_CALLEE
    ori t0, sp, MEL_SAVED_PREEMPTED
    sw t0, CONTEXT_SAVED(a1)
    j \resume
.endm
/* clang-format on */

#endif
#endif
