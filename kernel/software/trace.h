/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h: how the software kernels report to the replay what they do (events: spec/trace.yaml), without an instruction.
 * A record hangs on an instruction that the kernel executes anyway, inside the critical section: a store, a load, or the
 * unlocking. That instruction belongs to the inline assembly, so the compiler cannot merge it with one of another path,
 * and the operands stand in registers there because the kernel has just used them. */
#ifndef MEL_SOFTWARE_TRACE_H
#define MEL_SOFTWARE_TRACE_H

#include <melanion/tracepoint.h>

#define MEL_TRACE_OPERANDS(kind, a, b, c, d)                                                                 \
    [pk] "i"(kind), [pa] "ri"((uint32_t)(a)), [pb] "ri"((uint32_t)(b)), [pc] "ri"((uint32_t)(c)),            \
        [pd] "ri"((uint32_t)(d))

/* word = value, reported as an event of `kind`. */
#define MEL_TRACE_STORE(kind, a, b, c, d, word, value)                                                       \
    __asm__ volatile("880: sw %z[value_], %[word_]\n\t" MEL_TRACEPOINT_TEXT("%[pk]")                             \
                     : [word_] "=m"(word)                                                                    \
                     : [value_] "rJ"(value), MEL_TRACE_OPERANDS(kind, a, b, c, d))

/* variable = word, reported as an event of `kind`. */
#define MEL_TRACE_LOAD(kind, a, b, c, d, variable, word)                                                     \
    __asm__ volatile("880: lw %[variable_], %[word_]\n\t" MEL_TRACEPOINT_TEXT("%[pk]")                           \
                     : [variable_] "=r"(variable)                                                            \
                     : [word_] "m"(word), MEL_TRACE_OPERANDS(kind, a, b, c, d))

/* The instruction text `text`, which begins the critical section and puts its key into [key_]; the caller's operand is
 * reported, as the operand word that a hardware unit would have received before the command. */
#define MEL_TRACE_OPERAND_AT(text, key, operand)                                                             \
    __asm__ volatile("880: " text "\n\t" MEL_TRACEPOINT_TEXT("%[pk]")                                            \
                     : [key_] "=r"(key)                                                                      \
                     : MEL_TRACE_OPERANDS(MEL_TRACE_OPERAND, 0, 0, operand, 0)                               \
                     : "memory" MEL_LOCK_CLOBBERS)

/* The instruction text `text` with operand [key_] = key, which ends the critical section; a command is reported. The
 * context of the caller is left to the model, which knows it. */
#define MEL_TRACE_COMMAND_AT(text, key, op, id, argument, status)                                            \
    __asm__ volatile("880: " text "\n\t" MEL_TRACEPOINT_TEXT("%[pk]")                                            \
                     :                                                                                       \
                     : [key_] "r"(key),                                                                      \
                       MEL_TRACE_OPERANDS(MEL_TRACE_COMMAND, MEL_TRACE_OP(op), id, argument, status)         \
                     : "memory" MEL_LOCK_CLOBBERS)

#define MEL_TRACE_OP(op) ((op) | MEL_CONTEXT_UNKNOWN << 8)

#endif
