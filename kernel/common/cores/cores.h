/* SPDX-License-Identifier: Apache-2.0 */
/* cores.h: the interface `cores`: how many there are. C and assembly. The number of cores chooses the implementation: `one` or `several`.
 * Verbs in C: mel_core_self (the number of the core that executes; for programs, too), mel_core_start_others (they leave reset), mel_core_enter and
 * mel_core_leave (only one core between them; interrupts off), mel_core_enter_outer and mel_core_leave_outer (the same around calls, melanion/compound.h), mel_core_print (say which core a message is about).
 * Macros of assembly: CORES_RESET (after CORE_RESET; the other cores leave here), CORES_PANIC_STACK (sp; uses t0, t1). */
#ifndef MEL_COMMON_CORES_CORES_H
#define MEL_COMMON_CORES_CORES_H

#include "common/interface.h"
#include MEL_TEXT(MEL_INTERFACE_CORES)

#endif
