/* SPDX-License-Identifier: Apache-2.0 */
/* mutexes.c: every status of mutexes. */
#include "test.h"

enum { MTX = 1, CEILING = 2 };

JOB(loc, loc_mtx(MTX))
JOB(tloc, tloc_mtx(MTX, 5))
JOB(tloc_short, tloc_mtx(MTX, 1))
JOB(unl, unl_mtx(MTX))
JOB(ploc, ploc_mtx(MTX))
JOB(loc_ceiling, loc_mtx(CEILING))
JOB(ploc_ceiling, ploc_mtx(CEILING))

static void made(void)
{
    const T_CMTX packet = {TA_INHERIT, 0};
    EXPECT(E_ID, cre_mtx(0, &packet));
    EXPECT(E_ID, cre_mtx(BEYOND(MTX), &packet));
    EXPECT(E_RSATR, cre_mtx(MTX, &(T_CMTX){TA_TFIFO, 0}));
    EXPECT(E_RSATR, cre_mtx(MTX, &(T_CMTX){TA_TPRI, 0}));
    EXPECT(E_RSATR, acre_mtx(&(T_CMTX){TA_TPRI, 0}));
    EXPECT(E_PAR, cre_mtx(MTX, &(T_CMTX){TA_CEILING, 0}));
    EXPECT(E_PAR, acre_mtx(&(T_CMTX){TA_CEILING, TMAX_TPRI + 1}));
    EXPECT(E_OK, cre_mtx(MTX, &packet));
    EXPECT(E_OBJ, cre_mtx(MTX, &packet));
    VALUE(TMAX_MTXID, acre_mtx(&packet));
    for (ID id = TMAX_MTXID - 1; id > MTX; id--) {
        CHECK(id, acre_mtx(&packet));
    }
    EXPECT(E_NOID, acre_mtx(&packet));
    for (ID id = TMAX_MTXID; id > MTX; id--) {
        CHECK(E_OK, del_mtx(id));
    }
    EXPECT(E_ID, del_mtx(BEYOND(MTX)));
    EXPECT(E_NOEXS, del_mtx(TMAX_MTXID));
}

static void owned(void)
{
    T_RMTX state;
    PRI priority;
    EXPECT(E_OK, ref_mtx(MTX, &state));
    CHECK(TSK_NONE, state.htskid);
    EXPECT(E_ILUSE, unl_mtx(MTX));
    EXPECT(E_OK, loc_mtx(MTX));
    EXPECT(E_ILUSE, loc_mtx(MTX));
    EXPECT(E_ILUSE, ploc_mtx(MTX));
    EXPECT(E_ILUSE, tloc_mtx(MTX, 1));
    EXPECT(E_OK, ref_mtx(MTX, &state));
    CHECK(TASK_MAIN, state.htskid);
    high(unl);
    RESULT(E_ILUSE, unl_mtx);
    high(ploc);
    RESULT(E_TMOUT, ploc_mtx);
    high(loc);
    CHECK(E_OK, get_pri(TSK_SELF, &priority));
    CHECK(5, priority); /* inherited */
    EXPECT(E_OK, unl_mtx(MTX));
    RESULT(E_OK, loc_mtx);
    CHECK(E_OK, get_pri(TSK_SELF, &priority));
    CHECK(10, priority);
    EXPECT(E_OK, ploc_mtx(MTX)); /* its owner has ended */
    CHECK(E_OK, unl_mtx(MTX));
    EXPECT(E_OK, tloc_mtx(MTX, 1));
    EXPECT(E_PAR, tloc_mtx(MTX, -2));
}

/* The main task owns the mutex. */
static void waited(void)
{
    high(tloc);
    CHECK(E_OK, unl_mtx(MTX));
    RESULT(E_OK, tloc_mtx);
    CHECK(E_OK, loc_mtx(MTX));
    high(loc);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, loc_mtx);
    high(tloc);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, tloc_mtx);
    high(tloc_short);
    CHECK(E_OK, dly_tsk(3));
    RESULT(E_TMOUT, tloc_mtx);
    high(loc);
    EXPECT(E_OK, del_mtx(MTX));
    RESULT(E_DLT, loc_mtx);
    CHECK(E_OK, cre_mtx(MTX, &(T_CMTX){TA_INHERIT, 0}));
    CHECK(E_OK, loc_mtx(MTX));
    high(tloc);
    CHECK(E_OK, del_mtx(MTX));
    RESULT(E_DLT, tloc_mtx);
}

static void below_a_ceiling(void)
{
    PRI priority;
    CHECK(E_OK, cre_mtx(CEILING, &(T_CMTX){TA_CEILING, 8}));
    CHECK(E_OK, loc_mtx(CEILING));
    CHECK(E_OK, get_pri(TSK_SELF, &priority));
    CHECK(8, priority);
    CHECK(E_OK, unl_mtx(CEILING));
    high(loc_ceiling);
    RESULT(E_ILUSE, loc_mtx);
    high(ploc_ceiling);
    RESULT(E_ILUSE, ploc_mtx);
    CHECK(E_OK, del_mtx(CEILING));
}

void mutexes(void)
{
    T_RMTX state;
    made();
    owned();
    waited();
    below_a_ceiling();
    EXPECT(E_ID, loc_mtx(BEYOND(MTX)));
    EXPECT(E_ID, ploc_mtx(BEYOND(MTX)));
    EXPECT(E_ID, tloc_mtx(BEYOND(MTX), 1));
    EXPECT(E_ID, unl_mtx(BEYOND(MTX)));
    EXPECT(E_ID, ref_mtx(BEYOND(MTX), &state));
    EXPECT(E_NOEXS, loc_mtx(NONE));
    EXPECT(E_NOEXS, ploc_mtx(NONE));
    EXPECT(E_NOEXS, tloc_mtx(NONE, 1));
    EXPECT(E_NOEXS, unl_mtx(NONE));
    EXPECT(E_NOEXS, ref_mtx(NONE, &state));
}
