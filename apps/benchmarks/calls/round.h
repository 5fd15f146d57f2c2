/* SPDX-License-Identifier: Apache-2.0 */
/* round.h: what the main files of the programs over the tables of rows have in common (this one, and ../interference): the tables, what must be
 * free for them, and how everything is cleared away after a measured call. For one main file of a program: it is compiled with it as one file. */
#ifndef ROUND_H
#define ROUND_H

#include "calls.h"

_Static_assert(MEL_TASKS > SUBJECT, "the benchmark `calls` needs a system with at least 60 tasks");
_Static_assert(MEL_PRIORITIES > DOOMED_PRIORITY, "the benchmark `calls` needs a system with at least 29 priorities");
_Static_assert(MEL_MUTEXES > MUTEX + CHAIN, "the benchmark `calls` needs a system with at least 14 mutexes");
_Static_assert(MEL_MESSAGES >= MESSAGES + MESSAGES_DOOMED, "the benchmark `calls` needs a system with at least 56 messages");

/* More of something than MANY is many of it. */
enum { MANY = 8, PAUSE = 250 /* cycles: longer than any release in the background */ };

static const table_t *const tables[] = {
    &task_table,  &task_state_table, &time_table,         &semaphore_table, &flags_table,
    &mutex_table, &queue_table,      &notification_table, &system_table,    &pool_table,
    &policy_table, &quantum_table,
};

uint32_t word;
const row_t *current;

static uint32_t tick_cycles; /* in which the rows are measured; 0: no ticks */

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

static void expect_any(mel_status_t status, mel_status_t other)
{
    if (status != MEL_E_OK) {
        EXPECT(status, other);
    }
}

/* The booster has none. */
static bool has_mutexes(void)
{
    return mel_mutex_delete(BAD) != MEL_E_RSFN;
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
    expect_any(mel_mutex_delete(MUTEX), has_mutexes() ? MEL_E_NOEXS : MEL_E_RSFN);
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

/* The kernel has what the table is about. */
static bool has(const table_t *table)
{
    if (table == &mutex_table) {
        return has_mutexes();
    }
    if (table == &quantum_table) {
        return mel_quantum_set(MEL_PRIORITIES, 1) != MEL_E_RSFN;
    }
    return table != &policy_table || mel_claim_limit(0) != MEL_E_RSFN;
}

#endif
