/* SPDX-License-Identifier: Apache-2.0 */
/* bus.h: the hardware unit behind the core's bus (implementation `bus` of the interface `coupling`). Timing: an address costs one lui. */
#ifndef MEL_UNIT_BUS_BUS_H
#define MEL_UNIT_BUS_BUS_H

#define MEL_COUPLING_REGISTER(offset) (MEL_UNIT_BASE + (offset))

#ifndef __ASSEMBLER__

#include <stdbool.h>

#define MEL_COUPLING_ABSENT "no hardware unit answers at its address (bus error): run the program on a system with one"

static inline bool mel_coupling_owns(uint32_t address)
{
    return address - (uint32_t)MEL_UNIT_BASE < MEL_WINDOW_BYTES;
}

#else

/* clang-format off */
.macro COUPLING_REGISTER register, offset, scratch
    lui \scratch, %hi(MEL_UNIT_BASE + \offset)
    lw \register, %lo(MEL_UNIT_BASE + \offset)(\scratch)
.endm

.macro COUPLING_ANSWER                /* uses t0; any address of the command region */
    lui t0, %hi(MEL_UNIT_BASE)
    lw a0, %lo(MEL_UNIT_BASE)(t0)
.endm

.macro COUPLING_CALL op               /* uses t0 */
    lui t0, %hi(MEL_UNIT_BASE + MEL_COMMAND_OFFSET(\op, 0))
    sw zero, %lo(MEL_UNIT_BASE + MEL_COMMAND_OFFSET(\op, 0))(t0)
    lw a0, %lo(MEL_UNIT_BASE + MEL_COMMAND_OFFSET(\op, 0))(t0)
.endm

.macro COUPLING_SUSPEND
    csrci mstatus, MSTATUS_MIE
    SAVE_CALL
    CORE_RUNNING
    sw sp, CONTEXT_SAVED(t2)
.endm

.macro COUPLING_RUN from_trap
    CORE_RUN
    RESUME COUPLING_ANSWER, \from_trap
.endm

.macro COUPLING_RESUME
    RESUME COUPLING_ANSWER, 1
.endm
/* clang-format on */

#endif
#endif
