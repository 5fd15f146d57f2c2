/* SPDX-License-Identifier: Apache-2.0 */
/* semaphore.c: semaphores in C; their tasks wait in the unit. Checks and effects as melanion/model/semaphore.py. */
#include "unit/objects.h"

typedef struct {
    mel_wait_list_t waiting;
    union {
        struct {
            uint16_t count, maximum; /* maximum 0: does not exist */
        };
        uint32_t both; /* for who reads them outside a section */
    };
} semaphore_t;

static semaphore_t semaphores[MEL_SEMAPHORES + 1]; /* C has no empty array: the last one is never used */

int32_t mel_objects_sem_create(mel_id_t sem, uint32_t initial, uint32_t maximum)
{
    const bool fits = maximum != 0 && maximum <= MEL_SEMAPHORE_COUNT_LIMIT && initial <= maximum;
    const uint32_t argument = fits ? maximum << 16 | initial : 0;
    MEL_REFUSE_WHEN(mel_beyond(sem, MEL_SEMAPHORES), MEL_OP_SEMAPHORE_CREATE, sem, argument, MEL_E_ID);
    MEL_REFUSE_WHEN(!fits, MEL_OP_SEMAPHORE_CREATE, sem, argument, MEL_E_PAR);
    semaphore_t *subject = &semaphores[sem];
    MEL_REFUSE_WHEN(subject->maximum != 0, MEL_OP_SEMAPHORE_CREATE, sem, argument, MEL_E_OBJ);
    mel_wait_init(&subject->waiting);
    subject->count = (uint16_t)initial;
    subject->maximum = (uint16_t)maximum;
    return MEL_REPORT(MEL_OP_SEMAPHORE_CREATE, sem, argument, MEL_E_OK);
}

int32_t mel_objects_sem_delete(mel_id_t sem)
{
    MEL_REFUSE_WHEN(mel_unit_in_handler(), MEL_OP_SEMAPHORE_DELETE, sem, 0, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(sem, MEL_SEMAPHORES), MEL_OP_SEMAPHORE_DELETE, sem, 0, MEL_E_ID);
    semaphore_t *subject = &semaphores[sem];
    MEL_REFUSE_WHEN(subject->maximum == 0, MEL_OP_SEMAPHORE_DELETE, sem, 0, MEL_E_NOEXS);
    subject->maximum = subject->count = 0;
    const int32_t due = mel_objects_release_all(&subject->waiting);
    return due | MEL_REPORT(MEL_OP_SEMAPHORE_DELETE, sem, 0, MEL_E_OK);
}

/* By a call, or by an interrupt: reported as `kind`, a, b, c. */
static inline __attribute__((always_inline)) int32_t give(mel_id_t sem, uint32_t kind, uint32_t a, uint32_t b)
{
    semaphore_t *subject = &semaphores[sem];
    const uint32_t c = kind == MEL_TRACE_IRQ ? sem : 0;
    if (subject->maximum == 0) {
        return MEL_REPORT_AS(kind, a, b, c, MEL_E_NOEXS);
    }
    mel_task_t *task;
    int32_t answer;
    MEL_HAND_OVER(&subject->waiting, kind, a, b, c, task, answer)
    if (task != NULL) {
        return answer;
    }
    if (subject->count == subject->maximum) {
        return MEL_REPORT_AS(kind, a, b, c, MEL_E_QOVR);
    }
    subject->count++;
    return MEL_REPORT_AS(kind, a, b, c, MEL_E_OK);
}

int32_t mel_objects_sem_give(mel_id_t sem)
{
    MEL_REFUSE_WHEN(mel_beyond(sem, MEL_SEMAPHORES), MEL_OP_SEMAPHORE_GIVE, sem, 0, MEL_E_ID);
    return give(sem, MEL_TRACE_COMMAND, MEL_REPORTED_OP(MEL_OP_SEMAPHORE_GIVE), sem);
}

void mel_objects_sem_irq(mel_id_t irq, mel_id_t sem)
{
    (void)give(sem, MEL_TRACE_IRQ, irq | MEL_IRQ_OF_C, MEL_IRQ_ACTION_SEMAPHORE_GIVE);
}

int32_t mel_objects_sem_take(mel_id_t sem, mel_ticks_t timeout)
{
    MEL_REFUSE_WHEN(timeout != MEL_POLL && !mel_objects_may_block(), MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(sem, MEL_SEMAPHORES), MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_E_ID);
    semaphore_t *subject = &semaphores[sem];
    if (subject->count != 0) { /* then it exists */
        subject->count--;
        return MEL_REPORT(MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_E_OK);
    }
    MEL_REFUSE_WHEN(subject->maximum == 0, MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_E_NOEXS);
    MEL_REFUSE_WHEN(timeout == MEL_POLL, MEL_OP_SEMAPHORE_TAKE, sem, timeout, MEL_E_TMOUT);
    return MEL_WAIT_IN(&subject->waiting, MEL_OP_SEMAPHORE_TAKE, sem, timeout, timeout);
}

mel_status_t mel_sem_create(mel_id_t sem, uint32_t initial, uint32_t maximum)
{
    const uint32_t key = mel_unit_lock();
    return mel_objects_end(key, mel_objects_sem_create(sem, initial, maximum));
}

mel_status_t mel_sem_delete(mel_id_t sem)
{
    const uint32_t key = mel_unit_lock();
    return mel_objects_end(key, mel_objects_sem_delete(sem));
}

mel_status_t mel_sem_give(mel_id_t sem)
{
    const uint32_t key = mel_unit_lock();
    return mel_objects_end(key, mel_objects_sem_give(sem));
}

mel_status_t mel_sem_take(mel_id_t sem, mel_ticks_t timeout)
{
    const uint32_t key = mel_unit_lock();
    return mel_objects_end(key, mel_objects_sem_take(sem, timeout));
}

mel_status_t mel_sem_query(mel_id_t sem, uint32_t *count)
{
    if (mel_beyond(sem, MEL_SEMAPHORES)) {
        return MEL_E_ID;
    }
    const semaphore_t now = {.both = *(volatile uint32_t *)&semaphores[sem].both};
    if (now.maximum == 0) {
        return MEL_E_NOEXS;
    }
    *count = now.count;
    return MEL_E_OK;
}
