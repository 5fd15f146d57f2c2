/* SPDX-License-Identifier: Apache-2.0 */
/* console.c: text on the console device, one store a character. */
#include <melanion/console.h>

static void put(char character)
{
    *(volatile uint32_t *)MEL_IO_BASE = (uint8_t)character;
}

void mel_print(const char *text)
{
    while (*text != '\0') {
        put(*text++);
    }
}

void mel_print_unsigned(uint32_t value)
{
    char digits[10];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (count != 0) {
        put(digits[--count]);
    }
}

void mel_print_signed(int32_t value)
{
    if (value < 0) {
        put('-');
    }
    mel_print_unsigned(value < 0 ? 0u - (uint32_t)value : (uint32_t)value);
}

void mel_print_hex(uint32_t value)
{
    mel_print("0x");
    for (int shift = 28; shift >= 0; shift -= 4) {
        put("0123456789abcdef"[value >> shift & 15]);
    }
}
