/* SPDX-License-Identifier: Apache-2.0 */
/* semaphores.c: the calls of semaphores. */
#include "calls.h"

SHOT(create, mel_sem_create(OBJECT, 0, UNITS))
SHOT(create_bad, mel_sem_create(BAD, 0, UNITS))
SHOT(create_none, mel_sem_create(OBJECT, 0, 0))
SHOT(delete, mel_sem_delete(OBJECT))
SHOT(delete_bad, mel_sem_delete(BAD))
SHOT(give, mel_sem_give(OBJECT))
SHOT(give_bad, mel_sem_give(BAD))
SHOT(take, mel_sem_take(OBJECT, MEL_FOREVER))
SHOT(take_bad, mel_sem_take(BAD, MEL_FOREVER))
SHOT(take_poll, mel_sem_take(OBJECT, MEL_POLL))
SHOT(take_limited, mel_sem_take(OBJECT, LONG))
SHOT(query, mel_sem_query(OBJECT, &word))
SHOT(query_bad, mel_sem_query(BAD, &word))

static void units(uint32_t n)
{
    CHECK(mel_sem_create(OBJECT, n, UNITS));
}

static void low(uint32_t n)
{
    units(0);
    send_low(n, take);
}

/* Let n less urgent tasks wait, all with timeouts. */
static void low_limited(uint32_t n)
{
    units(0);
    send_low(n, take_limited);
}

static void urgent(uint32_t n)
{
    units(0);
    send_urgent(n, take);
}

/* Its number is not free before all have left. */
static void deleted(uint32_t n)
{
    low(n);
    CHECK(mel_sem_delete(OBJECT));
}

static const row_t rows[] = {
    STAYS(CALL_SEM_CREATE, "new", nothing, 0, create, MEL_E_OK),
    STAYS(CALL_SEM_CREATE, "number deleted right before, with 24 waiters", deleted, CREW, create, MEL_E_OK),
    STAYS(CALL_SEM_CREATE, "it exists", units, 0, create, MEL_E_OBJ),
    STAYS(CALL_SEM_CREATE, "maximum 0", nothing, 0, create_none, MEL_E_PAR),
    STAYS(CALL_SEM_CREATE, "number out of range", nothing, 0, create_bad, MEL_E_ID),
    STAYS(CALL_SEM_DELETE, "no waiter", units, 0, delete, MEL_E_OK),
    STAYS(CALL_SEM_DELETE, "1 waiter, less urgent", low, 1, delete, MEL_E_OK),
    STAYS(CALL_SEM_DELETE, "24 waiters, less urgent", low, CREW, delete, MEL_E_OK),
    WAKES(CALL_SEM_DELETE, "1 waiter, more urgent", urgent, 1, delete, MEL_E_DLT),
    WAKES(CALL_SEM_DELETE, "24 waiters, more urgent", urgent, CREW, delete, MEL_E_DLT),
    REFUSED(CALL_SEM_DELETE, delete),
    STAYS(CALL_SEM_GIVE, "count 0", units, 0, give, MEL_E_OK),
    STAYS(CALL_SEM_GIVE, "count below the maximum", units, UNITS - 1, give, MEL_E_OK),
    STAYS(CALL_SEM_GIVE, "count at the maximum", units, UNITS, give, MEL_E_QOVR),
    STAYS(CALL_SEM_GIVE, "1 waiter, less urgent", low, 1, give, MEL_E_OK),
    STAYS(CALL_SEM_GIVE, "24 waiters, less urgent", low, CREW, give, MEL_E_OK),
    STAYS(CALL_SEM_GIVE, "24 waiters with timeouts, less urgent", low_limited, CREW, give, MEL_E_OK),
    WAKES(CALL_SEM_GIVE, "1 waiter, more urgent", urgent, 1, give, MEL_E_OK),
    WAKES(CALL_SEM_GIVE, "24 waiters, more urgent", urgent, CREW, give, MEL_E_OK),
    REFUSED(CALL_SEM_GIVE, give),
    STAYS(CALL_SEM_TAKE, "count 1", units, 1, take, MEL_E_OK),
    STAYS(CALL_SEM_TAKE, "count at the maximum", units, UNITS, take, MEL_E_OK),
    STAYS(CALL_SEM_TAKE, "count 0, polled", units, 0, take_poll, MEL_E_TMOUT),
    WAITS(CALL_SEM_TAKE, "count 0", units, 0, take),
    WAITS(CALL_SEM_TAKE, "behind 24 waiters, more urgent", urgent, CREW, take),
    WAITS(CALL_SEM_TAKE, "before 24 waiters, less urgent", low, CREW, take),
    WAITS(CALL_SEM_TAKE, "with a timeout", units, 0, take_limited),
    WAITS(CALL_SEM_TAKE, "with a timeout, before 24 others", low_limited, CREW, take_limited),
    REFUSED(CALL_SEM_TAKE, take),
    STAYS(CALL_SEM_QUERY, "count 0", units, 0, query, MEL_E_OK),
    STAYS(CALL_SEM_QUERY, "24 waiters", low, CREW, query, MEL_E_OK),
    REFUSED(CALL_SEM_QUERY, query),
};

const table_t semaphore_table = TABLE(rows);
