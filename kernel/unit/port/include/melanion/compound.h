/* SPDX-License-Identifier: Apache-2.0 */
/* compound.h: on the coupling `port`: the interface of kernel/include/melanion/compound.h, inline on one core: what a step costs is also for how long interrupts are
 * off. An op that is no constant goes to the function of the library, and so does everything on several cores. */
#ifndef MELANION_PORT_COMPOUND_H
#define MELANION_PORT_COMPOUND_H

#include_next <melanion/compound.h>

#include <mel_port.h>

#if MEL_CORES == 1

/* The library's function. */
int32_t mel_port_library_ask(uint32_t op, mel_id_t id, uint32_t argument, uint32_t operand, uint32_t *value) __asm__("mel_compound_ask");

MEL_PORT_CALL mel_compound_t mel_compound_begin(void)
{
    mel_compound_t key;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(key) : : "memory");
    return key;
}

/* E_OK, a refusal, or positive: the caller waits. */
MEL_PORT_CALL int32_t mel_port_asked(void)
{
    const int32_t answer = (int32_t)*mel_port_at(MEL_PORT_ANSWER);
    mel_port_barrier();
    return answer < 0 || (answer & MEL_ANSWER_WAITING) != 0 ? answer : MEL_E_OK;
}

MEL_PORT_CALL int32_t mel_port_asked_value(uint32_t *value)
{
    const int32_t answer = mel_port_asked();
    if (answer == MEL_E_OK && value != NULL) {
        *value = *mel_port_at(MEL_PORT_REGISTER(MEL_REG_VALUE));
    }
    return answer;
}

/* Commands of the caller itself, which name no object. */
MEL_PORT_CALL _Bool mel_port_own(uint32_t op)
{
    return op == MEL_OP_TASK_SLEEP || op == MEL_OP_NOTIFICATION_TAKE || op == MEL_OP_NOTIFICATION_TAKE_ALL || op == MEL_OP_NOTIFICATION_WAIT;
}

MEL_PORT_CALL int32_t mel_compound_ask(uint32_t op, mel_id_t id, uint32_t argument, uint32_t operand, uint32_t *value)
{
    if (__builtin_constant_p(op) && mel_port_own(op)) {
        if (op == MEL_OP_NOTIFICATION_WAIT) {
            mel_port_operand(operand);
        }
        mel_port_plain(op, argument);
        return op == MEL_OP_TASK_SLEEP ? mel_port_asked() : mel_port_asked_value(value);
    }
    if (__builtin_constant_p(op) && (op == MEL_OP_SEMAPHORE_GIVE || op == MEL_OP_SEMAPHORE_TAKE)) {
        mel_port_command(op, mel_port_limit(id), argument);
        return mel_port_asked();
    }
    if (!__builtin_constant_p(op) || op == MEL_OP_QUEUE_SEND || op == MEL_OP_QUEUE_RECEIVE || !mel_port_numbers(id)) {
        return mel_port_library_ask(op, id, argument, operand, value);
    }
    mel_port_command(op, id, argument);
    return op == MEL_OP_NOTIFICATION_CLEAR ? mel_port_asked_value(value) : mel_port_asked();
}

/* The last answer again: whatever made a dispatch due, it says so (kernel/unit/compound.c). */
MEL_PORT_CALL mel_status_t mel_compound_end(mel_compound_t key, int32_t answer, uint32_t *value)
{
    const int32_t last = (int32_t)*mel_port_at(MEL_PORT_ANSWER);
    __asm__ volatile("csrs mstatus, %0" : : "r"(key) : "memory");
    if (__builtin_expect(last <= 0, 1)) {
        return answer;
    }
    const mel_status_t status = mel_port_leave(last);
    mel_port_barrier();
    if (answer <= 0) {
        return answer;
    }
    if (status == MEL_E_OK && value != NULL) {
        *value = *mel_port_at(MEL_PORT_REGISTER(MEL_REG_VALUE));
    }
    return status;
}

#endif
#endif
