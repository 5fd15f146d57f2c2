/* SPDX-License-Identifier: Apache-2.0 */
/* one.h: one core with one set of registers (implementation `one` of the interface `current`): what belongs to the core lies at fixed addresses.
 * Timing: finding the running context is one load. Its registers are saved after the load of `dispatch` where that is
 * cheaper (CORE_EXTERNAL): nobody else could take the task meanwhile. */
#ifndef MEL_COMMON_CURRENT_ONE_H
#define MEL_COMMON_CURRENT_ONE_H

#ifndef __ASSEMBLER__

#include "common/context.h"

/* The context that runs on the core, or was interrupted by the handler that runs. */
extern mel_context_t *mel_running;

/* Bits of it: current.h. For software kernels. */
extern uint32_t mel_hold;

#define MEL_CORE_IDLE (&mel_tasks[MEL_TASKS].context)

static inline mel_context_t *mel_core_left(mel_context_t *context)
{
    return context;
}

static inline mel_context_t *mel_core_running(void)
{
    return mel_running;
}

static inline void mel_core_run(mel_context_t *context)
{
    mel_running = context;
}

static inline void mel_core_numbered(const mel_context_t *context)
{
    (void)context;
}

static inline void mel_core_ended(mel_context_t *context)
{
    mel_context_forget(context);
}

#else

#include "arch/riscv/interrupt.h"
#include "arch/riscv/registers.h"

/* clang-format off */
.macro CORE_RESET
    .option push
    .option norelax
    la tp, __tls_base
    .option pop
.endm

.macro CORE_SELF
.endm

.macro CORE_RUNNING
    lui a1, %hi(mel_running)
    lw t2, %lo(mel_running)(a1)
.endm

.macro CORE_DISPATCH
    COUPLING_REGISTER a0, MEL_REG_DISPATCH, t0
    lui t1, %hi(mel_contexts)
    addi t1, t1, %lo(mel_contexts)
    slli a0, a0, CONTEXT_SIZE_LOG2
    add a0, a0, t1
.endm

.macro CORE_RUN
    sw a0, %lo(mel_running)(a1)
.endm

.macro CORE_ENDED
.endm

.macro CORE_REPORT_RUN
    lui t0, %hi(mel_running)
    TRACE MEL_TRACE_DISPATCH, "t1 t2 0 0"
    sw a0, %lo(mel_running)(t0)
.endm

.macro CORE_TRAP vector, function, resume
    INTERRUPT_ENTRY \vector, \function, \resume
.endm

.macro CORE_EXTERNAL vector, resume
    INTERRUPT_ENTRY \vector, mel_interrupt_external, \resume
.endm
/* clang-format on */

#endif
#endif
