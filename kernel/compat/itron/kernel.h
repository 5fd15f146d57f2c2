/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h: the service calls of µITRON 4.0 over those of Melanion. What each call may return, and where it differs: docs/reference/itron.md.
 *
 * IDs and priorities begin with 1: object n is Melanion's n - 1, so TSK_SELF is MEL_SELF, and TPRI_SELF is MEL_OWN_PRIORITY. A call that is one
 * call of Melanion is inline; the others are functions (task.c, event_flag.c, mailbox.c, objects.c, time.c, system.c).
 * Contexts: calls of tasks return E_CTX in handlers and while the CPU is locked, i-calls everywhere but in handlers. A handler runs with interrupts off, and
 * locking the CPU is turning them off: so one look at mstatus tells a task whether it may call. Calls that wait are refused by the kernel while dispatch is
 * disabled. Everything that tasks may do, ATT_INI routines may do, except waiting.
 * Time: n units of time end with tick n + 1 from now, because the current tick has begun already: never before n whole ticks have passed. */
#ifndef ITRON_KERNEL_H
#define ITRON_KERNEL_H

#include <melanion/melanion.h>

#include "itron.h"
#include "kernel_id.h"

_Static_assert(E_OK == MEL_E_OK && E_PAR == MEL_E_PAR && E_ID == MEL_E_ID && E_CTX == MEL_E_CTX && E_ILUSE == MEL_E_ILUSE &&
                   E_NOMEM == MEL_E_NOMEM && E_OBJ == MEL_E_OBJ && E_NOEXS == MEL_E_NOEXS && E_QOVR == MEL_E_QOVR &&
                   E_RLWAI == MEL_E_RLWAI && E_TMOUT == MEL_E_TMOUT && E_DLT == MEL_E_DLT && E_RSFN == MEL_E_RSFN,
               "a status of Melanion is returned as it is");
_Static_assert((mel_id_t)(TSK_SELF - 1) == MEL_SELF && (mel_priority_t)(TPRI_SELF - 1) == MEL_OWN_PRIORITY &&
                   (mel_ticks_t)TMO_POL == MEL_POLL && (mel_ticks_t)TMO_FEVR == MEL_FOREVER,
               "special values become Melanion's by the arithmetic of all others");

#define TMIN_TPRI 1
#define TMAX_TPRI MEL_PRIORITIES
#define TMIN_MPRI 1
#define TMAX_MPRI 255
#define TMAX_ACTCNT 255
#define TMAX_WUPCNT MEL_WAKEUPS_LIMIT
#define TMAX_SUSCNT 1
#define TMAX_MAXSEM MEL_SEMAPHORE_COUNT_LIMIT
#define TBIT_FLGPTN 32
#define TMAX_RELTIM 0x7FFFFFFEu
/* A unit of time is a tick: TIC_NUME / TIC_DENO milliseconds. */
#define TIC_NUME MEL_TICK_CYCLES
#define TIC_DENO (MEL_CLOCK_HZ / 1000)
#define TKERNEL_MAKER 0x0000u /* none was assigned */
#define TKERNEL_PRID 0x0001u
#define TKERNEL_SPVER 0x5401u /* µITRON 4.01 */
#define TKERNEL_PRVER 0x0001u

typedef void (*TASK)(VP_INT exinf);
typedef void (*INTHDR)(void);
typedef void (*ISR)(VP_INT exinf);
typedef void (*CYCHDR)(VP_INT exinf);
typedef void (*ALMHDR)(VP_INT exinf);

typedef struct t_msg {
    struct t_msg *next; /* the kernel's */
} T_MSG;

typedef struct {
    T_MSG msgque;
    PRI msgpri; /* 1 is the most urgent */
} T_MSG_PRI;

/* Creation packets of objects. */
typedef struct { ATR tskatr; VP_INT exinf; TASK task; PRI itskpri; SIZE stksz; VP stk; } T_CTSK;
typedef struct { ATR sematr; UINT isemcnt; UINT maxsem; } T_CSEM;
typedef struct { ATR flgatr; FLGPTN iflgptn; } T_CFLG;
typedef struct { ATR dtqatr; UINT dtqcnt; VP dtq; } T_CDTQ;             /* dtq: NULL */
typedef struct { ATR mbxatr; PRI maxmpri; VP mprihd; } T_CMBX;         /* mprihd: NULL */
typedef struct { ATR mtxatr; PRI ceilpri; } T_CMTX;
typedef struct { ATR mpfatr; UINT blkcnt; UINT blksz; VP mpf; } T_CMPF; /* mpf: blkcnt blocks of blksz bytes, rounded up to 4 */
typedef struct { ATR cycatr; VP_INT exinf; CYCHDR cychdr; RELTIM cyctim; RELTIM cycphs; } T_CCYC;
typedef struct { ATR almatr; VP_INT exinf; ALMHDR almhdr; } T_CALM;

/* Packets of the ref_ calls: those of the standard's members that Melanion knows. */
typedef struct { STAT tskstat; PRI tskpri; UINT actcnt; UINT wupcnt; UINT suscnt; } T_RTSK;
typedef struct { STAT tskstat; } T_RTST;
typedef struct { UINT semcnt; } T_RSEM;
typedef struct { FLGPTN flgptn; } T_RFLG;
typedef struct { UINT sdtqcnt; } T_RDTQ;
typedef struct { T_MSG *pk_msg; } T_RMBX;
typedef struct { ID htskid; } T_RMTX;
typedef struct { UINT fblkcnt; } T_RMPF;
typedef struct { STAT cycstat; } T_RCYC;
typedef struct { STAT almstat; } T_RALM;
typedef struct { UH maker; UH prid; UH spver; UH prver; UH prno[4]; } T_RVER;

/* Return `status` from the calling function unless `condition` holds. */
#define ITRON_CHECK(condition, status) \
    do {                               \
        if (!(condition)) {            \
            return (status);           \
        }                              \
    } while (0)

/* `id` can be one of `maximum` objects. */
static inline _Bool itron_numbers(ID id, INT maximum)
{
    return (UINT)id - 1u < (UINT)maximum;
}

/* Interrupts are on: the caller is no handler, and the CPU is not locked. */
static inline _Bool itron_open(void)
{
    uint32_t mstatus;
    __asm__ volatile("csrr %0, mstatus" : "=r"(mstatus));
    return (mstatus & 8u) != 0;
}

/* The caller is a handler that has not locked the CPU. */
BOOL itron_in_handler(void);

static inline mel_ticks_t itron_ticks(TMO tmout)
{
    return tmout > 0 ? (mel_ticks_t)tmout + 1u : (mel_ticks_t)tmout;
}

/* The first lines of a call by a task; of one by a handler; of one with a timeout. */
#define ITRON_TASK_CALL ITRON_CHECK(itron_open(), E_CTX)
#define ITRON_HANDLER_CALL ITRON_CHECK(itron_in_handler(), E_CTX)
#define ITRON_TIMED(tmout) ITRON_CHECK((tmout) >= TMO_FEVR, E_PAR)
#define ITRON_OBJECT(id, kind) ITRON_CHECK(itron_numbers(id, TMAX_##kind##ID), E_ID)

/* ---- tasks -------------------------------------------------------------------------------------------------------- */

ER cre_tsk(ID tskid, const T_CTSK *pk_ctsk);
ER_ID acre_tsk(const T_CTSK *pk_ctsk);
ER del_tsk(ID tskid);
ER act_tsk(ID tskid);
ER iact_tsk(ID tskid);
ER_UINT can_act(ID tskid);
ER sta_tsk(ID tskid, VP_INT stacd);
void ext_tsk(void); /* returns only where it may not be called */
ER ter_tsk(ID tskid);
ER chg_pri(ID tskid, PRI tskpri);
ER get_pri(ID tskid, PRI *p_tskpri);
ER ref_tsk(ID tskid, T_RTSK *pk_rtsk);
ER ref_tst(ID tskid, T_RTST *pk_rtst);

/* ---- tasks that wait for each other ------------------------------------------------------------------------------- */

static inline ER tslp_tsk(TMO tmout)
{
    ITRON_TASK_CALL;
    ITRON_TIMED(tmout);
    return mel_task_sleep(itron_ticks(tmout));
}

static inline ER slp_tsk(void)
{
    return tslp_tsk(TMO_FEVR);
}

static inline ER wup_tsk(ID tskid)
{
    ITRON_TASK_CALL;
    return mel_task_wakeup((mel_id_t)tskid - 1u);
}

static inline ER iwup_tsk(ID tskid)
{
    ITRON_HANDLER_CALL;
    return mel_task_wakeup((mel_id_t)tskid - 1u);
}

ER_UINT can_wup(ID tskid);

static inline ER rel_wai(ID tskid)
{
    ITRON_TASK_CALL;
    return mel_task_release((mel_id_t)tskid - 1u);
}

static inline ER irel_wai(ID tskid)
{
    ITRON_HANDLER_CALL;
    return mel_task_release((mel_id_t)tskid - 1u);
}

static inline ER sus_tsk(ID tskid)
{
    ITRON_TASK_CALL;
    return mel_task_suspend((mel_id_t)tskid - 1u);
}

static inline ER rsm_tsk(ID tskid)
{
    ITRON_TASK_CALL;
    return mel_task_resume((mel_id_t)tskid - 1u);
}

static inline ER frsm_tsk(ID tskid)
{
    return rsm_tsk(tskid);
}

static inline ER dly_tsk(RELTIM dlytim)
{
    ITRON_TASK_CALL;
    ITRON_CHECK(dlytim <= TMAX_RELTIM, E_PAR);
    return mel_task_delay(dlytim + 1u);
}

/* ---- semaphores --------------------------------------------------------------------------------------------------- */

ER cre_sem(ID semid, const T_CSEM *pk_csem);
ER_ID acre_sem(const T_CSEM *pk_csem);
ER del_sem(ID semid);
ER ref_sem(ID semid, T_RSEM *pk_rsem);

static inline ER sig_sem(ID semid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(semid, SEM);
    return mel_sem_give((mel_id_t)semid - 1u);
}

static inline ER isig_sem(ID semid)
{
    ITRON_HANDLER_CALL;
    ITRON_OBJECT(semid, SEM);
    return mel_sem_give((mel_id_t)semid - 1u);
}

static inline ER twai_sem(ID semid, TMO tmout)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(semid, SEM);
    ITRON_TIMED(tmout);
    return mel_sem_take((mel_id_t)semid - 1u, itron_ticks(tmout));
}

static inline ER wai_sem(ID semid)
{
    return twai_sem(semid, TMO_FEVR);
}

static inline ER pol_sem(ID semid)
{
    return twai_sem(semid, TMO_POL);
}

/* ---- event flags -------------------------------------------------------------------------------------------------- */

ER cre_flg(ID flgid, const T_CFLG *pk_cflg);
ER_ID acre_flg(const T_CFLG *pk_cflg);
ER del_flg(ID flgid);
ER set_flg(ID flgid, FLGPTN setptn);
ER iset_flg(ID flgid, FLGPTN setptn);
ER clr_flg(ID flgid, FLGPTN clrptn);
ER twai_flg(ID flgid, FLGPTN waiptn, MODE wfmode, FLGPTN *p_flgptn, TMO tmout);
ER ref_flg(ID flgid, T_RFLG *pk_rflg);

static inline ER wai_flg(ID flgid, FLGPTN waiptn, MODE wfmode, FLGPTN *p_flgptn)
{
    return twai_flg(flgid, waiptn, wfmode, p_flgptn, TMO_FEVR);
}

static inline ER pol_flg(ID flgid, FLGPTN waiptn, MODE wfmode, FLGPTN *p_flgptn)
{
    return twai_flg(flgid, waiptn, wfmode, p_flgptn, TMO_POL);
}

/* ---- data queues -------------------------------------------------------------------------------------------------- */

ER cre_dtq(ID dtqid, const T_CDTQ *pk_cdtq);
ER_ID acre_dtq(const T_CDTQ *pk_cdtq);
ER del_dtq(ID dtqid);
ER fsnd_dtq(ID dtqid, VP_INT data);
ER ifsnd_dtq(ID dtqid, VP_INT data);
ER ref_dtq(ID dtqid, T_RDTQ *pk_rdtq);

static inline ER tsnd_dtq(ID dtqid, VP_INT data, TMO tmout)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(dtqid, DTQ);
    ITRON_TIMED(tmout);
    return mel_queue_send((mel_id_t)dtqid - 1u, (uint32_t)data, itron_ticks(tmout));
}

static inline ER snd_dtq(ID dtqid, VP_INT data)
{
    return tsnd_dtq(dtqid, data, TMO_FEVR);
}

static inline ER psnd_dtq(ID dtqid, VP_INT data)
{
    return tsnd_dtq(dtqid, data, TMO_POL);
}

static inline ER ipsnd_dtq(ID dtqid, VP_INT data)
{
    ITRON_HANDLER_CALL;
    ITRON_OBJECT(dtqid, DTQ);
    return mel_queue_send((mel_id_t)dtqid - 1u, (uint32_t)data, MEL_POLL);
}

static inline ER trcv_dtq(ID dtqid, VP_INT *p_data, TMO tmout)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(dtqid, DTQ);
    ITRON_TIMED(tmout);
    return mel_queue_receive((mel_id_t)dtqid - 1u, itron_ticks(tmout), (uint32_t *)p_data);
}

static inline ER rcv_dtq(ID dtqid, VP_INT *p_data)
{
    return trcv_dtq(dtqid, p_data, TMO_FEVR);
}

static inline ER prcv_dtq(ID dtqid, VP_INT *p_data)
{
    return trcv_dtq(dtqid, p_data, TMO_POL);
}

/* ---- mailboxes ---------------------------------------------------------------------------------------------------- */

ER cre_mbx(ID mbxid, const T_CMBX *pk_cmbx);
ER_ID acre_mbx(const T_CMBX *pk_cmbx);
ER del_mbx(ID mbxid);
ER snd_mbx(ID mbxid, T_MSG *pk_msg);
ER trcv_mbx(ID mbxid, T_MSG **ppk_msg, TMO tmout);
ER ref_mbx(ID mbxid, T_RMBX *pk_rmbx);

static inline ER rcv_mbx(ID mbxid, T_MSG **ppk_msg)
{
    return trcv_mbx(mbxid, ppk_msg, TMO_FEVR);
}

static inline ER prcv_mbx(ID mbxid, T_MSG **ppk_msg)
{
    return trcv_mbx(mbxid, ppk_msg, TMO_POL);
}

/* ---- mutexes ------------------------------------------------------------------------------------------------------ */

ER cre_mtx(ID mtxid, const T_CMTX *pk_cmtx);
ER_ID acre_mtx(const T_CMTX *pk_cmtx);
ER del_mtx(ID mtxid);
ER tloc_mtx(ID mtxid, TMO tmout);
ER unl_mtx(ID mtxid);
ER ref_mtx(ID mtxid, T_RMTX *pk_rmtx);

static inline ER loc_mtx(ID mtxid)
{
    return tloc_mtx(mtxid, TMO_FEVR);
}

static inline ER ploc_mtx(ID mtxid)
{
    return tloc_mtx(mtxid, TMO_POL);
}

/* ---- fixed memory pools ------------------------------------------------------------------------------------------- */

ER cre_mpf(ID mpfid, const T_CMPF *pk_cmpf);
ER_ID acre_mpf(const T_CMPF *pk_cmpf);
ER del_mpf(ID mpfid);
ER tget_mpf(ID mpfid, VP *p_blk, TMO tmout);
ER rel_mpf(ID mpfid, VP blk);
ER ref_mpf(ID mpfid, T_RMPF *pk_rmpf);

static inline ER get_mpf(ID mpfid, VP *p_blk)
{
    return tget_mpf(mpfid, p_blk, TMO_FEVR);
}

static inline ER pget_mpf(ID mpfid, VP *p_blk)
{
    return tget_mpf(mpfid, p_blk, TMO_POL);
}

/* ---- time --------------------------------------------------------------------------------------------------------- */

ER set_tim(const SYSTIM *p_systim);
ER get_tim(SYSTIM *p_systim);

/* The kernel makes its ticks itself. */
static inline ER isig_tim(void)
{
    return E_NOSPT;
}

ER cre_cyc(ID cycid, const T_CCYC *pk_ccyc);
ER_ID acre_cyc(const T_CCYC *pk_ccyc);
ER del_cyc(ID cycid);
ER sta_cyc(ID cycid);
ER stp_cyc(ID cycid);
ER ref_cyc(ID cycid, T_RCYC *pk_rcyc);

ER cre_alm(ID almid, const T_CALM *pk_calm);
ER_ID acre_alm(const T_CALM *pk_calm);
ER del_alm(ID almid);
ER sta_alm(ID almid, RELTIM almtim);
ER stp_alm(ID almid);
ER ref_alm(ID almid, T_RALM *pk_ralm);

/* ---- the state of the system -------------------------------------------------------------------------------------- */

static inline ER rot_rdq(PRI tskpri)
{
    ITRON_TASK_CALL;
    return mel_task_rotate((mel_priority_t)tskpri - 1u);
}

static inline ER irot_rdq(PRI tskpri)
{
    ITRON_HANDLER_CALL;
    ITRON_CHECK(tskpri != TPRI_SELF, E_PAR);
    return mel_task_rotate((mel_priority_t)tskpri - 1u);
}

ER get_tid(ID *p_tskid);
ER iget_tid(ID *p_tskid);
ER loc_cpu(void);
ER iloc_cpu(void);
ER unl_cpu(void);
ER iunl_cpu(void);
ER dis_dsp(void);
ER ena_dsp(void);
BOOL sns_ctx(void);
BOOL sns_loc(void);
BOOL sns_dsp(void);
BOOL sns_dpn(void);
ER ref_ver(T_RVER *pk_rver);

static inline ER dis_int(INTNO intno)
{
    ITRON_TASK_CALL;
    ITRON_CHECK(intno < MEL_INTERRUPTS, E_PAR);
    return mel_irq_disable(intno);
}

static inline ER ena_int(INTNO intno)
{
    ITRON_TASK_CALL;
    ITRON_CHECK(intno < MEL_INTERRUPTS, E_PAR);
    return mel_irq_enable(intno);
}

#endif
