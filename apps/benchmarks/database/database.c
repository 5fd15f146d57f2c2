/* SPDX-License-Identifier: Apache-2.0 */
/* database.c: the database application of "A Comparison of the RTU Hardware RTOS with a Hardware/Software RTOS" (experiments/references/rtu.yaml), whose program is
 * not printed: this one has its numbers of tasks, semaphore calls and context switches (Table 2), for both of its sizes.
 *
 * A triad is a server and two clients, one task on each of three cores, that share an object. Every task plans its transaction (computes),
 * acquires the lock of the database, copies the object from where it is to the next of its three places in shared memory and adds its own to
 * each word on the way, releases the lock, and reports (computes). So a task makes two semaphore calls. It ends by starting the task of
 * the next triad on its core: one context switch. The first triad's tasks are started by the main task.
 * Each URGENT-th triad preempts: its tasks are started by those of the triad before it in the middle of their reports, are more urgent, have a
 * lock and an object of their own, a quarter as long, so that they never wait: on each core one context switch more.
 * Hence 2 * tasks semaphore calls and 3 * (TRIADS - 1) + 3 * (urgent triads) context switches: 12 and 3 with 2 triads, 60 and 30 with 10.
 *
 * What a task adds does not depend on the others, so the objects' contents at the end do not depend on the order; the main task computes them
 * from the tasks' numbers alone. Two tasks in one transaction lose what one of them added.
 * With ALONE each task runs when the one before it has ended: no other core uses the memory meanwhile.
 * With LOCKS the two locks are locks of the program (melanion/lock.h), else semaphores of the kernel.
 * With other than three cores the tasks share what there are. The program measures nothing itself: it passes tracepoints (no cycle). The
 * numbers are also in experiments/database.yaml. Exit code 0: every status and every word was right. */
#include <melanion/melanion.h>
#if LOCKS
#include <melanion/lock.h>
#endif

enum { MEMBERS = 3, TASKS = MEMBERS * TRIADS, TASK_MAIN = 0, TASK_FIRST = 1, PLACES = 3, STACK_SIZE = 512 };
enum { PRIORITY_MAIN = 0, PRIORITY_URGENT = 1, PRIORITY_FIRST = 2 }; /* a triad is more urgent than the next */
enum { LOCK_DATABASE = 0, LOCK_URGENT = 1 };
enum { MARK_BEGIN = 1, MARK_END = 2 };
enum { PHASE_ALL = 1, PHASE_SLOW = 2, PHASE_ALONE = 3, PHASE_LOCKS = 4, PHASE_LOCKS_SLOW = 5 }; /* parameter: tasks; wait states where slow */
enum {
    PHASE = ALONE       ? PHASE_ALONE | TASKS << 8
            : WAIT == 0 ? (LOCKS ? PHASE_LOCKS : PHASE_ALL) | TASKS << 8
                        : (LOCKS ? PHASE_LOCKS_SLOW : PHASE_SLOW) | WAIT << 8
};
enum {
    TRACEPOINT_START = 1, /* the main task is about to start the first triad */
    TRACEPOINT_END,       /* the last task has reported */
    TRACEPOINT_ENTER,     /* first instruction of each task; value: its number, and its lock above 8 bits */
    TRACEPOINT_WAIT,      /* about to acquire the lock */
    TRACEPOINT_TAKEN,
    TRACEPOINT_GIVE, /* about to release it */
    TRACEPOINT_GIVEN,
    TRACEPOINT_URGENT, /* about to start the urgent task of its core */
    TRACEPOINT_BACK,   /* that task has ended */
    TRACEPOINT_DONE,   /* has reported */
    TRACEPOINT_LEAVE,  /* about to end */
};

_Static_assert(TRIADS >= 1 && TASKS < MEL_TASKS && PRIORITY_FIRST + TRIADS <= MEL_PRIORITIES, "TRIADS: 1 to 20, and fewer tasks than the system has");
_Static_assert(TASKS <= 60, "there are stacks for 60 tasks");
_Static_assert(WORDS >= 4, "WORDS: of an object, at least 4");
_Static_assert(!ALONE || URGENT == 0 || TRIADS < URGENT, "ALONE: no triad may preempt; leave TRIADS below URGENT");
_Static_assert(URGENT != 1, "URGENT: the first triad has none before it; 0, or 2 and more");

/* Job of a task. `next`, `urgent`: tasks that it starts, TASK_MAIN: none. */
typedef struct {
    uint32_t triad;
    uint32_t words;
    mel_id_t lock;
    mel_id_t next;
    mel_id_t urgent;
} job_t;

typedef struct {
    uint32_t place;   /* the one that holds it */
    uint32_t version; /* transactions so far */
    uint32_t words[PLACES][WORDS];
} object_t;

static object_t objects[TRIADS];
static job_t jobs[TASKS];
static volatile uint32_t reports[TASKS];
static uint32_t finished; /* transactions under LOCK_DATABASE */
static uint32_t ordinary; /* tasks that are not urgent */

#define TEN(X, tens) X(tens##0) X(tens##1) X(tens##2) X(tens##3) X(tens##4) X(tens##5) X(tens##6) X(tens##7) X(tens##8) X(tens##9)
#define EACH_TASK(X) TEN(X, ) TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4) TEN(X, 5)
#define STACK(number) MEL_TASK_STACK(stack_##number, TASK_FIRST + number, STACK_SIZE);
#define STACK_ADDRESS(number) stack_##number,
EACH_TASK(STACK)
MEL_TASK_STACK(stack_main, TASK_MAIN, 1024);
static uint8_t *const stacks[] = {EACH_TASK(STACK_ADDRESS)};

#define CHECK(call) check(__LINE__, call)

static void check(uint32_t line, mel_status_t status)
{
    if (__builtin_expect(status != MEL_E_OK, 0)) {
        mel_print("database: line ");
        mel_print_unsigned(line);
        mel_print(": a kernel call returned ");
        mel_print_signed(status);
        mel_print("\n");
        mel_exit(1);
    }
}

/* Computing load: ROUNDS steps of a xorshift generator. */
static uint32_t mix(uint32_t word)
{
    word = word * UINT32_C(2654435761) + 1;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
    }
    return word;
}

static uint32_t initial(uint32_t triad, uint32_t i)
{
    return triad << 24 ^ i * UINT32_C(40503);
}

/* The critical section. */
static void copy(object_t *object, uint32_t words, uint32_t plan)
{
    const uint32_t to = object->place == PLACES - 1 ? 0 : object->place + 1;
    const uint32_t *source = object->words[object->place];
    uint32_t *target = object->words[to];
    uint32_t more = plan;
    for (uint32_t i = 0; i < words; i++) {
        target[i] = source[i] + more;
        more += plan;
    }
    object->place = to;
    object->version++;
}

#if LOCKS
static mel_lock_t locks[2]; /* LOCK_DATABASE, LOCK_URGENT */

static void create_lock(mel_id_t lock)
{
    CHECK(mel_lock_create(&locks[lock], lock, lock));
}

static inline void acquire(mel_id_t lock)
{
    mel_lock_take(&locks[lock]);
}

static inline void release(mel_id_t lock)
{
    mel_lock_release(&locks[lock]);
}
#else
static void create_lock(mel_id_t lock)
{
    CHECK(mel_sem_create(lock, 1, 1));
}

static inline void acquire(mel_id_t lock)
{
    CHECK(mel_sem_take(lock, MEL_FOREVER));
}

static inline void release(mel_id_t lock)
{
    CHECK(mel_sem_give(lock));
}
#endif

static void transact(void *argument)
{
    const uint32_t tag = (uint32_t)(uintptr_t)argument;
    MEL_TRACEPOINT(TRACEPOINT_ENTER, tag);
    const uint32_t number = tag & 0xFF;
    const job_t *job = &jobs[number];
    const uint32_t plan = mix(number);
    MEL_TRACEPOINT(TRACEPOINT_WAIT, tag);
    acquire(job->lock);
    MEL_TRACEPOINT(TRACEPOINT_TAKEN, tag);
    copy(&objects[job->triad], job->words, plan);
    const bool last = job->lock == LOCK_DATABASE && ++finished == ordinary;
    MEL_TRACEPOINT(TRACEPOINT_GIVE, tag);
    release(job->lock);
    MEL_TRACEPOINT(TRACEPOINT_GIVEN, tag);
    reports[number] = mix(plan);
    if (job->urgent != TASK_MAIN) {
        MEL_TRACEPOINT(TRACEPOINT_URGENT, tag);
        CHECK(mel_task_start(job->urgent));
        MEL_TRACEPOINT(TRACEPOINT_BACK, tag);
        reports[number]++;
    }
    MEL_TRACEPOINT(TRACEPOINT_DONE, tag);
    if (job->next != TASK_MAIN) {
        CHECK(mel_task_start(job->next));
    }
    if (last) {
        MEL_TRACEPOINT(TRACEPOINT_END, tag);
        CHECK(mel_task_wakeup(TASK_MAIN));
    }
    MEL_TRACEPOINT(TRACEPOINT_LEAVE, tag);
    CHECK(mel_task_exit());
}

static bool is_urgent(uint32_t triad)
{
    return URGENT != 0 && triad < TRIADS && (triad + 1) % (URGENT != 0 ? URGENT : 1) == 0;
}

static mel_id_t task_of(uint32_t triad, uint32_t member)
{
    return triad < TRIADS ? TASK_FIRST + triad * MEMBERS + member : TASK_MAIN;
}

static void create(uint32_t triad, uint32_t member)
{
    const uint32_t number = triad * MEMBERS + member;
    const bool urgent = is_urgent(triad);
    const bool before = is_urgent(triad + 1); /* the next triad is for it to start, as urgent */
    jobs[number] = (job_t){
        .triad = triad,
        .words = urgent ? WORDS / 4 : WORDS,
        .lock = urgent ? LOCK_URGENT : LOCK_DATABASE,
        .urgent = before ? task_of(triad + 1, member) : TASK_MAIN,
        .next = urgent || ALONE ? TASK_MAIN : task_of(triad + 1 + before, member),
    };
    ordinary += !urgent;
    const mel_task_attributes_t attributes = {
        .entry = transact,
        .argument = (void *)(uintptr_t)(number | jobs[number].lock << 8),
        .stack = stacks[number],
        .stack_size = STACK_SIZE,
        .priority = urgent ? PRIORITY_URGENT : PRIORITY_FIRST + triad,
    };
    CHECK(mel_task_create_on(task_of(triad, member), &attributes, member % MEL_CORES));
}

/* Every word, from the numbers of the tasks; nothing is copied for it. */
static uint32_t wrong_words(uint32_t triad)
{
    const object_t *object = &objects[triad];
    const uint32_t words = jobs[triad * MEMBERS].words;
    uint32_t plans = 0, wrong = object->version != MEMBERS;
    for (uint32_t member = 0; member < MEMBERS; member++) {
        plans += mix(triad * MEMBERS + member);
    }
    for (uint32_t i = 0; i < words; i++) {
        wrong += object->words[object->place][i] != initial(triad, i) + (i + 1) * plans;
    }
    return wrong;
}

/* One task after the other: each finds itself to be the last. */
static void start_alone(void)
{
    for (uint32_t number = 0; number < TASKS; number++) {
        finished = ordinary - 1;
        CHECK(mel_task_start(task_of(number / MEMBERS, number % MEMBERS)));
        CHECK(mel_task_sleep(MEL_FOREVER));
    }
}

static void conduct(void *unused)
{
    (void)unused;
    MEL_MARK(MARK_BEGIN, PHASE);
    MEL_TRACEPOINT(TRACEPOINT_START, 0);
    if (ALONE) {
        start_alone();
    } else {
        for (uint32_t member = 0; member < MEMBERS; member++) {
            CHECK(mel_task_start(task_of(0, member)));
        }
        CHECK(mel_task_sleep(MEL_FOREVER));
    }
    MEL_MARK(MARK_END, PHASE);
    uint32_t wrong = 0, sum = 0;
    for (uint32_t triad = 0; triad < TRIADS; triad++) {
        wrong += wrong_words(triad);
    }
    for (uint32_t number = 0; number < TASKS; number++) {
        wrong += reports[number] != mix(mix(number)) + (jobs[number].urgent != TASK_MAIN);
        sum += reports[number];
    }
    mel_print("database: ");
    mel_print_unsigned(TASKS);
    mel_print(" transactions, ");
    mel_print_unsigned(wrong);
    mel_print(" wrong words, reports ");
    mel_print_hex(sum);
    mel_print("\n");
    mel_exit(wrong != 0);
}

int main(void)
{
    for (uint32_t triad = 0; triad < TRIADS; triad++) {
        for (uint32_t i = 0; i < WORDS; i++) {
            objects[triad].words[0][i] = initial(triad, i);
        }
        for (uint32_t member = 0; member < MEMBERS; member++) {
            create(triad, member);
        }
    }
    create_lock(LOCK_DATABASE);
    create_lock(LOCK_URGENT);
    const mel_task_attributes_t attributes = {
        .entry = conduct, .stack = stack_main, .stack_size = sizeof stack_main, .priority = PRIORITY_MAIN, .name = "main"};
    CHECK(mel_task_create_on(TASK_MAIN, &attributes, 0));
    CHECK(mel_task_start(TASK_MAIN));
    mel_kernel_start();
}
