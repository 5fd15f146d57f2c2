/* SPDX-License-Identifier: Apache-2.0 */
/* compound.c: atomic sequences with queues in C, notifications and tasks in the unit. As with objects in the unit (unit/compound.c) the end looks at
 * the last answer of the unit again, because that one tells of a dispatch that is due. */
#include <melanion/compound.h>

#include "unit/objects.h"

/* Besides the bits of the unit: the caller waits for a queue, of which the unit knows nothing. */
#define WAITS_FOR_QUEUE 0x100

mel_compound_t mel_compound_begin(void)
{
    return mel_unit_lock();
}

/* E_OK, a refusal, or positive: the caller waits. */
static int32_t without_dispatch(int32_t answer)
{
    return answer < 0 || (answer & MEL_ANSWER_WAITING) != 0 ? answer : MEL_E_OK;
}

static int32_t of_queue(int32_t answer)
{
    const int32_t kept = without_dispatch(answer);
    return kept > 0 ? kept | WAITS_FOR_QUEUE : kept;
}

int32_t mel_compound_ask(uint32_t op, mel_id_t id, uint32_t argument, uint32_t operand, uint32_t *value)
{
    switch (op) {
    case MEL_OP_TASK_START: {
        if (mel_beyond(id, MEL_TASKS)) {
            return MEL_E_ID;
        }
        const int32_t answer = mel_unit_ask(op, id, argument);
        if (answer >= 0) {
            mel_objects_asked(op, id, argument);
        }
        return without_dispatch(answer);
    }
    case MEL_OP_TASK_SLEEP: return without_dispatch(mel_unit_ask(op, 0, argument));
    case MEL_OP_TASK_WAKEUP:
    case MEL_OP_NOTIFICATION_SET:
    case MEL_OP_NOTIFICATION_GIVE:
    case MEL_OP_NOTIFICATION_OVERWRITE:
    case MEL_OP_NOTIFICATION_SEND:
    case MEL_OP_NOTIFICATION_CANCEL:
        return mel_beyond(id, MEL_TASKS) ? MEL_E_ID : without_dispatch(mel_unit_ask(op, id, argument));
    case MEL_OP_NOTIFICATION_CLEAR:
    case MEL_OP_NOTIFICATION_TAKE:
    case MEL_OP_NOTIFICATION_TAKE_ALL:
    case MEL_OP_NOTIFICATION_WAIT: {
        mel_unit_operand(operand);
        const int32_t answer = without_dispatch(mel_unit_ask(op, mel_unit_limit(id), argument));
        if (answer == MEL_E_OK && value != NULL) {
            *value = MEL_UNIT_REGISTER(MEL_REG_VALUE);
        }
        return answer;
    }
    case MEL_OP_QUEUE_SEND:
        mel_objects_report_operand(operand);
        return of_queue(mel_objects_queue_send(id, argument, operand));
    case MEL_OP_QUEUE_RECEIVE: {
        uint32_t unused;
        return of_queue(mel_objects_queue_receive(id, argument, value != NULL ? value : &unused));
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
    if (answer <= 0) {
        (void)mel_unit_switch();
        return answer;
    }
    const bool queue = (answer & WAITS_FOR_QUEUE) != 0;
    const mel_status_t status = queue ? mel_objects_switch(answer) : mel_unit_switch();
    if (status == MEL_E_OK && value != NULL) {
        *value = queue ? mel_objects_self()->word : MEL_UNIT_REGISTER(MEL_REG_VALUE);
    }
    return status;
}
