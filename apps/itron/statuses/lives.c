/* SPDX-License-Identifier: Apache-2.0 */
/* lives.c: activation, start and end of tasks: queued activations, start codes, and what an end leaves behind. */
#include "test.h"

enum { MUTEX = 1 };

static volatile BOOL went_on;

static void nothing(void)
{
}

static void ends(void)
{
    ext_tsk();
    went_on = TRUE;
}

JOB(sleep_long, slp_tsk())

/* Each activation but the last leaves everything behind that an end must take away. */
static void leaves_much(void)
{
    T_RMTX mutex;
    PRI priority;
    ER wakeups = E_OBJ;
    CHECK(E_OK, get_pri(TSK_SELF, &priority));
    CHECK(15, priority);
    CHECK(E_OK, ref_mtx(MUTEX, &mutex));
    CHECK(TSK_NONE, mutex.htskid);
    wakeups = can_wup(TSK_SELF);
    CHECK(0, wakeups);
    CHECK(FALSE, sns_dsp());
    CHECK(E_OK, loc_mtx(MUTEX));
    CHECK(E_OK, wup_tsk(TSK_SELF));
    CHECK(E_OK, chg_pri(TSK_SELF, 14));
    CHECK(E_OK, dis_dsp());
    ext_tsk();
}

static void queued(void)
{
    CHECK(E_OK, cre_mtx(MUTEX, &(T_CMTX){TA_INHERIT, 0}));
    activations = 0;
    low(leaves_much);
    EXPECT(E_OK, act_tsk(TASK_LOW));
    EXPECT(E_OK, act_tsk(TASK_LOW));
    CHECK(0, activations);
    rest();
    CHECK(3, activations);
    VALUE(0, can_act(TASK_LOW));
    CHECK(E_OK, del_mtx(MUTEX));
}

static void from_a_handler(void)
{
    EXPECT(E_OK, iact_tsk(TASK_LOW));
    EXPECT(E_ID, iact_tsk(BEYOND(TSK)));
    EXPECT(E_ID, iact_tsk(TSK_SELF));
    EXPECT(E_NOEXS, iact_tsk(NONE));
}

static void too_many_from_a_handler(void)
{
    EXPECT(E_QOVR, iact_tsk(TASK_LOW));
}

/* From a task that is about to be preempted: it is not, before the handler's end. */
static void preempting(void)
{
    result = 0;
    CHECK(E_OK, iact_tsk(TASK_HIGH));
    CHECK(0, result);
}

JOB(mark, 5)

static void limits(void)
{
    low(nothing);
    for (UINT i = 0; i < TMAX_ACTCNT; i++) {
        CHECK(E_OK, act_tsk(TASK_LOW));
    }
    EXPECT(E_QOVR, act_tsk(TASK_LOW));
    in_handler(too_many_from_a_handler);
    VALUE(TMAX_ACTCNT, can_act(TASK_LOW));
    in_handler(from_a_handler);
    VALUE(1, can_act(TASK_LOW));
    EXPECT(E_ID, act_tsk(BEYOND(TSK)));
    EXPECT(E_ID, act_tsk(-1));
    EXPECT(E_NOEXS, act_tsk(NONE));
    EXPECT(E_ID, can_act(BEYOND(TSK)));
    EXPECT(E_NOEXS, can_act(NONE));
    CHECK(E_OK, act_tsk(TSK_SELF));
    VALUE(1, can_act(TSK_SELF));
    rest();
    high(mark);
    CHECK(5, result);
    in_handler(preempting);
    while (result == 0) {
    }
    CHECK(5, result);
}

static void started(void)
{
    high(nothing);
    CHECK(7, handed);
    EXPECT(E_OK, sta_tsk(TASK_HIGH, 1234));
    CHECK(1234, handed);
    high(sleep_long);
    CHECK(7, handed);
    EXPECT(E_OBJ, sta_tsk(TASK_HIGH, 99));
    CHECK(E_OK, act_tsk(TASK_HIGH));
    CHECK(E_OK, wup_tsk(TASK_HIGH)); /* it ends and begins anew */
    CHECK(7, handed);
    EXPECT(E_OK, ter_tsk(TASK_HIGH));
    CHECK(E_OK, sta_tsk(TASK_HIGH, 1234));
    CHECK(E_OK, act_tsk(TASK_HIGH));
    CHECK(E_OK, wup_tsk(TASK_HIGH));
    CHECK(7, handed); /* the start code was for one activation */
    CHECK(E_OK, ter_tsk(TASK_HIGH));
    EXPECT(E_ID, sta_tsk(TSK_SELF, 0));
    EXPECT(E_ID, sta_tsk(BEYOND(TSK), 0));
    EXPECT(E_NOEXS, sta_tsk(NONE, 0));
}

static void ended(void)
{
    high(ends);
    CHECK(FALSE, went_on);
    shown(__FILE_NAME__, __LINE__, "ext_tsk", "none", went_on, FALSE);
    EXPECT(E_OBJ, ter_tsk(TASK_HIGH));
    EXPECT(E_ILUSE, ter_tsk(TASK_MAIN));
    EXPECT(E_ID, ter_tsk(TSK_SELF));
    EXPECT(E_ID, ter_tsk(BEYOND(TSK)));
    EXPECT(E_NOEXS, ter_tsk(NONE));
    activations = 0;
    low(sleep_long);
    rest();
    CHECK(E_OK, act_tsk(TASK_LOW));
    EXPECT(E_OK, ter_tsk(TASK_LOW)); /* the queued activation begins */
    rest();
    CHECK(2, activations);
    CHECK(E_OK, dis_dsp());
    EXPECT(E_OK, ter_tsk(TASK_LOW));
    CHECK(TRUE, sns_dsp());
    CHECK(E_CTX, slp_tsk());
    CHECK(E_OK, ena_dsp());
    EXPECT(E_OBJ, ter_tsk(TASK_LOW));
}

void lives(void)
{
    queued();
    limits();
    started();
    ended();
}
