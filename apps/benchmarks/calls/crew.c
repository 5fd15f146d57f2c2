/* SPDX-License-Identifier: Apache-2.0 */
/* crew.c: the tasks that make the states: crew, subject, waker, crowd, and those whose release goes on in the background.
 * A crew member is parked in a sleep; its order is a shot, and being more urgent than the caller it makes that call at once. */
#include "calls.h"

enum { STACK_SIZE = 384 };

#define FOR_EACH_TASK(X)                                                                                        \
    X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20)   \
    X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(33) X(34) X(35) X(36) X(37) X(38) \
    X(39) X(40) X(41) X(42) X(43) X(44) X(45) X(46) X(47) X(48) X(49) X(50) X(51) X(52) X(53) X(54) X(55) X(56) \
    X(57) X(58) X(59)

#define STACK(task) MEL_TASK_STACK(stack_##task, task, STACK_SIZE);
#define STACK_ADDRESS(task) [task] = stack_##task,

FOR_EACH_TASK(STACK)
static uint8_t *const stacks[SUBJECT + 1] = {FOR_EACH_TASK(STACK_ADDRESS)};
_Static_assert(SUBJECT == 59, "a stack for each task");

static volatile bool parked[SUBJECT];
static volatile shot_t orders[SUBJECT + 1];
static uint32_t used;                 /* members that may have an order */
static void (*volatile rescue)(void); /* due as soon as another task than the caller runs */

mel_priority_t level;
volatile bool settling;

SHARED_SHOT(become_ready, mel_task_set_priority(MEL_SELF, level))
SHARED_SHOT(sleep_forever, mel_task_sleep(MEL_FOREVER))
SHARED_SHOT(take_semaphore, mel_sem_take(OBJECT, MEL_FOREVER))
SHARED_SHOT(take_semaphore_limited, mel_sem_take(OBJECT, LONG))
SHOT(wake_caller, mel_task_wakeup(CALLER))
SHOT(take_doomed, mel_sem_take(OBJECT_DOOMED, MEL_FOREVER))

/* A wait ended as the row says, or because `settle` ended it. */
static void check_end(mel_status_t status)
{
    const bool settled = settling && (status == MEL_E_RLWAI || status == MEL_E_DLT);
    if (status != MEL_E_OK && status != current->woken && !settled) {
        wrong_status(__FILE_NAME__, __LINE__, status);
    }
}

static void rescue_caller(void)
{
    void (*const due)(void) = rescue;
    rescue = NULL;
    if (due != NULL) {
        due();
    }
}

void expect_rescue(void (*how)(void))
{
    rescue = how;
}

void release_caller(void)
{
    CHECK(mel_task_release(CALLER));
}

void resume_caller(void)
{
    CHECK(mel_task_resume(CALLER));
}

void raise_caller(void)
{
    CHECK(mel_task_set_priority(CALLER, CALLER_PRIORITY));
}

static mel_priority_t priority_of(mel_id_t task)
{
    return URGENT + task % 8;
}

/* ---- what the tasks do ------------------------------------------------------------------------------------------------ */

static void work(void *argument)
{
    const mel_id_t self = (mel_id_t)(uintptr_t)argument;
    for (;;) {
        parked[self] = true;
        CHECK(mel_task_sleep(MEL_FOREVER));
        check_end(orders[self](OTHER));
        rescue_caller();
        CHECK(mel_task_set_priority(self, priority_of(self)));
    }
}

static void wake(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(wake_caller(OTHER));
        rescue_caller();
    }
}

/* With limits that differ, and that no run reaches. */
static void sleep_long(void *argument)
{
    EXPECT(mel_task_sleep(LONG + 7 * (mel_ticks_t)(uintptr_t)argument), MEL_E_OK);
}

static __attribute__((noinline)) void be_subject(void)
{
    if (orders[SUBJECT] != NULL) {
        check_end(orders[SUBJECT](OTHER));
    }
    (void)mel_task_sleep(MEL_FOREVER);
}

/* Its first instruction is where a call ends that starts it. */
static void begin_subject(void *unused)
{
    (void)unused;
    MEL_TRACEPOINT(TRACEPOINT_END, OTHER);
    be_subject();
}

/* ---- states ----------------------------------------------------------------------------------------------------------- */

static void make(mel_id_t task, mel_task_entry_t entry, mel_priority_t priority)
{
    const mel_task_attributes_t attributes = {
        .entry = entry,
        .argument = (void *)(uintptr_t)task,
        .stack = stacks[task],
        .stack_size = STACK_SIZE,
        .priority = priority,
    };
    CHECK(mel_task_create(task, &attributes));
}

static void spawn(mel_id_t task, mel_task_entry_t entry, mel_priority_t priority)
{
    make(task, entry, priority);
    CHECK(mel_task_start(task));
}

static void order(mel_id_t task, shot_t shot)
{
    orders[task] = shot;
    parked[task] = false;
    CHECK(mel_task_wakeup(task));
}

/* The end of an order, whatever the task does. */
static void park(mel_id_t task)
{
    while (!parked[task]) {
        CHECK(mel_task_set_priority(task, priority_of(task)));
        if (!parked[task]) {
            (void)mel_task_release(task);
        }
    }
}

void hire(void)
{
    for (uint32_t i = 0; i < CREW; i++) {
        spawn(CREW_FIRST + i, work, priority_of(CREW_FIRST + i));
    }
    for (uint32_t i = 0; i < DOOMED; i++) {
        spawn(DOOMED_FIRST + i, work, priority_of(DOOMED_FIRST + i));
    }
    spawn(WAKER, wake, WAKER_PRIORITY);
}

void crowd(void)
{
    for (uint32_t i = 0; i < CROWD; i++) {
        spawn(CROWD_FIRST + i, sleep_long, priority_of(i));
    }
}

void settle(void)
{
    for (uint32_t i = 0; i < used; i++) {
        park(CREW_FIRST + i);
    }
    used = 0;
    for (uint32_t i = 0; i < DOOMED; i++) {
        park(DOOMED_FIRST + i);
    }
}

void nothing(uint32_t n)
{
    (void)n;
}

void send(uint32_t member, shot_t shot)
{
    used = member >= used ? member + 1 : used;
    order(CREW_FIRST + member, shot);
}

void send_urgent(uint32_t n, shot_t shot)
{
    for (uint32_t i = 0; i < n; i++) {
        send(i, shot);
    }
}

void send_low(uint32_t n, shot_t shot)
{
    for (uint32_t i = 0; i < n; i++) {
        send(i, shot);
        CHECK(mel_task_set_priority(CREW_FIRST + i, LOW + i % 4));
    }
}

void gather(uint32_t n, shot_t shot)
{
    send_urgent(n, shot);
    stand_by();
}

void make_ready(uint32_t n, mel_priority_t priority)
{
    level = priority;
    send_urgent(n, become_ready);
}

void stand_by(void)
{
    CHECK(mel_task_sleep(MEL_FOREVER));
}

void subject_does(shot_t shot)
{
    orders[SUBJECT] = shot;
}

void make_subject(mel_priority_t priority)
{
    subject_does(NULL);
    make(SUBJECT, begin_subject, priority);
}

void start_subject(mel_priority_t priority, shot_t shot)
{
    make_subject(priority);
    subject_does(shot);
    CHECK(mel_task_start(SUBJECT));
}

void dormant(uint32_t n)
{
    (void)n;
    make_subject(LOW);
}

void ready(uint32_t n)
{
    make_ready(n, LOW);
    start_subject(LOW, NULL);
}

void waiting(uint32_t n)
{
    CHECK(mel_sem_create(OBJECT, 0, UNITS));
    send_low(n / 2, take_semaphore);
    start_subject(URGENT, take_semaphore_limited);
    CHECK(mel_task_set_priority(SUBJECT, LOW));
    for (uint32_t i = n / 2; i < n; i++) {
        send(i, take_semaphore);
        CHECK(mel_task_set_priority(CREW_FIRST + i, LOW));
    }
}

void prepare_drain(uint32_t round)
{
    if (round % 2 != 0) {
        CHECK(mel_queue_create(OBJECT_DOOMED, MESSAGES_DOOMED));
        for (uint32_t i = 0; i < MESSAGES_DOOMED; i++) {
            CHECK(mel_queue_send(OBJECT_DOOMED, i, MEL_POLL));
        }
        return;
    }
    CHECK(mel_sem_create(OBJECT_DOOMED, 0, 1));
    for (mel_id_t task = DOOMED_FIRST; task < DOOMED_FIRST + DOOMED; task++) {
        order(task, take_doomed);
        CHECK(mel_task_set_priority(task, DOOMED_PRIORITY));
    }
}

void begin_drain(uint32_t round)
{
    CHECK(round % 2 != 0 ? mel_queue_delete(OBJECT_DOOMED) : mel_sem_delete(OBJECT_DOOMED));
}
