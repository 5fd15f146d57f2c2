/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.c: the calls that make, start and end tasks, and that look at them. */
#include "calls.h"

enum { OWNED = 4 };

static mel_task_info_t info;

static void entry(void *unused)
{
    (void)unused;
}

static uint8_t stack[MEL_STACK_MINIMUM] __attribute__((aligned(MEL_STACK_ALIGNMENT)));
static const mel_task_attributes_t attributes = {.entry = entry, .stack = stack, .stack_size = sizeof stack, .priority = LOW};
static const mel_task_attributes_t wrong = {.entry = entry, .stack = stack, .stack_size = sizeof stack, .priority = MEL_PRIORITIES};

SHOT(create, mel_task_create(SUBJECT, &attributes))
SHOT(create_bad, mel_task_create(BAD, &attributes))
SHOT(create_wrong, mel_task_create(SUBJECT, &wrong))
SHOT(create_on, mel_task_create_on(SUBJECT, &attributes, 0))
SHOT(create_on_bad, mel_task_create_on(BAD, &attributes, 0))
SHOT(create_on_wrong, mel_task_create_on(SUBJECT, &attributes, MEL_CORES))
SHOT(delete, mel_task_delete(SUBJECT))
SHOT(delete_bad, mel_task_delete(BAD))
SHOT(start, mel_task_start(SUBJECT))
SHOT(start_bad, mel_task_start(BAD))
SHOT(exit_measured, mel_task_exit())
SHOT(terminate, mel_task_terminate(SUBJECT))
SHOT(terminate_bad, mel_task_terminate(BAD))
SHOT(terminate_self, mel_task_terminate(CALLER))
SHOT(lock, mel_mutex_lock(MUTEX, MEL_FOREVER))
SHOT(query, mel_task_query(SUBJECT, &info))
SHOT(query_bad, mel_task_query(BAD, &info))
SHOT(self, (mel_status_t)mel_task_self())

static void dormant_urgent(uint32_t n)
{
    (void)n;
    make_subject(URGENT);
}

static void dormant_among_ready(uint32_t n)
{
    make_ready(n, LOW);
    make_subject(LOW);
}

static mel_status_t own_and_sleep(uint32_t measured)
{
    for (mel_id_t mutex = MUTEX; mutex < MUTEX + OWNED; mutex++) {
        CHECK(mel_mutex_create(mutex, MEL_NO_CEILING));
        CHECK(mel_mutex_lock(mutex, MEL_FOREVER));
    }
    return sleep_forever(measured);
}

/* It owns mutexes; n wait for the first of them: less urgent than the caller; more urgent. */
static void owner_low(uint32_t n)
{
    start_subject(URGENT, own_and_sleep);
    CHECK(mel_task_set_priority(SUBJECT, LOW));
    send_low(n, lock);
}

static void owner_urgent(uint32_t n)
{
    start_subject(URGENT, own_and_sleep);
    send_urgent(n, lock);
}

/* A task that ends is not the caller: the subject, which the caller starts. */
static mel_status_t end_subject(uint32_t measured)
{
    (void)measured;
    return exit_measured(MEASURED);
}

static mel_status_t own_and_end_subject(uint32_t measured)
{
    for (mel_id_t mutex = MUTEX; mutex < MUTEX + OWNED; mutex++) {
        CHECK(mel_mutex_create(mutex, MEL_NO_CEILING));
        CHECK(mel_mutex_lock(mutex, MEL_FOREVER));
    }
    return end_subject(measured);
}

static mel_status_t run_and_end(uint32_t measured)
{
    (void)measured;
    subject_does(end_subject);
    return start(OTHER);
}

static mel_status_t run_own_and_end(uint32_t measured)
{
    (void)measured;
    subject_does(own_and_end_subject);
    return start(OTHER);
}

static mel_status_t self_checked(uint32_t measured)
{
    return self(measured) == CALLER ? MEL_E_OK : MEL_E_SYS;
}

static const row_t rows[] = {
    STAYS(CALL_TASK_CREATE, "new", nothing, 0, create, MEL_E_OK),
    STAYS(CALL_TASK_CREATE, "it exists", dormant, 0, create, MEL_E_OBJ),
    STAYS(CALL_TASK_CREATE, "priority out of range", nothing, 0, create_wrong, MEL_E_PAR),
    STAYS(CALL_TASK_CREATE, "number out of range", nothing, 0, create_bad, MEL_E_ID),
    STAYS(CALL_TASK_CREATE_ON, "new", nothing, 0, create_on, MEL_E_OK),
    STAYS(CALL_TASK_CREATE_ON, "it exists", dormant, 0, create_on, MEL_E_OBJ),
    STAYS(CALL_TASK_CREATE_ON, "core out of range", nothing, 0, create_on_wrong, MEL_E_PAR),
    STAYS(CALL_TASK_CREATE_ON, "number out of range", nothing, 0, create_on_bad, MEL_E_ID),
    STAYS(CALL_TASK_DELETE, "dormant", dormant, 0, delete, MEL_E_OK),
    STAYS(CALL_TASK_DELETE, "not dormant", ready, 0, delete, MEL_E_OBJ),
    REFUSED(CALL_TASK_DELETE, delete),
    STAYS(CALL_TASK_START, "less urgent", dormant, 0, start, MEL_E_OK),
    STAYS(CALL_TASK_START, "less urgent, 24 others ready", dormant_among_ready, CREW, start, MEL_E_OK),
    STAYS(CALL_TASK_START, "not dormant", ready, 0, start, MEL_E_OBJ),
    WAKES(CALL_TASK_START, "more urgent", dormant_urgent, 0, start, MEL_E_OK),
    REFUSED(CALL_TASK_START, start),
    WAKES(CALL_TASK_EXIT, "owns no mutex", dormant_urgent, 0, run_and_end, MEL_E_OK),
    WAKES(CALL_TASK_EXIT, "owns 4 mutexes", dormant_urgent, 0, run_own_and_end, MEL_E_OK),
    STAYS(CALL_TASK_TERMINATE, "ready", ready, 0, terminate, MEL_E_OK),
    STAYS(CALL_TASK_TERMINATE, "ready, behind 24 others", ready, CREW, terminate, MEL_E_OK),
    STAYS(CALL_TASK_TERMINATE, "waits alone", waiting, 0, terminate, MEL_E_OK),
    STAYS(CALL_TASK_TERMINATE, "waits among 24 others", waiting, CREW, terminate, MEL_E_OK),
    STAYS(CALL_TASK_TERMINATE, "owns 4 mutexes", owner_low, 0, terminate, MEL_E_OK),
    STAYS(CALL_TASK_TERMINATE, "owns 4 mutexes, 24 wait, less urgent", owner_low, CREW, terminate, MEL_E_OK),
    STAYS(CALL_TASK_TERMINATE, "dormant", dormant, 0, terminate, MEL_E_OBJ),
    STAYS(CALL_TASK_TERMINATE, "the caller", nothing, 0, terminate_self, MEL_E_ILUSE),
    WAKES(CALL_TASK_TERMINATE, "owns 4 mutexes, 1 waits, more urgent", owner_urgent, 1, terminate, MEL_E_OK),
    WAKES(CALL_TASK_TERMINATE, "owns 4 mutexes, 24 wait, more urgent", owner_urgent, CREW, terminate, MEL_E_OK),
    REFUSED(CALL_TASK_TERMINATE, terminate),
    STAYS(CALL_TASK_SELF, "any", nothing, 0, self_checked, MEL_E_OK),
    STAYS(CALL_TASK_QUERY, "ready", ready, 0, query, MEL_E_OK),
    STAYS(CALL_TASK_QUERY, "waits among 24 others", waiting, CREW, query, MEL_E_OK),
    REFUSED(CALL_TASK_QUERY, query),
};

const table_t task_table = TABLE(rows);
