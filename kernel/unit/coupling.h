/* SPDX-License-Identifier: Apache-2.0 */
/* coupling.h: the interface `coupling`: where this core reaches the hardware unit. C and assembly. The coupling of the system chooses the
 * implementation: `bus`, `port` or `banked`. The folders port/ and banked/ are include folders for programs, too: port/ has calls inline.
 * Verbs in C: MEL_COUPLING_REGISTER (address of a register, from its offset in the window), MEL_COUPLING_ABSENT (what a
 * bus error means while boot code looks for the unit), mel_coupling_owns (an address is the unit's).
 * Macros of assembly: COUPLING_REGISTER (load a register of the unit), COUPLING_ANSWER (a0 = the answer), COUPLING_CALL (a0 = the answer
 * to a command without object and argument); and, because interrupts may be off for longer or shorter, COUPLING_SUSPEND (the registers of
 * a call are in memory, interrupts off; t2 as of CORE_RUNNING), COUPLING_RUN (after CORE_DISPATCH: the context a0 runs), COUPLING_RESUME (the same when
 * C has said so, in a trap). Those need arch/riscv/frame.h and the interface `current`. */
#ifndef MEL_UNIT_COUPLING_H
#define MEL_UNIT_COUPLING_H

#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "common/interface.h"
#include MEL_TEXT(MEL_INTERFACE_COUPLING)

#endif
