/* SPDX-License-Identifier: Apache-2.0 */
/* boot.h: what boot code and a kernel owe each other. */
#ifndef MEL_COMMON_BOOT_H
#define MEL_COMMON_BOOT_H

#include <melanion/types.h>

/* Make the kernel ready, or end the run with a sentence. Interrupts are off. Defined by each kernel. */
void mel_kernel_boot(void);

/* Message about the kernel's hardware after a bus error at `address`, with a remedy; NULL: none.
 * Defined by each kernel. Linked behind all other code, so that it moves none: alignment decides
 * cycles. */
#define MEL_LINKED_LAST __attribute__((section(".text_last")))
const char *mel_kernel_bus_error(uint32_t address);

/* Message when the core does not tell which access was refused: the kernel probes its hardware.
 * NULL: none. */
const char *mel_kernel_hardware_error(void);

/* The program. */
int main(void);

/* wfi for ever (arch/riscv/start.S). */
_Noreturn void mel_idle(void);

/* End the run: print a sentence and exit with MEL_EXIT_CODE_BOOT. */
_Noreturn void mel_boot_refuse(const char *sentence);

/* Message for an exception while boot code probes hardware that may be absent; NULL: no probe. */
extern const char *volatile mel_boot_probe;

#endif
