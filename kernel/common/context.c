/* SPDX-License-Identifier: Apache-2.0 */
/* context.c: contexts that software saves and restores: their description. The switch itself is in software/switch.S (software
 * kernel) and unit/switch.S (with the unit). */
#include "common/context.h"

#include "common/current/current.h"

bool mel_context_valid(const mel_task_attributes_t *attributes)
{
    return attributes->entry != NULL && attributes->stack != NULL &&
           (uintptr_t)attributes->stack % MEL_STACK_ALIGNMENT == 0 &&
           attributes->stack_size % MEL_STACK_ALIGNMENT == 0 && attributes->stack_size >= MEL_STACK_MINIMUM;
}

void mel_context_describe(mel_context_t *context, const mel_task_attributes_t *attributes)
{
    context->entry = attributes->entry;
    context->argument = attributes->argument;
    context->stack = attributes->stack;
    context->stack_size = attributes->stack_size;
    context->name = attributes->name != NULL ? attributes->name : "unnamed";
    mel_core_ended(context);
}

mel_id_t mel_task_self(void)
{
    return mel_core_running()->number;
}

const char *mel_task_name(mel_id_t task)
{
    if (task > MEL_TASKS) {
        return "?";
    }
    const char *name = mel_context_of(task)->name;
    return name != NULL ? name : "unnamed";
}
