/* SPDX-License-Identifier: Apache-2.0 */
/* notification.c: task notifications of the software kernel. Checks and effects as melanion/model/notification.py. Each call
 * is one critical section; it takes the same time whatever waits elsewhere, but for the timeout of a wait. */
#include "software/call.h"

/* Rest of the value after a task has got its notification (mel_task_t.mode): the bits that it did
 * not ask to clear (not those of mel_task_t.pattern), one less, nothing. */
enum { KEEP_OTHERS, KEEP_REST, KEEP_NONE };

MEL_INLINE uint32_t rest_of(uint32_t value, uint32_t keep, uint32_t clear)
{
    switch (keep) {
    case KEEP_OTHERS: return value & ~clear;
    case KEEP_REST: return value - (value != 0);
    default: return 0;
    }
}

/* The value of a task that is not dormant becomes `value`: released (true), or a notification is pending. */
MEL_INLINE bool notify(mel_task_t *task, uint32_t value)
{
    if (task->held & MEL_HELD_NOTIFICATION) {
        task->word = value;
        task->notification = rest_of(value, task->mode, task->pattern);
        mel_end_wait(task, MEL_E_OK);
        return true;
    }
    task->notification = value;
    task->notified = true;
    return false;
}

/* The end of a call that notifies. */
MEL_INLINE mel_status_t leave(mel_key_t key, bool released, uint32_t op, mel_id_t number, uint32_t argument)
{
    return released ? mel_leave_dispatch(key, op, number, argument) : mel_leave(key, op, number, argument, MEL_E_OK);
}

/* In a call with variables `key` and `number`: declare `task`, which is not dormant, or refuse. */
#define FIND_STARTED(op, argument)                                                                      \
    number = mel_resolve(number);                                                                       \
    MEL_FIND_TASK(number, op, argument);                                                                \
    MEL_REFUSE_WHEN(task->held == MEL_HELD_DORMANT, op, number, argument, MEL_E_OBJ)

mel_status_t mel_notification_set(mel_id_t number, uint32_t bits)
{
    const mel_key_t key = mel_lock();
    FIND_STARTED(MEL_OP_NOTIFICATION_SET, bits);
    return leave(key, notify(task, task->notification | bits), MEL_OP_NOTIFICATION_SET, number, bits);
}

mel_status_t mel_notification_give(mel_id_t number)
{
    const mel_key_t key = mel_lock();
    FIND_STARTED(MEL_OP_NOTIFICATION_GIVE, 0);
    return leave(key, notify(task, task->notification + 1), MEL_OP_NOTIFICATION_GIVE, number, 0);
}

mel_status_t mel_notification_overwrite(mel_id_t number, uint32_t value)
{
    const mel_key_t key = mel_lock();
    FIND_STARTED(MEL_OP_NOTIFICATION_OVERWRITE, value);
    return leave(key, notify(task, value), MEL_OP_NOTIFICATION_OVERWRITE, number, value);
}

mel_status_t mel_notification_send(mel_id_t number, uint32_t value)
{
    const mel_key_t key = mel_lock();
    FIND_STARTED(MEL_OP_NOTIFICATION_SEND, value);
    MEL_REFUSE_WHEN(task->notified, MEL_OP_NOTIFICATION_SEND, number, value, MEL_E_QOVR);
    return leave(key, notify(task, value), MEL_OP_NOTIFICATION_SEND, number, value);
}

mel_status_t mel_notification_do_set(mel_id_t number, uint32_t bits)
{
    mel_task_t *task;
    const mel_status_t found = mel_task_find(number, &task);
    if (found == MEL_E_OK && task->held == MEL_HELD_DORMANT) {
        return MEL_E_OBJ;
    }
    if (found == MEL_E_OK) {
        (void)notify(task, task->notification | bits);
    }
    return found;
}

mel_status_t mel_notification_do_give(mel_id_t number)
{
    mel_task_t *task;
    const mel_status_t found = mel_task_find(number, &task);
    if (found == MEL_E_OK && task->held == MEL_HELD_DORMANT) {
        return MEL_E_OBJ;
    }
    if (found == MEL_E_OK) {
        (void)notify(task, task->notification + 1);
    }
    return found;
}

mel_status_t mel_notification_clear(mel_id_t number, uint32_t bits, uint32_t *before)
{
    const mel_key_t key = mel_lock();
    FIND_STARTED(MEL_OP_NOTIFICATION_CLEAR, bits);
    *before = task->notification;
    task->notification &= ~bits;
    return mel_leave(key, MEL_OP_NOTIFICATION_CLEAR, number, bits, MEL_E_OK);
}

mel_status_t mel_notification_cancel(mel_id_t number)
{
    const mel_key_t key = mel_lock();
    FIND_STARTED(MEL_OP_NOTIFICATION_CANCEL, 0);
    MEL_REFUSE_WHEN(!task->notified, MEL_OP_NOTIFICATION_CANCEL, number, 0, MEL_E_OBJ);
    task->notified = false;
    return mel_leave(key, MEL_OP_NOTIFICATION_CANCEL, number, 0, MEL_E_OK);
}

/* The blocking half of a call; apart, so that the other half is a leaf. */
static __attribute__((noinline)) mel_status_t wait_for(uint32_t op, uint32_t argument, uint32_t keep, uint32_t clear,
                                                       mel_ticks_t timeout, uint32_t *value)
{
    mel_task_t *running = mel_running_task();
    mel_run_queue_remove(running);
    running->notified = false;
    running->mode = (uint8_t)keep;
    running->pattern = clear;
    const mel_status_t status = mel_wait(op, 0, argument, MEL_HELD_NOTIFICATION, timeout);
    if (status == MEL_E_OK) {
        *value = running->word;
    }
    return status;
}

/* The critical section has begun. `op` and `keep` are constant: each of the calls is compiled for its own. */
MEL_INLINE mel_status_t consume(mel_key_t key, uint32_t op, uint32_t argument, uint32_t keep, uint32_t clear,
                                mel_ticks_t timeout, uint32_t *value)
{
    MEL_REFUSE_WHEN(!mel_caller_is_task() || (timeout != MEL_POLL && !mel_caller_may_block()), op, 0, argument, MEL_E_CTX);
    mel_task_t *running = mel_running_task();
    const uint32_t now = running->notification;
    if (keep == KEEP_OTHERS ? running->notified : now != 0) {
        *value = now;
        running->notification = rest_of(now, keep, clear);
        running->notified = false;
        return mel_leave(key, op, 0, argument, MEL_E_OK);
    }
    MEL_REFUSE_WHEN(timeout == MEL_POLL, op, 0, argument, MEL_E_TMOUT);
    return wait_for(op, argument, keep, clear, timeout, value);
}

mel_status_t mel_notification_wait(uint32_t clear, mel_ticks_t timeout, uint32_t *value)
{
    return consume(mel_lock_operand(timeout), MEL_OP_NOTIFICATION_WAIT, clear, KEEP_OTHERS, clear, timeout, value);
}

mel_status_t mel_notification_take(mel_ticks_t timeout, uint32_t *value)
{
    return consume(mel_lock(), MEL_OP_NOTIFICATION_TAKE, timeout, KEEP_REST, 0, timeout, value);
}

mel_status_t mel_notification_take_all(mel_ticks_t timeout, uint32_t *value)
{
    return consume(mel_lock(), MEL_OP_NOTIFICATION_TAKE_ALL, timeout, KEEP_NONE, 0, timeout, value);
}
