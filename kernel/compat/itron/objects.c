/* SPDX-License-Identifier: Apache-2.0 */
/* objects.c: what is made over objects of Melanion one by one: semaphores, data queues, mutexes, fixed memory pools. Where tasks wait, they wait in order of
 * priority: an object that asks for order of arrival is refused with E_RSATR. */
#include "layer.h"

/* ---- semaphores --------------------------------------------------------------------------------------------------- */

static ER make_semaphore(ID semid, const void *packet)
{
    const T_CSEM *pk_csem = packet;
    ITRON_TASK_CALL;
    ITRON_OBJECT(semid, SEM);
    ITRON_CHECK(pk_csem->sematr == TA_TPRI, E_RSATR);
    return mel_sem_create((mel_id_t)semid - 1u, pk_csem->isemcnt, pk_csem->maxsem);
}

ER cre_sem(ID semid, const T_CSEM *pk_csem)
{
    return make_semaphore(semid, pk_csem);
}

ER_ID acre_sem(const T_CSEM *pk_csem)
{
    return itron_acre(TMAX_SEMID, make_semaphore, pk_csem);
}

ER del_sem(ID semid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(semid, SEM);
    return mel_sem_delete((mel_id_t)semid - 1u);
}

ER ref_sem(ID semid, T_RSEM *pk_rsem)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(semid, SEM);
    uint32_t count;
    const ER status = mel_sem_query((mel_id_t)semid - 1u, &count);
    if (status == E_OK) {
        pk_rsem->semcnt = count;
    }
    return status;
}

/* ---- data queues -------------------------------------------------------------------------------------------------- */

static ER make_data_queue(ID dtqid, const void *packet)
{
    const T_CDTQ *pk_cdtq = packet;
    ITRON_TASK_CALL;
    ITRON_OBJECT(dtqid, DTQ);
    ITRON_CHECK(pk_cdtq->dtqatr == TA_TPRI, E_RSATR);
    ITRON_CHECK(pk_cdtq->dtqcnt != 0, E_NOSPT); /* a queue without room, whose sender meets its receiver */
    return mel_queue_create((mel_id_t)dtqid - 1u, pk_cdtq->dtqcnt);
}

ER cre_dtq(ID dtqid, const T_CDTQ *pk_cdtq)
{
    return make_data_queue(dtqid, pk_cdtq);
}

ER_ID acre_dtq(const T_CDTQ *pk_cdtq)
{
    return itron_acre(TMAX_DTQID, make_data_queue, pk_cdtq);
}

ER del_dtq(ID dtqid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(dtqid, DTQ);
    return mel_queue_delete((mel_id_t)dtqid - 1u);
}

/* The oldest word gives way, in one step with the new one. Where tasks wait to send, each word that leaves lets one of theirs in, which then is
 * older than the new one: the step is made again until there is room. */
static ER force(ID dtqid, VP_INT data)
{
    ITRON_OBJECT(dtqid, DTQ);
    const mel_id_t queue = (mel_id_t)dtqid - 1u;
    for (;;) {
        uint32_t oldest;
        const mel_compound_t key = mel_compound_begin();
        _Bool sent = 1;
        int32_t answer = mel_compound_ask(MEL_OP_QUEUE_SEND, queue, (uint32_t)data, MEL_POLL, NULL);
        if (answer == E_TMOUT) {
            sent = 0;
            answer = mel_compound_ask(MEL_OP_QUEUE_RECEIVE, queue, MEL_POLL, 0, &oldest);
            if (answer == E_OK) {
                sent = 1;
                answer = mel_compound_ask(MEL_OP_QUEUE_SEND, queue, (uint32_t)data, MEL_POLL, NULL);
            }
        }
        const ER status = mel_compound_end(key, answer, NULL);
        if (status != E_TMOUT && (sent || status != E_OK)) {
            return status;
        }
    }
}

ER fsnd_dtq(ID dtqid, VP_INT data)
{
    ITRON_TASK_CALL;
    return force(dtqid, data);
}

ER ifsnd_dtq(ID dtqid, VP_INT data)
{
    ITRON_HANDLER_CALL;
    return force(dtqid, data);
}

ER ref_dtq(ID dtqid, T_RDTQ *pk_rdtq)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(dtqid, DTQ);
    uint32_t count;
    const ER status = mel_queue_query((mel_id_t)dtqid - 1u, &count);
    if (status == E_OK) {
        pk_rdtq->sdtqcnt = count;
    }
    return status;
}

/* ---- mutexes ------------------------------------------------------------------------------------------------------ */

static ER make_mutex(ID mtxid, const void *packet)
{
    const T_CMTX *pk_cmtx = packet;
    ITRON_TASK_CALL;
    ITRON_OBJECT(mtxid, MTX);
    ITRON_CHECK(pk_cmtx->mtxatr == TA_INHERIT || pk_cmtx->mtxatr == TA_CEILING, E_RSATR);
    const _Bool ceiling = pk_cmtx->mtxatr == TA_CEILING;
    ITRON_CHECK(!ceiling || (pk_cmtx->ceilpri >= TMIN_TPRI && pk_cmtx->ceilpri <= TMAX_TPRI), E_PAR);
    return mel_mutex_create((mel_id_t)mtxid - 1u, ceiling ? (mel_priority_t)pk_cmtx->ceilpri - 1u : MEL_NO_CEILING);
}

ER cre_mtx(ID mtxid, const T_CMTX *pk_cmtx)
{
    return make_mutex(mtxid, pk_cmtx);
}

ER_ID acre_mtx(const T_CMTX *pk_cmtx)
{
    return itron_acre(TMAX_MTXID, make_mutex, pk_cmtx);
}

ER del_mtx(ID mtxid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(mtxid, MTX);
    return mel_mutex_delete((mel_id_t)mtxid - 1u);
}

/* Whether the caller owns the mutex can be asked before the lock: nobody else changes it. */
ER tloc_mtx(ID mtxid, TMO tmout)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(mtxid, MTX);
    ITRON_TIMED(tmout);
    mel_mutex_info_t info;
    const mel_id_t mutex = (mel_id_t)mtxid - 1u;
    const mel_id_t self = mel_task_self();
    ITRON_CHECK(self == MEL_TASKS || mel_mutex_query(mutex, &info) != MEL_E_OK || info.owner != self, E_ILUSE);
    return mel_mutex_lock(mutex, itron_ticks(tmout));
}

ER unl_mtx(ID mtxid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(mtxid, MTX);
    const ER status = mel_mutex_unlock((mel_id_t)mtxid - 1u);
    return status == E_OBJ ? E_ILUSE : status; /* nobody owns it: so the caller does not */
}

ER ref_mtx(ID mtxid, T_RMTX *pk_rmtx)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(mtxid, MTX);
    mel_mutex_info_t info;
    const ER status = mel_mutex_query((mel_id_t)mtxid - 1u, &info);
    if (status == E_OK) {
        pk_rmtx->htskid = info.owner == MEL_TASKS ? TSK_NONE : (ID)info.owner + 1;
    }
    return status;
}

/* ---- fixed memory pools ------------------------------------------------------------------------------------------- */

static mel_pool_t pools[TMAX_MPFID + 1]; /* by ID; their semaphores: from the last one down */

static ER make_pool(ID mpfid, const void *packet)
{
    const T_CMPF *pk_cmpf = packet;
    ITRON_TASK_CALL;
    ITRON_OBJECT(mpfid, MPF);
    ITRON_CHECK(pk_cmpf->mpfatr == TA_TPRI, E_RSATR);
    ITRON_CHECK(pk_cmpf->mpf != NULL, E_NOMEM);
    const size_t size = (pk_cmpf->blksz + MEL_POOL_ALIGNMENT - 1) & ~(size_t)(MEL_POOL_ALIGNMENT - 1);
    return mel_pool_create(&pools[mpfid], pk_cmpf->mpf, size, pk_cmpf->blkcnt, MEL_SEMAPHORES - (mel_id_t)mpfid);
}

ER cre_mpf(ID mpfid, const T_CMPF *pk_cmpf)
{
    return make_pool(mpfid, pk_cmpf);
}

ER_ID acre_mpf(const T_CMPF *pk_cmpf)
{
    return itron_acre(TMAX_MPFID, make_pool, pk_cmpf);
}

ER del_mpf(ID mpfid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(mpfid, MPF);
    return mel_pool_delete(&pools[mpfid]);
}

ER tget_mpf(ID mpfid, VP *p_blk, TMO tmout)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(mpfid, MPF);
    ITRON_TIMED(tmout);
    ITRON_CHECK(tmout == TMO_POL || itron_may_wait(), E_CTX);
    return mel_pool_get(&pools[mpfid], itron_ticks(tmout), p_blk);
}

ER rel_mpf(ID mpfid, VP blk)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(mpfid, MPF);
    return mel_pool_put(&pools[mpfid], blk);
}

ER ref_mpf(ID mpfid, T_RMPF *pk_rmpf)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(mpfid, MPF);
    uint32_t free;
    const ER status = mel_pool_query(&pools[mpfid], &free);
    if (status == E_OK) {
        pk_rmpf->fblkcnt = free;
    }
    return status;
}
