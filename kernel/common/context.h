/* SPDX-License-Identifier: Apache-2.0 */
/* context.h: contexts that software saves and restores: what a task is to the processor.
 * Verbs: mel_context_of (the context of a task), mel_context_valid (whether attributes can make a task), mel_context_describe (the entry
 * and stack of a new one), mel_context_forget (it has not started); for software kernels mel_context_switch and mel_context_leave. The
 * context that runs: the interface `current`.
 * A blocking call saves the 13 callee-saved registers on its task's stack, a preemption the full frame; see
 * arch/riscv/frame.h. Timing: software/switch.S, unit/switch.S. */
#ifndef MEL_COMMON_CONTEXT_H
#define MEL_COMMON_CONTEXT_H

#include <melanion/task.h>

#include "arch/riscv/frame.h"

/* One per task, and one for idle (number MEL_TASKS). Assembly knows its layout. */
typedef struct {
    uintptr_t saved;        /* stack pointer and kind of frame (frame.h); stale while it runs */
    union {
        mel_status_t result; /* software kernels: status of the call in which it is suspended */
        uint32_t fresh;      /* systems with several cores: not 0: it begins at `entry` (common/current/several.h) */
    };
    mel_id_t number;
    mel_task_entry_t entry;
    void *argument;
    void *stack;            /* lowest address */
    size_t stack_size;
    const char *name;       /* never NULL */
} mel_context_t;

_Static_assert(sizeof(mel_context_t) == 1 << CONTEXT_SIZE_LOG2, "frame.h: CONTEXT_SIZE_LOG2");
_Static_assert(offsetof(mel_context_t, saved) == CONTEXT_SAVED, "frame.h: CONTEXT_SAVED");
_Static_assert(offsetof(mel_context_t, result) == CONTEXT_RESULT, "frame.h: CONTEXT_RESULT");
_Static_assert(offsetof(mel_context_t, fresh) == CONTEXT_FRESH, "frame.h: CONTEXT_FRESH");
_Static_assert(offsetof(mel_context_t, number) == CONTEXT_NUMBER, "frame.h: CONTEXT_NUMBER");
_Static_assert(offsetof(mel_context_t, entry) == CONTEXT_ENTRY, "frame.h: CONTEXT_ENTRY");
_Static_assert(offsetof(mel_context_t, argument) == CONTEXT_ARGUMENT, "frame.h: CONTEXT_ARGUMENT");
_Static_assert(offsetof(mel_context_t, stack) == CONTEXT_STACK, "frame.h: CONTEXT_STACK");
_Static_assert(offsetof(mel_context_t, stack_size) == CONTEXT_STACK_SIZE, "frame.h: CONTEXT_STACK_SIZE");

/* Return value of an interrupt entry to assembly (arch/riscv/interrupt.h): registers a0 and a1. */
typedef struct {
    mel_context_t *next;
    mel_context_t *interrupted;
} mel_context_pair_t;

/* The context of a task or of idle; `number` is in range. Defined by each kernel. */
mel_context_t *mel_context_of(mel_id_t number);

/* True when the attributes can make a task. */
bool mel_context_valid(const mel_task_attributes_t *attributes);

/* Describe a task that has not started. */
void mel_context_describe(mel_context_t *context, const mel_task_attributes_t *attributes);

/* A dormant task starts from its entry again, 16 bytes below the top of its stack: a saved context points into its stack. */
static inline void mel_context_forget(mel_context_t *context)
{
    context->saved = (uintptr_t)context->stack + context->stack_size - MEL_STACK_ALIGNMENT + MEL_SAVED_NONE;
}

/* Interrupts off: suspend `running` in its kernel call and run `next`. Returns, with interrupts on, when it runs again:
 * its result. Software kernels. */
mel_status_t mel_context_switch(mel_context_t *next, mel_context_t *running);

/* Interrupts off: run `next` and save nothing, because `running` has exited. */
_Noreturn void mel_context_leave(mel_context_t *next, mel_context_t *running);

#endif
