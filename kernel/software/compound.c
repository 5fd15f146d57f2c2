/* SPDX-License-Identifier: Apache-2.0 */
/* compound.c: atomic sequences of the software kernel. Sections nest: the calls lock again, and the inner unlock leaves interrupts off. A call that runs
 * another task does so inside the ask; that one has interrupts on, and so has the caller afterwards. */
#include <melanion/compound.h>
#include <melanion/melanion.h>

#include "software/lock/lock.h"

mel_compound_t mel_compound_begin(void)
{
    return mel_section_begin();
}

int32_t mel_compound_ask(uint32_t op, mel_id_t id, uint32_t argument, uint32_t operand, uint32_t *value)
{
    switch (op) {
    case MEL_OP_TASK_START: return mel_task_start(id);
    case MEL_OP_QUEUE_SEND: return mel_queue_send(id, argument, operand);
    case MEL_OP_QUEUE_RECEIVE: return mel_queue_receive(id, argument, value);
    case MEL_OP_TASK_SLEEP: return mel_task_sleep(argument);
    case MEL_OP_TASK_WAKEUP: return mel_task_wakeup(id);
    case MEL_OP_SEMAPHORE_GIVE: return mel_sem_give(id);
    case MEL_OP_SEMAPHORE_TAKE: return mel_sem_take(id, argument);
    case MEL_OP_NOTIFICATION_SET: return mel_notification_set(id, argument);
    case MEL_OP_NOTIFICATION_GIVE: return mel_notification_give(id);
    case MEL_OP_NOTIFICATION_OVERWRITE: return mel_notification_overwrite(id, argument);
    case MEL_OP_NOTIFICATION_SEND: return mel_notification_send(id, argument);
    case MEL_OP_NOTIFICATION_CLEAR: return mel_notification_clear(id, argument, value);
    case MEL_OP_NOTIFICATION_CANCEL: return mel_notification_cancel(id);
    case MEL_OP_NOTIFICATION_WAIT: return mel_notification_wait(argument, operand, value);
    case MEL_OP_NOTIFICATION_TAKE: return mel_notification_take(argument, value);
    case MEL_OP_NOTIFICATION_TAKE_ALL: return mel_notification_take_all(argument, value);
    default: return MEL_E_RSFN;
    }
}

void mel_compound_exclude(void)
{
    mel_outer_take();
}

void mel_compound_admit(void)
{
    mel_outer_free();
}

mel_status_t mel_compound_end(mel_compound_t key, int32_t answer, uint32_t *value)
{
    (void)value; /* the ask has written it */
    mel_section_end(key);
    return answer;
}
