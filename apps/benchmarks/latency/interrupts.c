/* SPDX-License-Identifier: Apache-2.0 */
/* interrupts.c: phases irq_to_handler and irq_to_task: random arrivals while the background computes, divides or makes
 * kernel calls. Each arrival is asked for after the one before was served, so that each can be paired with its effect however slow
 * the memory is; the metric refuses a run in which it cannot. */
#include <melanion/device.h>

#include "latency.h"

enum { ARRIVALS = 1024, GAP_MINIMUM = 400, GAP_MAXIMUM = 1000 /* cycles, from one service to the next arrival */ };

/* Short enough that some of the arrivals meet a tick, which is part of the worst case of a kernel that has ticks. */
enum { TICK_CYCLES = 10000 };

enum { TASK_WOKEN = TASK_FIRST, TASK_BACKGROUND, TASK_PARTNER, TASK_MOVED, TASKS = 4 };

static volatile uint32_t arrived;

/* One arrival was served: count it, and ask for the next. */
static void served(mel_id_t line)
{
    if (++arrived < ARRIVALS) {
        mel_irqgen_again(line);
    }
}

static void handler(mel_id_t irq, void *unused)
{
    (void)unused;
    served(irq);
}

MEL_TRACEPOINT_OF(handler, TRACEPOINT_HANDLER);

static __attribute__((noinline)) void take_once(void)
{
    const mel_status_t status = mel_sem_take(SEM_MEASURED, MEL_FOREVER);
    MEL_TRACEPOINT(TRACEPOINT_END, TASK_WOKEN);
    CHECK(status);
}

static void woken(void *unused)
{
    (void)unused;
    for (;;) {
        take_once();
        served(LINE_TASK);
    }
}

static void compute_until_all_arrived(void)
{
    uint32_t value = 1;
    while (arrived < ARRIVALS) {
        for (uint32_t i = 0; i < 16; i++) {
            value = value * 1664525u + 1013904223u;
            value ^= value >> 13;
        }
        __asm__ volatile("" : : "r"(value));
    }
}

/* A division is the longest instruction that an interrupt waits for. */
static void divide_until_all_arrived(void)
{
    uint32_t value = 1;
    while (arrived < ARRIVALS) {
        for (uint32_t i = 1; i <= 16; i++) {
            value = (value ^ 0xFFFFFFFFu) / i;
        }
        __asm__ volatile("" : : "r"(value));
    }
}

/* Every kind of call: counted, refused, that reorders other tasks, that switches to a task and back. */
static void call_until_all_arrived(void)
{
    for (uint32_t round = 0; arrived < ARRIVALS; round++) {
        CHECK(mel_sem_give(SEM_LOAD));
        CHECK(mel_sem_take(SEM_LOAD, MEL_FOREVER));
        EXPECT(mel_sem_take(SEM_LOAD, MEL_POLL), MEL_E_TMOUT);
        CHECK(mel_task_wakeup(MEL_SELF));
        CHECK(mel_task_sleep(MEL_FOREVER));
        CHECK(mel_task_suspend(TASK_MOVED));
        CHECK(mel_task_resume(TASK_MOVED));
        CHECK(mel_task_set_priority(TASK_MOVED, PRIORITY_BACKGROUND - round % 2));
        CHECK(mel_task_yield());
        CHECK(mel_sem_give(SEM_PARTNER));
    }
}

/* Waits above the background, which wakes it. */
static void partner(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_sem_take(SEM_PARTNER, MEL_FOREVER));
    }
}

static void background(void *argument)
{
    const uint32_t what = (uint32_t)(uintptr_t)argument;
    switch (what >> 8) {
    case LOAD_CALLS:
        call_until_all_arrived();
        break;
    case LOAD_DIVIDE:
        divide_until_all_arrived();
        break;
    default:
        compute_until_all_arrived();
    }
    end(what & 0xFF, what >> 8);
    finish();
}

static void measure(uint32_t phase, uint32_t load, mel_id_t line, uint32_t action, bool handle)
{
    CHECK(mel_sem_create(SEM_MEASURED, 0, 1));
    CHECK(mel_sem_create(SEM_LOAD, 0, 1));
    CHECK(mel_sem_create(SEM_PARTNER, 0, 1));
    spawn(TASK_WOKEN, woken, 0, PRIORITY_HIGH);
    spawn(TASK_BACKGROUND, background, phase | load << 8, PRIORITY_LOW);
    spawn(TASK_PARTNER, partner, 0, PRIORITY_LOW - 1);
    spawn(TASK_MOVED, compute, 0, PRIORITY_BACKGROUND);
    CHECK(mel_irq_map(line, action, SEM_MEASURED, 0, handle));
    CHECK(mel_irq_enable(line));
    arrived = 0;
    CHECK(mel_task_delay(2)); /* the tasks run until they wait or loop */
    begin(phase, load);
    mel_irqgen_pulses(line, GAP_MINIMUM, GAP_MAXIMUM, 1);
    run_phase(TASKS);
    CHECK(mel_irq_disable(line));
    CHECK(mel_sem_delete(SEM_MEASURED));
    CHECK(mel_sem_delete(SEM_LOAD));
    CHECK(mel_sem_delete(SEM_PARTNER));
}

void measure_interrupts(void)
{
    set_tick(TICK_CYCLES);
    CHECK(mel_irq_attach(LINE_HANDLER, handler, NULL));
    for (uint32_t load = LOAD_IDLE; load <= LOAD_DIVIDE; load++) {
        measure(PHASE_IRQ_TO_HANDLER, load, LINE_HANDLER, MEL_IRQ_ACTION_NONE, true);
    }
    for (uint32_t load = LOAD_IDLE; load <= LOAD_DIVIDE; load++) {
        measure(PHASE_IRQ_TO_TASK, load, LINE_TASK, MEL_IRQ_ACTION_SEMAPHORE_GIVE, false);
    }
}
