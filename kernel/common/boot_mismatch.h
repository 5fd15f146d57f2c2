/* SPDX-License-Identifier: Apache-2.0 */
/* boot_mismatch.h: what boot code says of hardware that was made from other facts or sizes than the program. In the file of each part that
 * says so, and not linked once: where it stands decides cycles of what is behind it. */
#ifndef MEL_COMMON_BOOT_MISMATCH_H
#define MEL_COMMON_BOOT_MISMATCH_H

#include <melanion/console.h>
#include <melanion/kernel.h>
#include <melanion/types.h>

/* One sentence with two numbers, and the end of the run. */
static _Noreturn void mel_boot_mismatch(const char *before, uint32_t first, const char *between, uint32_t second, const char *after)
{
    mel_print("melanion: ");
    mel_print(before);
    mel_print_hex(first);
    mel_print(between);
    mel_print_hex(second);
    mel_print(after);
    mel_print("\n");
    mel_exit(MEL_EXIT_CODE_BOOT);
}

#endif
