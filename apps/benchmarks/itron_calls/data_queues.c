/* SPDX-License-Identifier: Apache-2.0 */
/* data_queues.c: the calls of data queues. */
#include "itron_calls.h"

static const T_CDTQ packet = {TA_TPRI, DEPTH, NULL}, packet_wrong = {TA_TFIFO, DEPTH, NULL};
static T_RDTQ rdtq;
static VP_INT data;
static uint32_t message, count;
static ID made;

SHOTS(create, cre_dtq(OBJECT, &packet), mel_queue_create(NUMBER, DEPTH))
SHOTS(create_bad, cre_dtq(BAD, &packet), mel_queue_create(BAD_NUMBER, DEPTH))
SHOTS(create_any, (made = acre_dtq(&packet)) > 0 ? E_OK : made, mel_queue_create(NUMBER, DEPTH))
SHOT(t_create_any_wrong, acre_dtq(&packet_wrong))
SHOTS(delete, del_dtq(OBJECT), mel_queue_delete(NUMBER))
SHOTS(delete_bad, del_dtq(BAD), mel_queue_delete(BAD_NUMBER))
SHOTS(send, snd_dtq(OBJECT, 7), mel_queue_send(NUMBER, 7, MEL_FOREVER))
SHOTS(send_bad, snd_dtq(BAD, 7), mel_queue_send(BAD_NUMBER, 7, MEL_FOREVER))
SHOTS(send_poll, psnd_dtq(OBJECT, 7), mel_queue_send(NUMBER, 7, MEL_POLL))
SHOTS(send_poll_bad, psnd_dtq(BAD, 7), mel_queue_send(BAD_NUMBER, 7, MEL_POLL))
SHOTS(send_in, ipsnd_dtq(OBJECT, 7), mel_queue_send(NUMBER, 7, MEL_POLL))
SHOTS(send_limited, tsnd_dtq(OBJECT, 7, LONG), mel_queue_send(NUMBER, 7, LONG + 1))
SHOTS(send_limited_bad, tsnd_dtq(BAD, 7, LONG), mel_queue_send(BAD_NUMBER, 7, LONG + 1))
SHOTS(force, fsnd_dtq(OBJECT, 7), mel_queue_send(NUMBER, 7, MEL_POLL))
SHOTS(force_bad, fsnd_dtq(BAD, 7), mel_queue_send(BAD_NUMBER, 7, MEL_POLL))
SHOTS(force_in, ifsnd_dtq(OBJECT, 7), mel_queue_send(NUMBER, 7, MEL_POLL))
SHOTS(receive, rcv_dtq(OBJECT, &data), mel_queue_receive(NUMBER, MEL_FOREVER, &message))
SHOTS(receive_bad, rcv_dtq(BAD, &data), mel_queue_receive(BAD_NUMBER, MEL_FOREVER, &message))
SHOTS(receive_poll, prcv_dtq(OBJECT, &data), mel_queue_receive(NUMBER, MEL_POLL, &message))
SHOTS(receive_poll_bad, prcv_dtq(BAD, &data), mel_queue_receive(BAD_NUMBER, MEL_POLL, &message))
SHOTS(receive_limited, trcv_dtq(OBJECT, &data, LONG), mel_queue_receive(NUMBER, LONG + 1, &message))
SHOTS(receive_limited_bad, trcv_dtq(BAD, &data, LONG), mel_queue_receive(BAD_NUMBER, LONG + 1, &message))
SHOTS(refer, ref_dtq(OBJECT, &rdtq), mel_queue_query(NUMBER, &count))
SHOTS(refer_bad, ref_dtq(BAD, &rdtq), mel_queue_query(BAD_NUMBER, &count))

/* A queue with n words. */
static void filled(uint32_t n, shot_t order)
{
    (void)order;
    CHECK(mel_queue_create(NUMBER, DEPTH));
    for (uint32_t i = 0; i < n; i++) {
        CHECK(mel_queue_send(NUMBER, i, MEL_POLL));
    }
}

/* Members receive from an empty queue; send to a full one. */
static void receivers_low(uint32_t n, shot_t order)
{
    filled(0, order);
    send_low(n, order);
}

static void receivers_urgent(uint32_t n, shot_t order)
{
    filled(0, order);
    send_urgent(n, order);
}

static void senders_low(uint32_t n, shot_t order)
{
    filled(DEPTH, order);
    send_low(n, order);
}

static void senders_urgent(uint32_t n, shot_t order)
{
    filled(DEPTH, order);
    send_urgent(n, order);
}

void clear_data_queues(void)
{
    (void)mel_queue_delete(NUMBER);
    if (made > 0) {
        CHECK(del_dtq(made));
        made = 0;
    }
}

/* Rows of a call that sends and may wait; that receives and may wait. */
#define SENDS(call, shot)                                                                    \
    STAYS(call, "empty", filled, 0, none, shot),                                             \
    STAYS(call, "room for one more", filled, DEPTH - 1, none, shot),                         \
    STAYS(call, "8 receivers, less urgent", receivers_low, CREW, receive, shot),             \
    WAKES(call, "1 receiver, more urgent", receivers_urgent, 1, receive, shot),              \
    WAKES(call, "8 receivers, more urgent", receivers_urgent, CREW, receive, shot),          \
    ABSENT(call, shot), BEYOND(call, shot)
#define RECEIVES(call, shot)                                                                 \
    STAYS(call, "1 word", filled, 1, none, shot),                                            \
    STAYS(call, "full", filled, DEPTH, none, shot),                                          \
    STAYS(call, "full, 8 senders, less urgent", senders_low, CREW, send, shot),              \
    WAKES(call, "full, 1 sender, more urgent", senders_urgent, 1, send, shot),               \
    ABSENT(call, shot), BEYOND(call, shot)

static const row_t rows[] = {
    STAYS(cre_dtq, "new", nothing, 0, none, create),
    REFUSES(cre_dtq, "it exists", filled, 0, none, create, E_OBJ, MEL_E_OBJ),
    BEYOND(cre_dtq, create),
    STAYS(acre_dtq, "new", nothing, 0, none, create_any),
    ONLY_REFUSES(acre_dtq, "order of arrival", nothing, 0, none, create_any_wrong, E_RSATR),
    STAYS(del_dtq, "empty", filled, 0, none, delete),
    STAYS(del_dtq, "full", filled, DEPTH, none, delete),
    WAKES(del_dtq, "1 receiver, more urgent", receivers_urgent, 1, receive, delete),
    ABSENT(del_dtq, delete),
    BEYOND(del_dtq, delete),
    SENDS(snd_dtq, send),
    WAITS(snd_dtq, "full", filled, DEPTH, none, send),
    SENDS(psnd_dtq, send_poll),
    REFUSES(psnd_dtq, "full", filled, DEPTH, none, send_poll, E_TMOUT, MEL_E_TMOUT),
    STAYS_IN(ipsnd_dtq, "empty", filled, 0, none, send_in),
    STAYS_IN(ipsnd_dtq, "1 receiver, more urgent", receivers_urgent, 1, receive, send_in),
    REFUSES_IN(ipsnd_dtq, "full", filled, DEPTH, none, send_in, E_TMOUT, MEL_E_TMOUT),
    ABSENT_IN(ipsnd_dtq, send_in),
    SENDS(tsnd_dtq, send_limited),
    WAITS(tsnd_dtq, "full", filled, DEPTH, none, send_limited),
    SENDS(fsnd_dtq, force),
    ONLY_STAYS(fsnd_dtq, "full", filled, DEPTH, none, force, E_OK),
    STAYS_IN(ifsnd_dtq, "empty", filled, 0, none, force_in),
    STAYS_IN(ifsnd_dtq, "1 receiver, more urgent", receivers_urgent, 1, receive, force_in),
    ONLY_STAYS_IN(ifsnd_dtq, "full", filled, DEPTH, none, force_in, E_OK),
    ABSENT_IN(ifsnd_dtq, force_in),
    RECEIVES(rcv_dtq, receive),
    WAITS(rcv_dtq, "empty", filled, 0, none, receive),
    RECEIVES(prcv_dtq, receive_poll),
    REFUSES(prcv_dtq, "empty", filled, 0, none, receive_poll, E_TMOUT, MEL_E_TMOUT),
    RECEIVES(trcv_dtq, receive_limited),
    WAITS(trcv_dtq, "empty", filled, 0, none, receive_limited),
    STAYS(ref_dtq, "empty", filled, 0, none, refer),
    STAYS(ref_dtq, "full", filled, DEPTH, none, refer),
    ABSENT(ref_dtq, refer),
    BEYOND(ref_dtq, refer),
};

const table_t data_queue_table = TABLE(rows);
