/* SPDX-License-Identifier: Apache-2.0 */
/* task_states.c: the calls that hold, reschedule, release and wake tasks. */
#include "calls.h"

SHOT(suspend, mel_task_suspend(SUBJECT))
SHOT(suspend_bad, mel_task_suspend(BAD))
SHOT(suspend_self, mel_task_suspend(MEL_SELF))
SHOT(resume, mel_task_resume(SUBJECT))
SHOT(resume_bad, mel_task_resume(BAD))
SHOT(set_priority, mel_task_set_priority(SUBJECT, URGENT))
SHOT(set_priority_bad, mel_task_set_priority(BAD, URGENT))
SHOT(set_priority_low, mel_task_set_priority(SUBJECT, LOW + 1))
SHOT(set_priority_wrong, mel_task_set_priority(SUBJECT, MEL_PRIORITIES))
SHOT(set_priority_self, mel_task_set_priority(MEL_SELF, CALLER_PRIORITY))
SHOT(lower_self, mel_task_set_priority(MEL_SELF, DOOMED_PRIORITY - 1))
SHOT(rotate, mel_task_rotate(CALLER_PRIORITY))
SHOT(rotate_low, mel_task_rotate(LOW))
SHOT(rotate_wrong, mel_task_rotate(MEL_PRIORITIES))
SHOT(yield, mel_task_yield())
SHOT(release, mel_task_release(SUBJECT))
SHOT(release_bad, mel_task_release(BAD))
SHOT(sleep_poll, mel_task_sleep(MEL_POLL))
SHOT(sleep_limited, mel_task_sleep(LONG))
SHOT(wakeup, mel_task_wakeup(SUBJECT))
SHOT(wakeup_bad, mel_task_wakeup(BAD))

static void suspended(uint32_t n)
{
    ready(n);
    CHECK(mel_task_suspend(SUBJECT));
}

/* More urgent, in the middle of a call. */
static void suspended_urgent(uint32_t n)
{
    (void)n;
    level = LOW;
    start_subject(URGENT, become_ready);
    CHECK(mel_task_suspend(SUBJECT));
    CHECK(mel_task_set_priority(SUBJECT, URGENT));
}

/* Less urgent, in the middle of a call, as n others are. */
static void in_call(uint32_t n)
{
    make_ready(n, LOW);
    start_subject(URGENT, become_ready);
}

static void waiting_urgent(uint32_t n)
{
    (void)n;
    CHECK(mel_sem_create(OBJECT, 0, UNITS));
    start_subject(URGENT, take_semaphore);
}

static void waiting_limited(uint32_t n)
{
    (void)n;
    CHECK(mel_sem_create(OBJECT, 0, UNITS));
    start_subject(URGENT, take_semaphore_limited);
}

static void waiting_suspended(uint32_t n)
{
    waiting(n);
    CHECK(mel_task_suspend(SUBJECT));
}

/* Crew member i owns mutex i and waits for the next one. */
static mel_status_t own_and_wait(uint32_t measured)
{
    const mel_id_t mutex = MUTEX + mel_task_self() - CREW_FIRST;
    CHECK(mel_mutex_lock(mutex, MEL_FOREVER));
    return mutex == MUTEX + CHAIN - 1 ? sleep_forever(measured) : mel_mutex_lock(mutex + 1, MEL_FOREVER);
}

static mel_status_t lock_first(uint32_t measured)
{
    (void)measured;
    return mel_mutex_lock(MUTEX, MEL_FOREVER);
}

/* It waits for the first mutex of a chain of CHAIN owners, which are all as urgent as it is. */
static void waiting_for_chain(uint32_t n)
{
    (void)n;
    for (uint32_t i = 0; i < CHAIN; i++) {
        CHECK(mel_mutex_create(MUTEX + i, MEL_NO_CEILING));
    }
    for (uint32_t i = CHAIN; i != 0; i--) {
        send(i - 1, own_and_wait);
    }
    for (uint32_t i = 0; i < CHAIN; i++) {
        CHECK(mel_task_set_priority(CREW_FIRST + i, LOW + 3));
    }
    start_subject(URGENT, lock_first);
    CHECK(mel_task_set_priority(SUBJECT, LOW));
}

/* n others are as urgent as the caller. */
static void equals(uint32_t n)
{
    make_ready(n, CALLER_PRIORITY);
}

static void asleep(uint32_t n)
{
    (void)n;
    start_subject(URGENT, sleep_limited);
    CHECK(mel_task_set_priority(SUBJECT, LOW));
}

static void asleep_urgent(uint32_t n)
{
    (void)n;
    start_subject(URGENT, sleep_limited);
}

/* n wake-ups are counted: of the subject, of the caller. */
static void wakeups(uint32_t n)
{
    ready(0);
    for (uint32_t i = 0; i < n; i++) {
        CHECK(mel_task_wakeup(SUBJECT));
    }
}

static void own_wakeups(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        CHECK(mel_task_wakeup(MEL_SELF));
    }
}

static const row_t rows[] = {
    STAYS(CALL_TASK_SUSPEND, "ready", ready, 0, suspend, MEL_E_OK),
    STAYS(CALL_TASK_SUSPEND, "ready, behind 24 others", ready, CREW, suspend, MEL_E_OK),
    STAYS(CALL_TASK_SUSPEND, "waits among 24 others", waiting, CREW, suspend, MEL_E_OK),
    STAYS(CALL_TASK_SUSPEND, "suspended", suspended, 0, suspend, MEL_E_QOVR),
    STAYS(CALL_TASK_SUSPEND, "dormant", dormant, 0, suspend, MEL_E_OBJ),
    LEAVES(CALL_TASK_SUSPEND, "the caller", nothing, 0, suspend_self, resume_caller),
    REFUSED(CALL_TASK_SUSPEND, suspend),
    STAYS(CALL_TASK_RESUME, "less urgent", suspended, 0, resume, MEL_E_OK),
    STAYS(CALL_TASK_RESUME, "less urgent, 24 others ready", suspended, CREW, resume, MEL_E_OK),
    STAYS(CALL_TASK_RESUME, "waits among 24 others", waiting_suspended, CREW, resume, MEL_E_OK),
    STAYS(CALL_TASK_RESUME, "not suspended", ready, 0, resume, MEL_E_OBJ),
    WAKES(CALL_TASK_RESUME, "more urgent", suspended_urgent, 0, resume, MEL_E_OK),
    REFUSED(CALL_TASK_RESUME, resume),
    STAYS(CALL_TASK_SET_PRIORITY, "ready", ready, 0, set_priority_low, MEL_E_OK),
    STAYS(CALL_TASK_SET_PRIORITY, "ready, behind 24 others", ready, CREW, set_priority_low, MEL_E_OK),
    STAYS(CALL_TASK_SET_PRIORITY, "waits alone", waiting, 0, set_priority, MEL_E_OK),
    STAYS(CALL_TASK_SET_PRIORITY, "waits among 24 others", waiting, CREW, set_priority, MEL_E_OK),
    STAYS(CALL_TASK_SET_PRIORITY, "waits for a chain of 12 owners", waiting_for_chain, CHAIN, set_priority, MEL_E_OK),
    STAYS(CALL_TASK_SET_PRIORITY, "the caller, alone", nothing, 0, set_priority_self, MEL_E_OK),
    STAYS(CALL_TASK_SET_PRIORITY, "dormant", dormant, 0, set_priority, MEL_E_OBJ),
    STAYS(CALL_TASK_SET_PRIORITY, "priority out of range", ready, 0, set_priority_wrong, MEL_E_PAR),
    WAKES(CALL_TASK_SET_PRIORITY, "ready, now more urgent", in_call, 0, set_priority, MEL_E_OK),
    WAKES(CALL_TASK_SET_PRIORITY, "ready behind 24 others, now more urgent", in_call, CREW, set_priority, MEL_E_OK),
    LEAVES(CALL_TASK_SET_PRIORITY, "the caller, now less urgent", nothing, 0, lower_self, raise_caller),
    LEAVES(CALL_TASK_SET_PRIORITY, "the caller among 24 equals, now less urgent", equals, CREW, lower_self, raise_caller),
    REFUSED(CALL_TASK_SET_PRIORITY, set_priority),
    STAYS(CALL_TASK_ROTATE, "no task", nothing, 0, rotate_low, MEL_E_OK),
    STAYS(CALL_TASK_ROTATE, "1 ready task", ready, 0, rotate_low, MEL_E_OK),
    STAYS(CALL_TASK_ROTATE, "25 ready tasks", ready, CREW, rotate_low, MEL_E_OK),
    STAYS(CALL_TASK_ROTATE, "the caller's priority, alone", nothing, 0, rotate, MEL_E_OK),
    STAYS(CALL_TASK_ROTATE, "priority out of range", nothing, 0, rotate_wrong, MEL_E_PAR),
    WAKES(CALL_TASK_ROTATE, "the caller's priority, 1 equal", equals, 1, rotate, MEL_E_OK),
    WAKES(CALL_TASK_ROTATE, "the caller's priority, 24 equals", equals, CREW, rotate, MEL_E_OK),
    STAYS(CALL_TASK_YIELD, "alone", nothing, 0, yield, MEL_E_OK),
    STAYS(CALL_TASK_YIELD, "25 less urgent tasks ready", ready, CREW, yield, MEL_E_OK),
    WAKES(CALL_TASK_YIELD, "1 equal", equals, 1, yield, MEL_E_OK),
    WAKES(CALL_TASK_YIELD, "24 equals", equals, CREW, yield, MEL_E_OK),
    STAYS(CALL_TASK_RELEASE, "waits alone", waiting, 0, release, MEL_E_OK),
    STAYS(CALL_TASK_RELEASE, "waits among 24 others", waiting, CREW, release, MEL_E_OK),
    STAYS(CALL_TASK_RELEASE, "waits for a chain of 12 owners", waiting_for_chain, CHAIN, release, MEL_E_OK),
    STAYS(CALL_TASK_RELEASE, "does not wait", ready, 0, release, MEL_E_OBJ),
    WAKES(CALL_TASK_RELEASE, "more urgent", waiting_urgent, 0, release, MEL_E_RLWAI),
    WAKES(CALL_TASK_RELEASE, "more urgent, with a timeout", waiting_limited, 0, release, MEL_E_RLWAI),
    REFUSED(CALL_TASK_RELEASE, release),
    STAYS(CALL_TASK_SLEEP, "wake-up counted", own_wakeups, 1, sleep_forever, MEL_E_OK),
    STAYS(CALL_TASK_SLEEP, "most wake-ups counted", own_wakeups, MEL_WAKEUPS_LIMIT, sleep_forever, MEL_E_OK),
    STAYS(CALL_TASK_SLEEP, "none counted, polled", nothing, 0, sleep_poll, MEL_E_TMOUT),
    WAITS(CALL_TASK_SLEEP, "none counted", nothing, 0, sleep_forever),
    WAITS(CALL_TASK_SLEEP, "with a timeout", nothing, 0, sleep_limited),
    STAYS(CALL_TASK_WAKEUP, "does not sleep", wakeups, 0, wakeup, MEL_E_OK),
    STAYS(CALL_TASK_WAKEUP, "most wake-ups counted", wakeups, MEL_WAKEUPS_LIMIT, wakeup, MEL_E_QOVR),
    STAYS(CALL_TASK_WAKEUP, "less urgent", asleep, 0, wakeup, MEL_E_OK),
    STAYS(CALL_TASK_WAKEUP, "dormant", dormant, 0, wakeup, MEL_E_OBJ),
    WAKES(CALL_TASK_WAKEUP, "more urgent", asleep_urgent, 0, wakeup, MEL_E_OK),
    REFUSED(CALL_TASK_WAKEUP, wakeup),
};

const table_t task_state_table = TABLE(rows);
