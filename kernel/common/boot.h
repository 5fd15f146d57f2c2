/* SPDX-License-Identifier: Apache-2.0 */
/* boot.h: what boot code and a kernel owe each other. */
#ifndef MEL_COMMON_BOOT_H
#define MEL_COMMON_BOOT_H

#include <melanion/types.h>

/* Make the kernel ready, or end the run with a sentence. Interrupts are off. Defined by each kernel. */
void mel_kernel_boot(void);

/* What a bus error at `address` says about the kernel's hardware, and what to do; NULL: nothing. Defined by each kernel. Linked
 * behind all other code, so that it moves none: alignment decides cycles. */
#define MEL_LINKED_LAST __attribute__((section(".text_last")))
const char *mel_kernel_bus_error(uint32_t address);

/* The same when the core does not say which access was refused: the kernel asks its hardware. */
const char *mel_kernel_hardware_error(void);

/* The program. */
int main(void);

/* wfi for ever (arch/riscv/start.S). */
_Noreturn void mel_idle(void);

/* End the run: print a sentence and exit with MEL_EXIT_CODE_BOOT. */
_Noreturn void mel_boot_refuse(const char *sentence);

/* What a bus error means while boot code looks at hardware that may be absent; NULL: nothing special. */
extern const char *volatile mel_boot_probe;

#endif
