/* SPDX-License-Identifier: Apache-2.0 */
/* pools.c: every status of fixed memory pools. */
#include "test.h"

enum { MPF = 1, OTHER = 2, BLOCKS = 2, BYTES = 10 };

static uint32_t memory[BLOCKS * 3];
static VP got;

JOB(get, get_mpf(MPF, &got))
JOB(tget, tget_mpf(MPF, &got, 5))
JOB(tget_short, tget_mpf(MPF, &got, 1))

static void made(void)
{
    const T_CMPF packet = {TA_TPRI, BLOCKS, BYTES, memory};
    EXPECT(E_ID, cre_mpf(0, &packet));
    EXPECT(E_ID, cre_mpf(BEYOND(MPF), &packet));
    EXPECT(E_RSATR, cre_mpf(MPF, &(T_CMPF){TA_TFIFO, BLOCKS, BYTES, memory}));
    EXPECT(E_RSATR, acre_mpf(&(T_CMPF){TA_TFIFO, BLOCKS, BYTES, memory}));
    EXPECT(E_PAR, cre_mpf(MPF, &(T_CMPF){TA_TPRI, 0, BYTES, memory}));
    EXPECT(E_PAR, cre_mpf(MPF, &(T_CMPF){TA_TPRI, BLOCKS, 0, memory}));
    EXPECT(E_PAR, acre_mpf(&(T_CMPF){TA_TPRI, BLOCKS, 0, memory}));
    EXPECT(E_NOMEM, cre_mpf(MPF, &(T_CMPF){TA_TPRI, BLOCKS, BYTES, NULL}));
    EXPECT(E_NOMEM, acre_mpf(&(T_CMPF){TA_TPRI, BLOCKS, BYTES, NULL}));
    EXPECT(E_OK, cre_mpf(MPF, &packet));
    EXPECT(E_OBJ, cre_mpf(MPF, &packet));
    VALUE(OTHER, acre_mpf(&packet));
    EXPECT(E_NOID, acre_mpf(&packet));
    EXPECT(E_OK, del_mpf(OTHER));
    EXPECT(E_NOEXS, del_mpf(OTHER));
    EXPECT(E_ID, del_mpf(BEYOND(MPF)));
}

static VP first, second;

static void got_and_put(void)
{
    T_RMPF state;
    EXPECT(E_OK, ref_mpf(MPF, &state));
    CHECK(BLOCKS, state.fblkcnt);
    EXPECT(E_OK, get_mpf(MPF, &first));
    CHECK(memory, first);
    EXPECT(E_OK, pget_mpf(MPF, &second));
    CHECK(memory + 3, second); /* 10 bytes are 12 */
    EXPECT(E_TMOUT, pget_mpf(MPF, &got));
    EXPECT(E_TMOUT, tget_mpf(MPF, &got, TMO_POL));
    EXPECT(E_TMOUT, tget_mpf(MPF, &got, 1));
    EXPECT(E_PAR, tget_mpf(MPF, &got, -2));
    EXPECT(E_PAR, rel_mpf(MPF, (VB *)first + 4));
    EXPECT(E_OK, rel_mpf(MPF, first));
    EXPECT(E_OK, tget_mpf(MPF, &first, 1));
    EXPECT(E_OK, ref_mpf(MPF, &state));
    CHECK(0, state.fblkcnt);
}

static void waited(void)
{
    high(get);
    CHECK(E_OK, rel_mpf(MPF, first));
    RESULT(E_OK, get_mpf);
    CHECK(first, got);
    high(tget);
    CHECK(E_OK, rel_mpf(MPF, first));
    RESULT(E_OK, tget_mpf);
    high(get);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, get_mpf);
    high(tget);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, tget_mpf);
    high(tget_short);
    CHECK(E_OK, dly_tsk(3));
    RESULT(E_TMOUT, tget_mpf);
    high(get);
    EXPECT(E_OK, del_mpf(MPF));
    RESULT(E_DLT, get_mpf);
    CHECK(E_OK, cre_mpf(MPF, &(T_CMPF){TA_TPRI, 1, BYTES, memory}));
    CHECK(E_OK, pget_mpf(MPF, &first));
    high(tget);
    CHECK(E_OK, del_mpf(MPF));
    RESULT(E_DLT, tget_mpf);
}

void pools(void)
{
    T_RMPF state;
    made();
    got_and_put();
    waited();
    EXPECT(E_ID, get_mpf(BEYOND(MPF), &got));
    EXPECT(E_ID, pget_mpf(BEYOND(MPF), &got));
    EXPECT(E_ID, tget_mpf(BEYOND(MPF), &got, 1));
    EXPECT(E_ID, rel_mpf(BEYOND(MPF), first));
    EXPECT(E_ID, ref_mpf(BEYOND(MPF), &state));
    EXPECT(E_NOEXS, get_mpf(OTHER, &got));
    EXPECT(E_NOEXS, pget_mpf(OTHER, &got));
    EXPECT(E_NOEXS, tget_mpf(OTHER, &got, 1));
    EXPECT(E_NOEXS, rel_mpf(OTHER, first));
    EXPECT(E_NOEXS, ref_mpf(OTHER, &state));
}
