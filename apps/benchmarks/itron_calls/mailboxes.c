/* SPDX-License-Identifier: Apache-2.0 */
/* mailboxes.c: the calls of mailboxes, beside those of a message queue of the kernel's with as many messages: addresses of letters. */
#include "itron_calls.h"

enum { NATIVE_NUMBER = 3, LETTERS = DEPTH - 1 };

static const T_CMBX packet = {TA_TPRI | TA_MFIFO, 0, NULL}, packet_wrong = {TA_TFIFO, 0, NULL};
static T_MSG letters[LETTERS + 1], *received;
static T_RMBX rmbx;
static uint32_t message, count;
static ID made;

#define LETTER (&letters[LETTERS])

SHOTS(create, cre_mbx(OBJECT, &packet), mel_queue_create(NATIVE_NUMBER, DEPTH))
SHOTS(create_bad, cre_mbx(BAD, &packet), mel_queue_create(BAD_NUMBER, DEPTH))
SHOTS(create_any, (made = acre_mbx(&packet)) > 0 ? E_OK : made, mel_queue_create(NATIVE_NUMBER, DEPTH))
SHOT(t_create_any_wrong, acre_mbx(&packet_wrong))
SHOTS(delete, del_mbx(OBJECT), mel_queue_delete(NATIVE_NUMBER))
SHOTS(delete_bad, del_mbx(BAD), mel_queue_delete(BAD_NUMBER))
SHOTS(send, snd_mbx(OBJECT, LETTER), mel_queue_send(NATIVE_NUMBER, (uint32_t)(uintptr_t)LETTER, MEL_FOREVER))
SHOTS(send_bad, snd_mbx(BAD, LETTER), mel_queue_send(BAD_NUMBER, (uint32_t)(uintptr_t)LETTER, MEL_FOREVER))
SHOTS(receive, rcv_mbx(OBJECT, &received), mel_queue_receive(NATIVE_NUMBER, MEL_FOREVER, &message))
SHOTS(receive_bad, rcv_mbx(BAD, &received), mel_queue_receive(BAD_NUMBER, MEL_FOREVER, &message))
SHOTS(receive_poll, prcv_mbx(OBJECT, &received), mel_queue_receive(NATIVE_NUMBER, MEL_POLL, &message))
SHOTS(receive_poll_bad, prcv_mbx(BAD, &received), mel_queue_receive(BAD_NUMBER, MEL_POLL, &message))
SHOTS(receive_limited, trcv_mbx(OBJECT, &received, LONG), mel_queue_receive(NATIVE_NUMBER, LONG + 1, &message))
SHOTS(receive_limited_bad, trcv_mbx(BAD, &received, LONG), mel_queue_receive(BAD_NUMBER, LONG + 1, &message))
SHOTS(refer, ref_mbx(OBJECT, &rmbx), mel_queue_query(NATIVE_NUMBER, &count))
SHOTS(refer_bad, ref_mbx(BAD, &rmbx), mel_queue_query(BAD_NUMBER, &count))

/* A mailbox and a queue with n letters each. */
static void filled(uint32_t n, shot_t order)
{
    (void)order;
    CHECK(cre_mbx(OBJECT, &packet));
    CHECK(mel_queue_create(NATIVE_NUMBER, DEPTH));
    for (uint32_t i = 0; i < n; i++) {
        CHECK(snd_mbx(OBJECT, &letters[i]));
        CHECK(mel_queue_send(NATIVE_NUMBER, (uint32_t)(uintptr_t)&letters[i], MEL_POLL));
    }
}

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

void clear_mailboxes(void)
{
    (void)del_mbx(OBJECT);
    (void)mel_queue_delete(NATIVE_NUMBER);
    if (made > 0) {
        CHECK(del_mbx(made));
        made = 0;
    }
}

/* Rows of a call that receives. */
#define RECEIVES(call, shot)                                   \
    STAYS(call, "1 letter", filled, 1, none, shot),            \
    STAYS(call, "7 letters", filled, LETTERS, none, shot),     \
    ABSENT(call, shot), BEYOND(call, shot)

static const row_t rows[] = {
    STAYS(cre_mbx, "new", nothing, 0, none, create),
    REFUSES(cre_mbx, "it exists", filled, 0, none, create, E_OBJ, MEL_E_OBJ),
    BEYOND(cre_mbx, create),
    STAYS(acre_mbx, "new", nothing, 0, none, create_any),
    ONLY_REFUSES(acre_mbx, "order of arrival", nothing, 0, none, create_any_wrong, E_RSATR),
    STAYS(del_mbx, "empty", filled, 0, none, delete),
    STAYS(del_mbx, "7 letters", filled, LETTERS, none, delete),
    WAKES(del_mbx, "1 receiver, more urgent", receivers_urgent, 1, receive, delete),
    ABSENT(del_mbx, delete),
    BEYOND(del_mbx, delete),
    STAYS(snd_mbx, "empty", filled, 0, none, send),
    STAYS(snd_mbx, "1 letter", filled, 1, none, send),
    STAYS(snd_mbx, "7 letters", filled, LETTERS, none, send),
    STAYS(snd_mbx, "8 receivers, less urgent", receivers_low, CREW, receive, send),
    WAKES(snd_mbx, "1 receiver, more urgent", receivers_urgent, 1, receive, send),
    WAKES(snd_mbx, "8 receivers, more urgent", receivers_urgent, CREW, receive, send),
    ABSENT(snd_mbx, send),
    BEYOND(snd_mbx, send),
    RECEIVES(rcv_mbx, receive),
    WAITS(rcv_mbx, "empty", filled, 0, none, receive),
    RECEIVES(prcv_mbx, receive_poll),
    REFUSES(prcv_mbx, "empty", filled, 0, none, receive_poll, E_TMOUT, MEL_E_TMOUT),
    RECEIVES(trcv_mbx, receive_limited),
    WAITS(trcv_mbx, "empty", filled, 0, none, receive_limited),
    STAYS(ref_mbx, "empty", filled, 0, none, refer),
    STAYS(ref_mbx, "7 letters", filled, LETTERS, none, refer),
    ABSENT(ref_mbx, refer),
    BEYOND(ref_mbx, refer),
};

const table_t mailbox_table = TABLE(rows);
