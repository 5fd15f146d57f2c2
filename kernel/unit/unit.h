/* SPDX-License-Identifier: Apache-2.0 */
/* unit.h: kernel calls as commands of the hardware unit.
 * The cut is above everything: one call is one store (address = command and object, data = argument) and one load (the
 * answer). The unit checks, decides and keeps time; C only moves registers when the answer says that another task runs.
 * Timing without a switch: lui, sh2add, sw, lw, one branch and the return; the load waits for the unit. */
#ifndef MEL_UNIT_UNIT_H
#define MEL_UNIT_UNIT_H

#include <melanion/melanion.h>

#include "common/number.h"
#include "unit/coupling.h"
#include "common/context.h"
#include "common/current/current.h"
#include "common/cores/cores.h"

#define MEL_UNIT_REGISTER(offset) (*(volatile uint32_t *)(uint32_t)MEL_COUPLING_REGISTER(offset))

/* One per task, and one for idle (of core 0). */
extern mel_context_t mel_contexts[MEL_TASKS + 1];

/* Leave the core to the task that the unit has chosen, after an answer said so (the interface `coupling`). Returns, when the caller runs
 * again, its answer. Interrupts on, before and after. */
mel_status_t mel_unit_switch(void);

/* Object numbers are 8 bits in the address of a command. Larger ones become 255, which the unit refuses in the right
 * order of checks; only with 256 tasks is 255 a task. */
static inline mel_id_t mel_unit_limit(mel_id_t id)
{
    return id < 255 ? id : 255;
}

/* The command word of `op` and object `id`. The upper part of the address is hidden from the compiler, so that it stays one
 * lui, and the lower part becomes the offset of the store and of the load. */
static inline volatile uint32_t *mel_unit_word(uint32_t op, mel_id_t id)
{
    const uint32_t address = (uint32_t)MEL_UNIT_BASE + MEL_COMMAND_OFFSET(op, 0);
    uint32_t upper = (address + 0x800) & ~UINT32_C(0xFFF);
    const uint32_t lower = address - upper;
    __asm__("" : "+r"(upper));
    return (volatile uint32_t *)(upper + id * 4 + lower);
}

/* Store a command and load its answer: status, or a positive number when another task should run. */
static inline int32_t mel_unit_ask(uint32_t op, mel_id_t id, uint32_t argument)
{
    volatile uint32_t *word = mel_unit_word(op, id);
    *word = argument;
    return (int32_t)*word;
}

/* … until it is not E_BUSY: the unit does first what an earlier deletion, or an earlier end of a task, has left. Whoever has interrupts on takes
 * them meanwhile. */
static inline int32_t mel_unit_ask_again(uint32_t op, mel_id_t id, uint32_t argument)
{
    int32_t answer;
    do {
        answer = mel_unit_ask(op, id, argument);
    } while (answer == MEL_E_BUSY);
    return answer;
}

/* The operand of the next command of this context. Other contexts have words of their own, so an interrupt between this
 * store and the command needs no care. */
static inline void mel_unit_operand(uint32_t operand)
{
    MEL_UNIT_REGISTER(MEL_REG_OPERAND) = operand;
}

/* The answer when the priorities that the command changes have followed; interrupts that are on come meanwhile. */
static inline int32_t mel_unit_settled(int32_t answer)
{
    while (answer > 0 && (answer & MEL_ANSWER_UNSETTLED) != 0) {
        answer = (int32_t)*mel_unit_word(MEL_OP_TASK_START, 0); /* any address of the commands */
    }
    return answer;
}

/* The status of a call with this answer, which is followed when it says that another task runs. */
static inline mel_status_t mel_unit_follow(int32_t answer)
{
    return __builtin_expect(answer > 0, 0) ? mel_unit_switch() : answer;
}

/* One kernel call. `id` is limited. */
static inline mel_status_t mel_unit_call(uint32_t op, mel_id_t id, uint32_t argument)
{
    return mel_unit_follow(mel_unit_ask(op, id, argument));
}

/* A call by a command that may be answered E_BUSY. */
static inline mel_status_t mel_unit_call_again(uint32_t op, mel_id_t id, uint32_t argument)
{
    return mel_unit_follow(mel_unit_ask_again(op, id, argument));
}

/* One kernel call that brings a word, which is written with E_OK only. `id` is limited. */
static inline mel_status_t mel_unit_call_value(uint32_t op, mel_id_t id, uint32_t argument, uint32_t *value)
{
    const int32_t answer = mel_unit_ask(op, id, argument);
    if (__builtin_expect(answer != MEL_E_OK, 0)) {
        const mel_status_t status = answer > 0 ? mel_unit_switch() : answer;
        if (status != MEL_E_OK) {
            return status;
        }
    }
    *value = MEL_UNIT_REGISTER(MEL_REG_VALUE);
    return MEL_E_OK;
}

/* Commands on a task that may change the priorities of others. */
static inline bool mel_unit_moves(uint32_t op)
{
    return op == MEL_OP_TASK_SET_PRIORITY || op == MEL_OP_TASK_RELEASE || op == MEL_OP_TASK_TERMINATE;
}

/* One kernel call on a task. */
static inline mel_status_t mel_unit_call_task(uint32_t op, mel_id_t task, uint32_t argument)
{
    if (MEL_TASKS > 255 && task > 255) {
        return MEL_E_ID;
    }
    const int32_t answer = mel_unit_ask(op, MEL_TASKS > 255 ? task : mel_unit_limit(task), argument);
    return mel_unit_follow(mel_unit_moves(op) ? mel_unit_settled(answer) : answer);
}

/* Interrupts off, and the other cores kept out, while C and the unit must agree on a task's context. */
static inline uint32_t mel_unit_lock(void)
{
    uint32_t key;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(key) : : "memory");
    mel_core_enter();
    return key;
}

static inline void mel_unit_unlock(uint32_t key)
{
    mel_core_leave();
    __asm__ volatile("csrs mstatus, %0" : : "r"(key) : "memory");
}

/* The caller is a handler: it runs on their stack. */
bool mel_unit_in_handler(void);

/* MEL_SELF becomes the caller's number, in a task. */
static inline mel_id_t mel_unit_resolve(mel_id_t task)
{
    return __builtin_expect(task == MEL_SELF, 0) && !mel_unit_in_handler() ? mel_core_running()->number : task;
}

#endif
