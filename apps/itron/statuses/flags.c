/* SPDX-License-Identifier: Apache-2.0 */
/* flags.c: every status of event flags, of groups for one task and for several. */
#include "test.h"

enum { FLG = 1, MANY = 2 };

static FLGPTN seen;

JOB(wai_and, wai_flg(FLG, 0x6, TWF_ANDW, &seen))
JOB(wai_or, wai_flg(FLG, 0x6, TWF_ORW, &seen))
JOB(twai, twai_flg(FLG, 0x6, TWF_ORW, &seen, 5))
JOB(twai_short, twai_flg(FLG, 0x6, TWF_ORW, &seen, 1))
JOB(sleep_long, slp_tsk())
JOB(many_and, wai_flg(MANY, 0x3, TWF_ANDW, &seen))
JOB(many_or, twai_flg(MANY, 0x1, TWF_ORW, &seen, 5))
JOB(many_short, twai_flg(MANY, 0x8, TWF_ORW, &seen, 1))

static volatile INT low_result;

static void low_many(void)
{
    FLGPTN mine;
    low_result = wai_flg(MANY, 0x2, TWF_ORW, &mine);
    CHECK(0x3, mine);
}

static FLGPTN flags_of(ID flgid)
{
    T_RFLG state = {0};
    CHECK(E_OK, ref_flg(flgid, &state));
    return state.flgptn;
}

static void made(void)
{
    const T_CFLG packet = {TA_TFIFO | TA_WSGL, 0x9};
    EXPECT(E_ID, cre_flg(0, &packet));
    EXPECT(E_ID, cre_flg(BEYOND(FLG), &packet));
    EXPECT(E_RSATR, cre_flg(FLG, &(T_CFLG){0x10, 0}));
    EXPECT(E_RSATR, cre_flg(FLG, &(T_CFLG){TA_TFIFO | TA_WMUL, 0}));
    EXPECT(E_RSATR, cre_flg(FLG, &(T_CFLG){TA_TPRI | TA_WMUL | TA_CLR, 0}));
    EXPECT(E_RSATR, acre_flg(&(T_CFLG){TA_TFIFO | TA_WMUL, 0}));
    EXPECT(E_OK, cre_flg(FLG, &packet));
    EXPECT(E_OBJ, cre_flg(FLG, &packet));
    VALUE(TMAX_FLGID, acre_flg(&packet));
    for (ID id = TMAX_FLGID - 1; id > FLG; id--) {
        CHECK(id, acre_flg(&packet));
    }
    EXPECT(E_NOID, acre_flg(&packet));
    for (ID id = TMAX_FLGID; id > FLG; id--) {
        CHECK(E_OK, del_flg(id));
    }
    EXPECT(E_ID, del_flg(BEYOND(FLG)));
    EXPECT(E_NOEXS, del_flg(TMAX_FLGID));
}

static void set_by_a_handler(void)
{
    EXPECT(E_OK, iset_flg(FLG, 0x4));
    CHECK(1, result);
    EXPECT(E_ID, iset_flg(BEYOND(FLG), 1));
    EXPECT(E_NOEXS, iset_flg(NONE, 1));
}

static void set_and_cleared(void)
{
    T_RFLG state;
    EXPECT(E_OK, ref_flg(FLG, &state));
    CHECK(0x9, state.flgptn);
    EXPECT(E_OK, set_flg(FLG, 0x6));
    CHECK(0xF, flags_of(FLG));
    EXPECT(E_OK, clr_flg(FLG, 0xD));
    CHECK(0xD, flags_of(FLG));
    EXPECT(E_OK, pol_flg(FLG, 0x5, TWF_ANDW, &seen));
    CHECK(0xD, seen);
    EXPECT(E_TMOUT, pol_flg(FLG, 0x6, TWF_ANDW, &seen));
    EXPECT(E_OK, pol_flg(FLG, 0x6, TWF_ORW, &seen));
    EXPECT(E_TMOUT, pol_flg(FLG, 0x2, TWF_ORW, &seen));
    EXPECT(E_OK, wai_flg(FLG, 0x4, TWF_ORW, &seen));
    EXPECT(E_OK, twai_flg(FLG, 0x4, TWF_ORW, &seen, 1));
    EXPECT(E_TMOUT, twai_flg(FLG, 0x2, TWF_ORW, &seen, 1));
    EXPECT(E_TMOUT, twai_flg(FLG, 0x2, TWF_ORW, &seen, TMO_POL));
    EXPECT(E_PAR, pol_flg(FLG, 0, TWF_ORW, &seen));
    EXPECT(E_PAR, wai_flg(FLG, 1, 7, &seen));
    EXPECT(E_PAR, twai_flg(FLG, 1, TWF_ORW, &seen, -2));
    CHECK(E_OK, clr_flg(FLG, 0));
    CHECK(0, flags_of(FLG));
}

static void one_waits(void)
{
    high(wai_and);
    EXPECT(E_ILUSE, wai_flg(FLG, 1, TWF_ORW, &seen));
    EXPECT(E_ILUSE, pol_flg(FLG, 1, TWF_ORW, &seen));
    EXPECT(E_ILUSE, twai_flg(FLG, 1, TWF_ORW, &seen, 1));
    CHECK(E_OK, set_flg(FLG, 0x12));
    CHECK(1, result);
    in_handler(set_by_a_handler);
    RESULT(E_OK, wai_flg);
    CHECK(0x16, seen);
    CHECK(0x16, flags_of(FLG));
    CHECK(E_OK, clr_flg(FLG, 0));
    high(wai_or);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, wai_flg);
    high(twai);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, twai_flg);
    CHECK(E_TMOUT, twai_flg(FLG, 1, TWF_ORW, &seen, 1)); /* nobody waits any more */
    high(twai_short);
    CHECK(E_OK, dly_tsk(3));
    RESULT(E_TMOUT, twai_flg);
    high(twai);
    CHECK(E_OK, ter_tsk(TASK_HIGH));
    CHECK(E_OK, set_flg(FLG, 0x2)); /* for nobody */
    CHECK(0x2, flags_of(FLG));
    high(sleep_long); /* waits again, but for something else */
    CHECK(E_OK, pol_flg(FLG, 0x2, TWF_ORW, &seen));
    CHECK(E_OK, set_flg(FLG, 0x4));
    CHECK(0x6, flags_of(FLG));
    CHECK(E_OK, pol_flg(FLG, 0x2, TWF_ORW, &seen));
    CHECK(E_OK, ter_tsk(TASK_HIGH));
    CHECK(E_OK, clr_flg(FLG, 0));
    high(wai_or);
    EXPECT(E_OK, del_flg(FLG));
    RESULT(E_DLT, wai_flg);
    EXPECT(E_NOEXS, set_flg(FLG, 1));
    CHECK(E_OK, cre_flg(FLG, &(T_CFLG){TA_TPRI | TA_WSGL, 0}));
    high(twai);
    CHECK(E_OK, del_flg(FLG));
    RESULT(E_DLT, twai_flg);
}

/* A wait that ends clears all flags, those that nobody waited for, too. */
static void clearing(void)
{
    CHECK(E_OK, cre_flg(FLG, &(T_CFLG){TA_WSGL | TA_CLR, 0x10}));
    high(wai_or);
    CHECK(E_OK, set_flg(FLG, 0x100));
    CHECK(0x110, flags_of(FLG));
    CHECK(E_OK, set_flg(FLG, 0x2));
    CHECK(E_OK, result);
    CHECK(0x112, seen);
    CHECK(0, flags_of(FLG));
    CHECK(E_OK, set_flg(FLG, 0x7));
    CHECK(E_OK, pol_flg(FLG, 0x1, TWF_ORW, &seen));
    CHECK(0x7, seen);
    CHECK(0, flags_of(FLG));
    CHECK(E_OK, dis_dsp()); /* two settings before the task runs: the second meets cleared flags */
    high(wai_or);
    CHECK(E_OK, ena_dsp());
    CHECK(E_OK, dis_dsp());
    CHECK(E_OK, set_flg(FLG, 0x4));
    CHECK(E_OK, set_flg(FLG, 0x8));
    CHECK(0x8, flags_of(FLG));
    CHECK(E_OK, ena_dsp());
    CHECK(E_OK, result);
    CHECK(0x4, seen);
    CHECK(E_OK, del_flg(FLG));
}

static void several_wait(void)
{
    CHECK(E_OK, cre_flg(MANY, &(T_CFLG){TA_TPRI | TA_WMUL, 0}));
    CHECK(0, flags_of(MANY));
    low(low_many);
    rest();
    high(many_and);
    CHECK(E_OK, set_flg(MANY, 0x1));
    CHECK(1, result);
    CHECK(E_TMOUT, pol_flg(MANY, 0x2, TWF_ORW, &seen));
    EXPECT(E_OK, set_flg(MANY, 0x2));
    RESULT(E_OK, wai_flg);
    CHECK(0x3, seen);
    rest();
    CHECK(E_OK, low_result);
    EXPECT(E_OK, clr_flg(MANY, 0x2));
    CHECK(0x2, flags_of(MANY));
    EXPECT(E_OK, pol_flg(MANY, 0x2, TWF_ORW, &seen));
    EXPECT(E_PAR, wai_flg(MANY, 0, TWF_ORW, &seen));
    high(many_or);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, twai_flg);
    high(many_short);
    CHECK(E_OK, dly_tsk(3));
    RESULT(E_TMOUT, twai_flg);
    high(many_or);
    EXPECT(E_OK, del_flg(MANY));
    RESULT(E_DLT, twai_flg);
}

void flags(void)
{
    T_RFLG state;
    made();
    set_and_cleared();
    one_waits();
    clearing();
    several_wait();
    EXPECT(E_ID, set_flg(BEYOND(FLG), 1));
    EXPECT(E_ID, clr_flg(BEYOND(FLG), 1));
    EXPECT(E_ID, wai_flg(BEYOND(FLG), 1, TWF_ORW, &seen));
    EXPECT(E_ID, pol_flg(BEYOND(FLG), 1, TWF_ORW, &seen));
    EXPECT(E_ID, twai_flg(BEYOND(FLG), 1, TWF_ORW, &seen, 1));
    EXPECT(E_ID, ref_flg(BEYOND(FLG), &state));
    EXPECT(E_NOEXS, clr_flg(NONE, 1));
    EXPECT(E_NOEXS, wai_flg(NONE, 1, TWF_ORW, &seen));
    EXPECT(E_NOEXS, pol_flg(NONE, 1, TWF_ORW, &seen));
    EXPECT(E_NOEXS, twai_flg(NONE, 1, TWF_ORW, &seen, 1));
    EXPECT(E_NOEXS, ref_flg(NONE, &state));
}
