/* SPDX-License-Identifier: Apache-2.0 */
/* semaphores.c: the calls of semaphores. */
#include "itron_calls.h"

static const T_CSEM packet = {TA_TPRI, 0, UNITS}, packet_wrong = {TA_TPRI, 0, 0};
static T_RSEM rsem;
static uint32_t count;
static ID made;

SHOTS(create, cre_sem(OBJECT, &packet), mel_sem_create(NUMBER, 0, UNITS))
SHOTS(create_wrong, cre_sem(OBJECT, &packet_wrong), mel_sem_create(NUMBER, 0, 0))
SHOTS(create_bad, cre_sem(BAD, &packet), mel_sem_create(BAD_NUMBER, 0, UNITS))
SHOTS(create_any, (made = acre_sem(&packet)) > 0 ? E_OK : made, mel_sem_create(NUMBER, 0, UNITS))
SHOTS(create_any_wrong, acre_sem(&packet_wrong), mel_sem_create(NUMBER, 0, 0))
SHOTS(delete, del_sem(OBJECT), mel_sem_delete(NUMBER))
SHOTS(delete_bad, del_sem(BAD), mel_sem_delete(BAD_NUMBER))
SHOTS(signal, sig_sem(OBJECT), mel_sem_give(NUMBER))
SHOTS(signal_bad, sig_sem(BAD), mel_sem_give(BAD_NUMBER))
SHOTS(signal_in, isig_sem(OBJECT), mel_sem_give(NUMBER))
SHOTS(wait, wai_sem(OBJECT), mel_sem_take(NUMBER, MEL_FOREVER))
SHOTS(wait_bad, wai_sem(BAD), mel_sem_take(BAD_NUMBER, MEL_FOREVER))
SHOTS(poll, pol_sem(OBJECT), mel_sem_take(NUMBER, MEL_POLL))
SHOTS(poll_bad, pol_sem(BAD), mel_sem_take(BAD_NUMBER, MEL_POLL))
SHOTS(wait_limited, twai_sem(OBJECT, LONG), mel_sem_take(NUMBER, LONG + 1))
SHOTS(wait_limited_bad, twai_sem(BAD, LONG), mel_sem_take(BAD_NUMBER, LONG + 1))
SHOTS(refer, ref_sem(OBJECT, &rsem), mel_sem_query(NUMBER, &count))
SHOTS(refer_bad, ref_sem(BAD, &rsem), mel_sem_query(BAD_NUMBER, &count))

static void units(uint32_t n, shot_t order)
{
    (void)order;
    CHECK(mel_sem_create(NUMBER, n, UNITS));
}

static void low(uint32_t n, shot_t order)
{
    units(0, order);
    send_low(n, order);
}

static void urgent(uint32_t n, shot_t order)
{
    units(0, order);
    send_urgent(n, order);
}

void clear_semaphores(void)
{
    (void)mel_sem_delete(NUMBER);
    if (made > 0) {
        CHECK(del_sem(made));
        made = 0;
    }
}

static const row_t rows[] = {
    STAYS(cre_sem, "new", nothing, 0, none, create),
    REFUSES(cre_sem, "it exists", units, 0, none, create, E_OBJ, MEL_E_OBJ),
    REFUSES(cre_sem, "maximum 0", nothing, 0, none, create_wrong, E_PAR, MEL_E_PAR),
    BEYOND(cre_sem, create),
    STAYS(acre_sem, "new", nothing, 0, none, create_any),
    REFUSES(acre_sem, "maximum 0", nothing, 0, none, create_any_wrong, E_PAR, MEL_E_PAR),
    STAYS(del_sem, "no waiter", units, 0, none, delete),
    STAYS(del_sem, "8 waiters, less urgent", low, CREW, wait, delete),
    WAKES(del_sem, "1 waiter, more urgent", urgent, 1, wait, delete),
    ABSENT(del_sem, delete),
    BEYOND(del_sem, delete),
    STAYS(sig_sem, "no waiter", units, 0, none, signal),
    STAYS(sig_sem, "1 waiter, less urgent", low, 1, wait, signal),
    STAYS(sig_sem, "8 waiters, less urgent", low, CREW, wait, signal),
    WAKES(sig_sem, "1 waiter, more urgent", urgent, 1, wait, signal),
    WAKES(sig_sem, "8 waiters, more urgent", urgent, CREW, wait, signal),
    REFUSES(sig_sem, "count at the maximum", units, UNITS, none, signal, E_QOVR, MEL_E_QOVR),
    ABSENT(sig_sem, signal),
    BEYOND(sig_sem, signal),
    STAYS_IN(isig_sem, "no waiter", units, 0, none, signal_in),
    STAYS_IN(isig_sem, "1 waiter, less urgent", low, 1, wait, signal_in),
    STAYS_IN(isig_sem, "1 waiter, more urgent", urgent, 1, wait, signal_in),
    REFUSES_IN(isig_sem, "count at the maximum", units, UNITS, none, signal_in, E_QOVR, MEL_E_QOVR),
    ABSENT_IN(isig_sem, signal_in),
    STAYS(wai_sem, "count 1", units, 1, none, wait),
    WAITS(wai_sem, "count 0", units, 0, none, wait),
    WAITS(wai_sem, "before 8 waiters, less urgent", low, CREW, wait, wait),
    ABSENT(wai_sem, wait),
    BEYOND(wai_sem, wait),
    STAYS(pol_sem, "count 1", units, 1, none, poll),
    REFUSES(pol_sem, "count 0", units, 0, none, poll, E_TMOUT, MEL_E_TMOUT),
    ABSENT(pol_sem, poll),
    BEYOND(pol_sem, poll),
    STAYS(twai_sem, "count 1", units, 1, none, wait_limited),
    WAITS(twai_sem, "count 0", units, 0, none, wait_limited),
    WAITS(twai_sem, "before 8 waiters, less urgent", low, CREW, wait_limited, wait_limited),
    ABSENT(twai_sem, wait_limited),
    BEYOND(twai_sem, wait_limited),
    STAYS(ref_sem, "count 0", units, 0, none, refer),
    ABSENT(ref_sem, refer),
    BEYOND(ref_sem, refer),
};

const table_t semaphore_table = TABLE(rows);
