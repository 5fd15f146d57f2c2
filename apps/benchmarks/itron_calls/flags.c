/* SPDX-License-Identifier: Apache-2.0 */
/* flags.c: the calls of event flags. A group for several tasks (TA_WMUL) is one of the kernel's; of a group for one task (TA_WSGL) the kernel knows nothing, and
 * its native row is that of a group of the kernel's in the same state. */
#include "itron_calls.h"

enum { FLAGS = 5 };

static const T_CFLG single = {TA_WSGL | TA_TPRI, 0}, several = {TA_WMUL | TA_TPRI, 0}, wrong = {TA_WMUL | TA_TFIFO, 0};
static T_RFLG rflg;
static FLGPTN pattern;
static uint32_t flags;
static ID made;

SHOTS(create, cre_flg(OBJECT, &single), mel_flags_create(NUMBER, 0))
SHOTS(create_several, cre_flg(OBJECT, &several), mel_flags_create(NUMBER, 0))
SHOTS(create_bad, cre_flg(BAD, &single), mel_flags_create(BAD_NUMBER, 0))
SHOTS(create_any, (made = acre_flg(&single)) > 0 ? E_OK : made, mel_flags_create(NUMBER, 0))
SHOT(t_create_any_wrong, acre_flg(&wrong))
SHOTS(delete, del_flg(OBJECT), mel_flags_delete(NUMBER))
SHOTS(delete_bad, del_flg(BAD), mel_flags_delete(BAD_NUMBER))
SHOTS(set, set_flg(OBJECT, FLAGS), mel_flags_set(NUMBER, FLAGS))
SHOTS(set_bad, set_flg(BAD, FLAGS), mel_flags_set(BAD_NUMBER, FLAGS))
SHOTS(set_in, iset_flg(OBJECT, FLAGS), mel_flags_set(NUMBER, FLAGS))
SHOTS(clear, clr_flg(OBJECT, ~FLAGS), mel_flags_clear(NUMBER, FLAGS))
SHOTS(clear_bad, clr_flg(BAD, ~FLAGS), mel_flags_clear(BAD_NUMBER, FLAGS))
SHOTS(wait, wai_flg(OBJECT, FLAGS, TWF_ORW, &pattern), mel_flags_wait_any(NUMBER, FLAGS, MEL_FOREVER, &flags))
SHOTS(wait_all, wai_flg(OBJECT, FLAGS, TWF_ANDW, &pattern), mel_flags_wait_all(NUMBER, FLAGS, MEL_FOREVER, &flags))
SHOTS(wait_bad, wai_flg(BAD, FLAGS, TWF_ORW, &pattern), mel_flags_wait_any(BAD_NUMBER, FLAGS, MEL_FOREVER, &flags))
SHOTS(poll, pol_flg(OBJECT, FLAGS, TWF_ORW, &pattern), mel_flags_wait_any(NUMBER, FLAGS, MEL_POLL, &flags))
SHOTS(poll_bad, pol_flg(BAD, FLAGS, TWF_ORW, &pattern), mel_flags_wait_any(BAD_NUMBER, FLAGS, MEL_POLL, &flags))
SHOTS(wait_limited, twai_flg(OBJECT, FLAGS, TWF_ORW, &pattern, LONG), mel_flags_wait_any(NUMBER, FLAGS, LONG + 1, &flags))
SHOTS(wait_limited_bad, twai_flg(BAD, FLAGS, TWF_ORW, &pattern, LONG), mel_flags_wait_any(BAD_NUMBER, FLAGS, LONG + 1, &flags))
SHOTS(refer, ref_flg(OBJECT, &rflg), mel_flags_wait_any(NUMBER, UINT32_MAX, MEL_POLL, &flags))
SHOTS(refer_bad, ref_flg(BAD, &rflg), mel_flags_wait_any(BAD_NUMBER, UINT32_MAX, MEL_POLL, &flags))

/* A group for one task, and one of the kernel's with the same number, with flags n. */
static void one(uint32_t n, shot_t order)
{
    (void)order;
    CHECK(cre_flg(OBJECT, &single));
    CHECK(mel_flags_create(NUMBER, n));
    CHECK(set_flg(OBJECT, n));
}

/* A group for several tasks. */
static void many(uint32_t n, shot_t order)
{
    (void)order;
    CHECK(cre_flg(OBJECT, &several));
    CHECK(mel_flags_set(NUMBER, n));
}

static void one_low(uint32_t n, shot_t order)
{
    one(0, order);
    send_low(n, order);
}

static void one_urgent(uint32_t n, shot_t order)
{
    one(0, order);
    send_urgent(n, order);
}

static void many_low(uint32_t n, shot_t order)
{
    many(0, order);
    send_low(n, order);
}

static void many_urgent(uint32_t n, shot_t order)
{
    many(0, order);
    send_urgent(n, order);
}

void clear_flags(void)
{
    (void)del_flg(OBJECT);
    (void)mel_flags_delete(NUMBER);
    if (made > 0) {
        CHECK(del_flg(made));
        made = 0;
    }
}

static const row_t rows[] = {
    STAYS(cre_flg, "new, for one task", nothing, 0, none, create),
    STAYS(cre_flg, "new, for several tasks", nothing, 0, none, create_several),
    REFUSES(cre_flg, "it exists", one, 0, none, create, E_OBJ, MEL_E_OBJ),
    BEYOND(cre_flg, create),
    STAYS(acre_flg, "new, for one task", nothing, 0, none, create_any),
    ONLY_REFUSES(acre_flg, "order of arrival", nothing, 0, none, create_any_wrong, E_RSATR),
    STAYS(del_flg, "for one task, no waiter", one, 0, none, delete),
    STAYS(del_flg, "for one task, 1 waiter, less urgent", one_low, 1, wait, delete),
    STAYS(del_flg, "for several tasks, 8 waiters, less urgent", many_low, CREW, wait, delete),
    WAKES(del_flg, "for one task, 1 waiter, more urgent", one_urgent, 1, wait, delete),
    WAKES(del_flg, "for several tasks, 1 waiter, more urgent", many_urgent, 1, wait, delete),
    ABSENT(del_flg, delete),
    BEYOND(del_flg, delete),
    STAYS(set_flg, "for one task, no waiter", one, 0, none, set),
    STAYS(set_flg, "for several tasks, no waiter", many, 0, none, set),
    STAYS(set_flg, "for one task, 1 waiter, less urgent", one_low, 1, wait, set),
    STAYS(set_flg, "for several tasks, 8 waiters, less urgent", many_low, CREW, wait, set),
    WAKES(set_flg, "for one task, 1 waiter, more urgent", one_urgent, 1, wait, set),
    WAKES(set_flg, "for several tasks, 1 waiter, more urgent", many_urgent, 1, wait, set),
    WAKES(set_flg, "for several tasks, 8 waiters, more urgent", many_urgent, CREW, wait, set),
    ABSENT(set_flg, set),
    BEYOND(set_flg, set),
    STAYS_IN(iset_flg, "for one task, no waiter", one, 0, none, set_in),
    STAYS_IN(iset_flg, "for one task, 1 waiter, more urgent", one_urgent, 1, wait, set_in),
    STAYS_IN(iset_flg, "for several tasks, 1 waiter, more urgent", many_urgent, 1, wait, set_in),
    ABSENT_IN(iset_flg, set_in),
    STAYS(clr_flg, "for one task", one, FLAGS, none, clear),
    STAYS(clr_flg, "for several tasks", many, FLAGS, none, clear),
    ABSENT(clr_flg, clear),
    BEYOND(clr_flg, clear),
    STAYS(wai_flg, "for one task, flags set, any", one, FLAGS, none, wait),
    STAYS(wai_flg, "for one task, flags set, all", one, FLAGS, none, wait_all),
    STAYS(wai_flg, "for several tasks, flags set, any", many, FLAGS, none, wait),
    WAITS(wai_flg, "for one task, not set", one, 0, none, wait),
    WAITS(wai_flg, "for several tasks, not set", many, 0, none, wait),
    WAITS(wai_flg, "for several tasks, before 8 waiters, less urgent", many_low, CREW, wait, wait_all),
    ABSENT(wai_flg, wait),
    BEYOND(wai_flg, wait),
    STAYS(pol_flg, "for one task, flags set", one, FLAGS, none, poll),
    STAYS(pol_flg, "for several tasks, flags set", many, FLAGS, none, poll),
    REFUSES(pol_flg, "for one task, not set", one, 0, none, poll, E_TMOUT, MEL_E_TMOUT),
    REFUSES(pol_flg, "for several tasks, not set", many, 0, none, poll, E_TMOUT, MEL_E_TMOUT),
    ABSENT(pol_flg, poll),
    BEYOND(pol_flg, poll),
    STAYS(twai_flg, "for one task, flags set", one, FLAGS, none, wait_limited),
    STAYS(twai_flg, "for several tasks, flags set", many, FLAGS, none, wait_limited),
    WAITS(twai_flg, "for one task, not set", one, 0, none, wait_limited),
    WAITS(twai_flg, "for several tasks, not set", many, 0, none, wait_limited),
    ABSENT(twai_flg, wait_limited),
    BEYOND(twai_flg, wait_limited),
    STAYS(ref_flg, "for one task", one, FLAGS, none, refer),
    STAYS(ref_flg, "for several tasks", many, FLAGS, none, refer),
    ABSENT(ref_flg, refer),
    BEYOND(ref_flg, refer),
};

const table_t flag_table = TABLE(rows);
