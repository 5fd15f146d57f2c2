/* SPDX-License-Identifier: Apache-2.0 */
/* queues.c: the calls of message queues. */
#include "calls.h"

enum { LETTER = 7, MIDDLE = 3 /* message priority */ };

SHOT(create, mel_queue_create(OBJECT, MESSAGES))
SHOT(create_bad, mel_queue_create(BAD, MESSAGES))
SHOT(create_none, mel_queue_create(OBJECT, 0))
SHOT(create_all, mel_queue_create(OBJECT, MEL_MESSAGES))
SHOT(delete, mel_queue_delete(OBJECT))
SHOT(delete_bad, mel_queue_delete(BAD))
SHOT(send_word, mel_queue_send(OBJECT, LETTER, MEL_FOREVER))
SHOT(send_word_bad, mel_queue_send(BAD, LETTER, MEL_FOREVER))
SHOT(send_poll, mel_queue_send(OBJECT, LETTER, MEL_POLL))
SHOT(send_limited, mel_queue_send(OBJECT, LETTER, LONG))
SHOT(receive, mel_queue_receive(OBJECT, MEL_FOREVER, &word))
SHOT(receive_bad, mel_queue_receive(BAD, MEL_FOREVER, &word))
SHOT(receive_poll, mel_queue_receive(OBJECT, MEL_POLL, &word))
SHOT(receive_limited, mel_queue_receive(OBJECT, LONG, &word))
SHOT(post, mel_queue_post(OBJECT, LETTER, MIDDLE))
SHOT(post_bad, mel_queue_post(BAD, LETTER, MIDDLE))
SHOT(post_wrong, mel_queue_post(OBJECT, LETTER, MEL_MESSAGE_PRIORITIES))
SHOT(query, mel_queue_query(OBJECT, &word))
SHOT(query_bad, mel_queue_query(BAD, &word))

/* n messages, of all priorities. */
static void messages(uint32_t n)
{
    CHECK(mel_queue_create(OBJECT, MESSAGES));
    for (uint32_t i = 0; i < n; i++) {
        CHECK(mel_queue_post(OBJECT, LETTER, i % MEL_MESSAGE_PRIORITIES));
    }
}

static void receivers_low(uint32_t n)
{
    messages(0);
    send_low(n, receive);
}

static void receivers_urgent(uint32_t n)
{
    messages(0);
    send_urgent(n, receive);
}

static void senders_low(uint32_t n)
{
    messages(MESSAGES);
    send_low(n, send_word);
}

static void senders_urgent(uint32_t n)
{
    messages(MESSAGES);
    send_urgent(n, send_word);
}

static void deleted(uint32_t n)
{
    messages(n);
    CHECK(mel_queue_delete(OBJECT));
}

/* Another queue has reserved n of all messages. */
static void reserved(uint32_t n)
{
    CHECK(mel_queue_create(OBJECT_OTHER, n));
}

static const row_t rows[] = {
    STAYS(CALL_QUEUE_CREATE, "new", nothing, 0, create, MEL_E_OK),
    STAYS(CALL_QUEUE_CREATE, "number deleted right before, with 24 messages", deleted, MESSAGES, create, MEL_E_OK),
    STAYS(CALL_QUEUE_CREATE, "it exists", messages, 0, create, MEL_E_OBJ),
    STAYS(CALL_QUEUE_CREATE, "too few messages left", reserved, 1, create_all, MEL_E_NOMEM),
    STAYS(CALL_QUEUE_CREATE, "capacity 0", nothing, 0, create_none, MEL_E_PAR),
    STAYS(CALL_QUEUE_CREATE, "number out of range", nothing, 0, create_bad, MEL_E_ID),
    STAYS(CALL_QUEUE_DELETE, "empty", messages, 0, delete, MEL_E_OK),
    STAYS(CALL_QUEUE_DELETE, "24 messages", messages, MESSAGES, delete, MEL_E_OK),
    STAYS(CALL_QUEUE_DELETE, "24 receivers, less urgent", receivers_low, CREW, delete, MEL_E_OK),
    STAYS(CALL_QUEUE_DELETE, "24 messages and 24 senders, less urgent", senders_low, CREW, delete, MEL_E_OK),
    WAKES(CALL_QUEUE_DELETE, "1 receiver, more urgent", receivers_urgent, 1, delete, MEL_E_DLT),
    WAKES(CALL_QUEUE_DELETE, "24 receivers, more urgent", receivers_urgent, CREW, delete, MEL_E_DLT),
    WAKES(CALL_QUEUE_DELETE, "24 messages and 24 senders, more urgent", senders_urgent, CREW, delete, MEL_E_DLT),
    REFUSED(CALL_QUEUE_DELETE, delete),
    STAYS(CALL_QUEUE_SEND, "empty", messages, 0, send_word, MEL_E_OK),
    STAYS(CALL_QUEUE_SEND, "room for one more", messages, MESSAGES - 1, send_word, MEL_E_OK),
    STAYS(CALL_QUEUE_SEND, "full, polled", messages, MESSAGES, send_poll, MEL_E_TMOUT),
    STAYS(CALL_QUEUE_SEND, "1 receiver, less urgent", receivers_low, 1, send_word, MEL_E_OK),
    STAYS(CALL_QUEUE_SEND, "24 receivers, less urgent", receivers_low, CREW, send_word, MEL_E_OK),
    WAKES(CALL_QUEUE_SEND, "1 receiver, more urgent", receivers_urgent, 1, send_word, MEL_E_OK),
    WAKES(CALL_QUEUE_SEND, "24 receivers, more urgent", receivers_urgent, CREW, send_word, MEL_E_OK),
    WAITS(CALL_QUEUE_SEND, "full", messages, MESSAGES, send_word),
    WAITS(CALL_QUEUE_SEND, "full, before 24 senders", senders_low, CREW, send_word),
    WAITS(CALL_QUEUE_SEND, "full, behind 24 senders", senders_urgent, CREW, send_word),
    WAITS(CALL_QUEUE_SEND, "full, with a timeout", messages, MESSAGES, send_limited),
    REFUSED(CALL_QUEUE_SEND, send_word),
    STAYS(CALL_QUEUE_RECEIVE, "1 message", messages, 1, receive, MEL_E_OK),
    STAYS(CALL_QUEUE_RECEIVE, "24 messages", messages, MESSAGES, receive, MEL_E_OK),
    STAYS(CALL_QUEUE_RECEIVE, "empty, polled", messages, 0, receive_poll, MEL_E_TMOUT),
    STAYS(CALL_QUEUE_RECEIVE, "1 sender, less urgent", senders_low, 1, receive, MEL_E_OK),
    STAYS(CALL_QUEUE_RECEIVE, "24 senders, less urgent", senders_low, CREW, receive, MEL_E_OK),
    WAKES(CALL_QUEUE_RECEIVE, "1 sender, more urgent", senders_urgent, 1, receive, MEL_E_OK),
    WAKES(CALL_QUEUE_RECEIVE, "24 senders, more urgent", senders_urgent, CREW, receive, MEL_E_OK),
    WAITS(CALL_QUEUE_RECEIVE, "empty", messages, 0, receive),
    WAITS(CALL_QUEUE_RECEIVE, "empty, before 24 receivers", receivers_low, CREW, receive),
    WAITS(CALL_QUEUE_RECEIVE, "empty, behind 24 receivers", receivers_urgent, CREW, receive),
    WAITS(CALL_QUEUE_RECEIVE, "empty, with a timeout", messages, 0, receive_limited),
    REFUSED(CALL_QUEUE_RECEIVE, receive),
    STAYS(CALL_QUEUE_POST, "empty", messages, 0, post, MEL_E_OK),
    STAYS(CALL_QUEUE_POST, "between messages of other priorities", messages, MESSAGES - 1, post, MEL_E_OK),
    STAYS(CALL_QUEUE_POST, "full", messages, MESSAGES, post, MEL_E_QOVR),
    STAYS(CALL_QUEUE_POST, "24 receivers, less urgent", receivers_low, CREW, post, MEL_E_OK),
    STAYS(CALL_QUEUE_POST, "no such message priority", messages, 0, post_wrong, MEL_E_PAR),
    WAKES(CALL_QUEUE_POST, "1 receiver, more urgent", receivers_urgent, 1, post, MEL_E_OK),
    WAKES(CALL_QUEUE_POST, "24 receivers, more urgent", receivers_urgent, CREW, post, MEL_E_OK),
    REFUSED(CALL_QUEUE_POST, post),
    STAYS(CALL_QUEUE_QUERY, "empty", messages, 0, query, MEL_E_OK),
    STAYS(CALL_QUEUE_QUERY, "24 messages", messages, MESSAGES, query, MEL_E_OK),
    REFUSED(CALL_QUEUE_QUERY, query),
};

const table_t queue_table = TABLE(rows);
