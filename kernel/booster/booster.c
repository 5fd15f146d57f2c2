/* SPDX-License-Identifier: Apache-2.0 */
/* booster.c: what objects in C know of tasks, and how a wait for one ends. */
#include "unit/objects.h"

mel_task_t mel_objects_tasks[MEL_TASKS + 1] = {[MEL_TASKS] = {.held = MEL_HELD_IDLE}};

/* Its priority has changed: behind the others of it, if it waits. */
static void move(mel_task_t *task, uint32_t priority)
{
    mel_link_t *list = task->list;
    if (list != NULL) {
        mel_wait_remove(task);
    }
    task->priority = (uint8_t)priority;
    if (list != NULL) {
        mel_wait_insert(list, task);
    }
}

void mel_objects_asked(uint32_t op, mel_id_t number, uint32_t argument)
{
    mel_task_t *task = &mel_objects_tasks[number];
    switch (op) {
    case MEL_OP_TASK_CREATE:
        task->initial_priority = (uint8_t)(argument >> MEL_FIELD_TASK_CREATE_PRIORITY_LSB & MEL_FIELD_TASK_CREATE_PRIORITY_MASK);
        break;
    case MEL_OP_TASK_START:
        task->priority = task->initial_priority;
        task->held = 0;
        break;
    case MEL_OP_TASK_TERMINATE:
        if (task->list != NULL) {
            mel_objects_take_out(task);
        }
        break;
    case MEL_OP_TASK_SET_PRIORITY: move(task, argument); break;
    case MEL_OP_TASK_SUSPEND: task->held |= MEL_HELD_SUSPENDED; break;
    case MEL_OP_TASK_RESUME: task->held &= (uint8_t)~MEL_HELD_SUSPENDED; break;
    default: break;
    }
}

mel_status_t mel_objects_call_task(uint32_t op, mel_id_t task, uint32_t argument)
{
    if (mel_beyond(task, MEL_TASKS)) {
        return mel_unit_call_task(op, task, argument);
    }
    const uint32_t key = mel_unit_lock();
    const int32_t answer = mel_unit_ask(op, task, argument);
    if (answer >= 0) {
        mel_objects_asked(op, task, argument);
    }
    mel_unit_unlock(key);
    return answer > 0 ? mel_unit_switch() : answer;
}

mel_status_t mel_objects_call(uint32_t op)
{
    const uint32_t key = mel_unit_lock();
    const int32_t answer = mel_unit_ask(op, 0, 0);
    mel_task_t *self = mel_objects_self();
    if (answer >= 0 && op == MEL_OP_DISPATCH_DISABLE) {
        self->held |= MEL_HELD_DISPATCH;
    } else if (answer >= 0) {
        self->held &= (uint8_t)~MEL_HELD_DISPATCH;
    }
    mel_unit_unlock(key);
    return answer > 0 ? mel_unit_switch() : answer;
}

mel_status_t mel_objects_switch(int32_t answer)
{
    const mel_status_t status = mel_unit_switch();
    if ((answer & MEL_ANSWER_WAITING) == 0) {
        return MEL_E_OK;
    }
    mel_task_t *self = mel_objects_self();
    if (MEL_CORES > 1 || self->list != NULL) { /* several cores: who released it may still be writing */
        const uint32_t key = mel_unit_lock();
        if (self->list != NULL) {
            mel_objects_take_out(self);
        }
        mel_unit_unlock(key);
    }
    if (self->outcome != MEL_OUTCOME_NONE) {
        return self->outcome;
    }
    return status == MEL_E_OK ? MEL_E_TMOUT : status;
}

bool mel_objects_release(mel_task_t *task, mel_status_t outcome, int32_t *due)
{
    mel_objects_take_out(task);
    const mel_id_t number = mel_objects_number(task);
    const int32_t answer = MEL_ASK_AS(MEL_TRACE_RELEASE, number, 0, 0, outcome, MEL_OP_TASK_RELEASE, number, 0);
    if (answer < 0) {
        return false;
    }
    task->outcome = (int8_t)outcome;
    *due |= answer;
    return true;
}

int32_t mel_objects_release_all(mel_wait_list_t *list)
{
    mel_task_t *task;
    int32_t due = 0;
    while ((task = mel_wait_first(list)) != NULL) {
        (void)mel_objects_release(task, MEL_E_DLT, &due);
    }
    return due;
}
