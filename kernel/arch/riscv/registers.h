/* SPDX-License-Identifier: Apache-2.0 */
/* registers.h: for cores whose tasks share one set of registers: gp points to the variables, and the dispatch interrupt saves what a task
 * has in them. The interface `current` names these macros; with a store of contexts it has its own. Assembly only. */
#ifndef MEL_ARCH_RISCV_REGISTERS_H
#define MEL_ARCH_RISCV_REGISTERS_H

/* clang-format off */
.macro CORE_VECTOR_SOFTWARE
    j mel_vector_software
    .rept 3
    j mel_vector_unexpected
    .endr
.endm

.macro CORE_GLOBAL_POINTER
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
.endm
/* clang-format on */

#endif
