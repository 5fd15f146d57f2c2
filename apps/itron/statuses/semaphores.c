/* SPDX-License-Identifier: Apache-2.0 */
/* semaphores.c: every status of semaphores, and whom a unit goes to. */
#include "test.h"

enum { SEM = 1 };

JOB(wai, wai_sem(SEM))
JOB(twai, twai_sem(SEM, 5))
JOB(twai_short, twai_sem(SEM, 1))

static void made(void)
{
    T_CSEM packet = {TA_TPRI, 1, 2};
    EXPECT(E_ID, cre_sem(0, &packet));
    EXPECT(E_ID, cre_sem(BEYOND(SEM), &packet));
    EXPECT(E_RSATR, cre_sem(SEM, &(T_CSEM){TA_TFIFO, 1, 2}));
    EXPECT(E_RSATR, acre_sem(&(T_CSEM){TA_TFIFO, 1, 2}));
    EXPECT(E_PAR, cre_sem(SEM, &(T_CSEM){TA_TPRI, 3, 2}));
    EXPECT(E_PAR, cre_sem(SEM, &(T_CSEM){TA_TPRI, 0, 0}));
    EXPECT(E_PAR, cre_sem(SEM, &(T_CSEM){TA_TPRI, 0, TMAX_MAXSEM + 1}));
    EXPECT(E_PAR, acre_sem(&(T_CSEM){TA_TPRI, 3, 2}));
    EXPECT(E_OK, cre_sem(SEM, &packet));
    EXPECT(E_OBJ, cre_sem(SEM, &packet));
    VALUE(TMAX_SEMID, acre_sem(&packet));
    for (ID id = TMAX_SEMID - 1; id > SEM; id--) {
        CHECK(id, acre_sem(&packet));
    }
    EXPECT(E_NOID, acre_sem(&packet));
    for (ID id = TMAX_SEMID; id > SEM; id--) {
        CHECK(E_OK, del_sem(id));
    }
    EXPECT(E_NOEXS, del_sem(TMAX_SEMID));
    EXPECT(E_ID, del_sem(BEYOND(SEM)));
}

static void from_a_handler(void)
{
    EXPECT(E_OK, isig_sem(SEM));
    CHECK(1, result); /* its task runs behind the handler */
    CHECK(E_OK, isig_sem(SEM));
    CHECK(E_OK, isig_sem(SEM));
    EXPECT(E_QOVR, isig_sem(SEM));
    EXPECT(E_ID, isig_sem(BEYOND(SEM)));
    EXPECT(E_NOEXS, isig_sem(NONE));
}

static void counted(void)
{
    T_RSEM state;
    EXPECT(E_OK, ref_sem(SEM, &state));
    CHECK(1, state.semcnt);
    EXPECT(E_OK, sig_sem(SEM));
    EXPECT(E_QOVR, sig_sem(SEM));
    EXPECT(E_OK, wai_sem(SEM));
    EXPECT(E_OK, twai_sem(SEM, 1));
    EXPECT(E_TMOUT, pol_sem(SEM));
    EXPECT(E_TMOUT, twai_sem(SEM, TMO_POL));
    CHECK(E_OK, dis_dsp());
    CHECK(E_TMOUT, pol_sem(SEM)); /* a poll may, because it does not wait */
    CHECK(E_OK, ena_dsp());
    EXPECT(E_TMOUT, twai_sem(SEM, 1));
    CHECK(E_OK, sig_sem(SEM));
    EXPECT(E_OK, pol_sem(SEM));
    high(wai);
    in_handler(from_a_handler);
    RESULT(E_OK, wai_sem);
    EXPECT(E_OK, ref_sem(SEM, &state));
    CHECK(2, state.semcnt);
    CHECK(E_OK, pol_sem(SEM));
    CHECK(E_OK, pol_sem(SEM));
}

static void waited(void)
{
    high(wai);
    CHECK(1, result);
    CHECK(E_OK, sig_sem(SEM));
    RESULT(E_OK, wai_sem);
    high(wai);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, wai_sem);
    high(twai);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, twai_sem);
    high(twai_short);
    CHECK(E_OK, dly_tsk(3));
    RESULT(E_TMOUT, twai_sem);
    high(wai);
    EXPECT(E_OK, del_sem(SEM));
    RESULT(E_DLT, wai_sem);
    CHECK(E_OK, cre_sem(SEM, &(T_CSEM){TA_TPRI, 0, 1}));
    high(twai);
    CHECK(E_OK, del_sem(SEM));
    RESULT(E_DLT, twai_sem);
}

void semaphores(void)
{
    T_RSEM state;
    made();
    counted();
    waited();
    EXPECT(E_PAR, twai_sem(SEM, -2));
    EXPECT(E_ID, sig_sem(BEYOND(SEM)));
    EXPECT(E_ID, wai_sem(BEYOND(SEM)));
    EXPECT(E_ID, pol_sem(BEYOND(SEM)));
    EXPECT(E_ID, twai_sem(BEYOND(SEM), 1));
    EXPECT(E_ID, ref_sem(BEYOND(SEM), &state));
    EXPECT(E_NOEXS, sig_sem(NONE));
    EXPECT(E_NOEXS, wai_sem(NONE));
    EXPECT(E_NOEXS, pol_sem(NONE));
    EXPECT(E_NOEXS, twai_sem(NONE, 1));
    EXPECT(E_NOEXS, ref_sem(NONE, &state));
}
