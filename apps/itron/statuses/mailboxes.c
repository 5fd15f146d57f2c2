/* SPDX-License-Identifier: Apache-2.0 */
/* mailboxes.c: every status of mailboxes, and the order of messages. */
#include "test.h"

enum { MBX = 1, OTHER = 2, MESSAGES = 6 };

static T_MSG_PRI messages[MESSAGES];
static T_MSG *got;

JOB(rcv, rcv_mbx(MBX, &got))
JOB(trcv, trcv_mbx(MBX, &got, 5))
JOB(trcv_short, trcv_mbx(MBX, &got, 1))

static T_MSG *message(UINT number)
{
    return &messages[number].msgque;
}

static void made(void)
{
    const T_CMBX packet = {TA_TPRI | TA_MFIFO, 0, NULL};
    EXPECT(E_ID, cre_mbx(0, &packet));
    EXPECT(E_ID, cre_mbx(BEYOND(MBX), &packet));
    EXPECT(E_RSATR, cre_mbx(MBX, &(T_CMBX){TA_TFIFO, 0, NULL}));
    EXPECT(E_RSATR, acre_mbx(&(T_CMBX){TA_TFIFO, 0, NULL}));
    EXPECT(E_PAR, cre_mbx(MBX, &(T_CMBX){TA_TPRI | TA_MPRI, 0, NULL}));
    EXPECT(E_PAR, cre_mbx(MBX, &(T_CMBX){TA_TPRI | TA_MPRI, TMAX_MPRI + 1, NULL}));
    EXPECT(E_PAR, acre_mbx(&(T_CMBX){TA_TPRI | TA_MPRI, 0, NULL}));
    CHECK(E_OK, cre_dtq(1, &(T_CDTQ){TA_TPRI, MEL_MESSAGES, NULL}));
    EXPECT(E_NOMEM, cre_mbx(MBX, &packet));
    EXPECT(E_NOMEM, acre_mbx(&packet));
    CHECK(E_OK, del_dtq(1));
    EXPECT(E_OK, cre_mbx(MBX, &packet));
    EXPECT(E_OBJ, cre_mbx(MBX, &packet));
    VALUE(OTHER, acre_mbx(&packet));
    EXPECT(E_NOID, acre_mbx(&packet));
    EXPECT(E_OK, del_mbx(OTHER));
    EXPECT(E_NOEXS, del_mbx(OTHER));
    EXPECT(E_ID, del_mbx(BEYOND(MBX)));
}

/* The messages leave in the order of `digits`: the number of each. */
static void leave(UINT mbxid, UINT digits)
{
    UINT seen = 0;
    T_RMBX state = {0};
    while (prcv_mbx((ID)mbxid, &got) == E_OK) {
        seen = seen * 10 + (UINT)((T_MSG_PRI *)got - messages);
        CHECK(E_OK, ref_mbx((ID)mbxid, &state));
    }
    CHECK(NULL, state.pk_msg);
    CHECK(digits, seen);
}

static void in_order(void)
{
    T_RMBX state;
    EXPECT(E_OK, ref_mbx(MBX, &state));
    CHECK(NULL, state.pk_msg);
    for (UINT i = 0; i < MESSAGES; i++) {
        EXPECT(E_OK, snd_mbx(MBX, message(i)));
    }
    EXPECT(E_OK, ref_mbx(MBX, &state));
    CHECK(message(0), state.pk_msg);
    EXPECT(E_OK, rcv_mbx(MBX, &got));
    CHECK(message(0), got);
    EXPECT(E_OK, trcv_mbx(MBX, &got, 1));
    CHECK(message(1), got);
    EXPECT(E_OK, prcv_mbx(MBX, &got));
    CHECK(message(2), got);
    CHECK(E_OK, snd_mbx(MBX, message(0)));
    leave(MBX, 3450);
    EXPECT(E_TMOUT, prcv_mbx(MBX, &got));
    EXPECT(E_TMOUT, trcv_mbx(MBX, &got, TMO_POL));
    EXPECT(E_TMOUT, trcv_mbx(MBX, &got, 1));
    EXPECT(E_PAR, trcv_mbx(MBX, &got, -2));
    EXPECT(E_PAR, snd_mbx(MBX, NULL));
}

static void by_priority(void)
{
    static const UB priorities[MESSAGES] = {5, 3, 5, 1, 3, 9};
    CHECK(E_OK, cre_mbx(OTHER, &(T_CMBX){TA_TPRI | TA_MPRI, 9, NULL}));
    for (UINT i = 0; i < MESSAGES; i++) {
        messages[i].msgpri = priorities[i];
        CHECK(E_OK, snd_mbx(OTHER, message(i)));
    }
    leave(OTHER, 314025);
    messages[0].msgpri = 0;
    EXPECT(E_PAR, snd_mbx(OTHER, message(0)));
    messages[0].msgpri = 10;
    EXPECT(E_PAR, snd_mbx(OTHER, message(0)));
    CHECK(E_OK, del_mbx(OTHER));
}

static void waited(void)
{
    high(rcv);
    CHECK(1, result);
    CHECK(E_OK, snd_mbx(MBX, message(0)));
    RESULT(E_OK, rcv_mbx);
    CHECK(message(0), got);
    CHECK(E_OK, dis_dsp()); /* the message goes to the task that waits, though it cannot run */
    CHECK(E_OK, ena_dsp());
    high(trcv);
    CHECK(E_OK, dis_dsp());
    CHECK(E_OK, snd_mbx(MBX, message(1)));
    CHECK(E_OK, snd_mbx(MBX, message(2)));
    T_MSG *mine = NULL;
    CHECK(E_OK, prcv_mbx(MBX, &mine));
    CHECK(message(2), mine);
    CHECK(E_OK, ena_dsp());
    RESULT(E_OK, trcv_mbx);
    CHECK(message(1), got);
    high(rcv);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, rcv_mbx);
    high(trcv);
    CHECK(E_OK, rel_wai(TASK_HIGH));
    RESULT(E_RLWAI, trcv_mbx);
    high(trcv_short);
    CHECK(E_OK, dly_tsk(3));
    RESULT(E_TMOUT, trcv_mbx);
    high(rcv);
    EXPECT(E_OK, del_mbx(MBX));
    RESULT(E_DLT, rcv_mbx);
    CHECK(E_OK, cre_mbx(MBX, &(T_CMBX){TA_TPRI, 0, NULL}));
    high(trcv);
    CHECK(E_OK, del_mbx(MBX));
    RESULT(E_DLT, trcv_mbx);
}

void mailboxes(void)
{
    T_RMBX state;
    made();
    in_order();
    by_priority();
    waited();
    EXPECT(E_ID, snd_mbx(BEYOND(MBX), message(0)));
    EXPECT(E_ID, rcv_mbx(BEYOND(MBX), &got));
    EXPECT(E_ID, prcv_mbx(BEYOND(MBX), &got));
    EXPECT(E_ID, trcv_mbx(BEYOND(MBX), &got, 1));
    EXPECT(E_ID, ref_mbx(BEYOND(MBX), &state));
    EXPECT(E_NOEXS, snd_mbx(OTHER, message(0)));
    EXPECT(E_NOEXS, rcv_mbx(OTHER, &got));
    EXPECT(E_NOEXS, prcv_mbx(OTHER, &got));
    EXPECT(E_NOEXS, trcv_mbx(OTHER, &got, 1));
    EXPECT(E_NOEXS, ref_mbx(OTHER, &state));
}
