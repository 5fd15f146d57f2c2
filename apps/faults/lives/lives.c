/* SPDX-License-Identifier: Apache-2.0 */
/* lives.c: tasks hand a number around through every kind of object, ROUNDS times, and check what arrives: what a program can notice of a kernel that went
 * wrong. HEAD sends it by queue to A; A sets event flags for B; B notifies C; C adds it up under a mutex, which B wants meanwhile, and gives DONE. Then HEAD wakes
 * SLEEPER, raises an interrupt whose action gives a semaphore, and waits for a timer, a tick and SLEEPER. Waits have limits, so that a lost wake-up is an error and no
 * hang. Ends with exit code 0, or with a sentence. Runs on every kernel. */
#include <melanion/melanion.h>

#ifdef MEL_LACKS_SUSPENDED_WAIT /* the kernel is FreeRTOS, which lacks timers and waits of suspended tasks, too */
enum { HAS_TIMERS = 0 };
#else
enum { HAS_TIMERS = 1 };
#endif

enum { HEAD, A, B, C, SLEEPER, TASKS };
enum { DONE, SLEPT, RAISED, TIMED, MADE }; /* semaphores */
enum { LINE = 1, TIMER = 0, QUEUE = 0, FLAGS = 0, MUTEX = 0 };
#ifndef ROUNDS
#define ROUNDS 12
#endif
enum { STACK = 768, TICK_CYCLES = 1500, PATIENCE = 40, SEED = 0x1234 };

MEL_TASK_STACK(head_stack, HEAD, STACK);
MEL_TASK_STACK(a_stack, A, STACK);
MEL_TASK_STACK(b_stack, B, STACK);
MEL_TASK_STACK(c_stack, C, STACK);
MEL_TASK_STACK(sleeper_stack, SLEEPER, STACK);

static volatile uint32_t sum, slept, held; /* held: the mutex is, by a task and 1 */

static void fail(const char *what, uint32_t round, uint32_t found)
{
    mel_print("lives: ");
    mel_print(what);
    mel_print(" in round ");
    mel_print_unsigned(round);
    mel_print(": ");
    mel_print_unsigned(found);
    mel_print("\n");
    mel_exit(1);
}

static void same(const char *what, uint32_t round, uint32_t found, uint32_t expected)
{
    if (found != expected) {
        fail(what, round, found);
    }
}

static void check(const char *what, uint32_t round, mel_status_t status)
{
    same(what, round, (uint32_t)status, (uint32_t)MEL_E_OK);
}

static uint32_t number(uint32_t round)
{
    return (round * 0x9E3779B9u) ^ SEED;
}

/* Own the mutex for a moment; nobody else may meanwhile. */
static void hold(uint32_t self, uint32_t round)
{
    check("mutex", round, mel_mutex_lock(MUTEX, PATIENCE));
    same("owner before", round, held, 0);
    held = self + 1;
    check("yield", round, mel_task_yield());
    same("owner behind", round, held, self + 1);
    held = 0;
    check("unlock", round, mel_mutex_unlock(MUTEX));
}

static void a(void *unused)
{
    (void)unused;
    for (uint32_t round = 0;; round++) {
        uint32_t message = 0;
        check("queue", round, mel_queue_receive(QUEUE, MEL_FOREVER, &message));
        same("message", round, message, number(round));
        check("flags", round, mel_flags_set(FLAGS, 1u << round % 8));
    }
}

static void b(void *unused)
{
    (void)unused;
    for (uint32_t round = 0;; round++) {
        uint32_t flags = 0;
        check("wait for flags", round, mel_flags_take_any(FLAGS, 0xFF, MEL_FOREVER, &flags));
        same("flags", round, flags, 1u << round % 8);
        check("notification", round, mel_notification_overwrite(C, number(round)));
        hold(B, round);
    }
}

static void c(void *unused)
{
    (void)unused;
    for (uint32_t round = 0;; round++) {
        uint32_t value = 0;
        check("wait for a notification", round, mel_notification_wait(0, MEL_FOREVER, &value));
        same("notification value", round, value, number(round));
        hold(C, round);
        sum += value;
        check("give", round, mel_sem_give(DONE));
    }
}

static void sleeper(void *unused)
{
    (void)unused;
    for (uint32_t round = 0;; round++) {
        check("sleep", round, mel_task_sleep(MEL_FOREVER));
        hold(SLEEPER, round);
        slept++;
        check("give", round, mel_sem_give(SLEPT));
    }
}

/* Objects that come and go, and a priority that changes. */
static void change(uint32_t round)
{
    check("priority", round, mel_task_set_priority(B, round % 2 == 0 ? 7 : 4));
    check("create", round, mel_sem_create(MADE, 1, 2));
    check("take what was made", round, mel_sem_take(MADE, MEL_POLL));
    same("take again", round, (uint32_t)mel_sem_take(MADE, MEL_POLL), (uint32_t)MEL_E_TMOUT);
    check("delete", round, mel_sem_delete(MADE));
}

static void head(void *unused)
{
    uint32_t expected = 0;
    (void)unused;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        expected += number(round);
        check("send", round, mel_queue_send(QUEUE, number(round), PATIENCE));
        check("done", round, mel_sem_take(DONE, PATIENCE));
        same("sum", round, sum, expected);
        change(round);
        check("wake", round, mel_task_wakeup(SLEEPER));
        check("raise", round, mel_irq_raise(LINE));
        check("raised", round, mel_sem_take(RAISED, PATIENCE));
        if (HAS_TIMERS) {
            check("timer", round, mel_timer_start(TIMER, 1, 0));
            check("timed", round, mel_sem_take(TIMED, PATIENCE));
        }
        check("delay", round, mel_task_delay(1));
        check("slept", round, mel_sem_take(SLEPT, PATIENCE));
        same("sleeps", round, slept, round + 1);
    }
    mel_print("lives: ");
    mel_print_unsigned(ROUNDS);
    mel_print(" rounds, sum ");
    mel_print_unsigned(sum);
    mel_print("\n");
    mel_exit(0);
}

static void make(mel_id_t task, mel_task_entry_t entry, uint8_t *stack, mel_priority_t priority, const char *name)
{
    const mel_task_attributes_t attributes = {
        .entry = entry, .stack = stack, .stack_size = STACK, .priority = priority, .name = name};
    check("create a task", task, mel_task_create(task, &attributes));
    check("start a task", task, mel_task_start(task));
}

static void map(mel_id_t line, mel_id_t sem)
{
    check("map", line, mel_irq_map(line, MEL_IRQ_ACTION_SEMAPHORE_GIVE, sem, 0, false));
    check("enable", line, mel_irq_enable(line));
}

int main(void)
{
    check("semaphore", DONE, mel_sem_create(DONE, 0, 1));
    check("semaphore", SLEPT, mel_sem_create(SLEPT, 0, 1));
    check("semaphore", RAISED, mel_sem_create(RAISED, 0, 1));
    check("semaphore", TIMED, mel_sem_create(TIMED, 0, 1));
    check("queue", QUEUE, mel_queue_create(QUEUE, 2));
    check("flags", FLAGS, mel_flags_create(FLAGS, 0));
    check("mutex", MUTEX, mel_mutex_create(MUTEX, MEL_NO_CEILING));
    map(LINE, RAISED);
    if (HAS_TIMERS) {
        map(MEL_TIMER_LINE(TIMER), TIMED);
    }
    check("no ticks", 0, mel_tick_set(0)); /* else the first one has the length that it began with */
    check("tick", 0, mel_tick_set(TICK_CYCLES));
    make(HEAD, head, head_stack, 3, "head");
    make(A, a, a_stack, 5, "a");
    make(B, b, b_stack, 7, "b");
    make(C, c, c_stack, 6, "c");
    make(SLEEPER, sleeper, sleeper_stack, 5, "sleeper");
    mel_kernel_start();
}
