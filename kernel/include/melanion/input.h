/* SPDX-License-Identifier: Apache-2.0 */
/* input.h: bytes that somebody sends to the console: `melanion run --input` in a simulation, the UART on a board of
 * Melanion. Not part of melanion.h: a simulation has the registers only with --input, and another SoC has none.
 * Most programs call getchar or fgets of stdio.h instead, which wait (docs/howto/console.md). */
#ifndef MELANION_INPUT_H
#define MELANION_INPUT_H

#include <melanion/types.h>

/* Results of mel_input_take that are no byte. */
#define MEL_INPUT_NONE UINT32_C(0xFFFFFFFF) /* none waits */
#define MEL_INPUT_END UINT32_C(0xFFFFFFFE)  /* none waits, and none will come; a board never says so */

/* Interrupt line that is high while a byte waits, and from the end of the input on; MEL_INTERRUPTS: there is none. A
 * line counts its rise alone: take bytes until there is none, then wait for it. */
#if MEL_INTERRUPTS > 15
#define MEL_INPUT_LINE 15u
#elif MEL_INTERRUPTS > 0
#define MEL_INPUT_LINE (MEL_INTERRUPTS - 1u)
#else
#define MEL_INPUT_LINE 0u
#endif

/* Take the oldest byte, 0 … 255, without waiting; MEL_INPUT_NONE, MEL_INPUT_END. Callers: any. */
uint32_t mel_input_take(void);

/* Bytes lost so far because 2048 others waited; at most 65535. Callers: any. */
uint32_t mel_input_lost(void);

#endif
