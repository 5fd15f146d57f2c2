/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c: the software kernel's state at boot, who may be dispatched, and who runs after an interrupt. Checks and effects as
 * melanion/model/time.py. */
#include "common/boot.h"
#include "software/call.h"
#include "software/interrupt.h"

mel_task_t mel_tasks[MEL_TASKS + 1];

mel_context_t *mel_context_of(mel_id_t number)
{
    return &mel_tasks[number].context;
}

void mel_kernel_boot(void)
{
    mel_lock_boot();
    mel_run_queue_init();
    mel_timeout_init();
    mel_queue_boot();
    for (mel_id_t i = 0; i < MEL_TASKS; i++) {
        mel_tasks[i].context.number = i;
        mel_tasks[i].held = MEL_HELD_ABSENT;
        mel_tasks[i].owned.next = mel_tasks[i].owned.previous = &mel_tasks[i].owned;
    }
    MEL_IDLE->context.number = MEL_TASKS;
    MEL_IDLE->context.name = "idle";
    mel_running = &MEL_IDLE->context;
}

MEL_LINKED_LAST const char *mel_kernel_bus_error(uint32_t address)
{
    return mel_lock_owns(address) ? "the lock cache does not answer any more; reset the system" : NULL;
}

MEL_LINKED_LAST const char *mel_kernel_hardware_error(void)
{
    return NULL;
}

static inline mel_context_pair_t choose(void)
{
    mel_context_t *interrupted = mel_running;
    mel_context_t *left = mel_core_left(interrupted);
    mel_context_t *next = interrupted;
    if (mel_hold & MEL_HOLD_DISPATCH) {
        mel_run_queue_settle();
    } else {
        next = &mel_run_queue_first(0)->context;
    }
    if (mel_hold & MEL_HOLD_HANDLER) {
        MEL_TRACE_STORE(MEL_TRACE_DISPATCH, next->number, interrupted->number, 1, 0, mel_hold, mel_hold & ~MEL_HOLD_HANDLER);
        mel_running = next;
    } else if (!mel_run_queue_stays(next, interrupted)) {
        MEL_TRACE_STORE(MEL_TRACE_DISPATCH, next->number, interrupted->number, 0, 0, mel_running, next);
    }
    return (mel_context_pair_t){next, left};
}

/* A task that is setting event flags was interrupted: it goes on, or another is to run, and then all that the flags release leave before. */
static __attribute__((noinline)) mel_context_pair_t leave_setting(void)
{
    if ((mel_hold & MEL_HOLD_DISPATCH) == 0 && mel_run_queue_first(0) != mel_running_task()) {
        mel_flags_settle();
    }
    return choose();
}

mel_context_pair_t mel_interrupt_exit(void)
{
    return __builtin_expect(mel_hold & MEL_HOLD_SETTING, 0) ? leave_setting() : choose();
}

mel_status_t mel_dispatch_disable(void)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(!mel_caller_is_task(), MEL_OP_DISPATCH_DISABLE, 0, 0, MEL_E_CTX);
    mel_hold |= MEL_HOLD_DISPATCH;
    mel_run_queue_settle();
    return mel_leave(key, MEL_OP_DISPATCH_DISABLE, 0, 0, MEL_E_OK);
}

mel_status_t mel_dispatch_enable(void)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_hold & MEL_HOLD_HANDLER, MEL_OP_DISPATCH_ENABLE, 0, 0, MEL_E_CTX);
    mel_hold &= ~MEL_HOLD_DISPATCH;
    if (mel_running_task()->slice & MEL_SLICE_LOST) {
        return mel_leave_turn(key, MEL_OP_DISPATCH_ENABLE, 0, 0);
    }
    return mel_leave_dispatch(key, MEL_OP_DISPATCH_ENABLE, 0, 0);
}
