/* SPDX-License-Identifier: Apache-2.0 */
/* unit.h: access to the deadlock detection unit, inline (implementation `unit` of the interface `deadlock`).
 * Timing (instructions): a command is 4, and a store and a load of the unit's window; the load waits for the reduction (hw/deadlock). */
#ifndef MEL_DEADLOCK_UNIT_H
#define MEL_DEADLOCK_UNIT_H

#include <mel_system.h>
#include <melanion/irq_lock.h>

#include "deadlock/include/melanion/deadlock.h"

#define MEL_DEADLOCK_WORD(offset) (*(volatile uint32_t *)(MEL_DEADLOCK_BASE + (offset)))

/* Interrupts off between the two: the answer is the core's, and a handler, or a task that comes by one, may give a command, too. */
static inline uint32_t mel_deadlock_do(uint32_t command, uint32_t process, uint32_t resource)
{
    const mel_irq_key_t key = mel_irq_lock();
    MEL_DEADLOCK_WORD(command) = process | resource << 8;
    const uint32_t answer = MEL_DEADLOCK_WORD(MEL_DEADLOCK_REG_ANSWER);
    mel_irq_unlock(key);
    return answer;
}

#endif
