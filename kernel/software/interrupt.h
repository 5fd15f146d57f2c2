/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.h: how an interrupt of the software kernel ends: with the next one, if one is pending, or with who runs now. */
#ifndef MEL_SOFTWARE_INTERRUPT_H
#define MEL_SOFTWARE_INTERRUPT_H

#include "common/context.h"

/* Choose the task that runs next; returns it and the interrupted one (arch/riscv/interrupt.h). */
mel_context_pair_t mel_interrupt_exit(void);

/* The external interrupt: serves every edge that is pending, the lowest line first. */
mel_context_pair_t mel_interrupt_external(void);

/* The tick interrupt, of the interface `timeouts`. */
mel_context_pair_t mel_interrupt_timer(void);

/* An edge is pending at the interrupt controller. */
static inline bool mel_interrupt_pending(void)
{
    uint32_t pending;
    __asm__ volatile("csrr %0, mip" : "=r"(pending));
    return (int32_t)(pending << 20) < 0; /* bit 11: MEIP; as a sign it needs no constant in a register */
}

#endif
