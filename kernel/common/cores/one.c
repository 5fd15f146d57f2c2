/* SPDX-License-Identifier: Apache-2.0 */
/* one.c: a system with one core. */
#include <melanion/kernel.h>

uint32_t mel_core_self(void)
{
    return 0;
}
