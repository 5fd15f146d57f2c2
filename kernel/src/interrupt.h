/* interrupt.h: the end of every interrupt of the software kernel. */
#ifndef MEL_SRC_INTERRUPT_H
#define MEL_SRC_INTERRUPT_H

#include "seam/context/context.h"

/* Who runs now: the chosen task, and the one that was interrupted (arch/riscv/interrupt.h). */
mel_context_pair_t mel_interrupt_exit(void);

#endif
