/* SPDX-License-Identifier: Apache-2.0 */
/* registers.c: every kind of switch, often, between tasks that each hold numbers of their own in every register; any kernel. With several cores the
 * tasks move between them, too.
 *   Workers, of one priority, run stretches of assembly (stretch.S), and make a kernel call behind each: they yield, wait for
 *   their partner at a semaphore or asleep, or for a tick. Before a stretch they ask for two interrupts somewhere in it.
 *   Wakers, more urgent, run a stretch when an interrupt wakes them: by an action of the unit, or by a handler in C.
 *   Handlers run a stretch, too, make a call that they may not make, and wake somebody or nobody.
 *   A mortal ends after a stretch; the keeper, woken by an interrupt, starts it again, or ends it where it is before that.
 * Four phases: no interrupts; interrupts; with the mortal; all of that with more workers than there are contexts at hand.
 * Ends with exit code 0, or with 1 and a sentence that names the task and the register.
 * Defines: ROUNDS (of each worker in each phase), SEED (of its choices), OWN_TP (stretch.h). */
#include <melanion/device.h>
#include <melanion/melanion.h>

#include "stretch.h"

#ifndef ROUNDS
#define ROUNDS 20
#endif
#ifndef SEED
#define SEED 1
#endif

enum { FEW = 8, WORKERS = 24, STACK = 1024 };
enum { CONDUCTOR = WORKERS, KEEPER, TAKER, SLEEPER, MORTAL, TASKS, HANDLER = 0x80 };
enum { PRIORITY_STARTING, PRIORITY_KEEPER, PRIORITY_WAKER, PRIORITY_MORTAL, PRIORITY_WORKER, PRIORITY_CONDUCTOR };
enum { LINE_TAKER, LINE_SLEEPER, LINE_HANDLED, LINE_FOR_NOBODY, LINE_KEEPER, LINES };
enum { SEM_WORKER, SEM_DONE = WORKERS, SEM_TAKER, SEM_KEEPER };
enum { TICK = 12 * MEL_TICK_CYCLES_MINIMUM };
enum { STEP = STRETCH_STEP, TP = 4, T0 = 5, S2 = 18, S11 = 27 };
enum { MARK_PHASE = 1 }; /* its number */

/* The words of the sentences; workers, and how many of the lines pulse. */
static const struct {
    const char *name;
    uint32_t workers;
    uint32_t lines;
} phases[] = {
    {"calls", FEW, 0},
    {"interrupts", FEW, LINE_KEEPER},
    {"ends", FEW, LINES},
    {"spills", WORKERS, LINES},
};
enum { PHASES = sizeof phases / sizeof phases[0] };

#define EACH_TASK(macro) macro(0) macro(1) macro(2) macro(3) macro(4) macro(5) macro(6) macro(7) macro(8) macro(9) macro(10) \
    macro(11) macro(12) macro(13) macro(14) macro(15) macro(16) macro(17) macro(18) macro(19) macro(20) macro(21) macro(22) \
    macro(23) macro(24) macro(25) macro(26) macro(27) macro(28)
#define DEFINE(task) MEL_TASK_STACK(stack_##task, task, STACK);
#define ADDRESS(task) stack_##task,
EACH_TASK(DEFINE)
static uint8_t *const stacks[TASKS] = {EACH_TASK(ADDRESS)};

static volatile uint32_t phase;
static volatile uint32_t births; /* starts of the mortal */

/* ---- complaints ------------------------------------------------------------------------------------------------------- */

static void say_who(uint32_t who)
{
    mel_print(who < HANDLER ? "registers: task " : "registers: the handler of line ");
    mel_print_unsigned(who % HANDLER);
}

static _Noreturn void end(void)
{
    mel_print(", in phase ");
    mel_print(phases[phase].name);
    mel_print("\n");
    mel_exit(1);
}

static _Noreturn void lost(uint32_t who, uint32_t number, const char *where, uint32_t found, uint32_t expected)
{
    say_who(who);
    mel_print(" lost x");
    mel_print_unsigned(number);
    mel_print(where);
    mel_print_hex(found);
    mel_print(" instead of ");
    mel_print_hex(expected);
    end();
}

static void check(uint32_t who, mel_status_t status, mel_status_t expected)
{
    if (status != expected) {
        say_who(who);
        mel_print(": a kernel call returned ");
        mel_print_signed(status);
        end();
    }
}

/* ---- what registers hold ---------------------------------------------------------------------------------------------- */

/* Numbers of a context and its round: the upper byte names it. */
static uint32_t next_seed(uint32_t who, uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return who << 24 | *state >> 8;
}

static uint32_t number(uint32_t seed, uint32_t n)
{
    return seed + n * STEP;
}

/* Expected value of register n: sp is the image itself, registers that a turn computes hold its results. Inline: unrolled in stretch_check(). */
static inline __attribute__((always_inline)) uint32_t expected_before(uint32_t seed, uint32_t n, const uint32_t *image)
{
    switch (n) {
    case 2: return (uint32_t)(uintptr_t)image;
    case T0: return number(seed, 10) * number(seed, 11);
    case 6: return number(seed, 12) / number(seed, 13);
    case 7: return number(seed, 14) % number(seed, 15);
    case 28: return (uint32_t)((uint64_t)number(seed, 16) * number(seed, 17) >> 32);
    case 29: return number(seed, 22);
    case 30: return number(seed, 23) & 0xFFFF;
    case 31: return 0;
    default: return number(seed, n);
    }
}

static bool checked_before(uint32_t n)
{
    return n != 0 && n != 3 && (n != TP || OWN_TP);
}

static bool checked_after(uint32_t n)
{
    return n == 2 || (n == TP && OWN_TP) || n == 8 || n == 9 || (n >= S2 && n <= S11);
}

static void complain(uint32_t seed, const uint32_t *before, const uint32_t *after)
{
    for (uint32_t n = 1; n < 32; n++) {
        const uint32_t expected = expected_before(seed, n, before);
        if (checked_before(n) && before[n] != expected) {
            lost(seed >> 24, n, " in a stretch: ", before[n], expected);
        }
        if (checked_after(n) && after[n] != expected) {
            lost(seed >> 24, n, " in a call: ", after[n], expected);
        }
    }
}

void stretch_check(uint32_t seed, const uint32_t *before, const uint32_t *after)
{
    uint32_t different = 0;
    /* Unrolled, so that most of the time goes into stretches. */
#pragma GCC unroll 32
    for (uint32_t n = 1; n < 32; n++) {
        const uint32_t expected = expected_before(seed, n, before);
        different |= checked_before(n) ? before[n] ^ expected : 0;
        different |= checked_after(n) ? after[n] ^ expected : 0;
    }
    if (different != 0) {
        complain(seed, before, after);
    }
}

static mel_status_t stay(void)
{
    return MEL_E_OK;
}

/* Values that the compiler keeps in registers where a call, being inline, says what it changes. */
#define EACH_VALUE(macro) macro(1) macro(2) macro(3) macro(4) macro(5) macro(6) macro(7) macro(8) macro(9) macro(10) \
    macro(11) macro(12) macro(13) macro(14) macro(15) macro(16) macro(17) macro(18) macro(19) macro(20) macro(21) macro(22)
#define HOLD(n)                              \
    uint32_t value_##n = number(seed, n);    \
    __asm__ volatile("" : "+r"(value_##n));
#define COMPARE(n)                           \
    __asm__ volatile("" : "+r"(value_##n));  \
    different |= value_##n ^ number(seed, n);

static void yield_inline(uint32_t seed, mel_status_t expected)
{
    uint32_t different = 0;
    EACH_VALUE(HOLD)
    const mel_status_t status = mel_task_yield();
    EACH_VALUE(COMPARE)
    check(seed >> 24, status, expected);
    if (different != 0) {
        say_who(seed >> 24);
        mel_print(" lost a value in a register in mel_task_yield()");
        end();
    }
}

/* ---- tasks ------------------------------------------------------------------------------------------------------------ */

/* Status of a call while another core has not yet started or ended the task; with one core no call returns it. */
enum { NOT_YET = MEL_CORES > 1 ? MEL_E_OBJ : 1 };

/* One round: most calls come in pairs with the partner's, so that one of the two waits. */
static void make_call(uint32_t self, uint32_t round, uint32_t seed)
{
    const uint32_t partner = self ^ 1;
    mel_status_t status;
    switch ((self / 2 + round) % 8) {
    case 0:
    case 1: check(self, stretch(seed, 1, mel_task_yield, 0, 0), MEL_E_OK); break;
    case 2:
    case 3:
        check(self, stretch(seed, 1, mel_sem_give, SEM_WORKER + partner, 0), MEL_E_OK);
        check(self, stretch(seed ^ 1, 1, mel_sem_take, SEM_WORKER + self, MEL_FOREVER), MEL_E_OK);
        break;
    case 4:
        do {
            status = stretch(seed, 1, mel_task_wakeup, partner, 0);
        } while (status == NOT_YET); /* it starts later */
        check(self, status, MEL_E_OK);
        check(self, stretch(seed ^ 1, 1, mel_task_sleep, MEL_FOREVER, 0), MEL_E_OK);
        break;
    case 5: yield_inline(seed, MEL_E_OK); break;
    case 6: check(self, stretch(seed, 1 + seed % 4, stay, 0, 0), MEL_E_OK); break;
    default: check(self, stretch(seed, 1, mel_task_delay, 1, 0), MEL_E_OK);
    }
}

static uint32_t reach; /* cycles of a stretch that nobody interrupts */

static void work(void *argument)
{
    const uint32_t self = (uint32_t)(uintptr_t)argument;
    uint32_t state = SEED * 0x9E3779B9u + self;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t seed = next_seed(self, &state), lines = phases[phase].lines;
        if (lines != 0) {
            const uint32_t first = seed % reach, random = state / 65536;
            mel_irqgen_pulse(round % lines, first);
            mel_irqgen_pulse(random % lines, round % 2 != 0 ? random % reach : first + random % 16); /* together, or nearly */
        }
        make_call(self, round, seed);
    }
    check(self, mel_sem_give(SEM_DONE), MEL_E_OK);
}

static void wake_by_semaphore(void *argument)
{
    (void)argument;
    for (uint32_t state = SEED;;) {
        check(TAKER, stretch(next_seed(TAKER, &state), 1, mel_sem_take, SEM_TAKER, MEL_FOREVER), MEL_E_OK);
    }
}

static void wake_from_sleep(void *argument)
{
    (void)argument;
    for (uint32_t state = SEED;;) {
        check(SLEEPER, stretch(next_seed(SLEEPER, &state), 1, mel_task_sleep, MEL_FOREVER, 0), MEL_E_OK);
    }
}

/* Born at its entry, with its argument, as often as it was started. Every other time it ends by returning. */
static void live(void *argument)
{
    check(MORTAL, (mel_status_t)(uintptr_t)argument, MORTAL);
    const uint32_t birth = ++births;
    uint32_t state = birth;
    const uint32_t seed = next_seed(MORTAL, &state);
    if (birth % 4 != 0) {
        mel_irqgen_pulse(LINE_KEEPER, seed % (2 * reach)); /* ends it here, or begins it again later */
    }
    const mel_status_t status = stretch(seed, 1, mel_task_yield, 0, 0);
    while (MEL_CORES > 1 && status == MEL_E_CTX) { /* another core has ended it, and this one leaves it now */
    }
    check(MORTAL, status, MEL_E_OK);
    check(MORTAL, (mel_status_t)births, (mel_status_t)birth);
    if (birth % 2 != 0) {
        (void)mel_task_exit();
    }
}

static void keep(void *argument)
{
    uint32_t starts = 0;
    (void)argument;
    for (uint32_t state = SEED;;) {
        check(KEEPER, stretch(next_seed(KEEPER, &state), 1, mel_sem_take, SEM_KEEPER, MEL_FOREVER), MEL_E_OK);
        const mel_status_t status = mel_task_start(MORTAL);
        if (status == MEL_E_OK && births < starts) { /* its last life ended by itself, and never began */
            check(KEEPER, (mel_status_t)births, (mel_status_t)starts);
        } else if (status != MEL_E_OK) { /* it lives */
            check(KEEPER, status, MEL_E_OBJ);
            const mel_status_t ended = mel_task_terminate(MORTAL);
            check(KEEPER, ended == NOT_YET ? MEL_E_OK : ended, MEL_E_OK); /* it has just ended */
            starts = births; /* it may not have got as far as its first instruction */
            check(KEEPER, mel_task_start(MORTAL), MEL_E_OK);
        }
        starts++;
        if (MEL_CORES == 1 && births > starts) { /* with several it runs on for some instructions after its end */
            check(KEEPER, (mel_status_t)births, (mel_status_t)starts);
        }
    }
}

static void handle(mel_id_t irq, void *argument)
{
    static uint32_t state = SEED;
    (void)argument;
    const uint32_t seed = next_seed(HANDLER + irq, &state);
    check(HANDLER + irq, stretch(seed, 1, stay, 0, 0), MEL_E_OK);
    yield_inline(seed, MEL_E_CTX);
    if (irq == LINE_HANDLED) {
        check(HANDLER + irq, mel_sem_give(SEM_TAKER), MEL_E_OK);
    }
}

/* The least urgent: with one core, who has told it to be done has ended when it runs. */
static void conduct(void *argument)
{
    (void)argument;
    for (phase = 0; phase < PHASES; phase++) {
        MEL_MARK(MARK_PHASE, phase);
        check(CONDUCTOR, mel_task_set_priority(CONDUCTOR, PRIORITY_STARTING), MEL_E_OK); /* all begin together */
        for (mel_id_t task = 0; task < phases[phase].workers; task++) {
            mel_status_t status;
            do {
                status = mel_task_start(task);
            } while (status == NOT_YET); /* it has told that it is done, and not ended */
            check(CONDUCTOR, status, MEL_E_OK);
        }
        check(CONDUCTOR, mel_task_set_priority(CONDUCTOR, PRIORITY_CONDUCTOR), MEL_E_OK);
        for (uint32_t done = 0; done < phases[phase].workers; done++) {
            check(CONDUCTOR, mel_sem_take(SEM_DONE, MEL_FOREVER), MEL_E_OK);
        }
    }
    mel_exit(0);
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

static void make(mel_id_t task, mel_task_entry_t entry, mel_priority_t priority)
{
    const mel_task_attributes_t attributes = {
        .entry = entry,
        .argument = (void *)(uintptr_t)task,
        .stack = stacks[task],
        .stack_size = STACK,
        .priority = priority,
    };
    check(task, mel_task_create(task, &attributes), MEL_E_OK);
}

static void connect(mel_id_t line, uint32_t action, mel_id_t object, bool handled)
{
    check(HANDLER + line, mel_irq_attach(line, handle, NULL), MEL_E_OK);
    check(HANDLER + line, mel_irq_map(line, action, object, 0, handled), MEL_E_OK);
    check(HANDLER + line, mel_irq_enable(line), MEL_E_OK);
}

int main(void)
{
    for (mel_id_t sem = 0; sem <= SEM_KEEPER; sem++) {
        check(CONDUCTOR, mel_sem_create(sem, 0, 1000), MEL_E_OK);
    }
    make(CONDUCTOR, conduct, PRIORITY_CONDUCTOR);
    make(KEEPER, keep, PRIORITY_KEEPER);
    make(TAKER, wake_by_semaphore, PRIORITY_WAKER);
    make(SLEEPER, wake_from_sleep, PRIORITY_WAKER);
    make(MORTAL, live, PRIORITY_MORTAL);
    for (mel_id_t task = 0; task < WORKERS; task++) {
        make(task, work, PRIORITY_WORKER);
    }
    connect(LINE_TAKER, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEM_TAKER, false);
    connect(LINE_SLEEPER, MEL_IRQ_ACTION_TASK_WAKEUP, SLEEPER, false);
    connect(LINE_HANDLED, MEL_IRQ_ACTION_NONE, 0, true);
    connect(LINE_FOR_NOBODY, MEL_IRQ_ACTION_NONE, 0, true);
    connect(LINE_KEEPER, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEM_KEEPER, true);
    check(CONDUCTOR, mel_task_start(CONDUCTOR), MEL_E_OK);
    check(CONDUCTOR, mel_task_start(KEEPER), MEL_E_OK);
    check(CONDUCTOR, mel_task_start(TAKER), MEL_E_OK);
    check(CONDUCTOR, mel_task_start(SLEEPER), MEL_E_OK);
    check(CONDUCTOR, mel_tick_set(TICK), MEL_E_OK);
    const uint32_t begin = mel_cycles();
    check(CONDUCTOR, stretch(CONDUCTOR << 24, 1, stay, 0, 0), MEL_E_OK);
    reach = mel_cycles() - begin;
    mel_kernel_start();
}
