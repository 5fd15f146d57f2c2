/* SPDX-License-Identifier: Apache-2.0 */
/* unit_objects.h: objects in the hardware unit (implementation `unit` of the interface `objects`): nothing about a task needs to be told to C. */
#ifndef MEL_UNIT_UNIT_OBJECTS_H
#define MEL_UNIT_UNIT_OBJECTS_H

#include "common/irq_map.h"
#include "unit/unit.h"

static inline mel_status_t mel_objects_call_task(uint32_t op, mel_id_t task, uint32_t argument)
{
    return mel_unit_call_task(op, task, argument);
}

static inline mel_status_t mel_objects_call(uint32_t op)
{
    return mel_unit_call(op, 0, 0);
}

static inline void mel_objects_asked(uint32_t op, mel_id_t task, uint32_t argument)
{
    (void)op;
    (void)task;
    (void)argument;
}

static inline mel_status_t mel_objects_irq_map(mel_id_t irq, uint32_t action, mel_id_t object, uint32_t word, bool handler)
{
    mel_unit_operand(word);
    return mel_unit_call(MEL_OP_IRQ_MAP, irq, mel_irq_argument(action, object, handler));
}

static inline bool mel_objects_irq_claimed(mel_id_t irq)
{
    (void)irq;
    return true;
}

#endif
