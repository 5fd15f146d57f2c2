/* SPDX-License-Identifier: Apache-2.0 */
/* ending.c: ends of the C library: exit, abort and a failed assert end the run. Weak: a program may define its own. No member of the archive,
 * where the C library's own abort, which wants signals, would come first; what nobody calls is not linked. */
#include <melanion/kernel.h>

enum { ABORTED = 134 }; /* as a shell shows SIGABRT */

__attribute__((weak)) _Noreturn void _exit(int code);
__attribute__((weak)) _Noreturn void abort(void);

_Noreturn void _exit(int code)
{
    mel_exit((uint32_t)code);
}

_Noreturn void abort(void)
{
    mel_exit(ABORTED);
}
