/* SPDX-License-Identifier: Apache-2.0 */
/* hello.c: the smallest program: no task, no kernel object. main() runs in the idle context; its value ends the run. */
#include <melanion/melanion.h>

int main(void)
{
    mel_print("hello from " MEL_KERNEL_NAME " on " MEL_SYSTEM_NAME "\n");
    return 0;
}
