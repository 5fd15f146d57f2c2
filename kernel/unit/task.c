/* SPDX-License-Identifier: Apache-2.0 */
/* task.c: tasks, by the hardware unit. What C keeps is where a task's registers are: a dormant task's context always
 * says "not started", so starting one is the unit's business alone. */
#include "arch/riscv/frame.h"
#include "common/task_argument.h"
#include "unit/objects.h"

mel_context_t mel_contexts[MEL_TASKS + 1];

mel_context_t *mel_context_of(mel_id_t number)
{
    return &mel_contexts[number];
}

bool mel_unit_in_handler(void)
{
    extern uint8_t mel_interrupt_stack[MEL_INTERRUPT_STACK_BYTES];
    uintptr_t sp;
    __asm__("mv %0, sp" : "=r"(sp));
    return sp - (uintptr_t)mel_interrupt_stack <= MEL_INTERRUPT_STACK_BYTES;
}

static mel_status_t create(mel_id_t task, const mel_task_attributes_t *attributes, uint32_t argument)
{
    if (!mel_context_valid(attributes)) {
        return MEL_E_PAR;
    }
    if (mel_beyond(task, MEL_TASKS)) {
        return mel_unit_call_task(MEL_OP_TASK_CREATE, task, argument);
    }
    const uint32_t key = mel_unit_lock(); /* nobody starts it before its context is described */
    const int32_t answer = mel_unit_ask(MEL_OP_TASK_CREATE, task, argument);
    if (answer >= 0) {
        mel_context_describe(&mel_contexts[task], attributes);
        mel_objects_asked(MEL_OP_TASK_CREATE, task, argument);
    }
    mel_unit_unlock(key);
    return answer > 0 ? mel_unit_switch() : answer;
}

mel_status_t mel_task_create(mel_id_t task, const mel_task_attributes_t *attributes)
{
    return create(task, attributes, mel_task_argument(attributes->priority));
}

mel_status_t mel_task_create_on(mel_id_t task, const mel_task_attributes_t *attributes, uint32_t core)
{
    return create(task, attributes, mel_task_argument_on(attributes->priority, core));
}

mel_status_t mel_task_delete(mel_id_t task)
{
    mel_status_t status;
    do {
        status = mel_unit_call_task(MEL_OP_TASK_DELETE, task, 0);
    } while (status == MEL_E_BUSY);
    return status;
}

mel_status_t mel_task_start(mel_id_t task)
{
    if (MEL_CORES == 1 || mel_beyond(task, MEL_TASKS)) {
        mel_status_t status;
        do {
            status = mel_objects_call_task(MEL_OP_TASK_START, task, 0);
        } while (status == MEL_E_BUSY);
        return status;
    }
    int32_t answer;
    do {
        const uint32_t key = mel_unit_lock(); /* its context may just be described or forgotten by another core */
        answer = mel_unit_ask(MEL_OP_TASK_START, task, 0);
        if (answer >= 0) {
            mel_objects_asked(MEL_OP_TASK_START, task, 0);
        }
        mel_unit_unlock(key);
    } while (answer == MEL_E_BUSY);
    return answer > 0 ? mel_unit_switch() : answer;
}

mel_status_t mel_task_terminate(mel_id_t task)
{
    if (mel_beyond(task, MEL_TASKS)) {
        return mel_unit_call_task(MEL_OP_TASK_TERMINATE, task, 0);
    }
    int32_t answer;
    do {
        const uint32_t key = mel_unit_lock(); /* nobody starts it again before its context is forgotten */
        answer = mel_unit_ask(MEL_OP_TASK_TERMINATE, task, 0);
        if (answer >= 0) {
            mel_core_ended(&mel_contexts[task]);
            mel_objects_asked(MEL_OP_TASK_TERMINATE, task, 0);
        }
        mel_unit_unlock(key);
    } while (answer == MEL_E_BUSY);
    return mel_unit_follow(mel_unit_settled(answer));
}

mel_status_t mel_task_suspend(mel_id_t task)
{
    return mel_objects_call_task(MEL_OP_TASK_SUSPEND, mel_unit_resolve(task), 0);
}

mel_status_t mel_task_resume(mel_id_t task)
{
    return mel_objects_call_task(MEL_OP_TASK_RESUME, task, 0);
}

mel_status_t mel_task_set_priority(mel_id_t task, mel_priority_t priority)
{
    return mel_objects_call_task(MEL_OP_TASK_SET_PRIORITY, mel_unit_resolve(task), priority);
}

mel_status_t mel_task_rotate(mel_priority_t priority)
{
    return mel_unit_call(MEL_OP_TASK_ROTATE, 0, priority);
}

mel_status_t mel_task_yield(void)
{
    return mel_unit_call(MEL_OP_TASK_ROTATE, 0, MEL_OWN_PRIORITY);
}

mel_status_t mel_task_release(mel_id_t task)
{
    return mel_unit_call_task(MEL_OP_TASK_RELEASE, task, 0);
}

mel_status_t mel_task_sleep(mel_ticks_t timeout)
{
    return mel_unit_call(MEL_OP_TASK_SLEEP, 0, timeout);
}

mel_status_t mel_task_wakeup(mel_id_t task)
{
    return mel_unit_call_task(MEL_OP_TASK_WAKEUP, mel_unit_resolve(task), 0);
}

mel_status_t mel_task_query(mel_id_t task, mel_task_info_t *info)
{
    const mel_id_t number = mel_unit_resolve(task);
    if (mel_beyond(number, MEL_TASKS)) {
        return MEL_E_ID;
    }
    const uint32_t word = *mel_unit_word(MEL_QUERY_TASK_STATE, number);
    if ((int32_t)word < 0) {
        return (mel_status_t)word;
    }
    info->state = word & 7;
    info->priority = word >> 8 & 0xFF;
    info->wakeups = word >> 16 & 0xF;
    info->notified = word >> 20 & 1;
    return MEL_E_OK;
}
