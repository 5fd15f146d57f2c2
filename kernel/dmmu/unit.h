/* SPDX-License-Identifier: Apache-2.0 */
/* unit.h: access to the memory management unit, inline (implementation `unit` of the interface `dmmu`).
 * Timing (instructions): a command is 2, and a store and a load of the unit's window; the load waits for the command (hw/dmmu). */
#ifndef MEL_DMMU_UNIT_H
#define MEL_DMMU_UNIT_H

#include <mel_system.h>
#include <melanion/irq_lock.h>

#include "dmmu/include/melanion/dmmu.h"

#define MEL_DMMU_WORD(offset) (*(volatile uint32_t *)(MEL_DMMU_BASE + (offset)))

/* Word of a command. */
#define MEL_DMMU_ARGUMENTS(owner, number, next) ((owner) | (number) << 8 | (next) << 24)

/* Interrupts off between the two: the answer is the core's, and a handler, or a task that comes by one, may give a command, too. */
static inline uint32_t mel_dmmu_do(uint32_t command, uint32_t word)
{
    const mel_irq_key_t key = mel_irq_lock();
    MEL_DMMU_WORD(command) = word;
    const uint32_t answer = MEL_DMMU_WORD(MEL_DMMU_REG_ANSWER);
    mel_irq_unlock(key);
    return answer;
}

#endif
