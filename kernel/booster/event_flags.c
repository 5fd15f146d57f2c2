/* SPDX-License-Identifier: Apache-2.0 */
/* event_flags.c: event flags in C; their tasks wait in the unit. Checks and effects as melanion/model/event_flags.py. A set passes every waiting
 * task once. The tasks that it releases are released one by one, and the call counts as done with the first of them (melanion/model/lower.py). */
#include "common/flags.h"
#include "unit/objects.h"

typedef struct {
    mel_wait_list_t waiting;
    uint32_t flags;
    uint32_t exists;
} event_flags_t;

static event_flags_t groups[MEL_EVENT_FLAGS + 1]; /* C has no empty array: the last one is never used */

static int32_t create(mel_id_t flags, uint32_t initial)
{
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), MEL_OP_EVENT_FLAGS_CREATE, flags, initial, MEL_E_ID);
    event_flags_t *subject = &groups[flags];
    MEL_REFUSE_WHEN(subject->exists, MEL_OP_EVENT_FLAGS_CREATE, flags, initial, MEL_E_OBJ);
    mel_wait_init(&subject->waiting);
    subject->flags = initial;
    subject->exists = 1;
    return MEL_REPORT(MEL_OP_EVENT_FLAGS_CREATE, flags, initial, MEL_E_OK);
}

static int32_t delete(mel_id_t flags)
{
    MEL_REFUSE_WHEN(mel_unit_in_handler(), MEL_OP_EVENT_FLAGS_DELETE, flags, 0, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), MEL_OP_EVENT_FLAGS_DELETE, flags, 0, MEL_E_ID);
    event_flags_t *subject = &groups[flags];
    MEL_REFUSE_WHEN(!subject->exists, MEL_OP_EVENT_FLAGS_DELETE, flags, 0, MEL_E_NOEXS);
    subject->exists = 0;
    const int32_t due = mel_objects_release_all(&subject->waiting);
    return due | MEL_REPORT(MEL_OP_EVENT_FLAGS_DELETE, flags, 0, MEL_E_OK);
}

/* In a group that exists; not 0: a dispatch is due. */
static int32_t set_and_release(event_flags_t *subject, uint32_t pattern)
{
    const uint32_t now = subject->flags | pattern;
    uint32_t taken = 0;
    int32_t due = 0;
    mel_task_t *next;
    for (mel_task_t *task = mel_wait_first(&subject->waiting); task != NULL; task = next) {
        next = mel_wait_next(&subject->waiting, task);
        if (mel_flags_hold(task->mode, task->pattern, now) && mel_objects_release(task, MEL_E_OK, &due)) {
            task->word = now;
            taken |= task->mode & MEL_FLAGS_TAKE ? task->pattern : 0;
        }
    }
    subject->flags = now & ~taken;
    return due;
}

static int32_t set(mel_id_t flags, uint32_t pattern)
{
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), MEL_OP_EVENT_FLAGS_SET, flags, pattern, MEL_E_ID);
    event_flags_t *subject = &groups[flags];
    MEL_REFUSE_WHEN(!subject->exists, MEL_OP_EVENT_FLAGS_SET, flags, pattern, MEL_E_NOEXS);
    const int32_t due = set_and_release(subject, pattern);
    return due | MEL_REPORT(MEL_OP_EVENT_FLAGS_SET, flags, pattern, MEL_E_OK);
}

void mel_objects_flags_irq(mel_id_t irq, mel_id_t flags, uint32_t pattern)
{
    event_flags_t *subject = &groups[flags];
    if (!subject->exists) {
        (void)MEL_REPORT_AS(MEL_TRACE_IRQ, irq | MEL_IRQ_OF_C, MEL_IRQ_ACTION_EVENT_FLAGS_SET, flags, MEL_E_NOEXS);
        return;
    }
    (void)set_and_release(subject, pattern);
    (void)MEL_REPORT_AS(MEL_TRACE_IRQ, irq | MEL_IRQ_OF_C, MEL_IRQ_ACTION_EVENT_FLAGS_SET, flags, MEL_E_OK);
}

static int32_t clear(mel_id_t flags, uint32_t pattern)
{
    MEL_REFUSE_WHEN(mel_beyond(flags, MEL_EVENT_FLAGS), MEL_OP_EVENT_FLAGS_CLEAR, flags, pattern, MEL_E_ID);
    event_flags_t *subject = &groups[flags];
    MEL_REFUSE_WHEN(!subject->exists, MEL_OP_EVENT_FLAGS_CLEAR, flags, pattern, MEL_E_NOEXS);
    subject->flags &= ~pattern;
    return MEL_REPORT(MEL_OP_EVENT_FLAGS_CLEAR, flags, pattern, MEL_E_OK);
}

/* `mode` is constant: each of the four calls is compiled for its own. */
static inline __attribute__((always_inline)) int32_t wait_in_section(mel_id_t flags, uint32_t pattern, uint32_t mode,
                                                                     mel_ticks_t timeout, uint32_t *value)
{
    const uint32_t op = MEL_OP_EVENT_FLAGS_WAIT_ANY + mode;
    MEL_REFUSE_WHEN(timeout != MEL_POLL && !mel_objects_may_block(), op, flags, pattern, MEL_E_CTX);
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
        return MEL_REPORT(op, flags, pattern, MEL_E_OK);
    }
    MEL_REFUSE_WHEN(timeout == MEL_POLL, op, flags, pattern, MEL_E_TMOUT);
    mel_task_t *self = mel_objects_self();
    self->pattern = pattern;
    self->mode = (uint8_t)mode;
    return MEL_WAIT_IN(&subject->waiting, op, flags, pattern, timeout);
}

static inline __attribute__((always_inline)) mel_status_t wait(mel_id_t flags, uint32_t pattern, uint32_t mode,
                                                               mel_ticks_t timeout, uint32_t *value)
{
    const uint32_t key = mel_objects_lock_operand(timeout);
    const int32_t answer = wait_in_section(flags, pattern, mode, timeout, value);
    const mel_status_t status = mel_objects_end(key, answer);
    if (answer > 0 && status == MEL_E_OK) {
        *value = mel_objects_self()->word;
    }
    return status;
}

_Static_assert(MEL_OP_EVENT_FLAGS_WAIT_ALL == MEL_OP_EVENT_FLAGS_WAIT_ANY + MEL_FLAGS_ALL &&
                   MEL_OP_EVENT_FLAGS_TAKE_ANY == MEL_OP_EVENT_FLAGS_WAIT_ANY + MEL_FLAGS_TAKE &&
                   MEL_OP_EVENT_FLAGS_TAKE_ALL == MEL_OP_EVENT_FLAGS_TAKE_ANY + MEL_FLAGS_ALL,
               "the op of a wait is that of event_flags_wait_any and the mode");

mel_status_t mel_flags_create(mel_id_t flags, uint32_t initial)
{
    const uint32_t key = mel_unit_lock();
    return mel_objects_end(key, create(flags, initial));
}

mel_status_t mel_flags_delete(mel_id_t flags)
{
    const uint32_t key = mel_unit_lock();
    return mel_objects_end(key, delete(flags));
}

mel_status_t mel_flags_set(mel_id_t flags, uint32_t pattern)
{
    const uint32_t key = mel_unit_lock();
    return mel_objects_end(key, set(flags, pattern));
}

mel_status_t mel_flags_clear(mel_id_t flags, uint32_t pattern)
{
    const uint32_t key = mel_unit_lock();
    return mel_objects_end(key, clear(flags, pattern));
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
