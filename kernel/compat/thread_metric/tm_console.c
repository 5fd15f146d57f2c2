/* SPDX-License-Identifier: Apache-2.0 */
/* tm_console.c: where printf of a test goes: to the console device, a character at a time. Linked only where a test prints. */
#include <stdio.h>

#include <melanion/console.h>

static int put(char character, FILE *file)
{
    const char text[2] = {character, 0};
    (void)file;
    mel_print(text);
    return (unsigned char)character;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &console;
