/* SPDX-License-Identifier: Apache-2.0 */
/* cores.c: the benchmark `cores`: a giver on core 0 wakes a more urgent taker on core 0, then one on core 1 that sleeps, then one
 * on core 1 that computes, then one that ran on core 0 before and goes on on another. It measures nothing itself: it passes tracepoints (no cycle). The numbers are also in experiments/cores.yaml. */
#include <melanion/device.h>
#include <melanion/melanion.h>

_Static_assert(MEL_CORES >= 2, "the benchmark `cores` needs a system with 2 cores: run it on hwrtos-2");

enum { MARK_BEGIN = 1, MARK_END = 2 };
enum { PHASE_OWN = 1, PHASE_OTHER = 2, PHASE_MOVED = 3 }; /* parameter of PHASE_OTHER: the other core's LOAD_… */
enum { LOAD_IDLE = 0, LOAD_BUSY = 1 };
enum { TRACEPOINT_START = 1, TRACEPOINT_END = 2, TRACEPOINT_GIVEN = 3 };

enum { GIVER, TAKER_OWN, TAKER_OTHER, COMPUTER, MOVER, KEEPER, TASKS = KEEPER + MEL_CORES - 1 }; /* a keeper for each core but 0 */
enum { SEM_OWN = 1, SEM_OTHER, SEM_MOVER, SEM_KEEPER };
#if defined MEL_LOCKS_BASE && (defined MEL_LACKS_SUSPENDED_WAIT || MEL_CORES > 2) /* FreeRTOS, or more cores that wait for each other */
enum { PAUSE = 4000 * (MEL_CORES - 1) };
#elif defined MEL_LOCKS_BASE /* a software kernel: slower */
enum { PAUSE = 1500 };
#else
enum { PAUSE = 300 };
#endif
enum { ROUNDS = 256, STACK = 512 }; /* PAUSE: cycles until everything is settled */

MEL_TASK_STACK(stack_giver, GIVER, STACK);
MEL_TASK_STACK(stack_own, TAKER_OWN, STACK);
MEL_TASK_STACK(stack_other, TAKER_OTHER, STACK);
MEL_TASK_STACK(stack_computer, COMPUTER, STACK);
MEL_TASK_STACK(stack_mover, MOVER, STACK);
MEL_TASK_STACK(stack_keeper_1, KEEPER, STACK);
#if MEL_CORES > 2
MEL_TASK_STACK(stack_keeper_2, KEEPER + 1, STACK);
#endif
#if MEL_CORES > 3
MEL_TASK_STACK(stack_keeper_3, KEEPER + 2, STACK);
#endif
static uint8_t *const stacks[TASKS] = {
    stack_giver, stack_own, stack_other, stack_computer, stack_mover, stack_keeper_1,
#if MEL_CORES > 2
    stack_keeper_2,
#endif
#if MEL_CORES > 3
    stack_keeper_3,
#endif
};

static volatile uint32_t word;
static volatile bool keep;

static void check(mel_status_t status)
{
    if (__builtin_expect(status != MEL_E_OK, 0)) {
        mel_print("cores: a kernel call returned ");
        mel_print_signed(status);
        mel_print("\n");
        mel_exit(1);
    }
}

enum { ANY_CORE = MEL_CORES };

static void spawn(mel_id_t task, mel_task_entry_t entry, mel_id_t sem, mel_priority_t priority, uint32_t core)
{
    const mel_task_attributes_t attributes = {
        .entry = entry,
        .argument = (void *)(uintptr_t)sem,
        .stack = stacks[task],
        .stack_size = STACK,
        .priority = priority,
    };
    check(core == ANY_CORE ? mel_task_create(task, &attributes) : mel_task_create_on(task, &attributes, core));
    check(mel_task_start(task));
}

static void take(void *sem)
{
    for (;;) {
        check(mel_sem_take((mel_id_t)(uintptr_t)sem, MEL_FOREVER));
        MEL_TRACEPOINT(TRACEPOINT_END, 0);
        __asm__ volatile("nop");
    }
}

/* Loads, stores, branches: what the dispatch interrupt meets. */
static void compute(void *unused)
{
    (void)unused;
    for (;;) {
        word = word * 5 + 1;
    }
}

/* Take a semaphore again and again; wake-ups on a core other than 0 are measured. */
static void move(void *sem)
{
    for (;;) {
        check(mel_sem_take((mel_id_t)(uintptr_t)sem, MEL_FOREVER));
        if (!keep) {
            MEL_TRACEPOINT(TRACEPOINT_END, 0);
            __asm__ volatile("nop");
        }
    }
}

/* A core is this task's as long as `keep` says so. */
static void keep_core(void *sem)
{
    for (;;) {
        check(mel_sem_take((mel_id_t)(uintptr_t)sem, MEL_FOREVER));
        while (keep) {
        }
    }
}

/* The mover takes the core that does the least urgent: core 0 while the others are kept, else one where nothing runs. */
static void measure_moves(void)
{
    mel_busy(PAUSE);
    MEL_MARK(MARK_BEGIN, PHASE_MOVED);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        keep = true;
        for (uint32_t core = 1; core < MEL_CORES; core++) {
            check(mel_sem_give(SEM_KEEPER));
        }
        mel_busy(PAUSE);
        check(mel_sem_give(SEM_MOVER));
        keep = false;
        mel_busy(PAUSE);
        MEL_TRACEPOINT(TRACEPOINT_START, 0);
        check(mel_sem_give(SEM_MOVER));
        MEL_TRACEPOINT(TRACEPOINT_GIVEN, 0);
        mel_busy(PAUSE);
    }
    MEL_MARK(MARK_END, PHASE_MOVED);
}

/* The pauses differ by single cycles, so that the give meets every tracepoint of the other core's loop. */
static void measure(uint32_t phase, uint32_t parameter, mel_id_t sem)
{
    mel_busy(PAUSE);
    MEL_MARK(MARK_BEGIN, phase | parameter << 8);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        MEL_TRACEPOINT(TRACEPOINT_START, 0);
        check(mel_sem_give(sem));
        MEL_TRACEPOINT(TRACEPOINT_GIVEN, 0);
        mel_busy(PAUSE);
        for (uint32_t i = round % 32; i != 0; i--) {
            __asm__ volatile("nop");
        }
    }
    MEL_MARK(MARK_END, phase | parameter << 8);
}

static void give(void *unused)
{
    (void)unused;
    measure(PHASE_OWN, 0, SEM_OWN);
    measure(PHASE_OTHER, LOAD_IDLE, SEM_OTHER);
    measure_moves();
    spawn(COMPUTER, compute, 0, 20, 1);
    measure(PHASE_OTHER, LOAD_BUSY, SEM_OTHER);
    mel_exit(0);
}

int main(void)
{
    check(mel_tick_set(0));
    check(mel_sem_create(SEM_OWN, 0, 1));
    check(mel_sem_create(SEM_OTHER, 0, 1));
    spawn(TAKER_OWN, take, SEM_OWN, 2, 0);
    spawn(TAKER_OTHER, take, SEM_OTHER, 2, 1);
    check(mel_sem_create(SEM_MOVER, 0, 1));
    check(mel_sem_create(SEM_KEEPER, 0, MEL_CORES));
    spawn(MOVER, move, SEM_MOVER, 5, ANY_CORE);
    for (uint32_t core = 1; core < MEL_CORES; core++) {
        spawn(KEEPER + core - 1, keep_core, SEM_KEEPER, 3, core);
    }
    spawn(GIVER, give, 0, 10, 0);
    mel_kernel_start();
}
