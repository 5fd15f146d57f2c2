/* SPDX-License-Identifier: Apache-2.0 */
/* switch.S: the context switch of the software kernels, and their interrupt vectors.
 * Contract: common/context.h; the interrupt functions are in interrupt.c and timeouts.c.
 * Timing: mel_context_switch 15 stores, 16 loads; the two loads of task numbers serve the trace alone (2 cycles). */
#include <melanion/mel_spec.h>

#include "arch/riscv/frame.h"
#include "arch/riscv/interrupt.h"
#include "common/current/current.h"
#include "software/lock/lock.h"

/* The result of the call, and its trace record at the next instruction. */
.macro SOFTWARE_ANSWER
    lw t1, CONTEXT_NUMBER(a0)
    lw a0, CONTEXT_RESULT(a0)
    TRACE MEL_TRACE_ANSWER, "t1 0 0 a0"
.endm

    .text
    .balign 4
    .globl mel_context_switch, mel_context_leave
mel_context_switch:
    SAVE_CALL
    sw sp, CONTEXT_SAVED(a1)
mel_context_leave:
    lw t1, CONTEXT_NUMBER(a0)
    lw t2, CONTEXT_NUMBER(a1)
    CORE_REPORT_RUN
    RESUME SOFTWARE_ANSWER, 0, LOCK_FREE, 1

/* Continue with context a0, which is mel_running already. */
    .balign 4
    .globl mel_context_resume
mel_context_resume:
    RESUME SOFTWARE_ANSWER, 1, LOCK_FREE, 1

    .balign 4
    CORE_TRAP mel_vector_external, mel_interrupt_external, mel_context_resume
    .balign 4
    CORE_TRAP mel_vector_timer, mel_interrupt_timer, mel_context_resume
