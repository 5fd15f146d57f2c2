/* SPDX-License-Identifier: Apache-2.0 */
/* semaphore.c: counting semaphores of the software kernel. Checks and effects as melanion/model/semaphore.py. Each call is
 * one critical section; deleting one releases all its waiting tasks in it. */
#include "software/semaphore.h"

#include "software/call.h"

typedef struct {
    mel_wait_list_t waiting;
    uint32_t count;
    uint32_t maximum; /* 0: does not exist */
} semaphore_t;

static semaphore_t semaphores[MEL_SEMAPHORES + 1]; /* C has no empty array: the last one is never used */

mel_status_t mel_sem_create(mel_id_t sem, uint32_t initial, uint32_t maximum)
{
    /* Encode an invalid pair as maximum 0, so that E_ID is still reported before E_PAR. */
    const bool fits = maximum <= MEL_SEMAPHORE_COUNT_LIMIT && initial <= maximum;
    const uint32_t argument = fits ? maximum << 16 | initial : 0;
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(sem, MEL_SEMAPHORES), MEL_OP_SEMAPHORE_CREATE, sem, argument, MEL_E_ID);
    MEL_REFUSE_WHEN(argument == 0, MEL_OP_SEMAPHORE_CREATE, sem, argument, MEL_E_PAR);
    semaphore_t *subject = &semaphores[sem];
    MEL_REFUSE_WHEN(subject->maximum != 0, MEL_OP_SEMAPHORE_CREATE, sem, argument, MEL_E_OBJ);
    mel_wait_init(&subject->waiting);
    subject->count = initial;
    subject->maximum = maximum;
    return mel_leave(key, MEL_OP_SEMAPHORE_CREATE, sem, argument, MEL_E_OK);
}

mel_status_t mel_sem_delete(mel_id_t sem)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_hold & MEL_HOLD_HANDLER, MEL_OP_SEMAPHORE_DELETE, sem, 0, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(sem, MEL_SEMAPHORES), MEL_OP_SEMAPHORE_DELETE, sem, 0, MEL_E_ID);
    semaphore_t *subject = &semaphores[sem];
    MEL_REFUSE_WHEN(subject->maximum == 0, MEL_OP_SEMAPHORE_DELETE, sem, 0, MEL_E_NOEXS);

    MEL_TRACE_STORE(MEL_TRACE_COMMAND, MEL_TRACE_OP(MEL_OP_SEMAPHORE_DELETE), sem, 0, MEL_E_OK, subject->maximum, 0);
    subject->count = 0;
    mel_release_all(&subject->waiting);
    return mel_leave_reported(key);
}

mel_status_t mel_sem_give(mel_id_t sem)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(sem, MEL_SEMAPHORES), MEL_OP_SEMAPHORE_GIVE, sem, 0, MEL_E_ID);
    semaphore_t *subject = &semaphores[sem];
    MEL_REFUSE_WHEN(subject->maximum == 0, MEL_OP_SEMAPHORE_GIVE, sem, 0, MEL_E_NOEXS);
    mel_task_t *task = mel_wait_first(&subject->waiting);
    if (task == NULL) {
        MEL_REFUSE_WHEN(subject->count == subject->maximum, MEL_OP_SEMAPHORE_GIVE, sem, 0, MEL_E_QOVR);
        subject->count++;
        return mel_leave(key, MEL_OP_SEMAPHORE_GIVE, sem, 0, MEL_E_OK);
    }
    if (mel_long_give(key, sem, task->affinity)) {
        return mel_leave(key, MEL_OP_SEMAPHORE_GIVE, sem, 0, MEL_E_OK);
    }
    mel_end_wait(task, MEL_E_OK);
    return mel_leave_dispatch(key, MEL_OP_SEMAPHORE_GIVE, sem, 0);
}

mel_status_t mel_sem_do_give(mel_id_t sem)
{
    semaphore_t *subject = &semaphores[sem];
    if (subject->maximum == 0) {
        return MEL_E_NOEXS;
    }
    mel_task_t *task = mel_wait_first(&subject->waiting);
    if (task != NULL) {
        mel_end_wait(task, MEL_E_OK);
    } else if (subject->count == subject->maximum) {
        return MEL_E_QOVR;
    } else {
        subject->count++;
    }
    return MEL_E_OK;
}

mel_wait_list_t *mel_sem_waiting(mel_id_t sem)
{
    return &semaphores[sem].waiting;
}

/* The rest of a take that waits, when an interrupt came while it looked for its place: it is judged anew, and looks again with interrupts off. */
static __attribute__((noinline)) mel_status_t wait_anew(semaphore_t *subject, mel_id_t sem, mel_ticks_t timeout, mel_key_t key)
{
    MEL_REFUSE_WHEN(subject->maximum == 0, MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_E_NOEXS);
    if (subject->count != 0) {
        subject->count--;
        return mel_leave(key, MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_E_OK);
    }
    mel_task_t *running = mel_running_task();
    mel_run_queue_remove(running);
    mel_wait_insert(&subject->waiting, running);
    return mel_wait(MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_HELD_LISTED, timeout);
}

/* The blocking half of mel_sem_take; apart, so that the other half is a leaf. */
static __attribute__((noinline)) mel_status_t wait_for(semaphore_t *subject, mel_id_t sem, mel_ticks_t timeout, mel_key_t key)
{
    mel_task_t *running = mel_running_task();
    mel_link_t *place = mel_wait_search(&subject->waiting, running->priority, key);
    if (__builtin_expect(place == NULL, 0)) {
        return wait_anew(subject, sem, timeout, key);
    }
    mel_run_queue_remove(running);
    mel_wait_insert_at(&subject->waiting, running, place);
    mel_long_wait(sem, running->affinity, running->priority);
    return mel_wait(MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_HELD_LISTED, timeout);
}

mel_status_t mel_sem_take(mel_id_t sem, mel_ticks_t timeout)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(timeout != MEL_POLL && !mel_caller_may_block(), MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(sem, MEL_SEMAPHORES), MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_E_ID);
    semaphore_t *subject = &semaphores[sem];
    if (subject->count != 0) { /* then it exists */
        subject->count--;
        return mel_leave(key, MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_E_OK);
    }
    MEL_REFUSE_WHEN(subject->maximum == 0, MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_E_NOEXS);
    MEL_REFUSE_WHEN(timeout == MEL_POLL, MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_E_TMOUT);
    return wait_for(subject, sem, timeout, key);
}

mel_status_t mel_sem_query(mel_id_t sem, uint32_t *count)
{
    if (mel_beyond(sem, MEL_SEMAPHORES)) {
        return MEL_E_ID;
    }
    const mel_key_t key = mel_lock();
    const semaphore_t *subject = &semaphores[sem];
    const mel_status_t status = subject->maximum != 0 ? MEL_E_OK : MEL_E_NOEXS;
    if (status == MEL_E_OK) {
        *count = subject->count;
    }
    mel_unlock(key);
    return status;
}
