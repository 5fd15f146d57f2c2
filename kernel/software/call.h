/* SPDX-License-Identifier: Apache-2.0 */
/* call.h: how a kernel call ends: it returns, it gives way to a more urgent task, or it waits. Each reports the command to
 * the trace at its last instruction inside the critical section. All inline, so that a call which does not switch is a leaf. */
#ifndef MEL_SOFTWARE_CALL_H
#define MEL_SOFTWARE_CALL_H

#include "software/run_queue/run_queue.h"
#include "software/wait_queue/wait_queue.h"
#include "software/timeouts.h"
#include "software/state.h"

#define MEL_INLINE static inline __attribute__((always_inline))

/* mel_lock of a call that has an operand. */
MEL_INLINE mel_key_t mel_lock_operand(uint32_t operand)
{
    mel_key_t key;
    MEL_TRACE_OPERAND_AT(MEL_LOCK_TEXT, key, operand);
    return key;
}

/* End the critical section and return `status`. */
MEL_INLINE mel_status_t mel_leave(mel_key_t key, uint32_t op, mel_id_t id, uint32_t argument, mel_status_t status)
{
    MEL_TRACE_COMMAND_AT(MEL_UNLOCK_TEXT, key, op, id, argument, status);
    return status;
}

/* In a call with a variable `key`: refuse when a check fails. */
#define MEL_REFUSE_WHEN(condition, op, id, argument, status)          \
    do {                                                              \
        if (condition) {                                              \
            return mel_leave(key, op, id, argument, status);          \
        }                                                             \
    } while (0)

/* In a call with a variable `key`: declare `task`, the task `number`, or refuse. */
#define MEL_FIND_TASK(number, op, argument)                           \
    mel_task_t *task;                                                 \
    const mel_status_t found = mel_task_find(number, &task);          \
    MEL_REFUSE_WHEN(found != MEL_E_OK, op, number, argument, found)

/* Return E_OK; before that, another task may run. */
MEL_INLINE mel_status_t mel_leave_dispatch(mel_key_t key, uint32_t op, mel_id_t id, uint32_t argument)
{
    mel_task_t *next = mel_run_queue_first(mel_hold);
    mel_task_t *running = mel_running_task();
    if (mel_run_queue_stays(next, running) || mel_hold != 0) {
        return mel_leave(key, op, id, argument, MEL_E_OK);
    }
    MEL_TRACE_STORE(MEL_TRACE_COMMAND, MEL_TRACE_OP(op), id, argument, MEL_E_OK, running->context.result, MEL_E_OK);
    return mel_context_switch(&next->context, &running->context);
}

/* The end of a call in which the running task went behind the others of its priority, and goes on: it is the first of them again, or may not be dispatched. */
static __attribute__((noinline, unused)) mel_status_t mel_keep_core(mel_key_t key, uint32_t op, mel_id_t id, uint32_t argument)
{
    mel_task_t *running = mel_running_task();
    MEL_TRACE_STORE(MEL_TRACE_COMMAND, MEL_TRACE_OP(op), id, argument, MEL_E_OK, running->state, mel_slice_lost());
    if (mel_hold == 0) {
        MEL_TRACE_STORE(MEL_TRACE_TURN, running->context.number, 0, 0, 0, running->state, 0);
    }
    mel_unlock(key);
    return MEL_E_OK;
}

/* Return E_OK from a call in which the running task went behind the others of its priority; before that, another may run. */
MEL_INLINE mel_status_t mel_leave_turn(mel_key_t key, uint32_t op, mel_id_t id, uint32_t argument)
{
    mel_task_t *next = mel_run_queue_first(mel_hold);
    mel_task_t *running = mel_running_task();
    if (mel_run_queue_stays(next, running) || mel_hold != 0) {
        return mel_keep_core(key, op, id, argument);
    }
    running->state = 0; /* another slice */
    MEL_TRACE_STORE(MEL_TRACE_COMMAND, MEL_TRACE_OP(op), id, argument, MEL_E_OK, running->context.result, MEL_E_OK);
    return mel_context_switch(&next->context, &running->context);
}

/* Return E_OK from a call that is reported already; before that, another task may run. */
MEL_INLINE mel_status_t mel_leave_reported(mel_key_t key)
{
    mel_task_t *next = mel_run_queue_first(mel_hold);
    mel_task_t *running = mel_running_task();
    if (mel_run_queue_stays(next, running) || mel_hold != 0) {
        mel_unlock(key);
        return MEL_E_OK;
    }
    running->context.result = MEL_E_OK;
    return mel_context_switch(&next->context, &running->context);
}

/* The running task, which is in no ready list any more, waits, held by `held`, for at most `timeout` ticks, not 0; returns the
 * result of the wait. */
MEL_INLINE mel_status_t mel_wait(uint32_t op, mel_id_t id, uint32_t argument, uint32_t held, mel_ticks_t timeout)
{
    mel_task_t *running = mel_running_task();
    if (timeout != MEL_FOREVER) {
        mel_timeout_start(running, timeout);
    }
    MEL_TRACE_STORE(MEL_TRACE_COMMAND, MEL_TRACE_OP(op), id, argument, MEL_ANSWER_WAITING, running->state, held);
    return mel_context_switch(&mel_run_queue_first(0)->context, &running->context);
}

/* Priorities that the search for a place in a wait list passes before it opens a window. */
#define MEL_WAIT_NEAR 4

/* Place of a task of `priority` in a wait list; NULL: an interrupt came in the window, and whatever was true before may have changed. */
MEL_INLINE mel_link_t *mel_wait_search(mel_wait_list_t *list, uint32_t priority, mel_key_t key)
{
    mel_link_t *at = mel_wait_begin(list);
    for (uint32_t i = 0; i < MEL_WAIT_NEAR; i++) {
        if (!mel_wait_passes(list, at, priority)) {
            return at;
        }
        at = mel_wait_further(at);
    }
    mel_window_open(key);
    while (mel_wait_passes(list, at, priority) && mel_window_quiet()) {
        at = mel_wait_further(at);
    }
    mel_window_shut();
    return mel_window_quiet() ? at : NULL;
}

/* A task gets another priority and goes to its place, ready or waiting: behind its equals; with `first`, a ready one before
 * them. The owner of the mutex that it waits for is not told. */
MEL_INLINE void mel_requeue(mel_task_t *task, uint32_t priority, bool first)
{
    if (task->held == 0) {
        mel_run_queue_requeue(task, priority, first);
    } else if (task->held & MEL_HELD_LISTED) {
        mel_wait_list_t *list = task->list;
        mel_wait_remove(task);
        task->priority = (uint8_t)priority;
        mel_wait_insert(list, task);
    } else {
        task->priority = (uint8_t)priority;
    }
}

/* Out of the wait list and the timeouts. For one that waits for a mutex call mel_mutex_left then. */
MEL_INLINE void mel_leave_wait(mel_task_t *task)
{
    if (task->held & MEL_HELD_LISTED) {
        mel_wait_remove(task);
    }
    mel_timeout_cancel(task);
}

/* No longer held by `reasons`; ready when that was all. */
MEL_INLINE void mel_unhold(mel_task_t *task, uint32_t reasons)
{
    const uint32_t held = task->held & ~reasons;
    task->state = held;
    if (held == 0) {
        mel_run_queue_insert(task);
    }
}

/* The wait of a task ends with `result`; it becomes ready unless it is suspended. */
MEL_INLINE void mel_end_wait(mel_task_t *task, mel_status_t result)
{
    mel_leave_wait(task);
    task->context.result = result;
    mel_unhold(task, MEL_HELD_WAITING);
}

/* A waiting task leaves after the command that ended its wait. */
MEL_INLINE void mel_release_waiter(mel_task_t *task, mel_status_t result)
{
    mel_wait_remove(task);
    mel_timeout_cancel(task);
    MEL_TRACE_STORE(MEL_TRACE_RELEASE, task->context.number, 0, 0, result, task->context.result, result);
    mel_unhold(task, MEL_HELD_WAITING);
}

/* The object of a wait list is deleted: its tasks leave, the most urgent first. */
MEL_INLINE void mel_release_all(mel_wait_list_t *list)
{
    mel_task_t *task;
    while ((task = mel_wait_first(list)) != NULL) {
        mel_release_waiter(task, MEL_E_DLT);
    }
}

#endif
