/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.c: how tasks are made, and what is asked of them. */
#include "test.h"

enum { EXTRA = 21, STACK = 512 };
MEL_TASK_STACK(extra_stack, EXTRA - 1, STACK);

static void extra_task(VP_INT exinf)
{
    handed = exinf;
}

static void made(void)
{
    const T_CTSK extra = {TA_HLNG, 77, extra_task, 4, STACK, extra_stack};
    T_CTSK wrong = extra;
    EXPECT(E_ID, cre_tsk(0, &extra));
    EXPECT(E_ID, cre_tsk(BEYOND(TSK), &extra));
    wrong.tskatr = TA_RSTR;
    EXPECT(E_RSATR, cre_tsk(EXTRA, &wrong));
    EXPECT(E_RSATR, acre_tsk(&wrong));
    wrong = extra;
    wrong.itskpri = 0;
    EXPECT(E_PAR, cre_tsk(EXTRA, &wrong));
    wrong.itskpri = TMAX_TPRI + 1;
    EXPECT(E_PAR, cre_tsk(EXTRA, &wrong));
    EXPECT(E_PAR, acre_tsk(&wrong));
    wrong = extra;
    wrong.stksz = 128;
    EXPECT(E_PAR, cre_tsk(EXTRA, &wrong));
    wrong = extra;
    wrong.task = NULL;
    EXPECT(E_PAR, cre_tsk(EXTRA, &wrong));
    wrong = extra;
    wrong.stk = NULL;
    EXPECT(E_NOMEM, cre_tsk(EXTRA, &wrong));
    EXPECT(E_NOMEM, acre_tsk(&wrong));
    EXPECT(E_NOEXS, act_tsk(EXTRA));
    EXPECT(E_OK, cre_tsk(EXTRA, &extra));
    EXPECT(E_OBJ, cre_tsk(EXTRA, &extra));
    EXPECT(E_OK, act_tsk(EXTRA));
    CHECK(77, handed);
    EXPECT(E_OK, del_tsk(EXTRA));
    EXPECT(E_NOEXS, del_tsk(EXTRA));
    EXPECT(E_NOEXS, act_tsk(EXTRA));
    EXPECT(E_ID, del_tsk(BEYOND(TSK)));
    EXPECT(E_OBJ, del_tsk(TASK_MAIN));
    VALUE(TMAX_TSKID, acre_tsk(&extra));
    for (ID id = TMAX_TSKID - 1; id > TASK_LOW; id--) {
        CHECK(id, acre_tsk(&extra));
    }
    EXPECT(E_NOID, acre_tsk(&extra));
    for (ID id = TMAX_TSKID; id > TASK_LOW; id--) {
        CHECK(E_OK, del_tsk(id));
    }
}

static void priorities(void)
{
    PRI priority = 0;
    EXPECT(E_OK, get_pri(TSK_SELF, &priority));
    CHECK(10, priority);
    EXPECT(E_OK, chg_pri(TSK_SELF, 9));
    EXPECT(E_OK, get_pri(TASK_MAIN, &priority));
    CHECK(9, priority);
    EXPECT(E_OK, chg_pri(TASK_MAIN, TPRI_INI));
    CHECK(E_OK, get_pri(TASK_MAIN, &priority));
    CHECK(10, priority);
    EXPECT(E_PAR, chg_pri(TASK_MAIN, TMAX_TPRI + 1));
    EXPECT(E_PAR, chg_pri(TASK_MAIN, -1));
    EXPECT(E_ID, chg_pri(BEYOND(TSK), 9));
    EXPECT(E_ID, get_pri(BEYOND(TSK), &priority));
    EXPECT(E_NOEXS, chg_pri(NONE, 9));
    EXPECT(E_NOEXS, get_pri(NONE, &priority));
    EXPECT(E_OBJ, chg_pri(TASK_LOW, 9));
    EXPECT(E_OBJ, get_pri(TASK_LOW, &priority));
}

JOB(sleep_long, slp_tsk())

static STAT state_of(ID tskid)
{
    T_RTST state = {0};
    T_RTSK all = {0};
    CHECK(E_OK, ref_tst(tskid, &state));
    CHECK(E_OK, ref_tsk(tskid, &all));
    CHECK(state.tskstat, all.tskstat);
    return state.tskstat;
}

static void references(void)
{
    T_RTST state;
    T_RTSK all;
    EXPECT(E_OK, ref_tst(TSK_SELF, &state));
    CHECK(TTS_RUN, state.tskstat);
    EXPECT(E_ID, ref_tst(BEYOND(TSK), &state));
    EXPECT(E_NOEXS, ref_tst(NONE, &state));
    EXPECT(E_ID, ref_tsk(BEYOND(TSK), &all));
    EXPECT(E_NOEXS, ref_tsk(NONE, &all));
    CHECK(TTS_DMT, state_of(TASK_HIGH));
    high(sleep_long);
    CHECK(TTS_WAI, state_of(TASK_HIGH));
    CHECK(E_OK, sus_tsk(TASK_HIGH));
    CHECK(TTS_WAS, state_of(TASK_HIGH));
    CHECK(E_OK, wup_tsk(TASK_HIGH));
    CHECK(TTS_SUS, state_of(TASK_HIGH));
    CHECK(E_OK, wup_tsk(TASK_HIGH));
    CHECK(E_OK, act_tsk(TASK_HIGH));
    EXPECT(E_OK, ref_tsk(TASK_HIGH, &all));
    CHECK(5, all.tskpri);
    CHECK(1, all.actcnt);
    CHECK(1, all.wupcnt);
    CHECK(1, all.suscnt);
    CHECK(1, can_act(TASK_HIGH));
    CHECK(E_OK, rsm_tsk(TASK_HIGH));
    CHECK(TTS_DMT, state_of(TASK_HIGH));
    low(sleep_long);
    CHECK(TTS_RDY, state_of(TASK_LOW));
    CHECK(E_OK, ter_tsk(TASK_LOW));
}

void tasks(void)
{
    made();
    priorities();
    references();
}
