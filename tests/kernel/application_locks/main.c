/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: a task on each core, and two on any core, count under a long lock and under a short one, in two steps with a pause between: a count is lost when two are inside at
 * once. A handler counts under the short lock, too. Before, the free locks are measured by one task alone; a contended long lock by the task that waits longest. */
#include <melanion/device.h>
#include <melanion/lock.h>
#include <melanion/melanion.h>

enum { TASKS = MEL_CORES + 2, ROUNDS = 120, LINE = 3, PULSES = 60, TIMES = 20, SHORT = 1, SEM_LOCK = 1, SEM_DONE = 2, LONG_LOCK = 0, OCCUPIER = TASKS + 1 };

#define FOR_EACH_TASK(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define STACK(task) MEL_TASK_STACK(stack_##task, task, 1024);
#define STACK_ADDRESS(task) stack_##task,
FOR_EACH_TASK(STACK)
static uint8_t *const stacks[] = {FOR_EACH_TASK(STACK_ADDRESS)};

typedef struct {
    uint32_t least, most;
} range_t;

static mel_lock_t lock;
static volatile uint32_t long_count, short_count, handled, inside, waits;
static range_t long_takes, long_releases, short_takes, short_releases, contended; /* 0 … 0: of nothing */

static void fail(const char *text, uint32_t found, uint32_t expected)
{
    mel_print("application_locks: ");
    mel_print(text);
    mel_print(": ");
    mel_print_unsigned(found);
    mel_print(" instead of ");
    mel_print_unsigned(expected);
    mel_print("\n");
    mel_exit(1);
}

static void same(const char *text, uint32_t found, uint32_t expected)
{
    if (found != expected) {
        fail(text, found, expected);
    }
}

static inline uint32_t cycles(void)
{
    uint32_t count;
    __asm__ volatile("csrr %0, mcycle" : "=r"(count) : : "memory");
    return count;
}

static void note(range_t *range, uint32_t took)
{
    range->least = range->most == 0 || took < range->least ? took : range->least;
    range->most = took > range->most ? took : range->most;
}

static void handle(mel_id_t line, void *unused)
{
    (void)line;
    (void)unused;
    const mel_spin_key_t key = mel_spin_take(SHORT);
    const uint32_t count = short_count;
    short_count = count + 1;
    mel_spin_release(SHORT, key);
    handled++;
}

#if MEL_CORES > 1
static volatile bool moved;

static void occupy(void *unused)
{
    (void)unused;
    while (!moved) {
    }
}

/* The holder of the long lock is moved to another core, and releases it there. */
static void release_elsewhere(void)
{
    mel_lock_take(&lock);
    const uint32_t core = mel_core_self();
    const mel_task_attributes_t attributes = {.entry = occupy, .stack = stacks[OCCUPIER], .stack_size = 1024, .priority = 1};
    same("task_create", (uint32_t)mel_task_create_on(OCCUPIER, &attributes, core), MEL_E_OK);
    same("task_start", (uint32_t)mel_task_start(OCCUPIER), MEL_E_OK);
    while (mel_core_self() == core) {
    }
    mel_lock_release(&lock);
    same("a lock that was released on another core is free", mel_lock_try(&lock), true);
    mel_lock_release(&lock);
    moved = true;
}
#endif

/* Nobody else wants them yet. */
static void measure_free(void)
{
    for (uint32_t i = 0; i < TIMES; i++) {
        uint32_t begun = cycles();
        mel_lock_take(&lock);
        note(&long_takes, cycles() - begun);
        same("a lock that is held was taken", mel_lock_try(&lock), false);
        begun = cycles();
        mel_lock_release(&lock);
        note(&long_releases, cycles() - begun);
        begun = cycles();
        const mel_spin_key_t key = mel_spin_take(SHORT);
        note(&short_takes, cycles() - begun);
        begun = cycles();
        mel_spin_release(SHORT, key);
        note(&short_releases, cycles() - begun);
    }
}

static void use(void *argument)
{
    const uint32_t self = (uint32_t)(uintptr_t)argument;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t begun = cycles();
        const bool at_once = mel_lock_try(&lock);
        if (!at_once) {
            waits++; /* about: nobody is kept out */
            mel_lock_take(&lock);
            note(&contended, cycles() - begun);
        }
        same("tasks inside", inside, 0);
        inside = 1;
        const uint32_t count = long_count;
        mel_busy((round * 37 + self * 11) & 63);
        long_count = count + 1;
        inside = 0;
        mel_lock_release(&lock);
        const mel_spin_key_t key = mel_spin_take(SHORT);
        const uint32_t other = short_count;
        mel_busy(round & 7);
        short_count = other + 1;
        mel_spin_release(SHORT, key);
        if ((round & 15) == self) {
            (void)mel_task_yield();
        }
    }
    same("a give of the end", (uint32_t)mel_sem_give(SEM_DONE), MEL_E_OK);
}

static void make(mel_id_t task, mel_task_entry_t entry, mel_priority_t priority, bool anywhere)
{
    const mel_task_attributes_t attributes = {
        .entry = entry,
        .argument = (void *)(uintptr_t)task,
        .stack = stacks[task],
        .stack_size = 1024,
        .priority = priority,
    };
    const mel_status_t status = anywhere ? mel_task_create(task, &attributes) : mel_task_create_on(task, &attributes, task - 1);
    same("task_create", (uint32_t)status, MEL_E_OK);
    same("task_start", (uint32_t)mel_task_start(task), MEL_E_OK);
}

static void show(const char *name, const range_t *range)
{
    mel_print(name);
    mel_print(" ");
    mel_print_unsigned(range->least);
    mel_print(" ");
    mel_print_unsigned(range->most);
    mel_print("\n");
}

static void conduct(void *unused)
{
    (void)unused;
    same("a lock of its semaphore", (uint32_t)mel_lock_create(&lock, LONG_LOCK, MEL_SEMAPHORES - 1), (uint32_t)MEL_E_PAR);
    same("a lock that there is not", (uint32_t)mel_lock_create(&lock, MEL_SEMAPHORES, SEM_LOCK), (uint32_t)MEL_E_PAR);
    same("lock_create", (uint32_t)mel_lock_create(&lock, LONG_LOCK, SEM_LOCK), MEL_E_OK);
    same("a semaphore that exists", (uint32_t)mel_lock_create(&lock, LONG_LOCK, SEM_LOCK), (uint32_t)MEL_E_OBJ);
    same("sem_create", (uint32_t)mel_sem_create(SEM_DONE, 0, TASKS), MEL_E_OK);
    measure_free();
#if MEL_CORES > 1
    release_elsewhere();
#endif
    (void)mel_irq_attach(LINE, handle, NULL);
    (void)mel_irq_map(LINE, MEL_IRQ_ACTION_NONE, 0, 0, true);
    (void)mel_irq_enable(LINE);
    mel_irqgen_pulses(LINE, 400, 2400, PULSES);
    for (mel_id_t task = 1; task <= TASKS; task++) {
        make(task, use, 4 + task % 3, task > MEL_CORES);
    }
    for (uint32_t i = 0; i < TASKS; i++) {
        same("sem_take", (uint32_t)mel_sem_take(SEM_DONE, MEL_FOREVER), MEL_E_OK);
    }
    (void)mel_irq_disable(LINE);
    mel_busy(400);
    same("counts under the long lock", long_count, TASKS * ROUNDS);
    same("counts under the short lock", short_count, TASKS * ROUNDS + handled);
    same("waiting tasks", lock.waiting, 0);
    show("take long", &long_takes);
    show("release long", &long_releases);
    show("take short", &short_takes);
    show("release short", &short_releases);
    if (waits != 0) {
        show("contended long", &contended);
    }
    mel_print("waits ");
    mel_print_unsigned(waits);
    mel_print(" handled ");
    mel_print_unsigned(handled);
    mel_print("\n");
    mel_exit(0);
}

int main(void)
{
    const mel_task_attributes_t attributes = {.entry = conduct, .stack = stacks[0], .stack_size = 1024, .priority = 2};
    same("task_create", (uint32_t)mel_task_create(0, &attributes), MEL_E_OK);
    same("task_start", (uint32_t)mel_task_start(0), MEL_E_OK);
    mel_kernel_start();
}
