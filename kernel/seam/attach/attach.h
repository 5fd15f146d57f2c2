/* SPDX-License-Identifier: Apache-2.0 */
/* attach.h: the seam `attach`: where this core reaches the hardware unit. C and assembly. The attachment of the system chooses the
 * part: `bus`, `port` or `banked`. The folders port/ and banked/ are include folders for programs, too: port/ has calls inline.
 * Verbs in C: MEL_ATTACH_REGISTER (address of a register, from its offset in the window), MEL_ATTACH_ABSENT (what a
 * bus error means while boot code looks for the unit), mel_attach_owns (an address is the unit's).
 * Macros of assembly: ATTACH_REGISTER (load a register of the unit), ATTACH_ANSWER (a0 = the answer), ATTACH_CALL (a0 = the answer
 * to a command without object and argument); and, because interrupts may be off for longer or shorter, ATTACH_SUSPEND (the registers of
 * a call are in memory, interrupts off; t2 as of CORE_RUNNING), ATTACH_RUN (after CORE_DISPATCH: the context a0 runs), ATTACH_RESUME (the same when
 * C has said so, in a trap). Those need arch/riscv/frame.h and the seam `core`. */
#ifndef MEL_SEAM_ATTACH_H
#define MEL_SEAM_ATTACH_H

#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "seam/seam.h"
#include MEL_PART(attach, MEL_SEAM_ATTACH)

#endif
