/* SPDX-License-Identifier: Apache-2.0 */
/* mel_port.h: how a kernel call is inline on the coupling `port` (docs/explanation/port.md). For the headers beside it; programs
 * use the calls of kernel/include, by the same names.
 *
 * A command is one store at an offset from register x0, of a word with object and argument (packed), or with the argument alone
 * (plain: commands without an object). An argument that does not fit the packed form, or that the compiler does not know,
 * goes to the full window. The answer is one load. Numbers that no form can carry are left to the function of the library.
 * Timing without a switch (instructions, constants not counted): store, load, branch; the load waits for the unit.
 *
 * A call is a barrier: what the program stores before it is in memory before the command, and nothing is kept in registers across
 * it, as with a function of another file. */
#ifndef MEL_PORT_H
#define MEL_PORT_H

#include <stdint.h>

#include <mel_system.h>
#include <melanion/mel_spec.h>

#include <mel_leave.h>

/* The definition of a call, or of a part of one: no function of its own. Whoever takes the address of a call gets the library's. */
#define MEL_PORT_CALL extern inline __attribute__((gnu_inline, always_inline))

MEL_PORT_CALL volatile uint32_t *mel_port_at(uint32_t address)
{
    return (volatile uint32_t *)address;
}

MEL_PORT_CALL void mel_port_barrier(void)
{
    __asm__ volatile("" : : : "memory");
}

/* An object number in 8 bits. Larger ones become 255, which the unit refuses in the right order of checks: there are at most
 * 128 objects of a kind (tasks: mel_port_numbers). */
MEL_PORT_CALL uint32_t mel_port_limit(uint32_t object)
{
    return object < 255 ? object : 255;
}

/* A task number that a command can carry; MEL_SELF is none, the library finds out who that is. */
MEL_PORT_CALL _Bool mel_port_numbers(uint32_t task)
{
    return task < 255;
}

/* The argument survives as the upper 24 bits of a packed word. */
MEL_PORT_CALL _Bool mel_port_packs(uint32_t argument)
{
    return (uint32_t)((int32_t)(argument << MEL_PORT_OBJECT_BITS) >> MEL_PORT_OBJECT_BITS) == argument;
}

/* Store the command `op` of an object below 256. The upper part of the window's address is hidden from the compiler where
 * the object is no constant, so that it stays one lui. */
MEL_PORT_CALL void mel_port_command(uint32_t op, uint32_t object, uint32_t argument)
{
    mel_port_barrier();
    if (__builtin_constant_p(argument) && mel_port_packs(argument)) {
        *mel_port_at(MEL_PORT_PACKED(op)) = argument << MEL_PORT_OBJECT_BITS | object;
    } else {
        const uint32_t address = (uint32_t)MEL_UNIT_BASE + MEL_COMMAND_OFFSET(op, 0);
        uint32_t upper = (address + 0x800) & ~UINT32_C(0xFFF);
        const uint32_t lower = address - upper;
        if (!__builtin_constant_p(object)) {
            __asm__("" : "+r"(upper));
        }
        *mel_port_at(upper + object * 4 + lower) = argument;
    }
}

/* Store the command `op` of no object. */
MEL_PORT_CALL void mel_port_plain(uint32_t op, uint32_t argument)
{
    mel_port_barrier();
    *mel_port_at(MEL_PORT_PLAIN(op)) = argument;
}

/* The operand of the command that comes next. */
MEL_PORT_CALL void mel_port_operand(uint32_t operand)
{
    *mel_port_at(MEL_PORT_REGISTER(MEL_REG_OPERAND)) = operand;
}

/* The end of a call: its status. */
MEL_PORT_CALL mel_status_t mel_port_answer(void)
{
    const int32_t answer = (int32_t)*mel_port_at(MEL_PORT_ANSWER);
    const mel_status_t status = mel_port_leave(answer);
    mel_port_barrier();
    return status;
}

/* The end of a call that usually leaves the core: its status. */
MEL_PORT_CALL mel_status_t mel_port_left(void)
{
    const mel_status_t status = mel_port_leave_at_once();
    mel_port_barrier();
    return status;
}

/* The end of a call that brings a word, which is written with MEL_E_OK only: its status. */
MEL_PORT_CALL mel_status_t mel_port_answer_value(uint32_t *value)
{
    const mel_status_t status = mel_port_answer();
    if (__builtin_expect(status == MEL_E_OK, 1)) {
        *value = *mel_port_at(MEL_PORT_REGISTER(MEL_REG_VALUE));
    }
    return status;
}

#endif
