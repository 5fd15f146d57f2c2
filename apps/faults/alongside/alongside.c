/* SPDX-License-Identifier: Apache-2.0 */
/* alongside.c: calls of Melanion between cores as every kernel must mean them, checked by the program itself, because no model replays runs of a kernel of others. The conductor runs
 * on core 0 and never leaves it; what it meets runs on the last core, FAR, or anywhere. Each check waits for what must come and then looks that nothing more came: no cycle counts.
 * Exit code 0: all was right. */
#include <melanion/device.h>
#include <melanion/melanion.h>

_Static_assert(MEL_CORES >= 2, "the program `alongside` needs a system with 2 to 4 cores, such as freertos-2");

#ifdef MEL_FREERTOS_TIME_SLICING
enum { SLICES = MEL_FREERTOS_TIME_SLICING };
#else
enum { SLICES = 0 };
#endif

enum { CONDUCTOR, FIRST, SECOND, ANY, FILLER, TASKS = FILLER + MEL_CORES }; /* a filler for each core */
enum { FAR = MEL_CORES - 1, ANY_CORE = MEL_CORES };
enum { SEM_THERE = 1, SEM_BACK, SEM_LINE, MUTEX = 1, QUEUE = 1, LINE = 1 };
enum { STACK = 768, TICK = 40000, SETTLED = 12000, PATIENCE = 400000 };

MEL_TASK_STACK(stack_conductor, CONDUCTOR, 1024);
MEL_TASK_STACK(stack_first, FIRST, STACK);
MEL_TASK_STACK(stack_second, SECOND, STACK);
MEL_TASK_STACK(stack_any, ANY, STACK);
MEL_TASK_STACK(stack_filler_0, FILLER, STACK);
MEL_TASK_STACK(stack_filler_1, FILLER + 1, STACK);
#if MEL_CORES > 2
MEL_TASK_STACK(stack_filler_2, FILLER + 2, STACK);
#endif
#if MEL_CORES > 3
MEL_TASK_STACK(stack_filler_3, FILLER + 3, STACK);
#endif
static uint8_t *const stacks[TASKS] = {
    stack_conductor, stack_first, stack_second, stack_any, stack_filler_0, stack_filler_1,
#if MEL_CORES > 2
    stack_filler_2,
#endif
#if MEL_CORES > 3
    stack_filler_3,
#endif
};

static _Noreturn void wrong(uint32_t line, const char *sentence)
{
    mel_print("line ");
    mel_print_unsigned(line);
    mel_print(": ");
    mel_print(sentence);
    mel_print("\n");
    mel_exit(1);
}

#define CHECK(call) EXPECT(call, MEL_E_OK)
#define EXPECT(call, expected) ((call) == (expected) ? (void)0 : wrong(__LINE__, "unexpected status"))
#define REQUIRE(condition, sentence) ((condition) ? (void)0 : wrong(__LINE__, sentence))
/* Busy until it is so: no call lets others run on this core. */
#define AWAIT(condition, sentence)                                      \
    do {                                                                \
        const uint32_t begun_ = mel_cycles();                           \
        while (!(condition)) {                                          \
            REQUIRE(mel_cycles() - begun_ < PATIENCE, sentence);        \
        }                                                               \
    } while (0)

static void start(mel_id_t task, mel_task_entry_t entry, void *argument, mel_priority_t priority, uint32_t core)
{
    const mel_task_attributes_t attributes = {
        .entry = entry, .argument = argument, .stack = stacks[task], .stack_size = STACK, .priority = priority};
    CHECK(core == ANY_CORE ? mel_task_create(task, &attributes) : mel_task_create_on(task, &attributes, core));
    CHECK(mel_task_start(task));
}

static void stop(mel_id_t task)
{
    CHECK(mel_task_terminate(task));
    CHECK(mel_task_delete(task));
}

/* ---- tasks that never wait --------------------------------------------------------------------------------------------- */

static volatile uint32_t counts[TASKS];

static void count(void *number)
{
    volatile uint32_t *const mine = &counts[(uintptr_t)number];
    for (;;) {
        ++*mine;
    }
}

static void grows(mel_id_t task)
{
    const uint32_t before = counts[task];
    AWAIT(counts[task] > before + 20, "a task does not run beside the conductor");
}

static void stays(mel_id_t task)
{
    const uint32_t before = counts[task];
    mel_busy(SETTLED);
    REQUIRE(counts[task] == before, "a task runs that must not");
}

static void all_cores_run_at_once(void)
{
    for (uint32_t core = 1; core < MEL_CORES; core++) {
        start(FILLER + core, count, (void *)(uintptr_t)(FILLER + core), 10, core);
    }
    for (uint32_t core = 1; core < MEL_CORES; core++) {
        grows(FILLER + core);
    }
    for (uint32_t core = 1; core < MEL_CORES; core++) {
        stop(FILLER + core);
        stays(FILLER + core);
    }
}

static void tasks_are_removed_while_they_run(void)
{
    for (uint32_t round = 0; round < 24; round++) {
        start(FIRST, count, (void *)FIRST, 10, FAR);
        if (round % 3 != 0) {
            grows(FIRST);
        }
        mel_busy(round * 37);
        CHECK(mel_task_terminate(FIRST));
        if (round % 2 != 0) {
            CHECK(mel_task_start(FIRST)); /* at once, with the same stack */
            grows(FIRST);
            CHECK(mel_task_terminate(FIRST));
        }
        CHECK(mel_task_delete(FIRST));
    }
    stays(FIRST);
}

static volatile uint32_t exits;

static void leave(void *unused)
{
    (void)unused;
    exits++;
}

static void tasks_begin_again_when_they_exit(void)
{
    start(FIRST, leave, NULL, 10, FAR);
    for (uint32_t round = 1; round < 40; round++) {
        AWAIT(exits == round, "a task did not run to its end");
        mel_busy(round * 29); /* it is about to exit, or has */
        mel_status_t status;
        AWAIT((status = mel_task_start(FIRST)) != MEL_E_OBJ, "a task that ended cannot be started");
        CHECK(status);
    }
    AWAIT(exits == 40, "a task did not run to its end");
    mel_busy(SETTLED);
    CHECK(mel_task_delete(FIRST));
}

static void suspended_tasks_stay_away(void)
{
    start(FIRST, count, (void *)FIRST, 10, FAR);
    for (uint32_t round = 0; round < 8; round++) {
        grows(FIRST);
        CHECK(mel_task_suspend(FIRST));
        mel_busy(SETTLED / 4);
        stays(FIRST);
        CHECK(mel_task_resume(FIRST));
    }
    stop(FIRST);
}

/* ---- what passes between cores ------------------------------------------------------------------------------------------ */

static volatile uint32_t passed;

static void answer(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_sem_take(SEM_THERE, MEL_FOREVER));
        REQUIRE(mel_core_self() == FAR, "a task left its core");
        passed++;
        CHECK(mel_sem_give(SEM_BACK));
    }
}

static void semaphores_hand_over(void)
{
    CHECK(mel_sem_create(SEM_THERE, 0, 1));
    CHECK(mel_sem_create(SEM_BACK, 0, 1));
    start(FIRST, answer, NULL, 10, FAR);
    for (uint32_t round = 1; round <= 60; round++) {
        mel_busy(round * 23);
        CHECK(mel_sem_give(SEM_THERE));
        if (round % 3 == 0) { /* else it comes while the conductor waits, or is about to */
            AWAIT(passed == round, "a task was not called");
        }
        CHECK(mel_sem_take(SEM_BACK, MEL_FOREVER));
        REQUIRE(passed == round, "a task was called too often");
    }
    stop(FIRST);
}

static volatile uint32_t ran_on, seen, released;

/* It keeps its core for a while: nothing else runs there. */
static void intrude(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_sem_take(SEM_THERE, MEL_FOREVER));
        ran_on = mel_core_self();
        const uint32_t before = counts[FILLER + FAR];
        mel_busy(3000);
        seen = counts[FILLER + FAR] - before;
        released++;
    }
}

/* All cores are busy; the least urgent task is that of FAR. */
static void the_least_urgent_core_is_preempted(void)
{
    for (uint32_t core = 1; core < MEL_CORES; core++) {
        start(FILLER + core, count, (void *)(uintptr_t)(FILLER + core), core == FAR ? 20 : 4, core);
    }
    start(ANY, intrude, NULL, 10, ANY_CORE);
    mel_busy(SETTLED);
    for (uint32_t round = 1; round <= 16; round++) {
        grows(FILLER + FAR);
        CHECK(mel_sem_give(SEM_THERE));
        AWAIT(released == round, "a more urgent task was given no core");
        REQUIRE(ran_on == FAR, "not the least urgent task was preempted");
        REQUIRE(seen == 0, "a preempted task ran on");
    }
    grows(FILLER + FAR);
    stop(ANY);
}

#ifdef MEL_LACKS_SUSPENDED_WAIT
/* FreeRTOS: no core changes its task while one has suspended the scheduler. */
static void nothing_is_dispatched_meanwhile(void)
{
    released = 0;
    start(ANY, intrude, NULL, 10, FAR);
    mel_busy(SETTLED);
    for (uint32_t round = 1; round <= 6; round++) {
        CHECK(mel_dispatch_disable());
        CHECK(mel_sem_give(SEM_THERE));
        mel_busy(SETTLED);
        REQUIRE(released == round - 1, "a task was dispatched while the scheduler was suspended");
        CHECK(mel_dispatch_enable());
        AWAIT(released == round, "a task was forgotten while the scheduler was suspended");
    }
    stop(ANY);
}
#endif

/* ---- interrupts, which come to core 0 ------------------------------------------------------------------------------------ */

static volatile uint32_t handled, woken, received;

static void handler(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
    handled++;
    CHECK(mel_task_wakeup(FIRST));
    CHECK(mel_queue_send(QUEUE, handled, MEL_POLL));
}

static void sleep(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_task_sleep(MEL_FOREVER));
        woken++;
    }
}

static void receive(void *unused)
{
    (void)unused;
    for (uint32_t next = 1;; next++) {
        uint32_t word = 0;
        CHECK(mel_queue_receive(QUEUE, MEL_FOREVER, &word));
        REQUIRE(word == next, "a message of a handler is wrong");
        received++;
    }
}

static void handlers_wake_tasks_of_other_cores(void)
{
    enum { PULSES = 30 };
    CHECK(mel_queue_create(QUEUE, 8));
    start(FIRST, sleep, NULL, 10, FAR);
    start(SECOND, receive, NULL, 8, ANY_CORE);
    CHECK(mel_irq_attach(LINE, handler, NULL));
    CHECK(mel_irq_map(LINE, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEM_LINE, 0, true));
    CHECK(mel_irq_enable(LINE));
    mel_irqgen_pulses(LINE, 4000, 9000, PULSES);
    for (uint32_t i = 0; i < PULSES; i++) {
        CHECK(mel_sem_take(SEM_LINE, MEL_FOREVER));
    }
    AWAIT(woken == handled && received == handled, "a wake-up of a handler is lost");
    REQUIRE(handled == PULSES, "an interrupt is lost");
    CHECK(mel_irq_disable(LINE));
    stop(FIRST);
    stop(SECOND);
    CHECK(mel_queue_delete(QUEUE));
}

/* ---- who is kept out ----------------------------------------------------------------------------------------------------- */

enum { TURNS = 60, BLOCKS = 2 };
static volatile uint32_t shared, done;
static mel_pool_t pool;
static uint32_t blocks[BLOCKS][2];

static void contend(void *unused)
{
    (void)unused;
    for (uint32_t i = 0; i < TURNS; i++) {
        void *block = NULL;
        CHECK(mel_pool_get(&pool, MEL_FOREVER, &block));
        volatile uint32_t *const mine = block;
        const uint32_t mark = mel_cycles();
        mine[1] = mark;
        CHECK(mel_mutex_lock(MUTEX, MEL_FOREVER));
        const uint32_t before = shared;
        mel_busy(i * 7 % 200);
        shared = before + 1;
        CHECK(mel_mutex_unlock(MUTEX));
        REQUIRE(mine[1] == mark, "two tasks have one block");
        CHECK(mel_pool_put(&pool, block));
    }
    CHECK(mel_sem_give(SEM_BACK));
    for (;;) {
        CHECK(mel_task_sleep(MEL_FOREVER));
    }
}

static void cores_keep_each_other_out(void)
{
    CHECK(mel_mutex_create(MUTEX, MEL_NO_CEILING));
    CHECK(mel_sem_delete(SEM_BACK));
    CHECK(mel_sem_create(SEM_BACK, 0, MEL_CORES));
    CHECK(mel_pool_create(&pool, blocks, sizeof blocks[0], BLOCKS, SEM_THERE));
    mel_irqgen_pulses(LINE, 300, 2000, 50); /* not enabled at first */
    CHECK(mel_irq_enable(LINE));
    for (uint32_t core = 0; core < MEL_CORES; core++) {
        start(FILLER + core, contend, NULL, 10, core);
    }
    for (uint32_t core = 0; core < MEL_CORES; core++) {
        CHECK(mel_sem_take(SEM_BACK, MEL_FOREVER));
    }
    CHECK(mel_irq_disable(LINE));
    REQUIRE(shared == MEL_CORES * TURNS, "cores were in a section at once");
    uint32_t free = 0;
    CHECK(mel_pool_query(&pool, &free));
    REQUIRE(free == BLOCKS, "a block is lost");
    CHECK(mel_pool_delete(&pool));
    for (uint32_t core = 0; core < MEL_CORES; core++) {
        stop(FILLER + core);
    }
}

/* ---- time ------------------------------------------------------------------------------------------------------------------ */

static volatile uint32_t awake;

static void delay(void *unused)
{
    (void)unused;
    uint64_t before = 0;
    uint64_t after = 0;
    CHECK(mel_tick_set(0));
    CHECK(mel_tick_set(TICK));
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(mel_time_get(&before));
        CHECK(mel_task_delay(2));
        CHECK(mel_time_get(&after));
        REQUIRE(after - before == 2, "a delay has another length");
        awake++;
    }
    for (;;) {
        CHECK(mel_task_sleep(MEL_FOREVER));
    }
}

static void other_cores_wait_for_ticks(void)
{
    start(FIRST, delay, NULL, 10, FAR);
    AWAIT(awake == 4, "a delay on another core does not end");
    stop(FIRST);
}

static void equal_tasks_take_turns(void)
{
    start(FIRST, count, (void *)FIRST, 10, FAR);
    grows(FIRST);
    counts[SECOND] = 0;
    start(SECOND, count, (void *)SECOND, 10, FAR);
    CHECK(mel_task_delay(6));
    REQUIRE((counts[SECOND] != 0) == SLICES, SLICES ? "equal tasks take no turns" : "equal tasks take turns");
    grows(FIRST);
    stop(FIRST);
    grows(SECOND);
    stop(SECOND);
}

static void conduct(void *unused)
{
    (void)unused;
    CHECK(mel_tick_set(TICK));
    CHECK(mel_sem_create(SEM_LINE, 0, 64));
    all_cores_run_at_once();
    tasks_are_removed_while_they_run();
    tasks_begin_again_when_they_exit();
    suspended_tasks_stay_away();
    semaphores_hand_over();
    the_least_urgent_core_is_preempted();
#ifdef MEL_LACKS_SUSPENDED_WAIT
    nothing_is_dispatched_meanwhile();
#endif
    for (uint32_t core = 1; core < MEL_CORES; core++) {
        stop(FILLER + core);
    }
    CHECK(mel_sem_delete(SEM_THERE));
    handlers_wake_tasks_of_other_cores();
    CHECK(mel_irq_map(LINE, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEM_LINE, 0, false));
    cores_keep_each_other_out();
    other_cores_wait_for_ticks();
    equal_tasks_take_turns();
    mel_print("alongside: all was right\n");
    mel_exit(0);
}

int main(void)
{
    const mel_task_attributes_t attributes = {
        .entry = conduct, .stack = stack_conductor, .stack_size = sizeof stack_conductor, .priority = 2};
    CHECK(mel_task_create_on(CONDUCTOR, &attributes, 0));
    CHECK(mel_task_start(CONDUCTOR));
    mel_kernel_start();
}
