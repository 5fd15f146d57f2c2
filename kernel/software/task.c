/* SPDX-License-Identifier: Apache-2.0 */
/* task.c: tasks of the software kernel: made, started, stopped, held, rescheduled. Waiting calls without an object are in
 * time.c. Checks and effects as melanion/model/task.py. Each call is one critical section. */
#include "common/task_argument.h"
#include "software/call.h"
#include "software/mutex.h"

static mel_status_t create(mel_id_t number, const mel_task_attributes_t *attributes, uint32_t argument)
{
    if (!mel_context_valid(attributes)) {
        return MEL_E_PAR;
    }
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(number, MEL_TASKS), MEL_OP_TASK_CREATE, number, argument, MEL_E_ID);
    const uint32_t priority = argument == UINT32_MAX ? argument : argument & MEL_FIELD_TASK_CREATE_PRIORITY_MASK;
    MEL_REFUSE_WHEN(priority >= MEL_PRIORITIES, MEL_OP_TASK_CREATE, number, argument, MEL_E_PAR);
    mel_task_t *task = &mel_tasks[number];
    MEL_REFUSE_WHEN((task->held & MEL_HELD_ABSENT) == 0, MEL_OP_TASK_CREATE, number, argument, MEL_E_OBJ);
    mel_context_describe(&task->context, attributes);
    task->held = MEL_HELD_DORMANT;
    mel_run_queue_affine(task, argument >> MEL_FIELD_TASK_CREATE_CORE_LSB);
    task->priority = task->base_priority = task->initial_priority = (uint8_t)priority;
    task->wakeups = 0;
    return mel_leave(key, MEL_OP_TASK_CREATE, number, argument, MEL_E_OK);
}

mel_status_t mel_task_create(mel_id_t number, const mel_task_attributes_t *attributes)
{
    return create(number, attributes, mel_task_argument(attributes->priority));
}

mel_status_t mel_task_create_on(mel_id_t number, const mel_task_attributes_t *attributes, uint32_t core)
{
    return create(number, attributes, mel_task_argument_on(attributes->priority, core));
}

mel_status_t mel_task_delete(mel_id_t number)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_hold & MEL_HOLD_HANDLER, MEL_OP_TASK_DELETE, number, 0, MEL_E_CTX);
    MEL_FIND_TASK(number, MEL_OP_TASK_DELETE, 0);
    MEL_REFUSE_WHEN(task->held != MEL_HELD_DORMANT || !mel_run_queue_left(task), MEL_OP_TASK_DELETE, number, 0, MEL_E_OBJ);
    task->held = MEL_HELD_ABSENT;
    return mel_leave(key, MEL_OP_TASK_DELETE, number, 0, MEL_E_OK);
}

mel_status_t mel_task_start(mel_id_t number)
{
    const mel_key_t key = mel_lock();
    MEL_FIND_TASK(number, MEL_OP_TASK_START, 0);
    MEL_REFUSE_WHEN(task->held != MEL_HELD_DORMANT, MEL_OP_TASK_START, number, 0, MEL_E_OBJ);
    mel_unhold(task, MEL_HELD_DORMANT);
    return mel_leave_dispatch(key, MEL_OP_TASK_START, number, 0);
}

/* Out of any wait, a mutex included. */
static inline void leave_any_wait(mel_task_t *task)
{
    mel_leave_wait(task);
    if (task->held & MEL_HELD_MUTEX) {
        mel_mutex_left(task);
    }
}

/* Any state but absent to dormant. Its mutexes are left to the caller. */
static void stop(mel_task_t *task)
{
    if (task->held == 0) {
        mel_run_queue_remove(task);
    } else {
        leave_any_wait(task);
    }
    task->held = MEL_HELD_DORMANT;
    task->priority = task->base_priority = task->initial_priority;
    task->wakeups = 0;
    task->notification = 0;
    task->notified = false;
    mel_core_ended(&task->context);
}

mel_status_t mel_task_exit(void)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(!mel_caller_is_task(), MEL_OP_TASK_EXIT, 0, 0, MEL_E_CTX);
    mel_task_t *task = mel_running_task();
    stop(task);
    MEL_TRACE_STORE(MEL_TRACE_COMMAND, MEL_TRACE_OP(MEL_OP_TASK_EXIT), 0, 0, MEL_E_OK, mel_hold, 0);
    if (mel_mutex_owner(task)) {
        mel_mutex_orphan(task);
    }
    mel_context_leave(&mel_run_queue_first(0)->context, &task->context);
}

mel_status_t mel_task_terminate(mel_id_t number)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_hold & MEL_HOLD_HANDLER, MEL_OP_TASK_TERMINATE, number, 0, MEL_E_CTX);
    MEL_FIND_TASK(number, MEL_OP_TASK_TERMINATE, 0);
    MEL_REFUSE_WHEN(task == mel_running_task(), MEL_OP_TASK_TERMINATE, number, 0, MEL_E_ILUSE);
    MEL_REFUSE_WHEN(mel_run_queue_kept(task), MEL_OP_TASK_TERMINATE, number, 0, MEL_E_CTX);
    MEL_REFUSE_WHEN(task->held == MEL_HELD_DORMANT, MEL_OP_TASK_TERMINATE, number, 0, MEL_E_OBJ);
    stop(task);
    if (mel_mutex_owner(task)) {
        MEL_TRACE_STORE(MEL_TRACE_COMMAND, MEL_TRACE_OP(MEL_OP_TASK_TERMINATE), number, 0, MEL_E_OK, task->state,
                        MEL_HELD_DORMANT);
        mel_mutex_orphan(task);
        return mel_leave_reported(key);
    }
    return mel_leave_dispatch(key, MEL_OP_TASK_TERMINATE, number, 0);
}

mel_status_t mel_task_suspend(mel_id_t number)
{
    const mel_key_t key = mel_lock();
    number = mel_resolve(number);
    MEL_FIND_TASK(number, MEL_OP_TASK_SUSPEND, 0);
    MEL_REFUSE_WHEN(mel_run_queue_kept(task), MEL_OP_TASK_SUSPEND, number, 0, MEL_E_CTX);
    MEL_REFUSE_WHEN(task->held == MEL_HELD_DORMANT, MEL_OP_TASK_SUSPEND, number, 0, MEL_E_OBJ);
    MEL_REFUSE_WHEN(task->held & MEL_HELD_SUSPENDED, MEL_OP_TASK_SUSPEND, number, 0, MEL_E_QOVR);
    if (task->held == 0) {
        mel_run_queue_remove(task);
    }
    task->held |= MEL_HELD_SUSPENDED;
    return mel_leave_dispatch(key, MEL_OP_TASK_SUSPEND, number, 0);
}

mel_status_t mel_task_resume(mel_id_t number)
{
    const mel_key_t key = mel_lock();
    MEL_FIND_TASK(number, MEL_OP_TASK_RESUME, 0);
    MEL_REFUSE_WHEN((task->held & MEL_HELD_SUSPENDED) == 0, MEL_OP_TASK_RESUME, number, 0, MEL_E_OBJ);
    mel_unhold(task, MEL_HELD_SUSPENDED);
    return mel_leave_dispatch(key, MEL_OP_TASK_RESUME, number, 0);
}

mel_status_t mel_task_set_priority(mel_id_t number, mel_priority_t priority)
{
    const mel_key_t key = mel_lock();
    number = mel_resolve(number);
    MEL_REFUSE_WHEN(mel_beyond(number, MEL_TASKS), MEL_OP_TASK_SET_PRIORITY, number, priority, MEL_E_ID);
    MEL_REFUSE_WHEN(priority >= MEL_PRIORITIES, MEL_OP_TASK_SET_PRIORITY, number, priority, MEL_E_PAR);
    MEL_FIND_TASK(number, MEL_OP_TASK_SET_PRIORITY, priority);
    MEL_REFUSE_WHEN(task->held == MEL_HELD_DORMANT, MEL_OP_TASK_SET_PRIORITY, number, priority, MEL_E_OBJ);
    const uint32_t before = task->priority;
    task->base_priority = (uint8_t)priority;
    mel_requeue(task, mel_mutex_owner(task) ? mel_mutex_effective(task) : priority, false);
    if (task->held & MEL_HELD_MUTEX) {
        mel_mutex_moved(task, before);
    }
    if (task == mel_running_task()) {
        return mel_leave_turn(key, MEL_OP_TASK_SET_PRIORITY, number, priority);
    }
    return mel_leave_dispatch(key, MEL_OP_TASK_SET_PRIORITY, number, priority);
}

mel_status_t mel_task_rotate(mel_priority_t priority)
{
    const mel_key_t key = mel_lock();
    uint32_t line = priority;
    if (priority == MEL_OWN_PRIORITY) {
        MEL_REFUSE_WHEN(!mel_caller_is_task(), MEL_OP_TASK_ROTATE, 0, priority, MEL_E_CTX);
        line = mel_running_task()->priority;
    }
    MEL_REFUSE_WHEN(line >= MEL_PRIORITIES, MEL_OP_TASK_ROTATE, 0, priority, MEL_E_PAR);
    mel_run_queue_rotate(line);
    if (line == mel_running_task()->priority && mel_running_task() != MEL_IDLE) {
        return mel_leave_turn(key, MEL_OP_TASK_ROTATE, 0, priority);
    }
    return mel_leave_dispatch(key, MEL_OP_TASK_ROTATE, 0, priority);
}

mel_status_t mel_task_yield(void)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(!mel_caller_is_task(), MEL_OP_TASK_ROTATE, 0, MEL_OWN_PRIORITY, MEL_E_CTX);
    mel_run_queue_rotate(mel_running_task()->priority);
    return mel_leave_turn(key, MEL_OP_TASK_ROTATE, 0, MEL_OWN_PRIORITY);
}

static mel_status_t end_wait_by_force(mel_task_t *task)
{
    if (mel_hold & MEL_HOLD_SETTING) { /* it may be among those that are released already */
        mel_flags_settle();
    }
    if ((task->held & MEL_HELD_WAITING) == 0) {
        return MEL_E_OBJ;
    }
    leave_any_wait(task);
    task->context.result = MEL_E_RLWAI;
    mel_unhold(task, MEL_HELD_WAITING);
    return MEL_E_OK;
}

mel_status_t mel_task_release(mel_id_t number)
{
    const mel_key_t key = mel_lock();
    MEL_FIND_TASK(number, MEL_OP_TASK_RELEASE, 0);
    const mel_status_t status = end_wait_by_force(task);
    MEL_REFUSE_WHEN(status != MEL_E_OK, MEL_OP_TASK_RELEASE, number, 0, status);
    return mel_leave_dispatch(key, MEL_OP_TASK_RELEASE, number, 0);
}

static inline mel_status_t wake(mel_task_t *task)
{
    if (task->held & MEL_HELD_SLEEP) {
        mel_end_wait(task, MEL_E_OK);
        return MEL_E_OK;
    }
    if (task->held == MEL_HELD_DORMANT) {
        return MEL_E_OBJ;
    }
    if (task->wakeups == MEL_WAKEUPS_LIMIT) {
        return MEL_E_QOVR;
    }
    task->wakeups++;
    return MEL_E_OK;
}

mel_status_t mel_task_wakeup(mel_id_t number)
{
    const mel_key_t key = mel_lock();
    number = mel_resolve(number);
    MEL_FIND_TASK(number, MEL_OP_TASK_WAKEUP, 0);
    const mel_status_t status = wake(task);
    MEL_REFUSE_WHEN(status != MEL_E_OK, MEL_OP_TASK_WAKEUP, number, 0, status);
    return mel_leave_dispatch(key, MEL_OP_TASK_WAKEUP, number, 0);
}

mel_status_t mel_task_do_wakeup(mel_id_t number)
{
    mel_task_t *task;
    const mel_status_t found = mel_task_find(number, &task);
    return found == MEL_E_OK ? wake(task) : found;
}

mel_status_t mel_task_do_release(mel_id_t number)
{
    mel_task_t *task;
    const mel_status_t found = mel_task_find(number, &task);
    return found == MEL_E_OK ? end_wait_by_force(task) : found;
}

mel_status_t mel_task_query(mel_id_t number, mel_task_info_t *info)
{
    const mel_key_t key = mel_lock();
    mel_task_t *task;
    const mel_status_t found = mel_task_find(mel_resolve(number), &task);
    if (found == MEL_E_OK) {
        const uint32_t held = task->held;
        const bool suspended = (held & MEL_HELD_SUSPENDED) != 0;
        info->priority = task->priority;
        info->wakeups = task->wakeups;
        info->notified = task->notified;
        info->state = held == 0                  ? mel_run_queue_runs(task) ? MEL_TASK_STATE_RUNNING : MEL_TASK_STATE_READY
                      : held == MEL_HELD_DORMANT ? MEL_TASK_STATE_DORMANT
                      : held & MEL_HELD_WAITING  ? suspended ? MEL_TASK_STATE_WAITING_SUSPENDED : MEL_TASK_STATE_WAITING
                                                 : MEL_TASK_STATE_SUSPENDED;
    }
    mel_unlock(key);
    return found;
}
