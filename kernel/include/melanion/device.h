/* SPDX-License-Identifier: Apache-2.0 */
/* device.h: the devices of a simulated system that programs may use themselves (docs/decisions/0002): the interrupt
 * generator and the cycle counter. Not part of melanion.h: a program for a board has neither. */
#ifndef MELANION_DEVICE_H
#define MELANION_DEVICE_H

#include <melanion/types.h>

#define MEL_IRQGEN(line, offset) (*(volatile uint32_t *)(MEL_IRQGEN_BASE + 0x10u * (line) + (offset)))

/* One pulse on interrupt line `line`, after `delay` cycles (0: in the next cycle). */
static inline void mel_irqgen_pulse(uint32_t line, uint32_t delay)
{
    MEL_IRQGEN(line, 0x0) = delay;
}

/* `count` pulses on `line`, each a random number of cycles (minimum … maximum) after the one before. */
static inline void mel_irqgen_pulses(uint32_t line, uint32_t minimum, uint32_t maximum, uint32_t count)
{
    MEL_IRQGEN(line, 0x4) = minimum;
    MEL_IRQGEN(line, 0x8) = maximum;
    MEL_IRQGEN(line, 0xC) = count;
}

/* One more pulse on `line`, as the last mel_irqgen_pulses said. */
static inline void mel_irqgen_again(uint32_t line)
{
    MEL_IRQGEN(line, 0xC) = 1;
}

/* Pulses of mel_irqgen_pulses that are still to come. */
static inline uint32_t mel_irqgen_left(uint32_t line)
{
    return MEL_IRQGEN(line, 0xC);
}

/* The free-running cycle counter, low word. */
static inline uint32_t mel_cycles(void)
{
    return *(volatile uint32_t *)MEL_CYCLE_BASE;
}

/* Spend at least `cycles` cycles, and at most one turn of the loop (about 10) more. */
static inline void mel_busy(uint32_t cycles)
{
    const uint32_t start = mel_cycles();
    while (mel_cycles() - start < cycles) {
    }
}

#endif
