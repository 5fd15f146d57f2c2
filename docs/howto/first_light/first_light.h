/* SPDX-License-Identifier: Apache-2.0 */
/* first_light.h: is the hardware unit of a new system connected rightly? Eight steps, each with a sentence about the wires to look at.
 * Runs before any kernel, with interrupts off, on core 0, once after reset; afterwards the system needs a reset. Needs mel_system.h and
 * melanion/mel_spec.h of the system, and the two functions below. No other library. */
#ifndef FIRST_LIGHT_H
#define FIRST_LIGHT_H

#include <stdbool.h>
#include <stdint.h>

/* Steps 1 … 8 in order, to the first that fails. Returns its number, 0: all went well. Each step prints a line. */
unsigned first_light(void);

/* Yours: print a text. */
void first_light_print(const char *text);

/* Yours: make interrupt line `line` (0 … MEL_INTERRUPTS - 1) rise once, at its source, within 1000 cycles. False: this line's source cannot be made to; then
 * the unit is asked to behave as if it had. */
bool first_light_raise(uint32_t line);

#endif
