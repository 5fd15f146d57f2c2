/* SPDX-License-Identifier: Apache-2.0 */
/* port.h: the hardware unit behind a port at the end of the address space (implementation `port` of the interface `coupling`, decision 0014).
 * Timing: an address costs nothing, it is an offset from register x0; no access waits for a bus. A call that switches has
 * interrupts off for 13 instructions (several cores: more by CORE_DISPATCH), from the store of the stack pointer to the load of the next one. */
#ifndef MEL_UNIT_PORT_PORT_H
#define MEL_UNIT_PORT_PORT_H

#define MEL_COUPLING_REGISTER(offset) MEL_PORT_REGISTER(offset)

#ifndef __ASSEMBLER__

#include <stdbool.h>

#define MEL_COUPLING_ABSENT \
    "no hardware unit answers at the port (bus error): the program was built for the coupling 'port'; run it on a system with one"

/* At the port, or in the window, which the port does not replace. */
static inline bool mel_coupling_owns(uint32_t address)
{
    return address - MEL_PORT_BASE < MEL_PORT_BYTES || address - (uint32_t)MEL_UNIT_BASE < MEL_WINDOW_BYTES;
}

#else

/* clang-format off */
.macro COUPLING_REGISTER register, offset, scratch
    lw \register, %lo(MEL_PORT_REGISTER(\offset))(zero)
.endm

.macro COUPLING_ANSWER
    lw a0, %lo(MEL_PORT_ANSWER)(zero)
.endm

.macro COUPLING_CALL op
    sw zero, %lo(MEL_PORT_PLAIN(\op))(zero)
    lw a0, %lo(MEL_PORT_ANSWER)(zero)
.endm

/* Interrupts are off from the word that says where the registers are until it has been read again. Before and after, the task is
 * as good as any other that is interrupted in a call; so nobody waits for its registers. */
.macro COUPLING_SUSPEND
    CORE_RUNNING
    SAVE_CALL
    csrci mstatus, MSTATUS_MIE
    sw sp, CONTEXT_SAVED(t2)
.endm

.macro COUPLING_RUN from_trap
    RESUME COUPLING_ANSWER, \from_trap, CORE_RUN, 1
.endm

.macro COUPLING_RESUME
    RESUME COUPLING_ANSWER, 1, , 1
.endm
/* clang-format on */

#endif
#endif
