/* SPDX-License-Identifier: Apache-2.0 */
/* flags.c: the calls of event flags. */
#include "calls.h"

enum { FLAGS = 0x3, OTHERS = 0xC };

SHOT(create, mel_flags_create(OBJECT, 0))
SHOT(create_bad, mel_flags_create(BAD, 0))
SHOT(delete, mel_flags_delete(OBJECT))
SHOT(delete_bad, mel_flags_delete(BAD))
SHOT(set, mel_flags_set(OBJECT, FLAGS))
SHOT(set_bad, mel_flags_set(BAD, FLAGS))
SHOT(clear, mel_flags_clear(OBJECT, FLAGS))
SHOT(clear_bad, mel_flags_clear(BAD, FLAGS))

/* The four ways to wait differ in their name alone. */
#define WAIT_SHOTS(name, function)                                        \
    SHOT(name, function(OBJECT, FLAGS, MEL_FOREVER, &word))               \
    SHOT(name##_bad, function(BAD, FLAGS, MEL_FOREVER, &word))            \
    SHOT(name##_poll, function(OBJECT, FLAGS, MEL_POLL, &word))           \
    SHOT(name##_limited, function(OBJECT, FLAGS, LONG, &word))            \
    SHOT(name##_none, function(OBJECT, 0, MEL_FOREVER, &word))

WAIT_SHOTS(wait_any, mel_flags_wait_any)
WAIT_SHOTS(wait_all, mel_flags_wait_all)
WAIT_SHOTS(take_any, mel_flags_take_any)
WAIT_SHOTS(take_all, mel_flags_take_all)
SHOT(wait_others, mel_flags_wait_any(OBJECT, OTHERS, MEL_FOREVER, &word))

static void flags(uint32_t initial)
{
    CHECK(mel_flags_create(OBJECT, initial));
}

static void low(uint32_t n)
{
    flags(0);
    send_low(n, wait_any);
}

static void urgent(uint32_t n)
{
    flags(0);
    send_urgent(n, wait_any);
}

static void for_others(uint32_t n)
{
    flags(0);
    send_low(n, wait_others);
}

static void deleted(uint32_t n)
{
    low(n);
    CHECK(mel_flags_delete(OBJECT));
}

#define WAIT_ROWS(call, shot)                                                                    \
    STAYS(call, "flags set", flags, FLAGS, shot, MEL_E_OK),                                      \
    STAYS(call, "flags set, 24 wait for others", set_for_others, CREW, shot, MEL_E_OK),          \
    STAYS(call, "not set, polled", flags, 0, shot##_poll, MEL_E_TMOUT),                          \
    STAYS(call, "empty pattern", flags, 0, shot##_none, MEL_E_PAR),                              \
    WAITS(call, "not set", flags, 0, shot),                                                      \
    WAITS(call, "with 24 other waiters", low, CREW, shot),                                       \
    WAITS(call, "with a timeout", flags, 0, shot##_limited),                                     \
    REFUSED(call, shot)

static void set_for_others(uint32_t n)
{
    for_others(n);
    CHECK(mel_flags_set(OBJECT, FLAGS));
}

static const row_t rows[] = {
    STAYS(CALL_FLAGS_CREATE, "new", nothing, 0, create, MEL_E_OK),
    STAYS(CALL_FLAGS_CREATE, "number deleted right before, with 24 waiters", deleted, CREW, create, MEL_E_OK),
    STAYS(CALL_FLAGS_CREATE, "it exists", flags, 0, create, MEL_E_OBJ),
    STAYS(CALL_FLAGS_CREATE, "number out of range", nothing, 0, create_bad, MEL_E_ID),
    STAYS(CALL_FLAGS_DELETE, "no waiter", flags, 0, delete, MEL_E_OK),
    STAYS(CALL_FLAGS_DELETE, "1 waiter, less urgent", low, 1, delete, MEL_E_OK),
    STAYS(CALL_FLAGS_DELETE, "24 waiters, less urgent", low, CREW, delete, MEL_E_OK),
    WAKES(CALL_FLAGS_DELETE, "1 waiter, more urgent", urgent, 1, delete, MEL_E_DLT),
    WAKES(CALL_FLAGS_DELETE, "24 waiters, more urgent", urgent, CREW, delete, MEL_E_DLT),
    REFUSED(CALL_FLAGS_DELETE, delete),
    STAYS(CALL_FLAGS_SET, "no waiter", flags, 0, set, MEL_E_OK),
    STAYS(CALL_FLAGS_SET, "24 waiters, for others", for_others, CREW, set, MEL_E_OK),
    STAYS(CALL_FLAGS_SET, "1 waiter, less urgent", low, 1, set, MEL_E_OK),
    STAYS(CALL_FLAGS_SET, "24 waiters, less urgent", low, CREW, set, MEL_E_OK),
    WAKES(CALL_FLAGS_SET, "1 waiter, more urgent", urgent, 1, set, MEL_E_OK),
    WAKES(CALL_FLAGS_SET, "24 waiters, more urgent", urgent, CREW, set, MEL_E_OK),
    REFUSED(CALL_FLAGS_SET, set),
    STAYS(CALL_FLAGS_CLEAR, "no waiter", flags, FLAGS, clear, MEL_E_OK),
    STAYS(CALL_FLAGS_CLEAR, "24 waiters", low, CREW, clear, MEL_E_OK),
    REFUSED(CALL_FLAGS_CLEAR, clear),
    WAIT_ROWS(CALL_FLAGS_WAIT_ANY, wait_any),
    WAIT_ROWS(CALL_FLAGS_WAIT_ALL, wait_all),
    WAIT_ROWS(CALL_FLAGS_TAKE_ANY, take_any),
    WAIT_ROWS(CALL_FLAGS_TAKE_ALL, take_all),
};

const table_t flags_table = TABLE(rows);
