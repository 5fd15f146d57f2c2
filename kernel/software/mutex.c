/* SPDX-License-Identifier: Apache-2.0 */
/* mutex.c: mutexes of the software kernel, with priority inheritance. Checks and effects as melanion/model/mutex.py. Each call
 * is one critical section; one that ends an owner or deletes a mutex completes it there.
 *
 * Who waits for whom is a forest: a task waits for one mutex at most, and a lock that would close a cycle is refused. So a
 * change runs from a waiter to the owner, to the owner of what that one waits for, and stops where it makes no difference.
 * Timing: a free mutex: constant. Each link of the chain adds its place in a wait list (interface wait_queue); a task that is to become
 * *less* urgent, and only if the waiter that left could have been the reason, also its owned mutexes, 8 instructions each. */
#include "software/mutex.h"

#include "software/call.h"

typedef struct {
    mel_wait_list_t waiting; /* first: a waiting task's list is the mutex */
    mel_link_t owned;        /* among the mutexes of its owner */
    mel_task_t *owner;       /* MEL_NOBODY: nobody; NULL: does not exist */
    int16_t ceiling;         /* -1: none, which as a signed number is not above a priority, and as an unsigned one below all */
    uint8_t locks;
    bool abandoned;
} mutex_t;

_Static_assert(offsetof(mutex_t, waiting) == 0, "mutex_of");
_Static_assert(MEL_LOCKS_LIMIT <= UINT8_MAX, "mutex_t.locks");

#define NO_PRIORITY UINT16_MAX /* priority of no task: less urgent than all others */

static mutex_t mutexes[MEL_MUTEXES + 1]; /* C has no empty array: the last one is never used */

#define MUTEX_OF(link) ((mutex_t *)(void *)((char *)(link)-offsetof(mutex_t, owned)))

/* The mutex that a task held by MEL_HELD_MUTEX waits for. */
static inline mutex_t *awaited(const mel_task_t *task)
{
    return (mutex_t *)(void *)task->list;
}

/* Priority that the owner of a mutex gets from it: of its ceiling or its first waiting task. */
static inline uint32_t offered(mutex_t *subject)
{
    const uint32_t ceiling = (uint16_t)subject->ceiling;
    const mel_task_t *first = mel_wait_first(&subject->waiting);
    return first != NULL && first->priority < ceiling ? first->priority : ceiling;
}

uint32_t mel_mutex_effective(const mel_task_t *task)
{
    uint32_t priority = task->base_priority;
    for (mel_link_t *at = task->owned.next; at != &task->owned; at = at->next) {
        const uint32_t offer = offered(MUTEX_OF(at));
        priority = offer < priority ? offer : priority;
    }
    return priority;
}

/* One of those from which `owner` inherits had the priority `before` and has `now`; NO_PRIORITY: it was not there, or has left. */
static void inherit(mel_task_t *owner, uint32_t before, uint32_t now)
{
    for (;;) {
        const uint32_t old = owner->priority;
        uint32_t priority = now;
        if (now >= old) {
            if (before != old) {
                return; /* it was not the reason for `old` (before < old cannot be) */
            }
            priority = mel_mutex_effective(owner);
            if (priority == old) {
                return;
            }
        }
        mel_requeue(owner, priority, mel_run_queue_runs(owner));
        if ((owner->held & MEL_HELD_MUTEX) == 0) {
            return;
        }
        before = old;
        now = priority;
        owner = awaited(owner)->owner;
    }
}

static inline void own(mutex_t *subject, mel_task_t *task)
{
    mel_link_t *first = task->owned.next;
    subject->owned.next = first;
    subject->owned.previous = &task->owned;
    first->previous = &subject->owned;
    task->owned.next = &subject->owned;
    subject->locks = 1;
}

static inline void disown(mutex_t *subject)
{
    subject->owned.previous->next = subject->owned.next;
    subject->owned.next->previous = subject->owned.previous;
}

/* Out of the owner's hands, to the first waiter; returns who is to be the owner, and leaves noting it to the caller. */
static mel_task_t *pass_on(mutex_t *subject)
{
    disown(subject);
    mel_task_t *first = mel_wait_first(&subject->waiting);
    if (first == NULL) {
        subject->locks = 0;
        return MEL_NOBODY;
    }
    mel_wait_remove(first);
    mel_timeout_cancel(first);
    own(subject, first);
    if ((uint16_t)subject->ceiling < first->priority) { /* the other waiters are not more urgent than it */
        first->priority = (uint8_t)subject->ceiling;
    }
    first->context.result = MEL_E_OK;
    mel_unhold(first, MEL_HELD_WAITING);
    return first;
}

mel_status_t mel_mutex_create(mel_id_t mutex, mel_priority_t ceiling)
{
    const bool limited = ceiling != MEL_NO_CEILING;
    if (limited && ceiling > MEL_FIELD_MUTEX_CREATE_CEILING_MASK) {
        return MEL_E_PAR; /* no argument can say it */
    }
    const uint32_t argument = limited ? 1u << MEL_FIELD_MUTEX_CREATE_PROTOCOL_LSB | ceiling : 0;
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(mutex, MEL_MUTEXES), MEL_OP_MUTEX_CREATE, mutex, argument, MEL_E_ID);
    MEL_REFUSE_WHEN(limited && ceiling >= MEL_PRIORITIES, MEL_OP_MUTEX_CREATE, mutex, argument, MEL_E_PAR);
    mutex_t *subject = &mutexes[mutex];
    MEL_REFUSE_WHEN(subject->owner != NULL, MEL_OP_MUTEX_CREATE, mutex, argument, MEL_E_OBJ);
    mel_wait_init(&subject->waiting);
    subject->owner = MEL_NOBODY;
    subject->ceiling = (int16_t)(limited ? (int32_t)ceiling : -1);
    subject->locks = 0;
    subject->abandoned = false;
    return mel_leave(key, MEL_OP_MUTEX_CREATE, mutex, argument, MEL_E_OK);
}

mel_status_t mel_mutex_delete(mel_id_t mutex)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_hold & MEL_HOLD_HANDLER, MEL_OP_MUTEX_DELETE, mutex, 0, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(mutex, MEL_MUTEXES), MEL_OP_MUTEX_DELETE, mutex, 0, MEL_E_ID);
    mutex_t *subject = &mutexes[mutex];
    mel_task_t *owner = subject->owner;
    MEL_REFUSE_WHEN(owner == NULL, MEL_OP_MUTEX_DELETE, mutex, 0, MEL_E_NOEXS);

    MEL_TRACE_STORE(MEL_TRACE_COMMAND, MEL_TRACE_OP(MEL_OP_MUTEX_DELETE), mutex, 0, MEL_E_OK, subject->owner, 0);
    if (owner != MEL_NOBODY) {
        disown(subject);
        inherit(owner, offered(subject), NO_PRIORITY);
    }
    mel_release_all(&subject->waiting);
    return mel_leave_reported(key);
}

/* The blocking half of mel_mutex_lock, when another task owns it; apart, so that the other half is a leaf. */
static __attribute__((noinline)) mel_status_t wait_for(mutex_t *subject, mel_id_t mutex, mel_ticks_t timeout, mel_key_t key)
{
    mel_task_t *running = mel_running_task();
    for (mel_task_t *owner = subject->owner; owner->held & MEL_HELD_MUTEX;) {
        owner = awaited(owner)->owner;
        MEL_REFUSE_WHEN(owner == running, MEL_OP_MUTEX_LOCK, mutex, timeout, MEL_E_ILUSE);
    }
    mel_run_queue_remove(running);
    mel_wait_insert(&subject->waiting, running);
    inherit(subject->owner, NO_PRIORITY, running->priority);
    return mel_wait(MEL_OP_MUTEX_LOCK, mutex, timeout, MEL_HELD_LISTED | MEL_HELD_MUTEX, timeout);
}

mel_status_t mel_mutex_lock(mel_id_t mutex, mel_ticks_t timeout)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(!mel_caller_may_block() && (timeout != MEL_POLL || !mel_caller_is_task()), MEL_OP_MUTEX_LOCK, mutex,
                    timeout, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(mutex, MEL_MUTEXES), MEL_OP_MUTEX_LOCK, mutex, timeout, MEL_E_ID);
    mutex_t *subject = &mutexes[mutex];
    mel_task_t *running = mel_running_task();
    mel_task_t *owner = subject->owner;
    MEL_REFUSE_WHEN(owner == NULL, MEL_OP_MUTEX_LOCK, mutex, timeout, MEL_E_NOEXS);
    MEL_REFUSE_WHEN(running->base_priority < subject->ceiling, MEL_OP_MUTEX_LOCK, mutex, timeout, MEL_E_ILUSE);
    if (__builtin_expect(owner == MEL_NOBODY, 1)) {
        subject->owner = running;
        own(subject, running);
        if (__builtin_expect((uint16_t)subject->ceiling < running->priority, 0)) {
            mel_run_queue_requeue(running, (uint32_t)subject->ceiling, true);
            mel_run_queue_settle();
        }
        return mel_leave(key, MEL_OP_MUTEX_LOCK, mutex, timeout, MEL_E_OK);
    }
    if (owner == running) {
        MEL_REFUSE_WHEN(subject->locks == MEL_LOCKS_LIMIT, MEL_OP_MUTEX_LOCK, mutex, timeout, MEL_E_QOVR);
        subject->locks++;
        return mel_leave(key, MEL_OP_MUTEX_LOCK, mutex, timeout, MEL_E_OK);
    }
    MEL_REFUSE_WHEN(timeout == MEL_POLL, MEL_OP_MUTEX_LOCK, mutex, timeout, MEL_E_TMOUT);
    return wait_for(subject, mutex, timeout, key);
}

/* The last unlock of a mutex that somebody waits for, or whose ceiling may be why its owner is as urgent as it is. */
static __attribute__((noinline)) mel_status_t hand_over(mutex_t *subject, mel_id_t mutex, mel_key_t key)
{
    const uint32_t offer = offered(subject);
    subject->owner = pass_on(subject);
    inherit(mel_running_task(), offer, NO_PRIORITY);
    return mel_leave_dispatch(key, MEL_OP_MUTEX_UNLOCK, mutex, 0);
}

mel_status_t mel_mutex_unlock(mel_id_t mutex)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(!mel_caller_is_task(), MEL_OP_MUTEX_UNLOCK, mutex, 0, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(mutex, MEL_MUTEXES), MEL_OP_MUTEX_UNLOCK, mutex, 0, MEL_E_ID);
    mutex_t *subject = &mutexes[mutex];
    mel_task_t *owner = subject->owner;
    if (owner != mel_running_task()) {
        const mel_status_t status = owner == NULL ? MEL_E_NOEXS : owner == MEL_NOBODY ? MEL_E_OBJ : MEL_E_ILUSE;
        return mel_leave(key, MEL_OP_MUTEX_UNLOCK, mutex, 0, status);
    }
    if (subject->locks != 1) {
        subject->locks--;
        return mel_leave(key, MEL_OP_MUTEX_UNLOCK, mutex, 0, MEL_E_OK);
    }
    subject->abandoned = false;
    if (mel_wait_first(&subject->waiting) != NULL || subject->ceiling == owner->priority) {
        return hand_over(subject, mutex, key);
    }
    disown(subject);
    subject->owner = MEL_NOBODY;
    subject->locks = 0;
    return mel_leave(key, MEL_OP_MUTEX_UNLOCK, mutex, 0, MEL_E_OK);
}

mel_status_t mel_mutex_query(mel_id_t mutex, mel_mutex_info_t *info)
{
    if (mel_beyond(mutex, MEL_MUTEXES)) {
        return MEL_E_ID;
    }
    const mel_key_t key = mel_lock();
    const mutex_t *subject = &mutexes[mutex];
    const mel_status_t status = subject->owner != NULL ? MEL_E_OK : MEL_E_NOEXS;
    if (status == MEL_E_OK) {
        info->owner = subject->owner->context.number;
        info->locks = subject->locks;
        info->abandoned = subject->abandoned;
    }
    mel_unlock(key);
    return status;
}

void mel_mutex_left(mel_task_t *task)
{
    inherit(awaited(task)->owner, task->priority, NO_PRIORITY);
}

void mel_mutex_moved(mel_task_t *task, uint32_t before)
{
    if (task->priority != before) {
        inherit(awaited(task)->owner, before, task->priority);
    }
}

void mel_mutex_orphan(mel_task_t *ended)
{
    while (mel_mutex_owner(ended)) {
        mutex_t *subject = MUTEX_OF(ended->owned.next);
        subject->abandoned = true;
        mel_task_t *owner = pass_on(subject);
        MEL_TRACE_STORE(MEL_TRACE_ORPHAN, owner->context.number, subject - mutexes, ended->context.number, 0, subject->owner,
                        owner);
    }
}
