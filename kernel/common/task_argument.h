/* task_argument.h: the argument of the command task_create, as its fields in spec/commands.yaml say. */
#ifndef MEL_COMMON_TASK_ARGUMENT_H
#define MEL_COMMON_TASK_ARGUMENT_H

#include <melanion/task.h>

/* What does not fit its field becomes all ones: a core that no system has, which the kernel refuses in the right order of checks. */
static inline uint32_t mel_task_argument(const mel_task_attributes_t *attributes)
{
    if (attributes->priority > MEL_FIELD_TASK_CREATE_PRIORITY_MASK || attributes->core > MEL_FIELD_TASK_CREATE_CORE_MASK) {
        return UINT32_MAX;
    }
    return attributes->core << MEL_FIELD_TASK_CREATE_CORE_LSB | attributes->priority;
}

#endif
