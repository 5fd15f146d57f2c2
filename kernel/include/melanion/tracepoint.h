/* SPDX-License-Identifier: Apache-2.0 */
/* tracepoint.h: how a program tells the simulation what happens, without a library and (tracepoints) without a cycle.
 * A tracepoint is a record in the unloaded section .mel_tracepoints (docs/decisions/0002-what-a-run-is.md) that names an instruction;
 * when that instruction retires the simulation writes a trace record with the values of its operands. Operands are
 * constants or values that the compiler holds in a register there anyway. */
#ifndef MELANION_TRACEPOINT_H
#define MELANION_TRACEPOINT_H

#include <stdint.h>

#include <mel_system.h>
#include <melanion/mel_spec.h>

/* The text of one record for the instruction at local label 880; operands %[pa] … %[pd]. */
#define MEL_TRACEPOINT_TEXT(kind)                                            \
    ".pushsection .mel_tracepoints,\"\",@progbits\n\t"                       \
    ".balign 4\n\t"                                                     \
    ".word 880b\n\t"                                                    \
    ".word " kind "\n\t"                                                \
    ".asciz \"%[pa] %[pb] %[pc] %[pd]\"\n\t"                            \
    ".popsection"

/* Report tracepoint `id` (0 … 0xFFEF, constant; those above are of the interfaces in kernel/compat) with a 32-bit value when the program passes here: no instruction, no cycle.
 * It marks the next instruction of the straight-line code around it, so do not make it the last statement of a branch:
 * it could then mark an instruction that the other branch reaches too. */
#define MEL_TRACEPOINT(id, value)                                                                                     \
    __asm__ volatile("880:\n\t" MEL_TRACEPOINT_TEXT("%[pk]")                                                         \
                     :                                                                                           \
                     : [pk] "i"(MEL_TRACE_TRACEPOINT), [pa] "i"(id), [pb] "ri"((uint32_t)(value)), [pc] "i"(0),       \
                       [pd] "i"(0)                                                                               \
                     : "memory")

/* Report tracepoint `id` (constant) with value 0 when the very first instruction of `function` is executed, before its prologue.
 * The function that this makes is never called: inline assembly with constant operands must stand in one. */
#define MEL_TRACEPOINT_OF(function, id)                                                                          \
    __attribute__((used)) static void function##_tracepoint(void)                                                \
    {                                                                                                       \
        __asm__ volatile(".pushsection .mel_tracepoints,\"\",@progbits\n\t"                                      \
                         ".balign 4\n\t"                                                                    \
                         ".word %0\n\t"                                                                     \
                         ".word %c1\n\t"                                                                    \
                         ".asciz \"%c2 0 0 0\"\n\t"                                                         \
                         ".popsection"                                                                      \
                         :                                                                                  \
                         : "i"(function), "i"(MEL_TRACE_TRACEPOINT), "i"(id));                                   \
    }                                                                                                       \
    _Static_assert((id) >= 0 && (id) <= 0xFFEF, "the number of a tracepoint is 0 to 0xFFEF")

/* Store `value` to the marker device (marker `id`, 0 … 63): about two cycles, works on every simulator. */
#define MEL_MARK(id, value) (*(volatile uint32_t *)(MEL_IO_BASE + 0x100u + 4u * (id)) = (uint32_t)(value))

/* Numbers of stacks that are no task's. */
#define MEL_STACK_BOOT 0xFFFF      /* boot code, main(), idle */
#define MEL_STACK_INTERRUPT 0xFFFE /* handlers */

/* The kind of a record that describes a stack instead of an instruction. */
#define MEL_TRACEPOINT_STACK 0x100

/* Tell the simulation that `name` (an array with static storage) is the stack of `task`: `size` bytes, both constant.
 * The function holds no code that is ever called: inline assembly with constant operands must stand in one. */
#define MEL_STACK_RECORD(name, task, size)                                                                  \
    __attribute__((used)) static void name##_record(void)                                                   \
    {                                                                                                       \
        __asm__ volatile(".pushsection .mel_tracepoints,\"\",@progbits\n\t"                                      \
                         ".balign 4\n\t"                                                                    \
                         ".word %0\n\t"                                                                     \
                         ".word %1\n\t"                                                                    \
                         ".asciz \"%2 %3 0 0\"\n\t"                                                       \
                         ".popsection"                                                                      \
                         :                                                                                  \
                         : "i"(name), "i"(MEL_TRACEPOINT_STACK), "i"(size), "i"(task));                          \
    }                                                                                                       \
    _Static_assert((size) >= 256 && (size) % 16 == 0, "a stack has 256 bytes or more, a multiple of 16")

#endif
