/* SPDX-License-Identifier: Apache-2.0 */
/* console.h: text for the person who watches. Each character is one store to the console device. Callers: any. The
 * calls of two tasks may interleave. For figures that must not cost cycles use tracepoint.h. */
#ifndef MELANION_CONSOLE_H
#define MELANION_CONSOLE_H

#include <melanion/types.h>

/* Print a string. */
void mel_print(const char *text);

/* Print a number: decimal, signed decimal, or 0x and eight hexadecimal digits. */
void mel_print_unsigned(uint32_t value);
void mel_print_signed(int32_t value);
void mel_print_hex(uint32_t value);

#endif
