/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the benchmark `interference`: an interrupt at every cycle of every call, in every state that the benchmark `calls` makes.
 * A row of its tables is measured again and again; before each call a line is told to rise, one cycle later each time, until it rises after
 * the call. Two lines, one after the other: one runs a C handler, one gives a semaphore for which the most urgent of all tasks waits.
 * The program measures nothing itself: a call passes its tracepoints (no cycle), so do handler and task. There are no ticks.
 * Defines: FIRST_CALL, LAST_CALL (CALL_…: the calls between them alone). Exit code 0: every status was right; 1: a wrong status. */
#include "../calls/round.h"

#ifndef FIRST_CALL
#define FIRST_CALL CALL_TASK_CREATE
#define LAST_CALL CALL_POOL_QUERY
#endif

/* Tracepoints, besides those of calls.h; lines of the interrupt generator. Also in experiments/interference.yaml. */
enum { TRACEPOINT_HANDLER = 3, TRACEPOINT_TASK = 4 };
enum { LINE_HANDLER = 2, LINE_TASK = 3 };

/* Target of an interrupt. A mark's value is the number of the call + 256 · (1: it ends in another task + 2: the state has many of
 * something + 4 · edge). */
enum { EDGE_HANDLER, EDGE_TASK, EDGES };

/* The task that is woken, above all others, and its semaphore. */
enum { WOKEN = SUBJECT + 1, WOKEN_PRIORITY = 1, ARRIVALS = OBJECT_OTHER + 1 };

_Static_assert(MEL_TASKS > WOKEN, "the benchmark `interference` needs a system with at least 61 tasks");
_Static_assert(MEL_SEMAPHORES > ARRIVALS, "the benchmark `interference` needs a system with at least 5 semaphores");
_Static_assert(MEL_INTERRUPTS > LINE_TASK, "the benchmark `interference` needs a system with at least 4 interrupts");

MEL_TASK_STACK(stack_caller, CALLER, 1024);
MEL_TASK_STACK(stack_woken, WOKEN, 512);

static volatile uint32_t served; /* interrupts */
static volatile uint32_t asked;  /* cycle in which the line was told to rise */
static volatile uint32_t passed; /* cycles from there until the call had ended; 0: it has not */

static void handler(mel_id_t irq, void *unused)
{
    (void)irq;
    (void)unused;
    served++;
}

MEL_TRACEPOINT_OF(handler, TRACEPOINT_HANDLER);

static __attribute__((noinline)) void take_once(void)
{
    const mel_status_t status = mel_sem_take(ARRIVALS, MEL_FOREVER);
    MEL_TRACEPOINT(TRACEPOINT_TASK, 0);
    CHECK(status);
}

static void be_woken(void *unused)
{
    (void)unused;
    for (;;) {
        take_once();
        served++;
    }
}

/* The measured call has ended. */
static void end_call(void)
{
    if (passed == 0) {
        passed = mel_cycles() - asked;
    }
}

/* It ended in another task, which does this. */
static void end_and_rescue(void)
{
    end_call();
    if (current->rescue != NULL) {
        current->rescue();
    }
}

/* One call, and the interrupt `delay` cycles after the store that asks for it, the earliest before the call. Returns whether it came before
 * the call had ended, or a few cycles after. */
static bool interrupt_once(mel_id_t line, uint32_t delay)
{
    const uint32_t before = served;
    current->prepare(current->n);
    if (current->rescue != NULL) {
        stand_by();
    }
    expect_rescue(current->with ? end_and_rescue : NULL);
    passed = 0;
    asked = mel_cycles();
    mel_irqgen_pulse(line, delay);
    EXPECT(current->shot(MEASURED), current->status);
    end_call();
    expect_rescue(NULL);
    CHECK(mel_dispatch_enable());
    while (served == before) {
    }
    mel_busy(PAUSE);
    settling = true;
    clear();
    settle();
    settling = false;
    return passed > delay;
}

/* The task could not run before the program enables dispatch again. */
static bool left_out(uint32_t edge)
{
    return edge == EDGE_TASK && current->call == CALL_DISPATCH_DISABLE;
}

static void sweep(const table_t *table, uint32_t edge)
{
    const mel_id_t line = edge == EDGE_HANDLER ? LINE_HANDLER : LINE_TASK;
    for (uint32_t i = 0; i < table->count; i++) {
        current = &table->rows[i];
        if (current->call < FIRST_CALL || current->call > LAST_CALL || left_out(edge)) {
            continue;
        }
        const uint32_t value = current->call | (current->with + 2u * (current->n > MANY) + 4 * edge) << 8;
        MEL_MARK(MARK_BEGIN, value);
        for (uint32_t delay = 0; interrupt_once(line, delay); delay++) {
        }
        MEL_MARK(MARK_END, value);
    }
}

static void prepare_lines(void)
{
    CHECK(mel_sem_create(ARRIVALS, 0, 1));
    CHECK(mel_irq_attach(LINE_HANDLER, handler, NULL));
    CHECK(mel_irq_map(LINE_HANDLER, MEL_IRQ_ACTION_NONE, 0, 0, true));
    CHECK(mel_irq_map(LINE_TASK, MEL_IRQ_ACTION_SEMAPHORE_GIVE, ARRIVALS, 0, false));
    CHECK(mel_irq_enable(LINE_HANDLER));
    CHECK(mel_irq_enable(LINE_TASK));
    CHECK(mel_task_start(WOKEN));
}

static void call(void *unused)
{
    (void)unused;
    CHECK(mel_tick_set(tick_cycles));
    hire();
    prepare_lines();
    for (uint32_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (has(tables[i])) {
            sweep(tables[i], EDGE_HANDLER);
            sweep(tables[i], EDGE_TASK);
        }
    }
    mel_exit(0);
}

int main(void)
{
    const mel_task_attributes_t caller = {
        .entry = call,
        .stack = stack_caller,
        .stack_size = sizeof stack_caller,
        .priority = CALLER_PRIORITY,
        .name = "caller",
    };
    const mel_task_attributes_t woken = {
        .entry = be_woken,
        .stack = stack_woken,
        .stack_size = sizeof stack_woken,
        .priority = WOKEN_PRIORITY,
        .name = "woken",
    };
    CHECK(mel_task_create(WOKEN, &woken));
    CHECK(mel_task_create(CALLER, &caller));
    CHECK(mel_task_start(CALLER));
    mel_kernel_start();
}
