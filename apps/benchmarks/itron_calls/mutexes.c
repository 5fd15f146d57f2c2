/* SPDX-License-Identifier: Apache-2.0 */
/* mutexes.c: the calls of mutexes. */
#include "itron_calls.h"

static const T_CMTX packet = {TA_INHERIT, 0}, packet_wrong = {TA_CEILING, MEL_PRIORITIES + 1};
static T_RMTX rmtx;
static mel_mutex_info_t info;
static ID made;

SHOTS(create, cre_mtx(OBJECT, &packet), mel_mutex_create(NUMBER, MEL_NO_CEILING))
SHOTS(create_wrong, cre_mtx(OBJECT, &packet_wrong), mel_mutex_create(NUMBER, MEL_PRIORITIES))
SHOTS(create_bad, cre_mtx(BAD, &packet), mel_mutex_create(BAD_NUMBER, MEL_NO_CEILING))
SHOTS(create_any, (made = acre_mtx(&packet)) > 0 ? E_OK : made, mel_mutex_create(NUMBER, MEL_NO_CEILING))
SHOTS(create_any_wrong, acre_mtx(&packet_wrong), mel_mutex_create(NUMBER, MEL_PRIORITIES))
SHOTS(delete, del_mtx(OBJECT), mel_mutex_delete(NUMBER))
SHOTS(delete_bad, del_mtx(BAD), mel_mutex_delete(BAD_NUMBER))
SHOTS(lock, loc_mtx(OBJECT), mel_mutex_lock(NUMBER, MEL_FOREVER))
SHOTS(lock_bad, loc_mtx(BAD), mel_mutex_lock(BAD_NUMBER, MEL_FOREVER))
SHOTS(poll, ploc_mtx(OBJECT), mel_mutex_lock(NUMBER, MEL_POLL))
SHOTS(poll_bad, ploc_mtx(BAD), mel_mutex_lock(BAD_NUMBER, MEL_POLL))
SHOTS(lock_limited, tloc_mtx(OBJECT, LONG), mel_mutex_lock(NUMBER, LONG + 1))
SHOTS(lock_limited_bad, tloc_mtx(BAD, LONG), mel_mutex_lock(BAD_NUMBER, LONG + 1))
SHOTS(unlock, unl_mtx(OBJECT), mel_mutex_unlock(NUMBER))
SHOTS(unlock_bad, unl_mtx(BAD), mel_mutex_unlock(BAD_NUMBER))
SHOTS(refer, ref_mtx(OBJECT, &rmtx), mel_mutex_query(NUMBER, &info))
SHOTS(refer_bad, ref_mtx(BAD, &rmtx), mel_mutex_query(BAD_NUMBER, &info))

static void free_one(uint32_t n, shot_t order)
{
    (void)n;
    (void)order;
    CHECK(mel_mutex_create(NUMBER, MEL_NO_CEILING));
}

static void owned(uint32_t n, shot_t order)
{
    free_one(n, order);
    CHECK(mel_mutex_lock(NUMBER, MEL_FOREVER));
}

static INT lock_and_sleep(uint32_t measured)
{
    CHECK(mel_mutex_lock(NUMBER, MEL_FOREVER));
    const INT status = mel_task_sleep(MEL_FOREVER);
    MEL_TRACEPOINT(TRACEPOINT_END, measured);
    return status;
}

static INT lock_and_be_ready(uint32_t measured)
{
    CHECK(mel_mutex_lock(NUMBER, MEL_FOREVER));
    const INT status = mel_task_set_priority(MEL_SELF, LOW - 1);
    MEL_TRACEPOINT(TRACEPOINT_END, measured);
    return status;
}

/* A less urgent member owns it: it sleeps; it is ready. */
static void owned_by_another(uint32_t n, shot_t order)
{
    free_one(n, order);
    send_low(1, lock_and_sleep);
}

static void owned_by_ready(uint32_t n, shot_t order)
{
    free_one(n, order);
    send_urgent(1, lock_and_be_ready);
}

/* n members wait for the caller's mutex. */
static void wanted(uint32_t n, shot_t order)
{
    owned(n, order);
    send_urgent(n, order);
}

void clear_mutexes(void)
{
    (void)mel_mutex_delete(NUMBER);
    if (made > 0) {
        CHECK(del_mtx(made));
        made = 0;
    }
}

static const row_t rows[] = {
    STAYS(cre_mtx, "new", nothing, 0, none, create),
    REFUSES(cre_mtx, "it exists", free_one, 0, none, create, E_OBJ, MEL_E_OBJ),
    REFUSES(cre_mtx, "ceiling out of range", nothing, 0, none, create_wrong, E_PAR, MEL_E_PAR),
    BEYOND(cre_mtx, create),
    STAYS(acre_mtx, "new", nothing, 0, none, create_any),
    REFUSES(acre_mtx, "ceiling out of range", nothing, 0, none, create_any_wrong, E_PAR, MEL_E_PAR),
    STAYS(del_mtx, "no owner", free_one, 0, none, delete),
    STAYS(del_mtx, "owned by the caller", owned, 0, none, delete),
    WAKES(del_mtx, "1 waiter, more urgent", wanted, 1, lock, delete),
    ABSENT(del_mtx, delete),
    BEYOND(del_mtx, delete),
    STAYS(loc_mtx, "free", free_one, 0, none, lock),
    WAITS(loc_mtx, "owner sleeps", owned_by_another, 1, none, lock),
    WAITS(loc_mtx, "owner is ready", owned_by_ready, 1, none, lock),
    ABSENT(loc_mtx, lock),
    BEYOND(loc_mtx, lock),
    STAYS(ploc_mtx, "free", free_one, 0, none, poll),
    REFUSES(ploc_mtx, "owned by another", owned_by_another, 1, none, poll, E_TMOUT, MEL_E_TMOUT),
    ABSENT(ploc_mtx, poll),
    BEYOND(ploc_mtx, poll),
    STAYS(tloc_mtx, "free", free_one, 0, none, lock_limited),
    WAITS(tloc_mtx, "owner sleeps", owned_by_another, 1, none, lock_limited),
    ABSENT(tloc_mtx, lock_limited),
    BEYOND(tloc_mtx, lock_limited),
    STAYS(unl_mtx, "no waiter", owned, 0, none, unlock),
    WAKES(unl_mtx, "1 waiter, more urgent", wanted, 1, lock, unlock),
    WAKES(unl_mtx, "8 waiters, more urgent", wanted, CREW, lock, unlock),
    REFUSES(unl_mtx, "not owned", free_one, 0, none, unlock, E_ILUSE, MEL_E_OBJ),
    REFUSES(unl_mtx, "owned by another", owned_by_another, 1, none, unlock, E_ILUSE, MEL_E_ILUSE),
    ABSENT(unl_mtx, unlock),
    BEYOND(unl_mtx, unlock),
    STAYS(ref_mtx, "no owner", free_one, 0, none, refer),
    STAYS(ref_mtx, "owned by the caller", owned, 0, none, refer),
    ABSENT(ref_mtx, refer),
    BEYOND(ref_mtx, refer),
};

const table_t mutex_table = TABLE(rows);
