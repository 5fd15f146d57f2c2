/* SPDX-License-Identifier: Apache-2.0 */
/* storm.c: what a storm of interrupts takes from the most urgent task, when the interrupts only release a less urgent one. TOP counts
 * turns of a loop during WINDOW cycles, first in calm, then with pulses on LINES lines closer and closer, to the closest that a line can
 * have. Afterwards LOW serves what came. The window begins before the first pulse, and the pulses go on behind its end: a task that
 * the storm keeps from running makes no turn.
 * HANDLE 0: the lines give a semaphore in the hardware unit, and no handler runs (a software kernel does it in C, too). HANDLE 1: they
 * run an empty handler as well. LIMIT: the bound of handlers in a tick; 0: none. TICK: cycles; 0: the system's. UNIT 0: a kernel without
 * the unit, which counts no lost edges.
 * PERIODIC 1: TOP makes instead, in each of PERIODS ticks, a loop that takes about half of one; it missed its period when the next tick
 * came before the loop's end.
 * Marks, per gap: MARK_GAP (cycles between two pulses of a line; 0: none), MARK_TURNS (turns of the loop) or MARK_MISSED (periods); at
 * the end MARK_LOST (the unit's lost_irqs). */
#include <melanion/device.h>
#include <melanion/melanion.h>

#ifndef HANDLE
#define HANDLE 0
#endif
#ifndef LIMIT
#define LIMIT 0
#endif
#ifndef TICK
#define TICK 0
#endif
#ifndef PERIODIC
#define PERIODIC 0
#endif
#ifndef UNIT
#define UNIT 1
#endif

enum { MARK_TURNS = 1, MARK_LOST = 2, MARK_GAP = 3, MARK_MISSED = 4 };
enum { TASK_TOP, TASK_LOW };
enum { SEM_SERVED = 1 };
enum { LINES = 4, WINDOW = 8000 /* cycles */, PERIODS = 8, TURN = 3 /* cycles: of the periodic loop */ };

static const uint32_t gaps[] = {0, 4096, 2048, 1024, 512, 256, 64, 16, 8, 4, 2};

MEL_TASK_STACK(stack_top, TASK_TOP, 1024);
MEL_TASK_STACK(stack_low, TASK_LOW, 512);

static volatile uint32_t served;

static void check(uint32_t line, mel_status_t status)
{
    if (status != MEL_E_OK) {
        mel_print("storm: line ");
        mel_print_unsigned(line);
        mel_print(": unexpected status ");
        mel_print_signed(status);
        mel_print("\n");
        mel_exit(1);
    }
}

#define CHECK(call) check(__LINE__, call)

static uint32_t pulses_in(uint32_t cycles, uint32_t gap)
{
    return gap == 0 ? 0 : cycles / gap;
}

static void storm(uint32_t gap, uint32_t pulses)
{
    for (uint32_t line = 0; line < LINES; line++) {
        mel_irqgen_pulses(line, gap, gap, pulses);
    }
}

static __attribute__((noinline)) uint32_t turns_of_a_window(uint32_t gap)
{
    const uint32_t pulses = pulses_in(2 * WINDOW, gap); /* a division, whose length depends on the gap, is outside */
    const uint32_t start = mel_cycles();
    uint32_t turns = 0;
    storm(gap, pulses);
    while (mel_cycles() - start < WINDOW) {
        turns++;
    }
    return turns;
}

static __attribute__((noinline)) uint32_t missed_periods(uint32_t gap)
{
    uint64_t now;
    uint32_t missed = 0;
    CHECK(mel_task_delay(1));
    CHECK(mel_time_get(&now));
    storm(gap, pulses_in((PERIODS + 1) * TICK, gap));
    for (uint32_t period = 1; period <= PERIODS; period++) {
        for (uint32_t turn = 0; turn < TICK / 2 / TURN; turn++) {
            __asm__ volatile("");
        }
        const mel_status_t status = mel_task_delay_until((mel_ticks_t)now + period);
        missed += status == MEL_E_TMOUT;
        check(__LINE__, status == MEL_E_TMOUT ? MEL_E_OK : status);
    }
    return missed;
}

static uint32_t lost(void)
{
#if UNIT
    return *(volatile uint32_t *)(MEL_UNIT_BASE + MEL_REG_LOST_IRQS);
#else
    return 0;
#endif
}

static void top(void *unused)
{
    (void)unused;
    for (uint32_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        const uint32_t before = served;
        MEL_MARK(MARK_GAP, gaps[i]);
        if (PERIODIC) {
            MEL_MARK(MARK_MISSED, missed_periods(gaps[i]));
        } else {
            MEL_MARK(MARK_TURNS, turns_of_a_window(gaps[i]));
        }
        while (mel_irqgen_left(0) != 0 || mel_irqgen_left(LINES - 1) != 0) {
        }
        CHECK(mel_task_delay(1));
        if (gaps[i] != 0 && served == before) {
            check(__LINE__, MEL_E_SYS); /* LOW served nothing of all this */
        }
    }
    MEL_MARK(MARK_LOST, lost());
    mel_exit(0);
}

static void low(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_sem_take(SEM_SERVED, MEL_FOREVER));
        served++;
    }
}

int main(void)
{
    const mel_task_attributes_t first = {.entry = top, .stack = stack_top, .stack_size = sizeof stack_top, .priority = 0};
    const mel_task_attributes_t second = {.entry = low, .stack = stack_low, .stack_size = sizeof stack_low, .priority = 1};
    CHECK(mel_task_create(TASK_TOP, &first));
    CHECK(mel_task_create(TASK_LOW, &second));
    CHECK(mel_sem_create(SEM_SERVED, 0, 100));
    for (uint32_t line = 0; line < LINES; line++) {
        CHECK(mel_irq_map(line, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEM_SERVED, 0, HANDLE));
        CHECK(mel_irq_enable(line));
    }
    if (TICK != 0) {
        CHECK(mel_tick_set(TICK));
    }
    if (LIMIT != 0) {
        CHECK(mel_claim_limit(LIMIT));
    }
    CHECK(mel_task_start(TASK_TOP));
    CHECK(mel_task_start(TASK_LOW));
    mel_kernel_start();
}
