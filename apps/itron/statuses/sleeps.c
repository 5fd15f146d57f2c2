/* SPDX-License-Identifier: Apache-2.0 */
/* sleeps.c: waits of a task that another one ends, and time that passes. */
#include "test.h"

JOB(slp, slp_tsk())
JOB(tslp, tslp_tsk(2))
JOB(tslp_forever, tslp_tsk(TMO_FEVR))
JOB(dly, dly_tsk(1000))

static void woken(void)
{
    high(slp);
    EXPECT(E_OK, wup_tsk(TASK_HIGH));
    RESULT(E_OK, slp_tsk);
    high(tslp);
    CHECK(E_OK, wup_tsk(TASK_HIGH));
    RESULT(E_OK, tslp_tsk);
    high(slp);
    EXPECT(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, slp_tsk);
    high(tslp_forever);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, tslp_tsk);
    high(dly);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, dly_tsk);
    EXPECT(E_TMOUT, tslp_tsk(TMO_POL));
    EXPECT(E_PAR, tslp_tsk(-2));
    EXPECT(E_PAR, dly_tsk(TMAX_RELTIM + 1));
    EXPECT(E_OBJ, wup_tsk(TASK_HIGH));
    EXPECT(E_ID, wup_tsk(BEYOND(TSK)));
    EXPECT(E_NOEXS, wup_tsk(NONE));
    EXPECT(E_OBJ, rel_wai(TASK_HIGH));
    EXPECT(E_ID, rel_wai(BEYOND(TSK)));
    EXPECT(E_ID, rel_wai(TSK_SELF));
    EXPECT(E_NOEXS, rel_wai(NONE));
}

static void from_a_handler(void)
{
    EXPECT(E_OK, iwup_tsk(TASK_MAIN));
    EXPECT(E_QOVR, iwup_tsk(TASK_MAIN));
    EXPECT(E_OBJ, iwup_tsk(TASK_LOW));
    EXPECT(E_ID, iwup_tsk(TSK_SELF));
    EXPECT(E_ID, iwup_tsk(BEYOND(TSK)));
    EXPECT(E_NOEXS, iwup_tsk(NONE));
    EXPECT(E_OK, irel_wai(TASK_HIGH));
    EXPECT(E_OBJ, irel_wai(TASK_LOW));
    EXPECT(E_ID, irel_wai(BEYOND(TSK)));
    EXPECT(E_NOEXS, irel_wai(NONE));
}

static void counted(void)
{
    high(slp);
    for (UINT i = 1; i < TMAX_WUPCNT; i++) {
        EXPECT(E_OK, wup_tsk(TSK_SELF));
    }
    in_handler(from_a_handler);
    RESULT(E_RLWAI, slp_tsk);
    EXPECT(E_QOVR, wup_tsk(TASK_MAIN));
    EXPECT(E_OK, slp_tsk());
    EXPECT(E_OK, tslp_tsk(TMO_POL));
    VALUE(TMAX_WUPCNT - 2, can_wup(TSK_SELF));
    VALUE(0, can_wup(TASK_MAIN));
    EXPECT(E_OBJ, can_wup(TASK_HIGH));
    EXPECT(E_ID, can_wup(BEYOND(TSK)));
    EXPECT(E_NOEXS, can_wup(NONE));
    low(slp);
    EXPECT(E_NOSPT, can_wup(TASK_LOW));
    CHECK(E_OK, ter_tsk(TASK_LOW));
}

static void suspended(void)
{
    high(slp);
    EXPECT(E_OK, sus_tsk(TASK_HIGH));
    EXPECT(E_QOVR, sus_tsk(TASK_HIGH));
    CHECK(E_OK, wup_tsk(TASK_HIGH));
    CHECK(1, result);
    EXPECT(E_OK, rsm_tsk(TASK_HIGH));
    RESULT(E_OK, slp_tsk);
    high(slp);
    CHECK(E_OK, sus_tsk(TASK_HIGH));
    EXPECT(E_OK, frsm_tsk(TASK_HIGH));
    EXPECT(E_OBJ, frsm_tsk(TASK_HIGH));
    EXPECT(E_OBJ, rsm_tsk(TASK_HIGH));
    CHECK(E_OK, ter_tsk(TASK_HIGH));
    EXPECT(E_OBJ, sus_tsk(TASK_HIGH));
    EXPECT(E_ID, sus_tsk(BEYOND(TSK)));
    EXPECT(E_NOEXS, sus_tsk(NONE));
    EXPECT(E_ID, rsm_tsk(BEYOND(TSK)));
    EXPECT(E_NOEXS, rsm_tsk(NONE));
    EXPECT(E_ID, frsm_tsk(BEYOND(TSK)));
    EXPECT(E_NOEXS, frsm_tsk(NONE));
}

/* n units of time are never less than n ticks, and at most one more (and the way there and back). */
static void lasting(void)
{
    for (UINT n = 0; n < 3; n++) {
        const uint32_t begin = mel_cycles();
        const ER delay = dly_tsk(n);
        const uint32_t delayed = mel_cycles();
        const ER sleep = tslp_tsk((TMO)n + 1);
        const uint32_t slept = mel_cycles();
        shown(__FILE_NAME__, __LINE__, "dly_tsk", "E_OK", delay, E_OK);
        shown(__FILE_NAME__, __LINE__, "tslp_tsk", "E_TMOUT", sleep, E_TMOUT);
        CHECK(TRUE, delayed - begin >= n * TICK_CYCLES && delayed - begin <= (n + 1) * TICK_CYCLES + TICK_CYCLES / 2);
        CHECK(TRUE, slept - delayed >= (n + 1) * TICK_CYCLES && slept - delayed <= (n + 2) * TICK_CYCLES + TICK_CYCLES / 2);
    }
}

void sleeps(void)
{
    woken();
    counted();
    suspended();
    lasting();
}
