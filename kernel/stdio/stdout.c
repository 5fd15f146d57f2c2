/* SPDX-License-Identifier: Apache-2.0 */
/* stdout.c: stdout and stderr of the C library: each character is one store to the console, at once. There is no buffer,
 * so a character is atomic and a call is not: the output of a task, or a handler, that preempts the caller comes between
 * two of its characters. A null character is not sent. Weak: a program may define its own. */
#include <stdio.h>

#include <melanion/console.h>

static int put(char character, FILE *file)
{
    const char text[2] = {character, '\0'};
    (void)file;
    mel_print(text);
    return (unsigned char)character;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);

__attribute__((weak)) FILE *const stdout = &console;
__attribute__((weak)) FILE *const stderr = &console;
