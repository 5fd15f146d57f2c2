/* SPDX-License-Identifier: Apache-2.0 */
/* event_flags.c: event flags of the software kernel. Checks and effects as melanion/model/event_flags.py. Each call is one
 * critical section. A set passes every waiting task once, 13 instructions for each whose condition does not hold; a wait that
 * finds its flags is a leaf. */
#include "common/flags.h"
#include "software/call.h"

typedef struct {
    mel_wait_list_t waiting;
    uint32_t flags;
    uint32_t exists; /* 0 also while it is being set: then the rarer branch of each call finds that out */
} event_flags_t;

static event_flags_t groups[MEL_EVENT_FLAGS + 1]; /* C has no empty array: the last one is never used */

/* With MEL_HOLD_SETTING: the group that is being set, and the flags that decide who leaves. */
static struct {
    event_flags_t *subject;
    uint32_t flags;
} setting;

/* The condition of a waiting task holds: it leaves. */
MEL_INLINE void release(event_flags_t *subject, mel_task_t *task, uint32_t flags)
{
    if (task->mode & MEL_FLAGS_TAKE) {
        subject->flags &= ~task->pattern;
    }
    task->word = flags;
    mel_release_waiter(task, MEL_E_OK);
}

/* The first task from `task` on whose condition holds, *next the one behind it. In a window, both are right if it was quiet; a list that changes meanwhile
 * leads to memory of the kernel, and no further. */
MEL_INLINE mel_task_t *released(event_flags_t *subject, mel_task_t *task, uint32_t flags, mel_task_t **next)
{
    do {
        mel_task_t *after = mel_wait_next(&subject->waiting, task);
        const uint32_t pattern = task->pattern;
        if ((flags & pattern) != 0 && mel_flags_hold(task->mode, pattern, flags)) {
            *next = after;
            return task;
        }
        task = after;
    } while (task != NULL && mel_window_quiet());
    return task;
}

MEL_INLINE void begin_set(event_flags_t *subject, uint32_t flags)
{
    mel_hold |= MEL_HOLD_SETTING;
    setting.subject = subject;
    setting.flags = flags;
    subject->exists = 0;
}

MEL_INLINE void end_set(event_flags_t *subject)
{
    subject->exists = 1;
    mel_hold &= ~MEL_HOLD_SETTING;
}

void mel_flags_settle(void)
{
    event_flags_t *subject = setting.subject;
    const uint32_t flags = setting.flags;
    for (mel_task_t *task = mel_wait_first(&subject->waiting); task != NULL;) {
        mel_task_t *next = mel_wait_next(&subject->waiting, task);
        if (mel_flags_hold(task->mode, task->pattern, flags)) {
            release(subject, task, flags);
        }
        task = next;
    }
    end_set(subject);
}

/* True: there is no such group. A group that is being set is complete afterwards. */
static __attribute__((noinline)) bool absent(const event_flags_t *subject)
{
    if ((mel_hold & MEL_HOLD_SETTING) == 0 || setting.subject != subject) {
        return true;
    }
    mel_flags_settle();
    return false;
}

mel_status_t mel_flags_create(mel_id_t flags, uint32_t initial)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), MEL_OP_EVENT_FLAGS_CREATE, flags, initial, MEL_E_ID);
    event_flags_t *subject = &groups[flags];
    MEL_REFUSE_WHEN(subject->exists || !absent(subject), MEL_OP_EVENT_FLAGS_CREATE, flags, initial, MEL_E_OBJ);
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

/* The rest of a set for which tasks wait, `task` first, in a window. What a release reads is read in the window, too: it is right if that was quiet. */
static __attribute__((noinline)) mel_status_t release_matching(event_flags_t *subject, mel_task_t *task, uint32_t flags, mel_key_t key)
{
    for (;;) {
        mel_task_t *next = NULL;
        if (task != NULL) {
            task = released(subject, task, flags, &next);
        }
        if (task == NULL) {
            mel_window_shut();
            if (mel_window_quiet()) {
                break;
            }
        } else {
            const mel_wait_gap_t gap = mel_wait_gap(task);
            const mel_run_queue_place_t place = mel_run_queue_place(task);
            mel_id_t number = task->context.number;
            __asm__ volatile("" : "+r"(number)); /* read here, not in the section */
            const uint32_t held = task->held & ~MEL_HELD_WAITING;
            const uint32_t left = task->mode & MEL_FLAGS_TAKE ? subject->flags & ~task->pattern : subject->flags;
            const bool limited = mel_timeout_pending(task);
            mel_window_shut();
            if (__builtin_expect(mel_window_quiet(), 1)) {
                subject->flags = left;
                task->word = flags;
                mel_wait_close(&gap);
                if (limited) {
                    mel_timeout_cancel(task);
                }
                MEL_TRACE_STORE(MEL_TRACE_RELEASE, number, 0, 0, MEL_E_OK, task->context.result, MEL_E_OK);
                task->state = held;
                if (held == 0) {
                    mel_run_queue_insert_at(task, &place);
                }
                mel_window_open(key);
                task = next;
                continue;
            }
        }
        if ((mel_hold & MEL_HOLD_SETTING) == 0) { /* whoever interrupted has completed it */
            return mel_leave_reported(key);
        }
        task = mel_wait_first(&subject->waiting);
        mel_window_open(key);
    }
    end_set(subject);
    return mel_leave_reported(key);
}

MEL_INLINE mel_status_t set(event_flags_t *subject, mel_task_t *first, mel_id_t flags, uint32_t pattern, mel_key_t key)
{
    const uint32_t now = subject->flags | pattern;
    MEL_TRACE_STORE(MEL_TRACE_COMMAND, MEL_TRACE_OP(MEL_OP_EVENT_FLAGS_SET), flags, pattern, MEL_E_OK, subject->flags, now);
    begin_set(subject, now);
    mel_window_open(key);
    return release_matching(subject, first, now, key);
}

/* By a handler that interrupted a set: the most urgent leave first, so all of that set leave before those of this one. */
static __attribute__((noinline)) mel_status_t set_later(event_flags_t *subject, mel_id_t flags, uint32_t pattern, mel_key_t key)
{
    mel_flags_settle();
    MEL_REFUSE_WHEN(!subject->exists, MEL_OP_EVENT_FLAGS_SET, flags, pattern, MEL_E_NOEXS);
    mel_task_t *first = mel_wait_first(&subject->waiting);
    if (first != NULL) {
        return set(subject, first, flags, pattern, key);
    }
    subject->flags |= pattern;
    return mel_leave(key, MEL_OP_EVENT_FLAGS_SET, flags, pattern, MEL_E_OK);
}

mel_status_t mel_flags_set(mel_id_t flags, uint32_t pattern)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), MEL_OP_EVENT_FLAGS_SET, flags, pattern, MEL_E_ID);
    event_flags_t *subject = &groups[flags];
    if (__builtin_expect(mel_hold & MEL_HOLD_SETTING, 0)) {
        return set_later(subject, flags, pattern, key);
    }
    MEL_REFUSE_WHEN(!subject->exists, MEL_OP_EVENT_FLAGS_SET, flags, pattern, MEL_E_NOEXS);
    mel_task_t *first = mel_wait_first(&subject->waiting);
    if (first != NULL) {
        return set(subject, first, flags, pattern, key);
    }
    subject->flags |= pattern;
    return mel_leave(key, MEL_OP_EVENT_FLAGS_SET, flags, pattern, MEL_E_OK);
}

mel_status_t mel_flags_do_set(mel_id_t number, uint32_t pattern, mel_id_t irq)
{
    event_flags_t *subject = &groups[number];
    if (mel_hold & MEL_HOLD_SETTING) {
        mel_flags_settle();
    }
    if (!subject->exists) {
        return MEL_E_NOEXS;
    }
    const uint32_t now = subject->flags | pattern;
    MEL_TRACE_STORE(MEL_TRACE_IRQ, irq, MEL_IRQ_ACTION_EVENT_FLAGS_SET, number, MEL_E_OK, subject->flags, now);
    begin_set(subject, now);
    mel_flags_settle();
    return MEL_E_OK;
}

/* A group that does not exist, or is being set. */
static __attribute__((noinline)) mel_status_t clear_absent(event_flags_t *subject, mel_id_t flags, uint32_t pattern, mel_key_t key)
{
    MEL_REFUSE_WHEN(absent(subject), MEL_OP_EVENT_FLAGS_CLEAR, flags, pattern, MEL_E_NOEXS);
    subject->flags &= ~pattern;
    return mel_leave(key, MEL_OP_EVENT_FLAGS_CLEAR, flags, pattern, MEL_E_OK);
}

mel_status_t mel_flags_clear(mel_id_t flags, uint32_t pattern)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), MEL_OP_EVENT_FLAGS_CLEAR, flags, pattern, MEL_E_ID);
    event_flags_t *subject = &groups[flags];
    if (!subject->exists) {
        return clear_absent(subject, flags, pattern, key);
    }
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

/* A group that does not exist, or is being set; that one only a handler can ask, which does not wait. */
static __attribute__((noinline)) mel_status_t wait_absent(event_flags_t *subject, mel_id_t flags, uint32_t pattern, uint32_t mode, uint32_t *value,
                                                          mel_key_t key)
{
    const uint32_t op = MEL_OP_EVENT_FLAGS_WAIT_ANY + mode;
    MEL_REFUSE_WHEN(absent(subject), op, flags, pattern, MEL_E_NOEXS);
    const uint32_t now = subject->flags;
    MEL_REFUSE_WHEN(!mel_flags_hold(mode, pattern, now), op, flags, pattern, MEL_E_TMOUT);
    *value = now;
    subject->flags = mode & MEL_FLAGS_TAKE ? now & ~pattern : now;
    return mel_leave(key, op, flags, pattern, MEL_E_OK);
}

/* `mode` is constant: each of the four calls is compiled for its own. */
MEL_INLINE mel_status_t wait(mel_id_t flags, uint32_t pattern, uint32_t mode, mel_ticks_t timeout, uint32_t *value)
{
    const uint32_t op = MEL_OP_EVENT_FLAGS_WAIT_ANY + mode;
    const mel_key_t key = mel_lock_operand(timeout);
    MEL_REFUSE_WHEN(timeout != MEL_POLL && !mel_caller_may_block(), op, flags, pattern, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), op, flags, pattern, MEL_E_ID);
    MEL_REFUSE_WHEN(pattern == 0, op, flags, pattern, MEL_E_PAR);
    event_flags_t *subject = &groups[flags];
    if (!subject->exists) {
        return wait_absent(subject, flags, pattern, mode, value, key);
    }
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
