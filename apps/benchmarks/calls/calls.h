/* SPDX-License-Identifier: Apache-2.0 */
/* calls.h: what the files of the benchmark `calls` share. Each file of an object has a table: one row is one call in one state.
 * A row is measured so: `prepare` builds the state, the caller (or, where rows say so, another task) makes the call in `shot`, its
 * status must be `status`, and everything is cleared away. The program measures nothing itself: a shot passes two tracepoints (no cycle).
 * The numbers of the calls are also in experiments/calls.yaml (tests/lab/test_calls.py compares them). */
#ifndef CALLS_H
#define CALLS_H

#include <melanion/device.h>
#include <melanion/melanion.h>

/* The value of a mark: the number of the call + 256 · row (0: without a switch, 1: with one, 2: with one and many of something). */
enum { MARK_BEGIN = 1, MARK_END = 2 };
enum { TRACEPOINT_START = 1, TRACEPOINT_END = 2 };

/* Value of a shot's tracepoints: MEASURED for the measured call, OTHER for calls of other tasks and calls that are not measured. */
enum { OTHER = 0, MEASURED = 1 };

/* Tasks. The caller makes the measured calls; the waker is less urgent and ready whenever the caller waits; the crew does what a
 * state needs; the crowd waits with timeouts; the doomed wait for a semaphore that is deleted; the subject is made and ended by rows. */
enum { CREW = 24, CROWD = 24, DOOMED = 8 };
enum { CALLER = 1, WAKER = 2, CREW_FIRST = 3, CROWD_FIRST = CREW_FIRST + CREW, DOOMED_FIRST = CROWD_FIRST + CROWD };
enum { SUBJECT = DOOMED_FIRST + DOOMED };

/* Priorities. The crew has URGENT … URGENT + 7 when it begins to wait, and LOW … LOW + 3 when a row wants it less urgent than the caller. */
enum { URGENT = 4, CALLER_PRIORITY = 16, LOW = 20, WAKER_PRIORITY = 24, DOOMED_PRIORITY = 28 };

/* Numbers of objects; MUTEX and the next ones make chains. Not 0: see apps/benchmarks/latency/latency.h. BAD is out of every range. */
enum { OBJECT = 1, OBJECT_DOOMED = 2, OBJECT_OTHER = 3, MUTEX = 1, CHAIN = 12, BAD = 200 };
enum { UNITS = 10, MESSAGES = 24, MESSAGES_DOOMED = 32, LONG = 1000000 /* ticks */, TICK = 2999 /* cycles */ };

typedef mel_status_t (*shot_t)(uint32_t measured);

typedef struct {
    uint8_t call;            /* CALL_… */
    bool with;               /* the call ends in another task */
    const char *state;       /* in words, for docs/reference/calls.md */
    void (*prepare)(uint32_t n);
    uint32_t n;
    shot_t shot;
    mel_status_t status;     /* that the call must return, whenever the caller runs again */
    mel_status_t woken;      /* that tasks get whose waits it ends */
    void (*rescue)(void);    /* lets another task get the caller going again; NULL: not needed */
} row_t;

typedef struct {
    const row_t *rows;
    uint32_t count;
} table_t;

#define TABLE(rows) {(rows), sizeof(rows) / sizeof *(rows)}
extern const table_t task_table, task_state_table, time_table, semaphore_table, flags_table, mutex_table, queue_table,
    notification_table, system_table, policy_table, quantum_table, pool_table;

/* The calls, in the order of experiments/calls.yaml. */
enum {
    CALL_TASK_CREATE = 1, CALL_TASK_CREATE_ON, CALL_TASK_DELETE, CALL_TASK_START, CALL_TASK_EXIT,
    CALL_TASK_TERMINATE, CALL_TASK_SUSPEND, CALL_TASK_RESUME, CALL_TASK_SET_PRIORITY, CALL_TASK_ROTATE,
    CALL_TASK_YIELD, CALL_TASK_RELEASE, CALL_TASK_SLEEP, CALL_TASK_WAKEUP, CALL_TASK_SELF, CALL_TASK_QUERY,
    CALL_TASK_DELAY, CALL_TASK_DELAY_UNTIL, CALL_TIME_GET, CALL_TICK_SET, CALL_SEM_CREATE, CALL_SEM_DELETE,
    CALL_SEM_GIVE, CALL_SEM_TAKE, CALL_SEM_QUERY, CALL_FLAGS_CREATE, CALL_FLAGS_DELETE, CALL_FLAGS_SET,
    CALL_FLAGS_CLEAR, CALL_FLAGS_WAIT_ANY, CALL_FLAGS_WAIT_ALL, CALL_FLAGS_TAKE_ANY, CALL_FLAGS_TAKE_ALL,
    CALL_MUTEX_CREATE, CALL_MUTEX_DELETE, CALL_MUTEX_LOCK, CALL_MUTEX_UNLOCK, CALL_MUTEX_QUERY, CALL_QUEUE_CREATE,
    CALL_QUEUE_DELETE, CALL_QUEUE_SEND, CALL_QUEUE_RECEIVE, CALL_QUEUE_POST, CALL_QUEUE_QUERY,
    CALL_NOTIFICATION_SET, CALL_NOTIFICATION_GIVE, CALL_NOTIFICATION_OVERWRITE, CALL_NOTIFICATION_SEND,
    CALL_NOTIFICATION_CLEAR, CALL_NOTIFICATION_CANCEL, CALL_NOTIFICATION_WAIT, CALL_NOTIFICATION_TAKE,
    CALL_NOTIFICATION_TAKE_ALL, CALL_IRQ_ATTACH, CALL_IRQ_MAP, CALL_IRQ_ENABLE, CALL_IRQ_DISABLE, CALL_IRQ_RAISE,
    CALL_TIMER_START, CALL_TIMER_STOP, CALL_DISPATCH_DISABLE, CALL_DISPATCH_ENABLE, CALL_CORE_SELF,
    CALL_CLAIM_LIMIT, CALL_QUANTUM_SET, CALL_DEADLINE_SET, CALL_BUDGET_SET, CALL_REPORT_GET, CALL_MONITOR_RUN_TIME,
    CALL_MONITOR_LONGEST_WAIT, CALL_MONITOR_LATENCY, CALL_MONITOR_CLEAR, CALL_POOL_CREATE, CALL_POOL_DELETE, CALL_POOL_GET,
    CALL_POOL_PUT, CALL_POOL_QUERY
};

/* Rows: the caller goes on; the call ends in a task that it wakes; the caller gives up the core until it is rescued; it waits until it is
 * released. */
#define STAYS(call, state, prepare, n, shot, status) {call, false, state, prepare, n, shot, status, MEL_E_OK, NULL}
#define WAKES(call, state, prepare, n, shot, woken) {call, true, state, prepare, n, shot, MEL_E_OK, woken, NULL}
#define LEAVES(call, state, prepare, n, shot, rescue) {call, true, state, prepare, n, shot, MEL_E_OK, MEL_E_OK, rescue}
#define WAITS(call, state, prepare, n, shot) {call, true, state, prepare, n, shot, MEL_E_RLWAI, MEL_E_OK, release_caller}
/* The two refusals of a call of an object. */
#define REFUSED(call, shot)                                       \
    STAYS(call, "it does not exist", nothing, 0, shot, MEL_E_NOEXS), \
    STAYS(call, "number out of range", nothing, 0, shot##_bad, MEL_E_ID)

/* A call between its tracepoints, in a function of its own: the set-up of its arguments is measured, too. */
#define SHOT(name, ...) static SHARED_SHOT(name, __VA_ARGS__)
#define SHARED_SHOT(name, ...)                                     \
    __attribute__((noinline)) mel_status_t name(uint32_t measured) \
    {                                                              \
        MEL_TRACEPOINT(TRACEPOINT_START, measured);                          \
        const mel_status_t status = (__VA_ARGS__);                 \
        MEL_TRACEPOINT(TRACEPOINT_END, measured);                            \
        return status;                                             \
    }

/* End the run: a call returned another status than it had to. */
_Noreturn void wrong_status(const char *file, uint32_t line, mel_status_t status);

#define CHECK(call) EXPECT(call, MEL_E_OK)

#define EXPECT(call, expected)                                      \
    do {                                                            \
        const mel_status_t status_ = (call);                        \
        if (__builtin_expect(status_ != (expected), 0)) {           \
            wrong_status(__FILE_NAME__, __LINE__, status_);         \
        }                                                           \
    } while (0)

extern uint32_t word;             /* output of measured calls */
extern const row_t *current;      /* the row that is measured */
extern mel_priority_t level;      /* priority for `become_ready` */
extern volatile bool settling;    /* waits are ended by clearing away, not by the measured call */

/* Shots that several files need. */
mel_status_t become_ready(uint32_t measured); /* with the priority `level` */
mel_status_t sleep_forever(uint32_t measured);
mel_status_t take_semaphore(uint32_t measured); /* OBJECT */
mel_status_t take_semaphore_limited(uint32_t measured);

/* States. Crew members make the call of a shot and, being more urgent than the caller, wait in it when these return. */
void nothing(uint32_t n);
void send(uint32_t member, shot_t shot);
void send_urgent(uint32_t n, shot_t shot); /* members 0 … n - 1 */
void send_low(uint32_t n, shot_t shot);    /* members 0 … n - 1, then less urgent than the caller */
void gather(uint32_t n, shot_t shot);      /* as send_urgent, but the caller may have become as urgent as they are */
void make_ready(uint32_t n, mel_priority_t priority); /* n members with that priority, in the middle of a call */
void stand_by(void);                                  /* the waker wakes the caller, and is in the middle of that call */

/* The subject: dormant; started with a priority, to make the call of a shot. */
void make_subject(mel_priority_t priority);
void start_subject(mel_priority_t priority, shot_t shot);
void subject_does(shot_t shot); /* when it is started */

/* States of the subject: less urgent than the caller; ready behind n others; waiting, with a timeout, in the middle of n others. */
void dormant(uint32_t n);
void ready(uint32_t n);
void waiting(uint32_t n);

/* Rescues: calls by which another task gets the caller going again. */
void release_caller(void);
void resume_caller(void);
void raise_caller(void);

/* The next task that runs after the measured call does this. NULL: nothing. */
void expect_rescue(void (*how)(void));

/* Make everybody; then, after each measured call, end whatever they do. The caller only. */
void hire(void);
void settle(void);

/* CROWD tasks sleep from now on, with timeouts. */
void crowd(void);

/* Delete the pool that a row of pools.c made, with its semaphore OBJECT. */
void clear_pool(void);

/* Something that is released in the background, and its beginning: the waiters of a semaphore, or the messages of a queue. */
void prepare_drain(uint32_t round);
void begin_drain(uint32_t round);

#endif
