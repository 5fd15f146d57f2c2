/* SPDX-License-Identifier: Apache-2.0 */
/* called.c: a task waits for a semaphore on its own core, and a task of core 0 gives it: where a lock cache calls the waiting core, the rest of the give
 * is done there (docs/decisions/0023), and something else may come first: another give, a poll, the end or another priority of the waiting task, a call with
 * interrupts off, an edge with a handler, a tick that ends a wait.
 * Waiters: two of core 1, of which one gives up after a tick, and one of the last core. In phase 1 ticks are rare, the giver makes no call after a give, and what it gave must be taken within LIMIT
 * cycles. In phase 2 ticks and edges are frequent, and only the golden model judges. Ends with exit code 0, or with a sentence. */
#include <melanion/device.h>
#include <melanion/melanion.h>

_Static_assert(MEL_CORES >= 2, "called needs a system with 2 cores: run it on lockcache-2");

enum { GIVER, FIRST, SECOND, HASTY, TASKS }; /* HASTY waits for one tick at most */
enum { LAST = MEL_CORES - 1, SEM = 2, LINE = 0, STACK = 512 };
enum { CALLED_ROUNDS = 40, MIXED_ROUNDS = 90, ACTIONS = 9, PAUSE = 2500, LIMIT = 12000, TICK = 3000 }; /* cycles */
enum { LEAST = 700, MOST = 2900 };                                                                      /* between two edges */

MEL_TASK_STACK(stack_giver, GIVER, STACK);
MEL_TASK_STACK(stack_first, FIRST, STACK);
MEL_TASK_STACK(stack_second, SECOND, STACK);
MEL_TASK_STACK(stack_hasty, HASTY, STACK);
static uint8_t *const stacks[TASKS] = {stack_giver, stack_first, stack_second, stack_hasty};

static volatile uint32_t taken[TASKS];

static void check(bool right, const char *what)
{
    if (!right) {
        mel_print("called: ");
        mel_print(what);
        mel_print("\n");
        mel_exit(1);
    }
}

static void take(void *argument)
{
    const mel_id_t self = (mel_id_t)(uintptr_t)argument;
    for (;;) {
        const mel_status_t status = mel_sem_take(SEM, self == HASTY ? 1 : MEL_FOREVER);
        check(status == MEL_E_OK || (self == HASTY && status == MEL_E_TMOUT) || (self == FIRST && status == MEL_E_RLWAI), "a task could not wait");
        if (status == MEL_E_OK) {
            taken[self] = taken[self] + 1;
        }
    }
}

static uint32_t all_taken(void)
{
    return taken[FIRST] + taken[SECOND] + taken[HASTY];
}

static void give(void)
{
    check(mel_sem_give(SEM) == MEL_E_OK, "the semaphore could not be given");
}

/* Nothing but the waiting core can do it. */
static void call(uint32_t gives)
{
    const uint32_t goal = all_taken() + gives;
    const uint32_t start = mel_cycles();
    for (uint32_t i = 0; i < gives; i++) {
        give();
    }
    while (all_taken() != goal) {
        check(mel_cycles() - start < LIMIT, "a task that waits was not called");
    }
}

static void act(uint32_t action, uint32_t round)
{
    switch (action) {
    case 1:
        (void)mel_sem_give(SEM);
        break;
    case 2:
        (void)mel_sem_take(SEM, MEL_POLL);
        break;
    case 3:
        (void)mel_task_terminate(SECOND);
        mel_busy(PAUSE);
        check(mel_task_start(SECOND) == MEL_E_OK, "a task could not be started again");
        break;
    case 4:
        check(mel_task_set_priority(FIRST, 2 + round % 4) == MEL_E_OK, "no other priority");
        break;
    case 5:
        __asm__ volatile("csrci mstatus, 8" : : : "memory");
        (void)mel_sem_take(SEM, MEL_POLL); /* the task is called already, and the call here does the rest */
        (void)mel_sem_give(SEM);
        __asm__ volatile("csrsi mstatus, 8" : : : "memory");
        break;
    case 6:
        (void)mel_task_release(FIRST);
        break;
    case 7:
        (void)mel_task_delay(1);
        break;
    default:
        break;
    }
}

static void run(void *argument)
{
    (void)argument;
    for (uint32_t round = 0; round < CALLED_ROUNDS; round++) {
        mel_busy(PAUSE);
        call(1 + round % 2);
    }
    (void)mel_tick_set(TICK);
    mel_irqgen_pulses(LINE, LEAST, MOST, UINT32_MAX);
    for (uint32_t round = 0; round < MIXED_ROUNDS; round++) {
        mel_busy(17 * round % PAUSE);
        (void)mel_sem_give(SEM); /* E_QOVR: tasks are late */
        mel_busy(13 * round % 256);
        act(round % ACTIONS, round);
        while (mel_sem_take(SEM, MEL_POLL) == MEL_E_OK) {
        }
    }
    mel_exit(0);
}

/* On core 0. */
static void serve(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
    (void)mel_sem_give(SEM);
}

static void make(mel_id_t task, mel_task_entry_t entry, mel_priority_t priority, uint32_t core)
{
    const mel_task_attributes_t attributes = {
        .entry = entry,
        .argument = (void *)(uintptr_t)task,
        .stack = stacks[task],
        .stack_size = STACK,
        .priority = priority,
    };
    check(mel_task_create_on(task, &attributes, core) == MEL_E_OK && mel_task_start(task) == MEL_E_OK, "a task could not be made");
}

int main(void)
{
    check(mel_sem_create(SEM, 0, 8) == MEL_E_OK, "no semaphore");
    check(mel_irq_attach(LINE, serve, NULL) == MEL_E_OK && mel_irq_map(LINE, MEL_IRQ_ACTION_NONE, 0, 0, true) == MEL_E_OK &&
              mel_irq_enable(LINE) == MEL_E_OK,
          "a line could not be mapped");
    make(GIVER, run, 4, 0);
    make(FIRST, take, 3, 1);
    make(SECOND, take, 5, LAST);
    make(HASTY, take, 6, 1);
    mel_kernel_start();
}
