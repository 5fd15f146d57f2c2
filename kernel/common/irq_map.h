/* SPDX-License-Identifier: Apache-2.0 */
/* irq_map.h: the argument of the command irq_map, as its fields in spec/commands.yaml say. */
#ifndef MEL_COMMON_IRQ_MAP_H
#define MEL_COMMON_IRQ_MAP_H

#include <melanion/types.h>

/* True when the argument can say it; whether there is such an action and object is the kernel's check. */
static inline bool mel_irq_argument_fits(uint32_t action, mel_id_t object)
{
    return action <= MEL_FIELD_IRQ_MAP_ACTION_MASK && object <= MEL_FIELD_IRQ_MAP_OBJECT_MASK;
}

static inline uint32_t mel_irq_argument(uint32_t action, mel_id_t object, bool handler)
{
    return object << MEL_FIELD_IRQ_MAP_OBJECT_LSB | (uint32_t)handler << MEL_FIELD_IRQ_MAP_HANDLER_LSB |
           action << MEL_FIELD_IRQ_MAP_ACTION_LSB;
}

#endif
