/* SPDX-License-Identifier: Apache-2.0 */
/* C definitions for tests of soc/: device registers (docs/decisions/0002), tracepoints, interrupts. */
#include <stdint.h>
#include <mel_system.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define CONSOLE REGISTER(MEL_IO_BASE)
#define MARK(id) REGISTER(MEL_IO_BASE + 0x100 + 4 * (id))

#define TRACEPOINT(id, value)                                                                             \
    __asm__ volatile("1:\n\t.pushsection .mel_tracepoints,\"\",@progbits\n\t.balign 4\n\t.word 1b\n\t"    \
                     ".word 20\n\t.asciz \"%c0 %1 0 0\"\n\t.popsection" ::"i"(id), "r"(value))

/* Interrupts on, for a constant set of causes. */
#define enable_interrupts(causes) \
    __asm__ volatile("li t0, %0\n\tcsrw mie, t0\n\tcsrsi mstatus, 8" ::"i"(causes) : "t0")
