/* SPDX-License-Identifier: Apache-2.0 */
/* mailbox.c: mailboxes. The standard's have room for any number of messages, which are linked; Melanion's queues hold words, some of them. A mailbox is both: a
 * queue of one word, the address of the first message, and a list of those behind it.
 *     the list is not empty → the queue is full                                                       (1)
 * So a task that finds the queue empty finds no message at all, and waits in the kernel; and a message that is sent while a task waits goes from the kernel to
 * that task. Who takes the first message puts the next one into the queue in the same step. A message that is more urgent than the first takes
 * its place in the queue: nobody waits then, and nothing that a step does to a full queue lets a task run. */
#include "layer.h"

typedef struct {
    _Bool exists;
    ATR attributes;
    PRI least;   /* message priority */
    T_MSG *list; /* the messages behind the first, in the order in which they leave */
} box_t;

static box_t boxes[TMAX_MBXID + 1]; /* by ID */

/* The queue of a mailbox: from the last one down. */
static inline mel_id_t queue_of(ID mbxid)
{
    return MEL_QUEUES - (mel_id_t)mbxid;
}

static ER make_box(ID mbxid, const void *packet)
{
    const T_CMBX *pk_cmbx = packet;
    ITRON_TASK_CALL;
    ITRON_OBJECT(mbxid, MBX);
    ITRON_CHECK((pk_cmbx->mbxatr & ~TA_MPRI) == TA_TPRI, E_RSATR);
    ITRON_CHECK((pk_cmbx->mbxatr & TA_MPRI) == 0 || (pk_cmbx->maxmpri >= TMIN_MPRI && pk_cmbx->maxmpri <= TMAX_MPRI), E_PAR);
    const ER status = mel_queue_create(queue_of(mbxid), 1);
    ITRON_CHECK(status == E_OK, status);
    const mel_compound_t key = mel_compound_begin();
    boxes[mbxid] = (box_t){.exists = 1, .attributes = pk_cmbx->mbxatr, .least = pk_cmbx->maxmpri};
    return mel_compound_end(key, E_OK, NULL);
}

ER cre_mbx(ID mbxid, const T_CMBX *pk_cmbx)
{
    return make_box(mbxid, pk_cmbx);
}

ER_ID acre_mbx(const T_CMBX *pk_cmbx)
{
    return itron_acre(TMAX_MBXID, make_box, pk_cmbx);
}

ER del_mbx(ID mbxid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(mbxid, MBX);
    const mel_compound_t key = mel_compound_begin();
    boxes[mbxid].exists = 0;
    boxes[mbxid].list = NULL;
    (void)mel_compound_end(key, E_OK, NULL);
    return mel_queue_delete(queue_of(mbxid));
}

/* In a step: send without waiting; take without waiting. */
static inline int32_t put(ID mbxid, T_MSG *message)
{
    return mel_compound_ask(MEL_OP_QUEUE_SEND, queue_of(mbxid), (uint32_t)(uintptr_t)message, MEL_POLL, NULL);
}

static inline int32_t take(ID mbxid, T_MSG **message)
{
    uint32_t word = 0;
    const int32_t answer = mel_compound_ask(MEL_OP_QUEUE_RECEIVE, queue_of(mbxid), MEL_POLL, 0, &word);
    *message = (T_MSG *)(uintptr_t)word;
    return answer;
}

/* `message` may leave before `other`, which came earlier. */
static inline _Bool before(const box_t *box, const T_MSG *message, const T_MSG *other)
{
    return (box->attributes & TA_MPRI) && ((const T_MSG_PRI *)message)->msgpri < ((const T_MSG_PRI *)other)->msgpri;
}

/* In a step: the queue is full. */
static void put_behind(box_t *box, ID mbxid, T_MSG *message)
{
    T_MSG *first;
    (void)take(mbxid, &first);
    if (before(box, message, first)) {
        first->next = box->list;
        box->list = first;
        first = message;
    } else {
        T_MSG **place = &box->list;
        while (*place != NULL && !before(box, message, *place)) {
            place = &(*place)->next;
        }
        message->next = *place;
        *place = message;
    }
    (void)put(mbxid, first);
}

ER snd_mbx(ID mbxid, T_MSG *pk_msg)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(mbxid, MBX);
    ITRON_CHECK(pk_msg != NULL, E_PAR);
    box_t *box = &boxes[mbxid];
    const mel_compound_t key = mel_compound_begin();
    int32_t answer = E_NOEXS;
    if (box->exists) {
        const PRI priority = box->attributes & TA_MPRI ? ((T_MSG_PRI *)pk_msg)->msgpri : TMIN_MPRI;
        answer = E_PAR;
        if (priority >= TMIN_MPRI && (priority <= box->least || !(box->attributes & TA_MPRI))) {
            answer = put(mbxid, pk_msg);
        }
        if (answer == E_TMOUT) {
            put_behind(box, mbxid, pk_msg);
            answer = E_OK;
        }
    }
    return mel_compound_end(key, answer, NULL);
}

ER trcv_mbx(ID mbxid, T_MSG **ppk_msg, TMO tmout)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(mbxid, MBX);
    ITRON_TIMED(tmout);
    ITRON_CHECK(tmout == TMO_POL || itron_may_wait(), E_CTX);
    box_t *box = &boxes[mbxid];
    T_MSG *message;
    uint32_t word = 0;
    const mel_compound_t key = mel_compound_begin();
    int32_t answer = take(mbxid, &message);
    if (answer == E_OK) {
        word = (uint32_t)(uintptr_t)message;
        if (box->list != NULL) {
            T_MSG *next = box->list;
            box->list = next->next;
            (void)put(mbxid, next);
        }
    } else if (answer == E_TMOUT && tmout != TMO_POL) {
        answer = mel_compound_ask(MEL_OP_QUEUE_RECEIVE, queue_of(mbxid), itron_ticks(tmout), 0, &word);
    }
    const ER status = mel_compound_end(key, answer, &word);
    if (status == E_OK) {
        *ppk_msg = (T_MSG *)(uintptr_t)word;
    }
    return status;
}

ER ref_mbx(ID mbxid, T_RMBX *pk_rmbx)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(mbxid, MBX);
    T_MSG *first = NULL;
    const mel_compound_t key = mel_compound_begin();
    int32_t answer = take(mbxid, &first);
    if (answer == E_OK) {
        answer = put(mbxid, first);
    } else if (answer == E_TMOUT) {
        answer = E_OK;
    }
    const ER status = mel_compound_end(key, answer, NULL);
    if (status == E_OK) {
        pk_rmbx->pk_msg = first;
    }
    return status;
}
