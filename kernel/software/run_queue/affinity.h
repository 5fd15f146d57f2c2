/* SPDX-License-Identifier: Apache-2.0 */
/* affinity.h: ready lists for several cores (implementation `affinity` of the interface `run_queue`): by affinity (any core, or one core alone) and priority, with a bitmap
 * for each affinity. A task that has its turn on a core is in no list. Which core is to change: docs/decisions/0009, and melanion/model/scheduler.py, which this
 * follows function by function. Everything with the kernel's lock.
 * Timing: insert, remove constant; mel_run_queue_first looks at each core once or twice. */
#ifndef MEL_SOFTWARE_RUN_QUEUE_AFFINITY_H
#define MEL_SOFTWARE_RUN_QUEUE_AFFINITY_H

#include "software/quantum.h"

#define MEL_READY_WORDS ((MEL_PRIORITIES + 31) / 32)

/* Affinity 0: any core; 1 + c: core c. */
extern mel_link_t mel_ready[MEL_CORES + 1][MEL_READY_WORDS * 32];
extern uint32_t mel_ready_map[MEL_CORES + 1][MEL_READY_WORDS];

void mel_run_queue_init(void);
mel_task_t *mel_run_queue_first(uint32_t hold);
void mel_run_queue_settle(void);
void mel_run_queue_rotate(uint32_t priority);
bool mel_run_queue_tick(void);
mel_task_t *mel_run_queue_slice(void);
void mel_run_queue_judged(void);

static inline mel_core_t *mel_run_queue_core(const mel_task_t *task)
{
    return task->runs_on != 0 ? &mel_cores[task->runs_on - 1] : NULL;
}

/* Rank of a core whose turn `task` has. */
static inline uint32_t mel_run_queue_rank(const mel_task_t *task)
{
    return 1 + (uint32_t)task->priority;
}

static inline void mel_run_queue_turn_ends(mel_core_t *core)
{
    core->turn = NULL;
    core->rank = MEL_RANK_LEAST;
}

/* The task has its turn on a core. */
static inline bool mel_run_queue_apart(const mel_task_t *task)
{
    const mel_core_t *core = mel_run_queue_core(task);
    return core != NULL && core->turn == &task->context;
}

static inline void mel_run_queue_link(mel_task_t *task, mel_link_t *before, mel_link_t *after)
{
    const uint32_t priority = task->priority;
    task->queue.next = after;
    task->queue.previous = before;
    before->next = &task->queue;
    after->previous = &task->queue;
    mel_ready_map[task->affinity][MEL_READY_WORDS == 1 ? 0 : priority / 32] |= UINT32_C(1) << priority % 32;
}

static inline void mel_run_queue_insert(mel_task_t *task)
{
    mel_link_t *list = &mel_ready[task->affinity][task->priority];
    mel_run_queue_link(task, list->previous, list);
}

/* A section of several cores has no windows, so nothing is read ahead. */
typedef struct {
    uint8_t unused;
} mel_run_queue_place_t;

static inline mel_run_queue_place_t mel_run_queue_place(const mel_task_t *task)
{
    (void)task;
    return (mel_run_queue_place_t){0};
}

static inline void mel_run_queue_insert_at(mel_task_t *task, const mel_run_queue_place_t *place)
{
    (void)place;
    mel_run_queue_insert(task);
}

static inline void mel_run_queue_insert_first(mel_task_t *task)
{
    mel_link_t *list = &mel_ready[task->affinity][task->priority];
    mel_run_queue_link(task, list, list->next);
}

/* Out of its list. */
static inline void mel_run_queue_unlink(mel_task_t *task)
{
    mel_link_t *next = task->queue.next;
    mel_link_t *previous = task->queue.previous;
    previous->next = next;
    next->previous = previous;
    if (next == previous) { /* both are the list: it was the last one */
        const uint32_t priority = task->priority;
        mel_ready_map[task->affinity][MEL_READY_WORDS == 1 ? 0 : priority / 32] &= ~(UINT32_C(1) << priority % 32);
    }
}

static inline void mel_run_queue_remove(mel_task_t *task)
{
    if (mel_run_queue_apart(task)) {
        mel_run_queue_turn_ends(mel_run_queue_core(task));
    } else {
        mel_run_queue_unlink(task);
    }
}

static inline void mel_run_queue_requeue(mel_task_t *task, uint32_t priority, bool first)
{
    if (first && mel_run_queue_apart(task)) {
        task->priority = (uint8_t)priority; /* it keeps its turn */
        mel_run_queue_core(task)->rank = mel_run_queue_rank(task);
        return;
    }
    mel_run_queue_remove(task);
    task->priority = (uint8_t)priority;
    if (first) {
        mel_run_queue_insert_first(task);
    } else {
        task->state = 0; /* another slice */
        mel_run_queue_insert(task);
    }
}

#define mel_run_queue_stays(next, running) ((void)(next), (void)(running), mel_self->moved == 0)

static inline bool mel_run_queue_runs(const mel_task_t *task)
{
    return task->runs_on != 0;
}

static inline bool mel_run_queue_kept(const mel_task_t *task)
{
    const mel_core_t *core = mel_run_queue_core(task);
    return core != NULL && (core->hold & MEL_HOLD_DISPATCH);
}

static inline bool mel_run_queue_left(const mel_task_t *task)
{
    return task->runs_on == 0;
}

static inline void mel_run_queue_affine(mel_task_t *task, uint32_t affinity)
{
    task->affinity = (uint8_t)affinity;
}

#endif
