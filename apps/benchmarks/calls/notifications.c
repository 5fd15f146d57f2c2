/* SPDX-License-Identifier: Apache-2.0 */
/* notifications.c: the calls of task notifications. The subject is notified; the caller waits. */
#include "calls.h"

enum { VALUE = 5 };

SHOT(set, mel_notification_set(SUBJECT, VALUE))
SHOT(set_bad, mel_notification_set(BAD, VALUE))
SHOT(give, mel_notification_give(SUBJECT))
SHOT(give_bad, mel_notification_give(BAD))
SHOT(overwrite, mel_notification_overwrite(SUBJECT, VALUE))
SHOT(overwrite_bad, mel_notification_overwrite(BAD, VALUE))
SHOT(send_value, mel_notification_send(SUBJECT, VALUE))
SHOT(send_value_bad, mel_notification_send(BAD, VALUE))
SHOT(clear, mel_notification_clear(SUBJECT, VALUE, &word))
SHOT(clear_bad, mel_notification_clear(BAD, VALUE, &word))
SHOT(cancel, mel_notification_cancel(SUBJECT))
SHOT(cancel_bad, mel_notification_cancel(BAD))
SHOT(wait, mel_notification_wait(VALUE, MEL_FOREVER, &word))
SHOT(wait_poll, mel_notification_wait(VALUE, MEL_POLL, &word))
SHOT(wait_limited, mel_notification_wait(VALUE, LONG, &word))
SHOT(take, mel_notification_take(MEL_FOREVER, &word))
SHOT(take_poll, mel_notification_take(MEL_POLL, &word))
SHOT(take_limited, mel_notification_take(LONG, &word))
SHOT(take_all, mel_notification_take_all(MEL_FOREVER, &word))
SHOT(take_all_poll, mel_notification_take_all(MEL_POLL, &word))
SHOT(take_all_limited, mel_notification_take_all(LONG, &word))

/* The subject computes for nobody; n notifications are pending. */
static void pending(uint32_t n)
{
    start_subject(LOW, NULL);
    if (n != 0) {
        CHECK(mel_notification_give(SUBJECT));
    }
}

static void waiting_low(uint32_t n)
{
    (void)n;
    start_subject(URGENT, wait);
    CHECK(mel_task_set_priority(SUBJECT, LOW));
}

static void waiting_urgent(uint32_t n)
{
    (void)n;
    start_subject(URGENT, wait);
}

/* The caller's own. */
static void own(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        CHECK(mel_notification_give(MEL_SELF));
    }
}

#define NOTIFY_ROWS(call, shot, when_pending)                                      \
    STAYS(call, "nothing pending", pending, 0, shot, MEL_E_OK),                    \
    STAYS(call, "one pending", pending, 1, shot, when_pending),                    \
    STAYS(call, "it waits, less urgent", waiting_low, 0, shot, MEL_E_OK),          \
    WAKES(call, "it waits, more urgent", waiting_urgent, 0, shot, MEL_E_OK),       \
    STAYS(call, "dormant", dormant, 0, shot, MEL_E_OBJ),                           \
    REFUSED(call, shot)

#define WAIT_ROWS(call, shot)                                                      \
    STAYS(call, "one pending", own, 1, shot, MEL_E_OK),                            \
    STAYS(call, "several given", own, UNITS, shot, MEL_E_OK),                      \
    STAYS(call, "nothing pending, polled", own, 0, shot##_poll, MEL_E_TMOUT),      \
    WAITS(call, "nothing pending", own, 0, shot),                                  \
    WAITS(call, "with a timeout", own, 0, shot##_limited)

static const row_t rows[] = {
    NOTIFY_ROWS(CALL_NOTIFICATION_SET, set, MEL_E_OK),
    NOTIFY_ROWS(CALL_NOTIFICATION_GIVE, give, MEL_E_OK),
    NOTIFY_ROWS(CALL_NOTIFICATION_OVERWRITE, overwrite, MEL_E_OK),
    NOTIFY_ROWS(CALL_NOTIFICATION_SEND, send_value, MEL_E_QOVR),
    STAYS(CALL_NOTIFICATION_CLEAR, "nothing pending", pending, 0, clear, MEL_E_OK),
    STAYS(CALL_NOTIFICATION_CLEAR, "one pending", pending, 1, clear, MEL_E_OK),
    STAYS(CALL_NOTIFICATION_CLEAR, "dormant", dormant, 0, clear, MEL_E_OBJ),
    REFUSED(CALL_NOTIFICATION_CLEAR, clear),
    STAYS(CALL_NOTIFICATION_CANCEL, "one pending", pending, 1, cancel, MEL_E_OK),
    STAYS(CALL_NOTIFICATION_CANCEL, "nothing pending", pending, 0, cancel, MEL_E_OBJ),
    REFUSED(CALL_NOTIFICATION_CANCEL, cancel),
    WAIT_ROWS(CALL_NOTIFICATION_WAIT, wait),
    WAIT_ROWS(CALL_NOTIFICATION_TAKE, take),
    WAIT_ROWS(CALL_NOTIFICATION_TAKE_ALL, take_all),
};

const table_t notification_table = TABLE(rows);
