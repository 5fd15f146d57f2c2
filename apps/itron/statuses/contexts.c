/* SPDX-License-Identifier: Apache-2.0 */
/* contexts.c: who may not call what: calls of tasks in a handler and with the CPU locked, i-calls in a task and in a handler that has locked the CPU, calls
 * that wait with dispatch disabled. Nothing of all this happens: each is refused before anything else is looked at. */
#include "test.h"

static T_CTSK task;
static T_CSEM semaphore;
static T_CFLG group;
static T_CDTQ queue;
static T_CMBX mailbox;
static T_CMTX mutex;
static T_CMPF pool;
static T_CCYC cyclic;
static T_CALM alarm;
static PRI priority;
static T_RTSK rtsk;
static T_RTST rtst;
static T_RSEM rsem;
static T_RFLG rflg;
static T_RDTQ rdtq;
static T_RMBX rmbx;
static T_RMTX rmtx;
static T_RMPF rmpf;
static T_RCYC rcyc;
static T_RALM ralm;
static FLGPTN pattern;
static VP_INT data;
static T_MSG message, *received;
static VP block;
static SYSTIM now;
static ID self;

static void calls_of_tasks(void)
{
    EXPECT(E_CTX, cre_tsk(NONE, &task));
    EXPECT(E_CTX, acre_tsk(&task));
    EXPECT(E_CTX, del_tsk(NONE));
    EXPECT(E_CTX, act_tsk(TASK_LOW));
    EXPECT(E_CTX, can_act(TASK_LOW));
    EXPECT(E_CTX, sta_tsk(TASK_LOW, 0));
    EXPECT(E_CTX, ter_tsk(TASK_LOW));
    EXPECT(E_CTX, chg_pri(TASK_MAIN, 10));
    EXPECT(E_CTX, get_pri(TASK_MAIN, &priority));
    EXPECT(E_CTX, ref_tsk(TASK_MAIN, &rtsk));
    EXPECT(E_CTX, ref_tst(TASK_MAIN, &rtst));
    EXPECT(E_CTX, slp_tsk());
    EXPECT(E_CTX, tslp_tsk(1));
    EXPECT(E_CTX, wup_tsk(TASK_MAIN));
    EXPECT(E_CTX, can_wup(TASK_MAIN));
    EXPECT(E_CTX, rel_wai(TASK_LOW));
    EXPECT(E_CTX, sus_tsk(TASK_MAIN));
    EXPECT(E_CTX, rsm_tsk(TASK_MAIN));
    EXPECT(E_CTX, frsm_tsk(TASK_MAIN));
    EXPECT(E_CTX, dly_tsk(1));
    EXPECT(E_CTX, cre_sem(1, &semaphore));
    EXPECT(E_CTX, acre_sem(&semaphore));
    EXPECT(E_CTX, del_sem(1));
    EXPECT(E_CTX, sig_sem(1));
    EXPECT(E_CTX, wai_sem(1));
    EXPECT(E_CTX, pol_sem(1));
    EXPECT(E_CTX, twai_sem(1, 1));
    EXPECT(E_CTX, ref_sem(1, &rsem));
    EXPECT(E_CTX, cre_flg(1, &group));
    EXPECT(E_CTX, acre_flg(&group));
    EXPECT(E_CTX, del_flg(1));
    EXPECT(E_CTX, set_flg(1, 1));
    EXPECT(E_CTX, clr_flg(1, 1));
    EXPECT(E_CTX, wai_flg(1, 1, TWF_ORW, &pattern));
    EXPECT(E_CTX, pol_flg(1, 1, TWF_ORW, &pattern));
    EXPECT(E_CTX, twai_flg(1, 1, TWF_ORW, &pattern, 1));
    EXPECT(E_CTX, ref_flg(1, &rflg));
    EXPECT(E_CTX, cre_dtq(1, &queue));
    EXPECT(E_CTX, acre_dtq(&queue));
    EXPECT(E_CTX, del_dtq(1));
    EXPECT(E_CTX, snd_dtq(1, 1));
    EXPECT(E_CTX, psnd_dtq(1, 1));
    EXPECT(E_CTX, tsnd_dtq(1, 1, 1));
    EXPECT(E_CTX, fsnd_dtq(1, 1));
    EXPECT(E_CTX, rcv_dtq(1, &data));
    EXPECT(E_CTX, prcv_dtq(1, &data));
    EXPECT(E_CTX, trcv_dtq(1, &data, 1));
    EXPECT(E_CTX, ref_dtq(1, &rdtq));
    EXPECT(E_CTX, cre_mbx(1, &mailbox));
    EXPECT(E_CTX, acre_mbx(&mailbox));
    EXPECT(E_CTX, del_mbx(1));
    EXPECT(E_CTX, snd_mbx(1, &message));
    EXPECT(E_CTX, rcv_mbx(1, &received));
    EXPECT(E_CTX, prcv_mbx(1, &received));
    EXPECT(E_CTX, trcv_mbx(1, &received, 1));
    EXPECT(E_CTX, ref_mbx(1, &rmbx));
    EXPECT(E_CTX, cre_mtx(1, &mutex));
    EXPECT(E_CTX, acre_mtx(&mutex));
    EXPECT(E_CTX, del_mtx(1));
    EXPECT(E_CTX, loc_mtx(1));
    EXPECT(E_CTX, ploc_mtx(1));
    EXPECT(E_CTX, tloc_mtx(1, 1));
    EXPECT(E_CTX, unl_mtx(1));
    EXPECT(E_CTX, ref_mtx(1, &rmtx));
    EXPECT(E_CTX, cre_mpf(1, &pool));
    EXPECT(E_CTX, acre_mpf(&pool));
    EXPECT(E_CTX, del_mpf(1));
    EXPECT(E_CTX, get_mpf(1, &block));
    EXPECT(E_CTX, pget_mpf(1, &block));
    EXPECT(E_CTX, tget_mpf(1, &block, 1));
    EXPECT(E_CTX, rel_mpf(1, block));
    EXPECT(E_CTX, ref_mpf(1, &rmpf));
    EXPECT(E_CTX, set_tim(&now));
    EXPECT(E_CTX, get_tim(&now));
    EXPECT(E_CTX, cre_cyc(1, &cyclic));
    EXPECT(E_CTX, acre_cyc(&cyclic));
    EXPECT(E_CTX, del_cyc(1));
    EXPECT(E_CTX, sta_cyc(1));
    EXPECT(E_CTX, stp_cyc(1));
    EXPECT(E_CTX, ref_cyc(1, &rcyc));
    EXPECT(E_CTX, cre_alm(1, &alarm));
    EXPECT(E_CTX, acre_alm(&alarm));
    EXPECT(E_CTX, del_alm(1));
    EXPECT(E_CTX, sta_alm(1, 1));
    EXPECT(E_CTX, stp_alm(1));
    EXPECT(E_CTX, ref_alm(1, &ralm));
    EXPECT(E_CTX, rot_rdq(10));
    EXPECT(E_CTX, get_tid(&self));
    EXPECT(E_CTX, dis_dsp());
    EXPECT(E_CTX, ena_dsp());
    EXPECT(E_CTX, dis_int(LINE));
    EXPECT(E_CTX, ena_int(LINE));
}

static void calls_of_handlers(void)
{
    EXPECT(E_CTX, iact_tsk(TASK_LOW));
    EXPECT(E_CTX, iwup_tsk(TASK_MAIN));
    EXPECT(E_CTX, irel_wai(TASK_LOW));
    EXPECT(E_CTX, isig_sem(1));
    EXPECT(E_CTX, iset_flg(1, 1));
    EXPECT(E_CTX, ipsnd_dtq(1, 1));
    EXPECT(E_CTX, ifsnd_dtq(1, 1));
    EXPECT(E_CTX, irot_rdq(10));
    EXPECT(E_CTX, iget_tid(&self));
}

static void in_the_handler(void)
{
    calls_of_tasks();
    ext_tsk();
    EXPECT(E_CTX, loc_cpu());
    EXPECT(E_CTX, unl_cpu());
    EXPECT(TRUE, sns_ctx());
    EXPECT(FALSE, sns_loc());
    EXPECT(TRUE, sns_dpn());
    EXPECT(E_OK, iloc_cpu());
    EXPECT(TRUE, sns_loc());
    calls_of_handlers();
    EXPECT(E_OK, iunl_cpu());
    EXPECT(FALSE, sns_loc());
    EXPECT(E_OK, iget_tid(&self));
    CHECK(TASK_MAIN, self);
    CHECK(E_OK, iloc_cpu()); /* the end of the handler takes it away */
}

static void with_dispatch_disabled(void)
{
    EXPECT(E_CTX, slp_tsk());
    EXPECT(E_CTX, tslp_tsk(1));
    EXPECT(E_CTX, dly_tsk(1));
    EXPECT(E_CTX, sus_tsk(TSK_SELF));
    EXPECT(E_CTX, wai_sem(1));
    EXPECT(E_CTX, twai_sem(1, 1));
    EXPECT(E_CTX, wai_flg(1, 1, TWF_ORW, &pattern));
    EXPECT(E_CTX, twai_flg(1, 1, TWF_ORW, &pattern, 1));
    EXPECT(E_CTX, snd_dtq(1, 1));
    EXPECT(E_CTX, tsnd_dtq(1, 1, 1));
    EXPECT(E_CTX, rcv_dtq(1, &data));
    EXPECT(E_CTX, trcv_dtq(1, &data, 1));
    EXPECT(E_CTX, rcv_mbx(1, &received));
    EXPECT(E_CTX, trcv_mbx(1, &received, 1));
    EXPECT(E_CTX, loc_mtx(1));
    EXPECT(E_CTX, tloc_mtx(1, 1));
    EXPECT(E_CTX, get_mpf(1, &block));
    EXPECT(E_CTX, tget_mpf(1, &block, 1));
}

static void in_the_handler_again(void)
{
    EXPECT(FALSE, sns_loc());
}

void contexts(void)
{
    calls_of_handlers();
    EXPECT(E_CTX, iloc_cpu());
    EXPECT(E_CTX, iunl_cpu());
    EXPECT(FALSE, sns_ctx());
    EXPECT(FALSE, sns_loc());
    EXPECT(FALSE, sns_dsp());
    EXPECT(FALSE, sns_dpn());
    in_handler(in_the_handler);
    in_handler(in_the_handler_again);
    EXPECT(E_OK, loc_cpu());
    CHECK(E_OK, loc_cpu());
    EXPECT(TRUE, sns_loc());
    EXPECT(TRUE, sns_dpn());
    calls_of_tasks();
    calls_of_handlers();
    EXPECT(E_OK, unl_cpu());
    EXPECT(FALSE, sns_loc());
    EXPECT(E_OK, dis_dsp());
    EXPECT(TRUE, sns_dsp());
    EXPECT(TRUE, sns_dpn());
    with_dispatch_disabled();
    EXPECT(E_OK, ena_dsp());
    EXPECT(FALSE, sns_dsp());
}
