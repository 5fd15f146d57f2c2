/* SPDX-License-Identifier: Apache-2.0 */
/* processor.h: the interface `processor`: what differs between types of core: how they come to a trap, and when a store has arrived. C and assembly.
 * The type of core chooses the implementation: `ibex` or `vexriscv`.
 * Verbs in C: MEL_PROCESSOR_MIE (what is written into mie: the interrupts of the kernel), mel_processor_arrived (wait until the last store to a
 * device has changed what it changes, an interrupt that it raises or ends included), mel_processor_lost (a trap's cause says that an access before it
 * was refused, and not which).
 * Macros of assembly: PROCESSOR_VECTORS (the start of memory: exceptions go to mel_vector_exception, interrupts to the vector of their number, with every register as it was;
 * after current.h), PROCESSOR_RESET (traps go there; uses t0). */
#ifndef MEL_ARCH_RISCV_PROCESSOR_PROCESSOR_H
#define MEL_ARCH_RISCV_PROCESSOR_PROCESSOR_H

#include "common/interface.h"
#include MEL_TEXT(MEL_INTERFACE_PROCESSOR)

#endif
