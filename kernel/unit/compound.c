/* SPDX-License-Identifier: Apache-2.0 */
/* compound.c: atomic sequences with the hardware unit: commands are asked in the section, and what the last one says is obeyed behind it.
 * Whatever made a dispatch due, a tick too, the answer of any command says so, and then no interrupt does: the unit takes it that whoever loads
 * the answer obeys. A later command is told anew. So the end looks at the last answer again, and nobody else needs to look for that flag. */
#include <melanion/compound.h>

#include "unit/unit.h"

mel_compound_t mel_compound_begin(void)
{
    return mel_unit_lock();
}

/* E_OK, a refusal, or positive: the caller waits. */
static int32_t ask(uint32_t op, mel_id_t id, uint32_t argument)
{
    const int32_t answer = mel_unit_ask(op, id, argument);
    return answer < 0 || (answer & MEL_ANSWER_WAITING) != 0 ? answer : MEL_E_OK;
}

int32_t mel_compound_ask(uint32_t op, mel_id_t id, uint32_t argument, uint32_t operand, uint32_t *value)
{
    switch (op) {
    case MEL_OP_TASK_START: {
        int32_t answer;
        do {
            answer = mel_beyond(id, MEL_TASKS) ? MEL_E_ID : ask(op, id, argument);
        } while (answer == MEL_E_BUSY);
        return answer;
    }
    case MEL_OP_TASK_WAKEUP:
    case MEL_OP_NOTIFICATION_SET:
    case MEL_OP_NOTIFICATION_GIVE:
    case MEL_OP_NOTIFICATION_OVERWRITE:
    case MEL_OP_NOTIFICATION_SEND:
    case MEL_OP_NOTIFICATION_CANCEL: return mel_beyond(id, MEL_TASKS) ? MEL_E_ID : ask(op, id, argument);
    case MEL_OP_SEMAPHORE_GIVE:
    case MEL_OP_SEMAPHORE_TAKE: return ask(op, mel_unit_limit(id), argument);
    case MEL_OP_TASK_SLEEP: return ask(op, 0, argument);
    case MEL_OP_NOTIFICATION_CLEAR:
    case MEL_OP_NOTIFICATION_TAKE:
    case MEL_OP_NOTIFICATION_TAKE_ALL:
    case MEL_OP_QUEUE_SEND:
    case MEL_OP_QUEUE_RECEIVE:
    case MEL_OP_NOTIFICATION_WAIT: {
        mel_unit_operand(operand);
        const int32_t answer = ask(op, mel_unit_limit(id), argument);
        if (answer == MEL_E_OK && value != NULL) {
            *value = MEL_UNIT_REGISTER(MEL_REG_VALUE);
        }
        return answer;
    }
    default: return MEL_E_RSFN;
    }
}

void mel_compound_exclude(void)
{
    mel_core_enter_outer();
}

void mel_compound_admit(void)
{
    mel_core_leave_outer();
}

mel_status_t mel_compound_end(mel_compound_t key, int32_t answer, uint32_t *value)
{
    const int32_t last = (int32_t)*mel_unit_word(MEL_OP_TASK_START, 0);
    mel_unit_unlock(key);
    if (__builtin_expect(last <= 0, 1)) {
        return answer;
    }
    const mel_status_t status = mel_unit_switch();
    if (answer <= 0) {
        return answer;
    }
    if (status == MEL_E_OK && value != NULL) {
        *value = MEL_UNIT_REGISTER(MEL_REG_VALUE);
    }
    return status;
}
