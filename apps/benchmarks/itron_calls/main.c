/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the caller, which measures the rows of all tables without ticks and with ticks in random phase; and the tasks that make its states. A crew member
 * sleeps; its order is a shot, and being more urgent than the caller it makes that call at once. The waker is ready whenever the caller waits.
 * Exit code 0: every status was right; 1: a wrong status. */
#include "itron_calls.h"

enum { QUIET, BUSY, ENVIRONMENTS };
enum { ROUNDS_QUIET = 8, ROUNDS = 6, TICK = 2999 /* cycles */, PAUSE = 250 /* cycles: longer than any release in the background */ };

_Static_assert(MEL_TASKS > SUBJECT_NATIVE, "the benchmark `itron_calls` needs a system with at least 22 tasks");

static const table_t *const tables[] = {
    &task_table,  &sleep_table, &semaphore_table, &flag_table, &data_queue_table,
    &mailbox_table, &mutex_table, &pool_table, &time_table, &state_table,
};

INT word;
static const row_t *current;
static uint32_t seed = 1;
static volatile bool parked[CREW];
static volatile shot_t orders[CREW];
static uint32_t used;
static void (*volatile rescue)(void);
static volatile bool handled;
static INT answer; /* status of the measured call, in a handler */

void wrong_status(const char *file, uint32_t line, INT status)
{
    mel_print(file);
    mel_print(": line ");
    mel_print_unsigned(line);
    mel_print(": unexpected status ");
    mel_print_signed(status);
    mel_print(" in call ");
    mel_print_unsigned(current->call);
    mel_print(" row ");
    mel_print_unsigned(current->row);
    mel_print(" (");
    mel_print(current->state);
    mel_print(")\n");
    mel_exit(1);
}

/* ---- the other tasks ---------------------------------------------------------------------------------------------- */

SHOT(wake_caller, mel_task_wakeup(TASK_CALLER - 1))

static void rescue_caller(void)
{
    void (*const due)(void) = rescue;
    rescue = NULL;
    if (due != NULL) {
        due();
    }
}

void expect_rescue(void (*how)(void))
{
    rescue = how;
}

void release_caller(void)
{
    CHECK(mel_task_release(TASK_CALLER - 1));
}

mel_id_t member(uint32_t n)
{
    return TASK_CREW_1 - 1 + n;
}

static mel_priority_t priority_of(uint32_t n)
{
    return URGENT + n % 4 - 1;
}

void work(VP_INT exinf)
{
    const uint32_t self = (uint32_t)exinf;
    for (;;) {
        while (mel_task_sleep(MEL_POLL) == MEL_E_OK) { /* counted wake-ups */
        }
        parked[self] = true;
        CHECK(mel_task_sleep(MEL_FOREVER));
        (void)orders[self](OTHER);
        rescue_caller();
        CHECK(mel_task_set_priority(MEL_SELF, priority_of(self)));
    }
}

void wake(VP_INT exinf)
{
    (void)exinf;
    for (;;) {
        CHECK(wake_caller(OTHER));
        rescue_caller();
    }
}

void isr(VP_INT exinf)
{
    (void)exinf;
    answer = current->shot(MEASURED);
    handled = true;
}

/* ---- states ------------------------------------------------------------------------------------------------------- */

void nothing(uint32_t n, shot_t order)
{
    (void)n;
    (void)order;
}

static void send(uint32_t n, shot_t order)
{
    used = n >= used ? n + 1 : used;
    orders[n] = order;
    parked[n] = false;
    CHECK(mel_task_wakeup(member(n)));
}

void send_urgent(uint32_t n, shot_t order)
{
    for (uint32_t i = 0; i < n; i++) {
        send(i, order);
    }
}

void send_low(uint32_t n, shot_t order)
{
    for (uint32_t i = 0; i < n; i++) {
        send(i, order);
        CHECK(mel_task_set_priority(member(i), LOW - 1 + i % 3));
    }
}

void stand_by(void)
{
    CHECK(mel_task_sleep(MEL_FOREVER));
}

void undispatched(uint32_t n, shot_t order)
{
    send_urgent(n, order);
    CHECK(dis_dsp());
}

/* ---- a round ------------------------------------------------------------------------------------------------------ */

static void pause_randomly(void)
{
    seed = seed * 1664525u + 1013904223u;
    mel_busy(PAUSE + (seed >> 8) % 256);
    for (uint32_t i = seed >> 28; i != 0; i--) {
        __asm__ volatile("nop");
    }
}

static void clear(void)
{
    (void)unl_cpu();
    CHECK(ena_dsp());
    clear_semaphores();
    clear_flags();
    clear_data_queues();
    clear_mailboxes();
    clear_mutexes();
    clear_pools();
    clear_times();
    clear_tasks();
    for (uint32_t i = 0; i < used; i++) {
        while (!parked[i]) {
            (void)mel_task_resume(member(i));
            CHECK(mel_task_set_priority(member(i), priority_of(i)));
            if (!parked[i]) {
                (void)mel_task_release(member(i));
            }
        }
    }
    used = 0;
    CHECK(mel_task_set_priority(MEL_SELF, CALLER_PRIORITY - 1));
    while (mel_task_sleep(MEL_POLL) == MEL_E_OK) {
    }
}

static INT make_call(void)
{
    if (!current->handler) {
        return current->shot(MEASURED);
    }
    handled = false;
    mel_irqgen_pulse(LINE, 0);
    while (!handled) {
    }
    return answer;
}

static void measure_once(void)
{
    pause_randomly();
    current->prepare(current->n, current->order);
    if (current->rescue != NULL) {
        stand_by();
    }
    expect_rescue(current->rescue);
    EXPECT(make_call(), current->status);
    mel_busy(PAUSE);
    clear();
}

static void measure(const table_t *table, uint32_t environment)
{
    for (uint32_t i = 0; i < table->count; i++) {
        current = &table->rows[i];
        const uint32_t value = current->call | (uint32_t)current->row << 8;
        MEL_MARK(MARK_BEGIN, value);
        for (uint32_t round = 0; round < (environment == QUIET ? ROUNDS_QUIET : ROUNDS); round++) {
            measure_once();
        }
        MEL_MARK(MARK_END, value);
    }
}

void call(VP_INT exinf)
{
    (void)exinf;
    for (uint32_t environment = QUIET; environment < ENVIRONMENTS; environment++) {
        CHECK(mel_tick_set(environment == QUIET ? 0 : TICK));
        for (uint32_t i = 0; i < sizeof tables / sizeof *tables; i++) {
            measure(tables[i], environment);
        }
    }
    mel_exit(0);
}
