/* SPDX-License-Identifier: Apache-2.0 */
/* data_queues.c: every status of data queues, the order of words, and what a forced word pushes out. */
#include "test.h"

enum { DTQ = 1, ROOM = 2 };

static VP_INT got;

JOB(snd, snd_dtq(DTQ, 30))
JOB(tsnd, tsnd_dtq(DTQ, 31, 5))
JOB(tsnd_short, tsnd_dtq(DTQ, 32, 1))
JOB(rcv, rcv_dtq(DTQ, &got))
JOB(trcv, trcv_dtq(DTQ, &got, 5))
JOB(trcv_short, trcv_dtq(DTQ, &got, 1))

static void made(void)
{
    const T_CDTQ packet = {TA_TPRI, ROOM, NULL};
    const T_CDTQ large = {TA_TPRI, MEL_MESSAGES, NULL};
    EXPECT(E_ID, cre_dtq(0, &packet));
    EXPECT(E_ID, cre_dtq(BEYOND(DTQ), &packet));
    EXPECT(E_RSATR, cre_dtq(DTQ, &(T_CDTQ){TA_TFIFO, ROOM, NULL}));
    EXPECT(E_RSATR, acre_dtq(&(T_CDTQ){TA_TFIFO, ROOM, NULL}));
    EXPECT(E_NOSPT, cre_dtq(DTQ, &(T_CDTQ){TA_TPRI, 0, NULL}));
    EXPECT(E_NOSPT, acre_dtq(&(T_CDTQ){TA_TPRI, 0, NULL}));
    EXPECT(E_PAR, cre_dtq(DTQ, &(T_CDTQ){TA_TPRI, MEL_MESSAGES + 1, NULL}));
    EXPECT(E_PAR, acre_dtq(&(T_CDTQ){TA_TPRI, MEL_MESSAGES + 1, NULL}));
    EXPECT(E_OK, cre_dtq(DTQ, &packet));
    EXPECT(E_OBJ, cre_dtq(DTQ, &packet));
    EXPECT(E_NOMEM, cre_dtq(DTQ + 1, &large));
    EXPECT(E_NOMEM, acre_dtq(&large));
    VALUE(TMAX_DTQID, acre_dtq(&packet));
    for (ID id = TMAX_DTQID - 1; id > DTQ; id--) {
        CHECK(id, acre_dtq(&packet));
    }
    EXPECT(E_NOID, acre_dtq(&packet));
    for (ID id = TMAX_DTQID; id > DTQ; id--) {
        CHECK(E_OK, del_dtq(id));
    }
    EXPECT(E_ID, del_dtq(BEYOND(DTQ)));
    EXPECT(E_NOEXS, del_dtq(TMAX_DTQID));
}

static void receive(VP_INT expected)
{
    got = 0;
    EXPECT(E_OK, prcv_dtq(DTQ, &got));
    CHECK(expected, got);
}

static void from_a_handler(void)
{
    EXPECT(E_OK, ipsnd_dtq(DTQ, 41));
    EXPECT(E_TMOUT, ipsnd_dtq(DTQ, 42));
    EXPECT(E_OK, ifsnd_dtq(DTQ, 43));
    EXPECT(E_ID, ipsnd_dtq(BEYOND(DTQ), 1));
    EXPECT(E_NOEXS, ipsnd_dtq(NONE, 1));
    EXPECT(E_ID, ifsnd_dtq(BEYOND(DTQ), 1));
    EXPECT(E_NOEXS, ifsnd_dtq(NONE, 1));
}

static void full_and_empty(void)
{
    T_RDTQ state;
    EXPECT(E_TMOUT, prcv_dtq(DTQ, &got));
    EXPECT(E_TMOUT, trcv_dtq(DTQ, &got, 1));
    EXPECT(E_TMOUT, trcv_dtq(DTQ, &got, TMO_POL));
    EXPECT(E_PAR, trcv_dtq(DTQ, &got, -2));
    EXPECT(E_OK, snd_dtq(DTQ, 1));
    EXPECT(E_OK, tsnd_dtq(DTQ, -2, 1));
    EXPECT(E_OK, ref_dtq(DTQ, &state));
    CHECK(ROOM, state.sdtqcnt);
    EXPECT(E_TMOUT, psnd_dtq(DTQ, 3));
    EXPECT(E_TMOUT, tsnd_dtq(DTQ, 3, 1));
    EXPECT(E_PAR, tsnd_dtq(DTQ, 3, -2));
    EXPECT(E_OK, rcv_dtq(DTQ, &got));
    CHECK(1, got);
    EXPECT(E_OK, psnd_dtq(DTQ, 4));
    EXPECT(E_OK, trcv_dtq(DTQ, &got, 1));
    CHECK(-2, got);
    receive(4);
    CHECK(E_OK, psnd_dtq(DTQ, 40));
    in_handler(from_a_handler);
    receive(41);
    receive(43);
    EXPECT(E_OK, fsnd_dtq(DTQ, 5));
    CHECK(E_OK, fsnd_dtq(DTQ, 6));
    CHECK(E_OK, fsnd_dtq(DTQ, 7));
    receive(6);
    receive(7);
}

static void waited(void)
{
    high(rcv);
    CHECK(E_OK, psnd_dtq(DTQ, 10));
    RESULT(E_OK, rcv_dtq);
    CHECK(10, got);
    high(trcv);
    CHECK(E_OK, fsnd_dtq(DTQ, 11));
    RESULT(E_OK, trcv_dtq);
    CHECK(11, got);
    high(rcv);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, rcv_dtq);
    high(trcv);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, trcv_dtq);
    high(trcv_short);
    CHECK(E_OK, dly_tsk(3));
    RESULT(E_TMOUT, trcv_dtq);
    CHECK(E_OK, psnd_dtq(DTQ, 20));
    CHECK(E_OK, psnd_dtq(DTQ, 21));
    high(snd);
    CHECK(1, result);
    receive(20);
    RESULT(E_OK, snd_dtq);
    high(tsnd);
    CHECK(1, result);
    CHECK(E_OK, fsnd_dtq(DTQ, 22)); /* behind 31, which waits: 21 and 30 give way */
    RESULT(E_OK, tsnd_dtq);
    receive(31);
    receive(22);
    CHECK(E_OK, psnd_dtq(DTQ, 23));
    CHECK(E_OK, psnd_dtq(DTQ, 24));
    high(snd);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, snd_dtq);
    high(tsnd);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, tsnd_dtq);
    high(tsnd_short);
    CHECK(E_OK, dly_tsk(3));
    RESULT(E_TMOUT, tsnd_dtq);
    high(snd);
    EXPECT(E_OK, del_dtq(DTQ));
    RESULT(E_DLT, snd_dtq);
    CHECK(E_OK, cre_dtq(DTQ, &(T_CDTQ){TA_TPRI, 1, NULL}));
    high(rcv);
    CHECK(E_OK, del_dtq(DTQ));
    RESULT(E_DLT, rcv_dtq);
    CHECK(E_OK, cre_dtq(DTQ, &(T_CDTQ){TA_TPRI, 1, NULL}));
    high(trcv);
    CHECK(E_OK, del_dtq(DTQ));
    RESULT(E_DLT, trcv_dtq);
    CHECK(E_OK, cre_dtq(DTQ, &(T_CDTQ){TA_TPRI, 1, NULL}));
    CHECK(E_OK, psnd_dtq(DTQ, 50));
    high(tsnd);
    CHECK(E_OK, del_dtq(DTQ));
    RESULT(E_DLT, tsnd_dtq);
}

void data_queues(void)
{
    T_RDTQ state;
    made();
    full_and_empty();
    waited();
    EXPECT(E_ID, snd_dtq(BEYOND(DTQ), 1));
    EXPECT(E_ID, psnd_dtq(BEYOND(DTQ), 1));
    EXPECT(E_ID, tsnd_dtq(BEYOND(DTQ), 1, 1));
    EXPECT(E_ID, fsnd_dtq(BEYOND(DTQ), 1));
    EXPECT(E_ID, rcv_dtq(BEYOND(DTQ), &got));
    EXPECT(E_ID, prcv_dtq(BEYOND(DTQ), &got));
    EXPECT(E_ID, trcv_dtq(BEYOND(DTQ), &got, 1));
    EXPECT(E_ID, ref_dtq(BEYOND(DTQ), &state));
    EXPECT(E_NOEXS, snd_dtq(NONE, 1));
    EXPECT(E_NOEXS, psnd_dtq(NONE, 1));
    EXPECT(E_NOEXS, tsnd_dtq(NONE, 1, 1));
    EXPECT(E_NOEXS, fsnd_dtq(NONE, 1));
    EXPECT(E_NOEXS, rcv_dtq(NONE, &got));
    EXPECT(E_NOEXS, prcv_dtq(NONE, &got));
    EXPECT(E_NOEXS, trcv_dtq(NONE, &got, 1));
    EXPECT(E_NOEXS, ref_dtq(NONE, &state));
}
