/* SPDX-License-Identifier: Apache-2.0 */
/* locks.c: semaphores and mutexes: what they guard is nobody else's, counts are right, owners inherit. */
#include "load.h"

enum { LONG_WAIT = 2000 };

/* ---- a binary semaphore guards a variable that is wrong for a while ---------------------------------------------------------- */

enum { GUARDS = 2, STEPS = 6 };

typedef struct {
    SemaphoreHandle_t semaphore;
    volatile uint32_t value, copy;
} guard_t;

static guard_t guards[GUARDS];

static void guard(void *parameters)
{
    guard_t *mine = parameters;
    const BaseType_t polls = mine == &guards[1];
    for (;;) {
        if (!xSemaphoreTake(mine->semaphore, polls ? 0 : LONG_WAIT)) {
            check(&guarded, polls, "not given in time");
            rest(1);
            continue;
        }
        check(&guarded, mine->value == mine->copy, "another task was inside");
        for (uint32_t i = 0; i < STEPS; i++) {
            mine->value++;
            taskYIELD();
            mine->copy++;
        }
        check(&guarded, xSemaphoreGive(mine->semaphore), "not given");
        check(&guarded, polls || uxSemaphoreGetCount(mine->semaphore) <= 1, "a count above 1");
        guarded.passes++;
        rest(4);
    }
}

static void begin_guarded(void)
{
    for (uint32_t i = 0; i < GUARDS; i++) {
        guards[i].semaphore = xSemaphoreCreateBinary();
        (void)xSemaphoreGive(guards[i].semaphore);
        (void)start(guard, "guard", 1, &guards[i]);
        (void)start(guard, "guard", i + 1, &guards[i]);
    }
}

group_t guarded = {.name = "guarded", .begin = begin_guarded};

/* ---- counting semaphores count ---------------------------------------------------------------------------------------------- */

enum { COUNT = 20 };

static void count_up_and_down(void *parameters)
{
    const SemaphoreHandle_t semaphore = xSemaphoreCreateCounting(COUNT, (UBaseType_t)(uintptr_t)parameters);
    check(&counting, semaphore != NULL, "none is left");
    BaseType_t full = parameters != NULL;
    for (;;) {
        for (uint32_t i = 0; i < COUNT; i++) {
            check(&counting, uxSemaphoreGetCount(semaphore) == (full ? COUNT - i : i), "another count");
            check(&counting, full ? xSemaphoreTake(semaphore, 0) : xSemaphoreGive(semaphore), "not counted");
        }
        check(&counting, !(full ? xSemaphoreTake(semaphore, 0) : xSemaphoreGive(semaphore)), "counted beyond the end");
        full = !full;
        counting.passes++;
        rest(9);
    }
}

static void begin_counting(void)
{
    (void)start(count_up_and_down, "count", 1, (void *)COUNT);
    (void)start(count_up_and_down, "count", 2, NULL);
}

group_t counting = {.name = "counting", .begin = begin_counting};

/* ---- a recursive mutex belongs to one of three until it is given as often as it was taken ------------------------------------- */

enum { DEPTH = 5 };

static SemaphoreHandle_t nested;
static volatile uint32_t inside;

static void nest(void *parameters)
{
    const TickType_t pause = (TickType_t)(uintptr_t)parameters;
    const TaskHandle_t self = xTaskGetCurrentTaskHandle();
    const UBaseType_t priority = uxTaskPriorityGet(NULL);
    for (;;) {
        if (!xSemaphoreTakeRecursive(nested, pause == 4 ? 0 : LONG_WAIT)) {
            check(&recursive, pause == 4, "not given in time");
            rest(pause);
            continue;
        }
        check(&recursive, inside == 0, "another task is inside");
        inside = 1;
        for (uint32_t i = 1; i < DEPTH; i++) {
            check(&recursive, xSemaphoreTakeRecursive(nested, LONG_WAIT), "not taken again");
            check(&recursive, xSemaphoreGetMutexHolder(nested) == self, "another task holds it");
            if (i == 2) {
                rest(1);
            }
        }
        for (uint32_t i = 1; i < DEPTH; i++) {
            check(&recursive, xSemaphoreGiveRecursive(nested) && xSemaphoreGetMutexHolder(nested) == self, "given too early");
        }
        inside = 0;
        check(&recursive, xSemaphoreGiveRecursive(nested), "not given");
        check(&recursive, uxTaskPriorityGet(NULL) == priority, "still raised");
        check(&recursive, !xSemaphoreGiveRecursive(nested), "given once more");
        recursive.passes++;
        rest(pause);
    }
}

static void begin_recursive(void)
{
    nested = xSemaphoreCreateRecursiveMutex();
    (void)start(nest, "nest", 1, (void *)4);
    (void)start(nest, "nest", 2, (void *)6);
    (void)start(nest, "nest", 3, (void *)7);
}

group_t recursive = {.name = "recursive", .begin = begin_recursive};

/* ---- an owner inherits: who is less urgent than the waiting task does not run before the mutex is given ------------------------ */

enum { LOW = 1, MIDDLE = 2, HIGH = 3 };

static SemaphoreHandle_t inherited;
static TaskHandle_t middle, high;
static volatile uint32_t middle_turns, high_turns;

static void take_high(void *parameters)
{
    (void)parameters;
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        check(&inheritance, xSemaphoreTake(inherited, portMAX_DELAY), "not taken");
        high_turns++;
        check(&inheritance, xSemaphoreGive(inherited), "not given");
    }
}

static void run_middle(void *parameters)
{
    (void)parameters;
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        middle_turns++;
    }
}

static void take_low(void *parameters)
{
    (void)parameters;
    for (;;) {
        check(&inheritance, xSemaphoreTake(inherited, portMAX_DELAY), "not taken");
        const uint32_t turns = middle_turns, highs = high_turns;
        (void)xTaskNotifyGive(high);
        check(&inheritance, uxTaskPriorityGet(NULL) == HIGH && uxTaskBasePriorityGet(NULL) == LOW, "not raised");
        (void)xTaskNotifyGive(middle);
        check(&inheritance, middle_turns == turns && high_turns == highs, "run before the owner");
        check(&inheritance, xSemaphoreGive(inherited), "not given");
        check(&inheritance, uxTaskPriorityGet(NULL) == LOW, "still raised");
        check(&inheritance, middle_turns == turns + 1 && high_turns == highs + 1, "not run behind the owner");
        inheritance.passes++;
        rest(9);
    }
}

static void begin_inheritance(void)
{
    inherited = xSemaphoreCreateMutex();
    high = start(take_high, "high", HIGH, NULL);
    middle = start(run_middle, "middle", MIDDLE, NULL);
    (void)start(take_low, "low", LOW, NULL);
}

group_t inheritance = {.name = "inheritance", .begin = begin_inheritance};

/* ---- two mutexes of one owner are taken and given in any order, while others wait for one of them ----------------------------- */

enum { TWO = 2 };

static SemaphoreHandle_t both[TWO];
static volatile uint32_t owners[TWO];

static void take_one(void *parameters)
{
    const uint32_t which = (uint32_t)(uintptr_t)parameters;
    uint32_t state = 5 + which;
    for (;;) {
        if (xSemaphoreTake(both[which], 1 + draw(&state, 3))) {
            check(&two_mutexes, owners[which]++ == 0, "two owners");
            rest(draw(&state, 2));
            owners[which]--;
            check(&two_mutexes, xSemaphoreGive(both[which]), "not given");
        }
        two_mutexes.passes++;
        rest(1 + draw(&state, 9));
    }
}

static void take_both(void *parameters)
{
    uint32_t state = 9;
    (void)parameters;
    for (;;) {
        const uint32_t last = draw(&state, TWO);
        for (uint32_t i = 0; i < TWO; i++) {
            check(&two_mutexes, xSemaphoreTake(both[i], LONG_WAIT), "not given in time");
            check(&two_mutexes, owners[i]++ == 0, "two owners");
            rest(draw(&state, 3));
        }
        for (uint32_t i = 0; i < TWO; i++) {
            const uint32_t which = i == 1 ? last : 1 - last;
            const TickType_t now = xTaskGetTickCount();
            const UBaseType_t priority = uxTaskPriorityGet(NULL);
            owners[which]--;
            check(&two_mutexes, xSemaphoreGive(both[which]), "not given");
            const BaseType_t raised = uxTaskPriorityGet(NULL) >= priority;
            const BaseType_t may_end = i == 1 || xTaskGetTickCount() != now; /* a wait for the mutex that is left */
            check(&two_mutexes, raised || may_end, "lowered with a mutex left");
        }
        check(&two_mutexes, uxTaskPriorityGet(NULL) == 1, "still raised");
        rest(1 + draw(&state, 9));
    }
}

static void begin_two_mutexes(void)
{
    for (uint32_t i = 0; i < TWO; i++) {
        both[i] = xSemaphoreCreateMutex();
        (void)start(take_one, "one", 3 + i, (void *)(uintptr_t)i);
    }
    (void)start(take_both, "both", 1, NULL);
}

group_t two_mutexes = {.name = "two_mutexes", .begin = begin_two_mutexes};
