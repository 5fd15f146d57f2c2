/* SPDX-License-Identifier: Apache-2.0 */
/* several.h: a system with two to four cores (implementation `several` of the interface `cores`). They run the same program from one memory; what differs by core
 * is found by its number. Handlers in C run on core 0. */
#ifndef MEL_COMMON_CORES_SEVERAL_H
#define MEL_COMMON_CORES_SEVERAL_H

#ifndef __ASSEMBLER__

/* The other cores wait at reset until here. */
void mel_core_start_others(void);

/* Peterson's lock, of two levels: a core waits until each other core has been inside once at most, and what is inside is one
 * command and few stores. Right because a core's accesses reach the memory in order, one at a time. */
void mel_core_enter(void);
void mel_core_leave(void);

/* Another such lock, inside which the first may be taken. Its sections are as long as the caller
 * likes, so a core pauses between two polls of the taken lock. */
void mel_core_enter_outer(void);
void mel_core_leave_outer(void);

void mel_core_print(void);

#else

/* clang-format off */
.macro CORES_RESET
    csrr t0, mhartid
    beqz t0, 1f
    j mel_core_reset                 /* anywhere in .text */
1:
.endm

.macro CORES_PANIC_STACK
    csrr t0, mhartid
    slli t0, t0, 2
    la t1, mel_core_panic_sp
    add t1, t1, t0
    lw sp, 0(t1)
.endm
/* clang-format on */

#endif
#endif
