/* main.c: the benchmark `calls`: its caller, which measures the rows of all tables in three environments.
 * Exit code 0: every status was right; 1: a wrong status. */
#include "calls.h"

_Static_assert(MEL_TASKS > SUBJECT, "the benchmark `calls` needs a system with at least 60 tasks");
_Static_assert(MEL_PRIORITIES > DOOMED_PRIORITY, "the benchmark `calls` needs a system with at least 29 priorities");
_Static_assert(MEL_MUTEXES > MUTEX + CHAIN, "the benchmark `calls` needs a system with at least 14 mutexes");
_Static_assert(MEL_MESSAGES >= MESSAGES + MESSAGES_DOOMED, "the benchmark `calls` needs a system with at least 56 messages");

/* What else happens: nothing, no ticks; ticks, and tasks that wait for time; besides, a release in the background, begun right before. */
enum { QUIET, BUSY, DRAINING, ENVIRONMENTS };

/* Rounds of a row: without ticks, so many that ticks of a software kernel, which spoil samples, leave enough; with them; and of a row that
 * stays and needs more than MANY of something, which takes long to make. */
enum { MANY = 8, ROUNDS_QUIET = 26, ROUNDS = 10, ROUNDS_MANY = 4 };
enum { PAUSE = 250 /* cycles: longer than any release in the background */ };

MEL_TASK_STACK(stack_caller, CALLER, 1024);

uint32_t word;
const row_t *current;

static uint32_t tick_cycles;
static uint32_t seed = 1;

void wrong_status(const char *file, uint32_t line, mel_status_t status)
{
    mel_print(file);
    mel_print(": line ");
    mel_print_unsigned(line);
    mel_print(": unexpected status ");
    mel_print_signed(status);
    mel_print(" in call ");
    mel_print_unsigned(current->call);
    mel_print(" (");
    mel_print(current->state);
    mel_print(")\n");
    mel_exit(1);
}

/* The phase of what follows against the ticks. */
static void pause_randomly(void)
{
    seed = seed * 1664525u + 1013904223u;
    mel_busy(PAUSE + (seed >> 8) % 256);
    for (uint32_t i = seed >> 28; i != 0; i--) {
        __asm__ volatile("nop");
    }
}

static void expect_any(mel_status_t status, mel_status_t other)
{
    if (status != MEL_E_OK) {
        EXPECT(status, other);
    }
}

/* As it was before the row. */
static void clear(void)
{
    CHECK(mel_dispatch_enable());
    clear_pool();
    expect_any(mel_sem_delete(OBJECT), MEL_E_NOEXS);
    expect_any(mel_flags_delete(OBJECT), MEL_E_NOEXS);
    expect_any(mel_queue_delete(OBJECT), MEL_E_NOEXS);
    expect_any(mel_queue_delete(OBJECT_OTHER), MEL_E_NOEXS);
    expect_any(mel_mutex_delete(MUTEX), MEL_E_NOEXS);
    for (mel_id_t mutex = MUTEX + 1; mel_mutex_delete(mutex) == MEL_E_OK; mutex++) {
    }
    (void)mel_task_terminate(SUBJECT);
    expect_any(mel_task_delete(SUBJECT), MEL_E_NOEXS);
    raise_caller();
    while (mel_task_sleep(MEL_POLL) == MEL_E_OK) {
    }
    CHECK(mel_notification_clear(MEL_SELF, UINT32_MAX, &word));
    expect_any(mel_notification_cancel(MEL_SELF), MEL_E_OBJ);
    expect_any(mel_timer_stop(OBJECT), MEL_E_OBJ);
    CHECK(mel_irq_disable(OBJECT));
    CHECK(mel_tick_set(tick_cycles));
}

static void measure_once(uint32_t environment, uint32_t round)
{
    pause_randomly();
    if (environment == DRAINING) {
        prepare_drain(round);
    }
    current->prepare(current->n);
    if (current->rescue != NULL) {
        stand_by();
    }
    expect_rescue(current->rescue);
    if (environment == DRAINING) {
        begin_drain(round);
    }
    EXPECT(current->shot(MEASURED), current->status);
    mel_busy(PAUSE);
    settling = true;
    clear();
    settle();
    settling = false;
}

static void measure(const table_t *table, uint32_t environment)
{
    for (uint32_t i = 0; i < table->count; i++) {
        current = &table->rows[i];
        const bool many = current->n > MANY;
        const uint32_t value = current->call | (uint32_t)(current->with ? 1 + many : 0) << 8;
        const uint32_t rounds = many && !current->with ? ROUNDS_MANY : environment == QUIET ? ROUNDS_QUIET : ROUNDS;
        MEL_MARK(MARK_BEGIN, value);
        for (uint32_t round = 0; round < rounds; round++) {
            measure_once(environment, round);
        }
        MEL_MARK(MARK_END, value);
    }
}

/* The kernel has what the table is about. */
static bool has(const table_t *table)
{
    return table != &policy_table || mel_claim_limit(0) != MEL_E_RSFN;
}

static void call(void *unused)
{
    static const table_t *const tables[] = {
        &task_table,  &task_state_table, &time_table,         &semaphore_table, &flags_table,
        &mutex_table, &queue_table,      &notification_table, &system_table,    &pool_table,
        &policy_table,
    };
    (void)unused;
    hire();
    for (uint32_t environment = QUIET; environment < ENVIRONMENTS; environment++) {
        if (environment == BUSY) {
            crowd();
        }
        tick_cycles = environment == QUIET ? 0 : TICK;
        CHECK(mel_tick_set(tick_cycles));
        for (uint32_t i = 0; i < sizeof tables / sizeof *tables; i++) {
            if (has(tables[i])) {
                measure(tables[i], environment);
            }
        }
    }
    mel_exit(0);
}

int main(void)
{
    const mel_task_attributes_t attributes = {
        .entry = call,
        .stack = stack_caller,
        .stack_size = sizeof stack_caller,
        .priority = CALLER_PRIORITY,
        .name = "caller",
    };
    CHECK(mel_task_create(CALLER, &attributes));
    CHECK(mel_task_start(CALLER));
    mel_kernel_start();
}
