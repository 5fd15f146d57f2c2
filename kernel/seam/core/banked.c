/* banked.c: the frames of tasks whose registers are in no bank. */
#include "seam/core/core.h"

#include <melanion/kernel.h>

enum { RA = 1, SP = 2, PC = 3, A0 = 10, REGISTERS = 32 }; /* x3 holds the pc */

uint32_t mel_frames[MEL_TASKS][REGISTERS];

uint32_t mel_core_self(void)
{
    return 0;
}

void mel_core_begin(mel_context_t *context)
{
    uint32_t *frame = mel_frames[context->number];
    frame[RA] = (uint32_t)(uintptr_t)mel_task_exit;
    frame[SP] = (uint32_t)(uintptr_t)context->stack + context->stack_size - MEL_STACK_ALIGNMENT;
    frame[PC] = (uint32_t)(uintptr_t)context->entry;
    frame[A0] = (uint32_t)(uintptr_t)context->argument;
}
