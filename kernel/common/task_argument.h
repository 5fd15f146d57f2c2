/* SPDX-License-Identifier: Apache-2.0 */
/* task_argument.h: the argument of the command task_create, as its fields in spec/commands.yaml say. What does not fit its field
 * becomes all ones: a core that no system has, which the kernel refuses in the right order of checks. */
#ifndef MEL_COMMON_TASK_ARGUMENT_H
#define MEL_COMMON_TASK_ARGUMENT_H

#include <melanion/types.h>

/* A task that may run on any core. */
static inline uint32_t mel_task_argument(mel_priority_t priority)
{
    return priority <= MEL_FIELD_TASK_CREATE_PRIORITY_MASK ? priority : UINT32_MAX;
}

/* A task that may run on `core` only. */
static inline uint32_t mel_task_argument_on(mel_priority_t priority, uint32_t core)
{
    if (priority > MEL_FIELD_TASK_CREATE_PRIORITY_MASK || core >= MEL_CORES) {
        return UINT32_MAX;
    }
    return (core + 1) << MEL_FIELD_TASK_CREATE_CORE_LSB | priority;
}

#endif
