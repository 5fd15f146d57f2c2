/* SPDX-License-Identifier: Apache-2.0 */
/* others.c: calls of Melanion as every kernel must mean them, checked by the program itself, because no model replays runs of a kernel of others. The tasks leave letters in
 * the order in which they run; messages, flags, notifications and statuses are compared. The same program runs on the other kernels. Exit code 0: all was right. */
#include <melanion/device.h>
#include <melanion/melanion.h>

enum { CONDUCTOR, HIGH, LOW, TASKS };
enum { SEM = 1, QUEUE = 1, QUEUE_OTHER = 2, FLAGS = 1, MUTEX = 1, LINE = 1 };
enum { WORDS = 4, STEPS = 64 };

MEL_TASK_STACK(stack_conductor, CONDUCTOR, 1024);
MEL_TASK_STACK(stack_high, HIGH, 768);
MEL_TASK_STACK(stack_low, LOW, 768);
static uint8_t *const stacks[TASKS] = {stack_conductor, stack_high, stack_low};

static char order[STEPS + 1]; /* letters of tasks, in the order in which they ran */
static uint32_t steps;
static mel_pool_t pool;
static uint32_t blocks[2][2];

static _Noreturn void wrong(const char *sentence)
{
    mel_print(sentence);
    mel_print("\n");
    mel_exit(1);
}

#define CHECK(call) EXPECT(call, MEL_E_OK)
#define EXPECT(call, expected)                    \
    do {                                          \
        const mel_status_t status_ = (call);      \
        if (status_ != (expected)) {              \
            mel_print("line ");                   \
            mel_print_unsigned(__LINE__);         \
            mel_print(": unexpected status ");    \
            mel_print_signed(status_);            \
            mel_print("\n");                      \
            mel_exit(1);                          \
        }                                         \
    } while (0)

static void step(char who)
{
    if (steps < STEPS) {
        order[steps++] = who;
        order[steps] = '\0';
    }
}

static void expect_order(const char *expected)
{
    for (uint32_t i = 0; i < steps || expected[i] != '\0'; i++) {
        if (i >= steps || expected[i] != order[i]) {
            mel_print(order);
            mel_print(" instead of ");
            mel_print(expected);
            wrong(": the order of tasks is wrong");
        }
    }
    steps = 0;
    order[0] = '\0';
}

static void start(mel_id_t task, mel_task_entry_t entry, mel_priority_t priority)
{
    const mel_task_attributes_t attributes = {
        .entry = entry, .stack = stacks[task], .stack_size = 768, .priority = priority, .name = "worker"};
    CHECK(mel_task_create(task, &attributes));
    CHECK(mel_task_start(task));
}

static void stop(mel_id_t task)
{
    CHECK(mel_task_terminate(task));
    CHECK(mel_task_delete(task));
}

/* ---- priorities, semaphores, waits that are released ------------------------------------------------------------------- */

static void take(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_sem_take(SEM, MEL_FOREVER));
        step(mel_task_self() == HIGH ? 'h' : 'l');
    }
}

static void tasks_run_by_priority(void)
{
    CHECK(mel_sem_create(SEM, 0, 2));
    start(LOW, take, 20);
    start(HIGH, take, 10);
    CHECK(mel_task_delay(1)); /* both wait */
    CHECK(mel_sem_give(SEM));
    step('c');
    CHECK(mel_task_delay(1));
    expect_order("ch");
    stop(HIGH);
    CHECK(mel_sem_give(SEM));
    CHECK(mel_task_delay(1));
    expect_order("l");
    stop(LOW);
    CHECK(mel_sem_give(SEM));
    CHECK(mel_sem_give(SEM));
    EXPECT(mel_sem_give(SEM), MEL_E_QOVR);
    CHECK(mel_sem_take(SEM, MEL_POLL));
    CHECK(mel_sem_take(SEM, MEL_FOREVER));
    EXPECT(mel_sem_take(SEM, MEL_POLL), MEL_E_TMOUT);
    EXPECT(mel_sem_take(SEM, 2), MEL_E_TMOUT);
}

static void wait_and_be_released(void *unused)
{
    (void)unused;
    EXPECT(mel_sem_take(SEM, 1000), MEL_E_RLWAI);
    step('a');
    EXPECT(mel_sem_take(SEM, MEL_FOREVER), MEL_E_RLWAI);
    step('b');
    EXPECT(mel_task_delay(1000), MEL_E_RLWAI);
    step('c');
    EXPECT(mel_sem_take(SEM, 1), MEL_E_TMOUT);
    step('d');
    CHECK(mel_task_sleep(MEL_FOREVER));
}

static void releases_are_told_from_time_outs(void)
{
    start(HIGH, wait_and_be_released, 10);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(mel_task_delay(1));
        CHECK(mel_task_release(HIGH));
    }
    CHECK(mel_task_delay(3));
    expect_order("abcd");
    stop(HIGH);
    CHECK(mel_sem_delete(SEM));
}

/* ---- messages, flags, notifications, wake-ups --------------------------------------------------------------------------- */

static void receive(void *unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 2 * WORDS; i++) {
        uint32_t word;
        CHECK(mel_queue_receive(QUEUE, MEL_FOREVER, &word));
        if (word != 100 + i) {
            wrong("a message is wrong");
        }
    }
    step('r');
}

static void messages_arrive(void)
{
    uint32_t word;
    CHECK(mel_queue_create(QUEUE, WORDS));
    CHECK(mel_queue_create(QUEUE_OTHER, WORDS));
    for (uint32_t i = 0; i < WORDS; i++) {
        CHECK(mel_queue_send(QUEUE, 100 + i, MEL_POLL));
        CHECK(mel_queue_post(QUEUE_OTHER, 200 + i, MEL_MESSAGE_PRIORITY_LEAST));
    }
    EXPECT(mel_queue_send(QUEUE, 0, MEL_POLL), MEL_E_TMOUT);
    EXPECT(mel_queue_post(QUEUE_OTHER, 0, MEL_MESSAGE_PRIORITY_LEAST), MEL_E_QOVR);
    start(HIGH, receive, 10);
    for (uint32_t i = WORDS; i < 2 * WORDS; i++) {
        CHECK(mel_queue_send(QUEUE, 100 + i, MEL_FOREVER));
    }
    CHECK(mel_task_delay(1));
    expect_order("r"); /* and it has ended */
    CHECK(mel_task_delete(HIGH));
    CHECK(mel_queue_receive(QUEUE_OTHER, MEL_POLL, &word));
    if (word != 200) {
        wrong("a message is wrong");
    }
    CHECK(mel_queue_delete(QUEUE));
    CHECK(mel_queue_delete(QUEUE_OTHER));
}

static void await(void *unused)
{
    uint32_t value = 0;
    (void)unused;
    CHECK(mel_flags_take_all(FLAGS, 3, MEL_FOREVER, &value));
    step(value == 7 ? 'f' : '?');
    CHECK(mel_notification_wait(UINT32_MAX, MEL_FOREVER, &value));
    step(value == 5 ? 'n' : '?');
    CHECK(mel_task_sleep(MEL_FOREVER));
    step('w');
    CHECK(mel_notification_take(MEL_FOREVER, &value));
    step('t');
    for (;;) {
        CHECK(mel_task_sleep(MEL_FOREVER));
    }
}

static void one_kind_of_event_is_not_another(void)
{
    uint32_t value = 0;
    CHECK(mel_flags_create(FLAGS, 4));
    start(HIGH, await, 10);
    CHECK(mel_task_delay(1));
    CHECK(mel_flags_set(FLAGS, 1));
    CHECK(mel_task_delay(1));
    expect_order("");
    CHECK(mel_flags_set(FLAGS, 2));
    CHECK(mel_task_wakeup(HIGH));              /* counted */
    CHECK(mel_notification_set(HIGH, 4));
    CHECK(mel_notification_set(HIGH, 1));
    CHECK(mel_task_delay(1));
    expect_order("fnw");
    CHECK(mel_task_wakeup(HIGH)); /* is no notification */
    CHECK(mel_task_delay(1));
    expect_order("");
    CHECK(mel_notification_give(HIGH));
    CHECK(mel_task_delay(1));
    expect_order("t");
    EXPECT(mel_flags_wait_any(FLAGS, 3, MEL_POLL, &value), MEL_E_TMOUT); /* both were taken */
    EXPECT(mel_flags_wait_any(FLAGS, 0, MEL_POLL, &value), MEL_E_PAR);
    CHECK(mel_flags_delete(FLAGS));
    stop(HIGH);
}

/* ---- interrupts, mutexes, pools, time ----------------------------------------------------------------------------------- */

static void handler(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
    step('i');
    CHECK(mel_sem_give(SEM));
    CHECK(mel_task_resume(LOW));
    EXPECT(mel_sem_take(SEM, 1), MEL_E_CTX);
    step(mel_in_handler() ? 'i' : '?');
}

static void suspend_itself(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_task_suspend(MEL_SELF));
        step('s');
    }
}

/* The conductor is less urgent than both here: what a handler has made ready runs when it returns. */
static void handlers_switch(void)
{
    CHECK(mel_sem_create(SEM, 0, 2));
    CHECK(mel_task_set_priority(MEL_SELF, 25));
    start(HIGH, take, 10);
    start(LOW, suspend_itself, 20);
    CHECK(mel_irq_attach(LINE, handler, NULL));
    CHECK(mel_irq_map(LINE, MEL_IRQ_ACTION_NONE, 0, 0, true));
    CHECK(mel_irq_enable(LINE));
    for (uint32_t i = 0; i < 3; i++) {
        mel_irqgen_pulse(LINE, 20);
        mel_busy(1500); /* shorter than a tick, which would switch, too */
        step('c');
        expect_order("iihsc");
    }
    CHECK(mel_irq_map(LINE, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEM, 0, false));
    mel_irqgen_pulse(LINE, 20);
    mel_busy(1500);
    expect_order("h");
    CHECK(mel_irq_map(LINE, MEL_IRQ_ACTION_TASK_WAKEUP, CONDUCTOR, 0, false));
    mel_irqgen_pulse(LINE, 20);
    CHECK(mel_task_sleep(MEL_FOREVER));
    CHECK(mel_irq_disable(LINE));
    stop(HIGH);
    stop(LOW);
    CHECK(mel_sem_delete(SEM));
    CHECK(mel_task_set_priority(MEL_SELF, 1));
}

static void lock(void *unused)
{
    (void)unused;
    CHECK(mel_mutex_lock(MUTEX, MEL_FOREVER));
    step('m');
    CHECK(mel_mutex_unlock(MUTEX));
    EXPECT(mel_mutex_unlock(MUTEX), mel_claim_limit(0) == MEL_E_RSFN && MEL_KERNEL_NAME[0] == 'f' ? MEL_E_ILUSE : MEL_E_OBJ);
}

static void mutexes_and_pools(void)
{
    void *first;
    void *second;
    void *third;
    CHECK(mel_mutex_create(MUTEX, MEL_NO_CEILING));
    CHECK(mel_mutex_lock(MUTEX, MEL_FOREVER));
    CHECK(mel_mutex_lock(MUTEX, MEL_FOREVER));
    start(HIGH, lock, 10);
    CHECK(mel_task_delay(1));
    CHECK(mel_mutex_unlock(MUTEX));
    CHECK(mel_task_delay(1));
    expect_order("");
    CHECK(mel_mutex_unlock(MUTEX));
    CHECK(mel_task_delay(1));
    expect_order("m");
    CHECK(mel_task_delete(HIGH));
    CHECK(mel_mutex_delete(MUTEX));
    CHECK(mel_pool_create(&pool, blocks, sizeof *blocks, 2, SEM));
    CHECK(mel_pool_get(&pool, MEL_POLL, &first));
    CHECK(mel_pool_get(&pool, MEL_FOREVER, &second));
    EXPECT(mel_pool_get(&pool, 2, &third), MEL_E_TMOUT);
    CHECK(mel_pool_put(&pool, first));
    CHECK(mel_pool_get(&pool, 2, &third));
    if (first == second || third != first) {
        wrong("a block is wrong");
    }
    CHECK(mel_pool_delete(&pool));
}

static void time_passes(void)
{
    uint64_t before = 0;
    uint64_t after = 0;
    CHECK(mel_tick_set(0));
    CHECK(mel_time_get(&before));
    mel_busy(10000);
    CHECK(mel_time_get(&after));
    if (after != before) {
        wrong("a tick came while there were none");
    }
    CHECK(mel_tick_set(2000));
    CHECK(mel_task_delay(3));
    CHECK(mel_time_get(&after));
    if (after != before + 3) {
        wrong("a delay has another length");
    }
    CHECK(mel_task_delay_until((mel_ticks_t)after + 2));
    EXPECT(mel_task_delay_until((mel_ticks_t)after), MEL_E_TMOUT);
    CHECK(mel_time_get(&before));
    if (before != after + 2) {
        wrong("a delay has another end");
    }
}

static void conduct(void *unused)
{
    (void)unused;
    CHECK(mel_tick_set(4000));
    CHECK(mel_task_delay(2));
    tasks_run_by_priority();
    releases_are_told_from_time_outs();
    messages_arrive();
    one_kind_of_event_is_not_another();
    handlers_switch();
    mutexes_and_pools();
    time_passes();
    mel_print("others: all was right\n");
    mel_exit(0);
}

int main(void)
{
    const mel_task_attributes_t attributes = {
        .entry = conduct, .stack = stack_conductor, .stack_size = sizeof stack_conductor, .priority = 1};
    CHECK(mel_task_create(CONDUCTOR, &attributes));
    CHECK(mel_task_start(CONDUCTOR));
    mel_kernel_start();
}
