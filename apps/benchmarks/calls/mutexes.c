/* SPDX-License-Identifier: Apache-2.0 */
/* mutexes.c: the calls of mutexes. A chain of d owners: member i owns mutex i and waits for mutex i + 1, the last one sleeps. */
#include "calls.h"

static mel_mutex_info_t info;

SHOT(create, mel_mutex_create(MUTEX, MEL_NO_CEILING))
SHOT(create_bad, mel_mutex_create(BAD, MEL_NO_CEILING))
SHOT(create_ceiling, mel_mutex_create(MUTEX, URGENT))
SHOT(create_wrong, mel_mutex_create(MUTEX, MEL_PRIORITIES))
SHOT(delete, mel_mutex_delete(MUTEX))
SHOT(delete_bad, mel_mutex_delete(BAD))
SHOT(lock, mel_mutex_lock(MUTEX, MEL_FOREVER))
SHOT(lock_bad, mel_mutex_lock(BAD, MEL_FOREVER))
SHOT(lock_poll, mel_mutex_lock(MUTEX, MEL_POLL))
SHOT(lock_limited, mel_mutex_lock(MUTEX, LONG))
SHOT(unlock, mel_mutex_unlock(MUTEX))
SHOT(unlock_bad, mel_mutex_unlock(BAD))
SHOT(query, mel_mutex_query(MUTEX, &info))
SHOT(query_bad, mel_mutex_query(BAD, &info))

/* Mutex that the calling crew member owns; its neighbour owns the next one. */
static mel_id_t own(void)
{
    return MUTEX + mel_task_self() - CREW_FIRST;
}

static mel_status_t own_and_sleep(uint32_t measured)
{
    CHECK(mel_mutex_lock(own(), MEL_FOREVER));
    return sleep_forever(measured);
}

static mel_status_t own_and_be_ready(uint32_t measured)
{
    CHECK(mel_mutex_lock(own(), MEL_FOREVER));
    return become_ready(measured);
}

static mel_status_t own_and_wait(uint32_t measured)
{
    (void)measured;
    CHECK(mel_mutex_lock(own(), MEL_FOREVER));
    return mel_mutex_lock(own() + 1, MEL_FOREVER);
}

/* n mutexes; none is owned. */
static void mutexes(uint32_t n)
{
    for (mel_id_t mutex = MUTEX; mutex < MUTEX + n; mutex++) {
        CHECK(mel_mutex_create(mutex, MEL_NO_CEILING));
    }
}

/* The caller owns n mutexes. */
static void owned(uint32_t n)
{
    mutexes(n);
    for (mel_id_t mutex = MUTEX; mutex < MUTEX + n; mutex++) {
        CHECK(mel_mutex_lock(mutex, MEL_FOREVER));
    }
}

static void owned_twice(uint32_t n)
{
    owned(n);
    CHECK(mel_mutex_lock(MUTEX, MEL_FOREVER));
}

static void with_ceiling(uint32_t n)
{
    (void)n;
    CHECK(mel_mutex_create(MUTEX, URGENT));
}

static void owned_with_ceiling(uint32_t n)
{
    with_ceiling(n);
    CHECK(mel_mutex_lock(MUTEX, MEL_FOREVER));
}

/* It belongs to the caller; n wait for it. */
static void low(uint32_t n)
{
    owned(1);
    send_low(n, lock);
}

static void urgent(uint32_t n)
{
    owned(1);
    gather(n, lock);
}

/* The caller owns CHAIN mutexes; n less urgent tasks wait for the first. */
static void low_of_many(uint32_t n)
{
    owned(CHAIN);
    send_low(n, lock);
}

/* A chain of d owners, less urgent than the caller. */
static void chain(uint32_t d)
{
    mutexes(d);
    send(d - 1, own_and_sleep);
    for (uint32_t i = d - 1; i != 0; i--) {
        send(i - 1, own_and_wait);
    }
    for (uint32_t i = 0; i < d; i++) {
        CHECK(mel_task_set_priority(CREW_FIRST + i, LOW));
    }
}

/* Its last owner waits for a mutex of the caller. */
static void cycle(uint32_t d)
{
    mutexes(d + 1);
    CHECK(mel_mutex_lock(MUTEX + d, MEL_FOREVER));
    for (uint32_t i = d; i != 0; i--) {
        send(i - 1, own_and_wait);
        CHECK(mel_task_set_priority(CREW_FIRST + i - 1, LOW));
    }
}

/* The owner is ready. */
static void ready_owner(uint32_t n)
{
    (void)n;
    mutexes(1);
    level = LOW;
    send(0, own_and_be_ready);
}

/* The owner sleeps; n others wait. */
static void low_behind_owner(uint32_t n)
{
    chain(1);
    for (uint32_t i = 1; i <= n; i++) {
        send(i, lock);
        CHECK(mel_task_set_priority(CREW_FIRST + i, LOW + 1));
    }
}

static void deleted(uint32_t n)
{
    low(n);
    CHECK(mel_mutex_delete(MUTEX));
}

static const row_t rows[] = {
    STAYS(CALL_MUTEX_CREATE, "new", nothing, 0, create, MEL_E_OK),
    STAYS(CALL_MUTEX_CREATE, "with a ceiling", nothing, 0, create_ceiling, MEL_E_OK),
    STAYS(CALL_MUTEX_CREATE, "number deleted right before, with 24 waiters", deleted, CREW, create, MEL_E_OK),
    STAYS(CALL_MUTEX_CREATE, "it exists", mutexes, 1, create, MEL_E_OBJ),
    STAYS(CALL_MUTEX_CREATE, "ceiling out of range", nothing, 0, create_wrong, MEL_E_PAR),
    STAYS(CALL_MUTEX_CREATE, "number out of range", nothing, 0, create_bad, MEL_E_ID),
    STAYS(CALL_MUTEX_DELETE, "no owner", mutexes, 1, delete, MEL_E_OK),
    STAYS(CALL_MUTEX_DELETE, "owned by the caller", owned, 1, delete, MEL_E_OK),
    STAYS(CALL_MUTEX_DELETE, "1 waiter, less urgent", low, 1, delete, MEL_E_OK),
    STAYS(CALL_MUTEX_DELETE, "24 waiters, less urgent", low, CREW, delete, MEL_E_OK),
    STAYS(CALL_MUTEX_DELETE, "first of a chain of 12 owners", chain, CHAIN, delete, MEL_E_OK),
    WAKES(CALL_MUTEX_DELETE, "1 waiter, more urgent", urgent, 1, delete, MEL_E_DLT),
    WAKES(CALL_MUTEX_DELETE, "24 waiters, more urgent", urgent, CREW, delete, MEL_E_DLT),
    REFUSED(CALL_MUTEX_DELETE, delete),
    STAYS(CALL_MUTEX_LOCK, "free", mutexes, 1, lock, MEL_E_OK),
    STAYS(CALL_MUTEX_LOCK, "free, with a ceiling", with_ceiling, 0, lock, MEL_E_OK),
    STAYS(CALL_MUTEX_LOCK, "owned by the caller", owned, 1, lock, MEL_E_OK),
    STAYS(CALL_MUTEX_LOCK, "owned by another, polled", chain, 1, lock_poll, MEL_E_TMOUT),
    STAYS(CALL_MUTEX_LOCK, "chain of 12 owners, polled", chain, CHAIN, lock_poll, MEL_E_TMOUT),
    STAYS(CALL_MUTEX_LOCK, "deadlock through 1 owner", cycle, 1, lock, MEL_E_ILUSE),
    STAYS(CALL_MUTEX_LOCK, "deadlock through 12 owners", cycle, CHAIN, lock, MEL_E_ILUSE),
    WAITS(CALL_MUTEX_LOCK, "owner is ready", ready_owner, 0, lock),
    WAITS(CALL_MUTEX_LOCK, "chain of 1 owner", chain, 1, lock),
    WAITS(CALL_MUTEX_LOCK, "chain of 4 owners", chain, 4, lock),
    WAITS(CALL_MUTEX_LOCK, "chain of 12 owners", chain, CHAIN, lock),
    WAITS(CALL_MUTEX_LOCK, "chain of 12 owners, with a timeout", chain, CHAIN, lock_limited),
    WAITS(CALL_MUTEX_LOCK, "before 23 waiters", low_behind_owner, CREW - 1, lock),
    REFUSED(CALL_MUTEX_LOCK, lock),
    STAYS(CALL_MUTEX_UNLOCK, "no waiter", owned, 1, unlock, MEL_E_OK),
    STAYS(CALL_MUTEX_UNLOCK, "owner of 12", owned, CHAIN, unlock, MEL_E_OK),
    STAYS(CALL_MUTEX_UNLOCK, "with a ceiling", owned_with_ceiling, 0, unlock, MEL_E_OK),
    STAYS(CALL_MUTEX_UNLOCK, "locked twice", owned_twice, 1, unlock, MEL_E_OK),
    STAYS(CALL_MUTEX_UNLOCK, "1 waiter, less urgent", low, 1, unlock, MEL_E_OK),
    STAYS(CALL_MUTEX_UNLOCK, "24 waiters, less urgent", low, CREW, unlock, MEL_E_OK),
    STAYS(CALL_MUTEX_UNLOCK, "24 waiters, less urgent, owner of 12", low_of_many, CREW, unlock, MEL_E_OK),
    STAYS(CALL_MUTEX_UNLOCK, "not owned", mutexes, 1, unlock, MEL_E_OBJ),
    STAYS(CALL_MUTEX_UNLOCK, "owned by another", chain, 1, unlock, MEL_E_ILUSE),
    WAKES(CALL_MUTEX_UNLOCK, "1 waiter, more urgent", urgent, 1, unlock, MEL_E_OK),
    WAKES(CALL_MUTEX_UNLOCK, "24 waiters, more urgent", urgent, CREW, unlock, MEL_E_OK),
    REFUSED(CALL_MUTEX_UNLOCK, unlock),
    STAYS(CALL_MUTEX_QUERY, "no owner", mutexes, 1, query, MEL_E_OK),
    STAYS(CALL_MUTEX_QUERY, "24 waiters", low, CREW, query, MEL_E_OK),
    REFUSED(CALL_MUTEX_QUERY, query),
};

const table_t mutex_table = TABLE(rows);
