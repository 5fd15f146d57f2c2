/* SPDX-License-Identifier: Apache-2.0 */
/* movers.c: what could go wrong with a task's registers between cores, done often; any number of cores.
 *   Movers (any core, one priority) compute with every register, yield, wait for units that an interrupt gives, and wait for
 *   each other, so that each is preempted and taken by another core again and again.
 *   Shakers, more urgent, are woken by another interrupt, take the core from a mover, and leave it to the next.
 *   A victim computes on the last core; the reaper terminates it there while it runs, and starts it again at once: it must begin
 *   at its entry, as often as it was started.
 *   Two starters on different cores start and terminate the same task at the same time.
 * Ends with exit code 0 when every mover has made its rounds. A defect ends it with a sentence, or the replay rejects the run. */
#include <melanion/device.h>
#include <melanion/melanion.h>

bool hold(uint32_t seed, uint32_t turns);

enum { MOVERS = 6, ROUNDS = 120, STACK = 512, ANY_CORE = MEL_CORES, LAST_CORE = MEL_CORES - 1 };
enum { REAPER = MOVERS, VICTIM, STARTER_FIRST, STARTER_SECOND, SHARED, SHAKER_FIRST, SHAKER_SECOND, TASKS };
enum { PRIORITY_REAPER = 2, PRIORITY_STARTER = 3, PRIORITY_VICTIM = 4, PRIORITY_SHAKER = 5, PRIORITY_MOVER = 6 };
enum { SEM_LINE, SEM_MOVERS, SEM_SHAKE, LINE = 3, LINE_SHAKE = 4, MUTEX = 0 };
/* A software kernel on several cores. At the pace of the hardware unit two of its cores have nothing left: measured on sw-2, each idles 3 % of the time,
 * core 0 has interrupts off for 87 % of it, and the movers, who are the least urgent, would need 6.5 M cycles. At this one they idle for more than half. */
#ifdef MEL_LOCKS_BASE
enum { SLOWER = 5 };
#else
enum { SLOWER = 1 };
#endif
enum { TICK = SLOWER * 12 * MEL_TICK_CYCLES_MINIMUM }; /* cycles: leaves the movers most of one core in slow memory, too */
enum { REAPED = 5 }; /* rounds of the reaper in a run, at least */
enum { BEFORE = 1000 }; /* cycles between the start of the tasks and that of the kernel */
enum { PULSE_LEAST = SLOWER * 2000, PULSE_MOST = SLOWER * 5000 }; /* cycles between two edges */

#define EACH_TASK(macro) macro(0) macro(1) macro(2) macro(3) macro(4) macro(5) macro(6) macro(7) macro(8) macro(9) macro(10) \
    macro(11) macro(12)
#define DEFINE(task) MEL_TASK_STACK(stack_##task, task, STACK);
#define ADDRESS(task) stack_##task,
EACH_TASK(DEFINE)
static uint8_t *const stacks[TASKS] = {EACH_TASK(ADDRESS)};

static volatile bool begun; /* by a mover */
static volatile uint32_t reaped; /* rounds of the reaper */
static volatile uint32_t victim_began;
static volatile uint32_t shared_runs;
static volatile uint32_t inside; /* tasks inside the mutex */

static _Noreturn void wrong(const char *what)
{
    mel_print("movers: ");
    mel_print(what);
    mel_print("\n");
    mel_exit(1);
}

static void check(mel_status_t status)
{
    if (status != MEL_E_OK) {
        mel_print("movers: a kernel call returned ");
        mel_print_signed(status);
        mel_print("\n");
        mel_exit(1);
    }
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
    check(core == ANY_CORE ? mel_task_create(task, &attributes) : mel_task_create_on(task, &attributes, core));
}

static void move(void *argument)
{
    static volatile uint32_t finished;
    const uint32_t self = (uint32_t)(uintptr_t)argument;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        begun = true;
        if (!hold(self << 16 | round, 20 + self * 7 + round) || mel_task_self() != self) {
            wrong("a task that moved between cores lost a register");
        }
        switch ((self + round) % 4) {
        case 0: check(mel_task_yield()); break;
        case 1: check(mel_sem_take(SEM_LINE, MEL_FOREVER)); break;
        case 2:
            check(mel_sem_give(SEM_MOVERS));
            check(mel_sem_take(SEM_MOVERS, MEL_FOREVER));
            break;
        default:
            check(mel_mutex_lock(MUTEX, MEL_FOREVER));
            if (inside++ != 0 || !hold(self, 10) || --inside != 0) {
                wrong("two tasks own a mutex");
            }
            check(mel_mutex_unlock(MUTEX));
        }
    }
    check(mel_mutex_lock(MUTEX, MEL_FOREVER));
    if (++finished == MOVERS) {
        if (reaped < REAPED || shared_runs == 0) {
            wrong("the victim or the shared task did not run as often as it was started");
        }
        mel_exit(0);
    }
    check(mel_mutex_unlock(MUTEX));
}

static void suffer(void *argument)
{
    (void)argument;
    victim_began++;
    for (;;) {
        if (!hold(victim_began, 50)) {
            wrong("the victim goes on where it was terminated");
        }
    }
}

static void shake(void *argument)
{
    (void)argument;
    for (uint32_t round = 0;; round++) {
        check(mel_sem_take(SEM_SHAKE, MEL_FOREVER));
        (void)hold(round, 1 + round % 64);
    }
}

/* The most urgent of all: it ends the victim in the middle of it. */
static void reap(void *argument)
{
    (void)argument;
    for (uint32_t round = 0;; round++) {
        const uint32_t before = victim_began;
        check(mel_task_start(VICTIM));
        while (victim_began == before) {
            check(mel_task_delay(1));
        }
        (void)hold(round, 5 + round % 32);
        check(mel_task_terminate(VICTIM));
        if (victim_began != before + 1) {
            wrong("the victim began more than once for one start");
        }
        if (round % 2 != 0) { /* started again while its core may still be leaving it */
            check(mel_task_start(VICTIM));
            while (victim_began == before + 1) {
                check(mel_task_delay(1));
            }
            check(mel_task_terminate(VICTIM));
        }
        reaped++;
        check(mel_task_delay(1 + round % 4)); /* the last core is for the movers */
    }
}

static void run_shared(void *argument)
{
    (void)argument;
    shared_runs++;
}

static void start(void *argument)
{
    const uint32_t self = (uint32_t)(uintptr_t)argument;
    for (uint32_t round = 0;; round++) {
        const mel_status_t status = mel_task_start(SHARED);
        if (status != MEL_E_OK && status != MEL_E_OBJ) {
            wrong("starting a task that may run returned neither E_OK nor E_OBJ");
        }
        (void)hold(round, 1 + (round + self) % 16);
        if (round % 8 == 0) {
            (void)mel_task_terminate(SHARED); /* E_OBJ when it has ended */
        }
        check(mel_task_delay(1));
    }
}

/* On core 0. */
static void serve(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
}

int main(void)
{
    check(mel_tick_set(TICK));
    check(mel_sem_create(SEM_LINE, 0, 1000));
    check(mel_sem_create(SEM_MOVERS, 0, 1000));
    check(mel_mutex_create(MUTEX, MEL_NO_CEILING));
    check(mel_irq_attach(LINE, serve, NULL));
    check(mel_irq_map(LINE, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEM_LINE, 0, true));
    check(mel_irq_enable(LINE));
    check(mel_sem_create(SEM_SHAKE, 0, 2));
    check(mel_irq_map(LINE_SHAKE, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEM_SHAKE, 0, false));
    check(mel_irq_enable(LINE_SHAKE));
    make(VICTIM, suffer, PRIORITY_VICTIM, LAST_CORE);
    make(REAPER, reap, PRIORITY_REAPER, 0);
    make(SHARED, run_shared, PRIORITY_STARTER, ANY_CORE);
    make(STARTER_FIRST, start, PRIORITY_STARTER, 0);
    make(STARTER_SECOND, start, PRIORITY_STARTER, LAST_CORE);
    for (mel_id_t task = 0; task < MOVERS; task++) {
        make(task, move, PRIORITY_MOVER, ANY_CORE);
        check(mel_task_start(task));
    }
    make(SHAKER_FIRST, shake, PRIORITY_SHAKER, ANY_CORE);
    make(SHAKER_SECOND, shake, PRIORITY_SHAKER, ANY_CORE);
    check(mel_task_start(SHAKER_FIRST));
    check(mel_task_start(SHAKER_SECOND));
    check(mel_task_start(REAPER));
    check(mel_task_start(STARTER_FIRST));
    check(mel_task_start(STARTER_SECOND));
    mel_irqgen_pulses(LINE, PULSE_LEAST, PULSE_MOST, UINT32_MAX);
    mel_irqgen_pulses(LINE_SHAKE, PULSE_LEAST / 2, PULSE_MOST / 2, UINT32_MAX);
    mel_busy(BEFORE);
    if (begun) {
        wrong("a task ran before the kernel was started");
    }
    mel_kernel_start();
}
