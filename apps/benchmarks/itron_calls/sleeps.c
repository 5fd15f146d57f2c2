/* SPDX-License-Identifier: Apache-2.0 */
/* sleeps.c: the calls by which tasks wait for each other and for time. */
#include "itron_calls.h"

#define ID_1 TASK_CREW_1
#define NUMBER_1 (TASK_CREW_1 - 1)

SHOTS(sleep, slp_tsk(), mel_task_sleep(MEL_FOREVER))
SHOTS(sleep_limited, tslp_tsk(LONG), mel_task_sleep(LONG + 1))
SHOTS(sleep_poll, tslp_tsk(TMO_POL), mel_task_sleep(MEL_POLL))
SHOTS(wake, wup_tsk(ID_1), mel_task_wakeup(NUMBER_1))
SHOTS(wake_bad, wup_tsk(BAD), mel_task_wakeup(BAD_NUMBER))
SHOTS(wake_absent, wup_tsk(SUBJECT + 1), mel_task_wakeup(SUBJECT_NATIVE))
SHOTS(wake_in, iwup_tsk(ID_1), mel_task_wakeup(NUMBER_1))
SHOTS(wake_absent_in, iwup_tsk(SUBJECT + 1), mel_task_wakeup(SUBJECT_NATIVE))
SHOT(t_cancel, can_wup(TSK_SELF))
SHOT(t_cancel_other, can_wup(ID_1))
SHOTS(release, rel_wai(ID_1), mel_task_release(NUMBER_1))
SHOTS(release_bad, rel_wai(BAD), mel_task_release(BAD_NUMBER))
SHOTS(release_self, rel_wai(TASK_CALLER), mel_task_release(TASK_CALLER - 1))
SHOTS(release_in, irel_wai(ID_1), mel_task_release(NUMBER_1))
SHOTS(release_self_in, irel_wai(TASK_CALLER), mel_task_release(TASK_CALLER - 1))
SHOTS(suspend, sus_tsk(ID_1), mel_task_suspend(NUMBER_1))
SHOTS(suspend_bad, sus_tsk(BAD), mel_task_suspend(BAD_NUMBER))
SHOTS(suspend_self, sus_tsk(TSK_SELF), mel_task_suspend(MEL_SELF))
SHOTS(resume, rsm_tsk(ID_1), mel_task_resume(NUMBER_1))
SHOTS(resume_bad, rsm_tsk(BAD), mel_task_resume(BAD_NUMBER))
SHOTS(resume_forced, frsm_tsk(ID_1), mel_task_resume(NUMBER_1))
SHOTS(resume_forced_bad, frsm_tsk(BAD), mel_task_resume(BAD_NUMBER))
SHOTS(delay, dly_tsk(LONG), mel_task_delay(LONG + 1))
SHOT(become_low, mel_task_set_priority(MEL_SELF, LOW - 1))

/* n wake-ups of the caller are counted. */
static void counted(uint32_t n, shot_t order)
{
    (void)order;
    for (uint32_t i = 0; i < n; i++) {
        CHECK(mel_task_wakeup(MEL_SELF));
    }
}

/* A member is ready, with n wake-ups counted; waits, suspended; is ready, suspended. */
static void ready(uint32_t n, shot_t order)
{
    (void)order;
    send_urgent(1, become_low);
    for (uint32_t i = 0; i < n; i++) {
        CHECK(mel_task_wakeup(NUMBER_1));
    }
}

static void suspended(uint32_t n, shot_t order)
{
    ready(n, order);
    CHECK(mel_task_suspend(NUMBER_1));
}

static void suspended_urgent(uint32_t n, shot_t order)
{
    suspended(n, order);
    CHECK(mel_task_set_priority(NUMBER_1, URGENT - 1));
}

static void resume_caller(void)
{
    CHECK(mel_task_resume(TASK_CALLER - 1));
}

static const row_t rows[] = {
    STAYS(slp_tsk, "1 wake-up counted", counted, 1, none, sleep),
    STAYS(slp_tsk, "15 wake-ups counted", counted, 15, none, sleep),
    WAITS(slp_tsk, "none counted", nothing, 0, none, sleep),
    REFUSES(slp_tsk, "dispatch disabled", undispatched, 0, none, sleep, E_CTX, MEL_E_CTX),
    STAYS(tslp_tsk, "1 wake-up counted", counted, 1, none, sleep_limited),
    WAITS(tslp_tsk, "none counted", nothing, 0, none, sleep_limited),
    REFUSES(tslp_tsk, "none counted, polled", nothing, 0, none, sleep_poll, E_TMOUT, MEL_E_TMOUT),
    REFUSES(tslp_tsk, "dispatch disabled", undispatched, 0, none, sleep_limited, E_CTX, MEL_E_CTX),
    STAYS(wup_tsk, "it does not sleep", ready, 0, none, wake),
    STAYS(wup_tsk, "it sleeps, less urgent", send_low, 1, sleep, wake),
    WAKES(wup_tsk, "it sleeps, more urgent", send_urgent, 1, sleep, wake),
    REFUSES(wup_tsk, "most wake-ups counted", ready, 15, none, wake, E_QOVR, MEL_E_QOVR),
    REFUSES(wup_tsk, "it does not exist", nothing, 0, none, wake_absent, E_NOEXS, MEL_E_NOEXS),
    BEYOND(wup_tsk, wake),
    STAYS_IN(iwup_tsk, "it does not sleep", ready, 0, none, wake_in),
    STAYS_IN(iwup_tsk, "it sleeps, less urgent", send_low, 1, sleep, wake_in),
    STAYS_IN(iwup_tsk, "it sleeps, more urgent", send_urgent, 1, sleep, wake_in),
    REFUSES_IN(iwup_tsk, "it does not exist", nothing, 0, none, wake_absent_in, E_NOEXS, MEL_E_NOEXS),
    ONLY_STAYS(can_wup, "none counted", nothing, 0, none, cancel, 0),
    ONLY_STAYS(can_wup, "3 counted", counted, 3, none, cancel, 3),
    ONLY_REFUSES(can_wup, "another task", ready, 0, none, cancel_other, E_NOSPT),
    STAYS(rel_wai, "it sleeps, less urgent", send_low, 1, sleep, release),
    WAKES(rel_wai, "it sleeps, more urgent", send_urgent, 1, sleep, release),
    REFUSES(rel_wai, "it does not wait", nothing, 0, none, release_self, E_OBJ, MEL_E_OBJ),
    BEYOND(rel_wai, release),
    STAYS_IN(irel_wai, "it sleeps, less urgent", send_low, 1, sleep, release_in),
    STAYS_IN(irel_wai, "it sleeps, more urgent", send_urgent, 1, sleep, release_in),
    REFUSES_IN(irel_wai, "it does not wait", nothing, 0, none, release_self_in, E_OBJ, MEL_E_OBJ),
    STAYS(sus_tsk, "ready", ready, 0, none, suspend),
    STAYS(sus_tsk, "it sleeps", send_low, 1, sleep, suspend),
    LEAVES(sus_tsk, "the caller", nothing, 0, none, suspend_self, E_OK, resume_caller),
    REFUSES(sus_tsk, "suspended", suspended, 0, none, suspend, E_QOVR, MEL_E_QOVR),
    BEYOND(sus_tsk, suspend),
    STAYS(rsm_tsk, "less urgent", suspended, 0, none, resume),
    WAKES(rsm_tsk, "more urgent", suspended_urgent, 0, none, resume),
    REFUSES(rsm_tsk, "not suspended", ready, 0, none, resume, E_OBJ, MEL_E_OBJ),
    BEYOND(rsm_tsk, resume),
    STAYS(frsm_tsk, "less urgent", suspended, 0, none, resume_forced),
    WAKES(frsm_tsk, "more urgent", suspended_urgent, 0, none, resume_forced),
    REFUSES(frsm_tsk, "not suspended", ready, 0, none, resume_forced, E_OBJ, MEL_E_OBJ),
    BEYOND(frsm_tsk, resume_forced),
    WAITS(dly_tsk, "any", nothing, 0, none, delay),
    REFUSES(dly_tsk, "dispatch disabled", undispatched, 0, none, delay, E_CTX, MEL_E_CTX),
};

const table_t sleep_table = TABLE(rows);
