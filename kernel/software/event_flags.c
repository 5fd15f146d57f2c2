/* SPDX-License-Identifier: Apache-2.0 */
/* event_flags.c: event flags of the software kernel. Checks and effects as melanion/model/event_flags.py. Each call is one
 * critical section. A set passes every waiting task once, 13 instructions for each whose condition does not hold; a wait that
 * finds its flags is a leaf. */
#include "common/flags.h"
#include "software/call.h"

typedef struct {
    mel_wait_list_t waiting;
    uint32_t flags;
    uint32_t exists;
} event_flags_t;

static event_flags_t groups[MEL_EVENT_FLAGS + 1]; /* C has no empty array: the last one is never used */

mel_status_t mel_flags_create(mel_id_t flags, uint32_t initial)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), MEL_OP_EVENT_FLAGS_CREATE, flags, initial, MEL_E_ID);
    event_flags_t *subject = &groups[flags];
    MEL_REFUSE_WHEN(subject->exists, MEL_OP_EVENT_FLAGS_CREATE, flags, initial, MEL_E_OBJ);
    mel_wait_init(&subject->waiting);
    subject->flags = initial;
    subject->exists = 1;
    return mel_leave(key, MEL_OP_EVENT_FLAGS_CREATE, flags, initial, MEL_E_OK);
}

mel_status_t mel_flags_delete(mel_id_t flags)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_hold & MEL_HOLD_HANDLER, MEL_OP_EVENT_FLAGS_DELETE, flags, 0, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), MEL_OP_EVENT_FLAGS_DELETE, flags, 0, MEL_E_ID);
    event_flags_t *subject = &groups[flags];
    MEL_REFUSE_WHEN(!subject->exists, MEL_OP_EVENT_FLAGS_DELETE, flags, 0, MEL_E_NOEXS);
    MEL_TRACE_STORE(MEL_TRACE_COMMAND, MEL_TRACE_OP(MEL_OP_EVENT_FLAGS_DELETE), flags, 0, MEL_E_OK, subject->exists, 0);
    mel_release_all(&subject->waiting);
    return mel_leave_reported(key);
}

/* `flags` have just been set, `first` is the most urgent waiting task: all whose conditions hold leave. */
static void release(event_flags_t *subject, mel_task_t *first, uint32_t flags)
{
    uint32_t taken = 0;
    mel_task_t *task = first;
    do {
        mel_task_t *next = mel_wait_next(&subject->waiting, task);
        const uint32_t pattern = task->pattern;
        const uint32_t mode = task->mode;
        if (mel_flags_hold(mode, pattern, flags)) {
            taken |= mode & MEL_FLAGS_TAKE ? pattern : 0;
            task->word = flags;
            mel_release_waiter(task, MEL_E_OK);
        }
        task = next;
    } while (task != NULL);
    subject->flags = flags & ~taken;
}

mel_status_t mel_flags_set(mel_id_t flags, uint32_t pattern)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), MEL_OP_EVENT_FLAGS_SET, flags, pattern, MEL_E_ID);
    event_flags_t *subject = &groups[flags];
    MEL_REFUSE_WHEN(!subject->exists, MEL_OP_EVENT_FLAGS_SET, flags, pattern, MEL_E_NOEXS);
    const uint32_t now = subject->flags | pattern;
    mel_task_t *first = mel_wait_first(&subject->waiting);
    if (first == NULL) {
        subject->flags = now;
        return mel_leave(key, MEL_OP_EVENT_FLAGS_SET, flags, pattern, MEL_E_OK);
    }
    MEL_TRACE_STORE(MEL_TRACE_COMMAND, MEL_TRACE_OP(MEL_OP_EVENT_FLAGS_SET), flags, pattern, MEL_E_OK, subject->flags, now);
    release(subject, first, now);
    return mel_leave_reported(key);
}

mel_status_t mel_flags_do_set(mel_id_t number, uint32_t pattern, mel_id_t irq)
{
    event_flags_t *subject = &groups[number];
    if (!subject->exists) {
        return MEL_E_NOEXS;
    }
    const uint32_t now = subject->flags | pattern;
    mel_task_t *first = mel_wait_first(&subject->waiting);
    MEL_TRACE_STORE(MEL_TRACE_IRQ, irq, MEL_IRQ_ACTION_EVENT_FLAGS_SET, number, MEL_E_OK, subject->flags, now);
    if (first != NULL) {
        release(subject, first, now);
    }
    return MEL_E_OK;
}

mel_status_t mel_flags_clear(mel_id_t flags, uint32_t pattern)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), MEL_OP_EVENT_FLAGS_CLEAR, flags, pattern, MEL_E_ID);
    event_flags_t *subject = &groups[flags];
    MEL_REFUSE_WHEN(!subject->exists, MEL_OP_EVENT_FLAGS_CLEAR, flags, pattern, MEL_E_NOEXS);
    subject->flags &= ~pattern;
    return mel_leave(key, MEL_OP_EVENT_FLAGS_CLEAR, flags, pattern, MEL_E_OK);
}

/* The blocking half of a wait; apart, so that the other half is a leaf. */
static __attribute__((noinline)) mel_status_t wait_for(event_flags_t *subject, mel_id_t flags, uint32_t pattern,
                                                       uint32_t mode, mel_ticks_t timeout, uint32_t *value)
{
    mel_task_t *running = mel_running_task();
    mel_run_queue_remove(running);
    mel_wait_insert(&subject->waiting, running);
    running->pattern = pattern;
    running->mode = (uint8_t)mode;
    const mel_status_t status =
        mel_wait(MEL_OP_EVENT_FLAGS_WAIT_ANY + mode, flags, pattern, MEL_HELD_LISTED, timeout);
    if (status == MEL_E_OK) {
        *value = running->word;
    }
    return status;
}

_Static_assert(MEL_OP_EVENT_FLAGS_WAIT_ALL == MEL_OP_EVENT_FLAGS_WAIT_ANY + MEL_FLAGS_ALL &&
                   MEL_OP_EVENT_FLAGS_TAKE_ANY == MEL_OP_EVENT_FLAGS_WAIT_ANY + MEL_FLAGS_TAKE &&
                   MEL_OP_EVENT_FLAGS_TAKE_ALL == MEL_OP_EVENT_FLAGS_TAKE_ANY + MEL_FLAGS_ALL,
               "the op of a wait is that of event_flags_wait_any and the mode: wait_for adds them");

/* `mode` is constant: each of the four calls is compiled for its own. */
MEL_INLINE mel_status_t wait(mel_id_t flags, uint32_t pattern, uint32_t mode, mel_ticks_t timeout, uint32_t *value)
{
    const uint32_t op = MEL_OP_EVENT_FLAGS_WAIT_ANY + mode;
    const mel_key_t key = mel_lock_operand(timeout);
    MEL_REFUSE_WHEN(timeout != MEL_POLL && !mel_caller_may_block(), op, flags, pattern, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), op, flags, pattern, MEL_E_ID);
    MEL_REFUSE_WHEN(pattern == 0, op, flags, pattern, MEL_E_PAR);
    event_flags_t *subject = &groups[flags];
    MEL_REFUSE_WHEN(!subject->exists, op, flags, pattern, MEL_E_NOEXS);
    const uint32_t now = subject->flags;
    if (mel_flags_hold(mode, pattern, now)) {
        *value = now;
        if (mode & MEL_FLAGS_TAKE) {
            subject->flags = now & ~pattern;
        }
        return mel_leave(key, op, flags, pattern, MEL_E_OK);
    }
    MEL_REFUSE_WHEN(timeout == MEL_POLL, op, flags, pattern, MEL_E_TMOUT);
    return wait_for(subject, flags, pattern, mode, timeout, value);
}

mel_status_t mel_flags_wait_any(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return wait(flags, pattern, MEL_FLAGS_ANY, timeout, value);
}

mel_status_t mel_flags_wait_all(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return wait(flags, pattern, MEL_FLAGS_ALL, timeout, value);
}

mel_status_t mel_flags_take_any(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return wait(flags, pattern, MEL_FLAGS_ANY | MEL_FLAGS_TAKE, timeout, value);
}

mel_status_t mel_flags_take_all(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return wait(flags, pattern, MEL_FLAGS_ALL | MEL_FLAGS_TAKE, timeout, value);
}
