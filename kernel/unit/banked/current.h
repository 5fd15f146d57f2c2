/* SPDX-License-Identifier: Apache-2.0 */
/* current.h: cores with a store of contexts (implementation `banked` of the interface `current`): who runs is a register of the unit, and the registers of
 * every task are in the store. All cores share one idle context in memory, and each has the registers of its own.
 *
 * One rule keeps a task's registers right (decisions 0009, 0038): C gives them to it only while no core can begin to run it.
 *   Behind the store to FORGET only a start of the task lets a core load its registers. So whoever ends or makes a task holds the lock from its
 *   command until it has them, and whoever starts one takes it.
 *   A core that still runs a task which another one terminated keeps nothing of it, and no other core runs or deletes the task before it has left.
 *   So it does no harm that its own exit is refused, or that the task was started again meanwhile: its registers stay those of a task that begins. */
#ifndef MEL_UNIT_BANKED_CURRENT_H
#define MEL_UNIT_BANKED_CURRENT_H

#ifndef __ASSEMBLER__

#include "unit/coupling.h"
#include "common/context.h"

static inline mel_context_t *mel_core_running(void)
{
    return mel_context_of(*(volatile uint32_t *)(uint32_t)MEL_COUPLING_REGISTER(MEL_REG_RUNNING));
}

static inline void mel_core_run(mel_context_t *context)
{
    (void)context;
}

/* One word per register of a task; x3 is the pc. */
enum { MEL_FRAME_RA = 1, MEL_FRAME_SP, MEL_FRAME_PC, MEL_FRAME_TP, MEL_FRAME_A0 = 10 };

static inline void mel_core_joined(void)
{
}

/* Store tp of a task at boot: it stays, because FORGET leaves the words of a frame as they are and nobody writes tp. On several cores each has a store of its own, and a
 * task would have the tp of one of them: programs that need it are refused there (melanion/build/remedies.py). */
static inline void mel_core_numbered(const mel_context_t *context)
{
    extern uint8_t __tls_base[];
    if (MEL_CORES == 1 && context->number < MEL_TASKS) {
        *(volatile uint32_t *)MEL_BANK_FORGET = context->number;
        ((volatile uint32_t *)MEL_BANK_FRAME)[MEL_FRAME_TP] = (uint32_t)(uintptr_t)__tls_base;
    }
}

/* Its registers become those of a task that begins, and nothing else is left of it. */
static inline void mel_core_ended(mel_context_t *context)
{
    volatile uint32_t *frame = (volatile uint32_t *)MEL_BANK_FRAME; /* frame of the task of the last store to FORGET */
    *(volatile uint32_t *)MEL_BANK_FORGET = context->number;
    frame[MEL_FRAME_RA] = (uint32_t)(uintptr_t)mel_task_exit;
    frame[MEL_FRAME_SP] = (uint32_t)(uintptr_t)context->stack + context->stack_size - MEL_STACK_ALIGNMENT;
    frame[MEL_FRAME_PC] = (uint32_t)(uintptr_t)context->entry;
    frame[MEL_FRAME_A0] = (uint32_t)(uintptr_t)context->argument;
}

#else

#include "unit/coupling.h"

/* clang-format off */
.macro CORE_VECTOR_SOFTWARE          /* its fetch is the switch (mel_bank_fetch) */
    csrw mepc, x3
    mret
    j mel_vector_unexpected
    j mel_vector_unexpected
.endm

.macro CORE_GLOBAL_POINTER          /* there is none: x3 is the pc at which a task goes on */
.endm

.macro CORE_RESET                   /* tp of the idle context, and, in their section, of handlers */
    .option push
    .option norvc
    .option norelax
    la tp, __tls_base
    j 8f
    .pushsection .routines, "ax", @progbits
8:  la tp, __tls_base
    j 9f
    .balign 16
    .popsection
9:
    .option pop
.endm

.macro CORE_SELF
.endm
/* clang-format on */

#endif
#endif
