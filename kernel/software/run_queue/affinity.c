/* SPDX-License-Identifier: Apache-2.0 */
/* affinity.c: which core runs which task. */
#include "software/run_queue/run_queue.h"

#include "software/ipi/ipi.h"

_Static_assert(MEL_READY_WORDS <= 8, "256 priorities");

#define TASK_OF(context_) ((mel_task_t *)(void *)(context_))

mel_link_t mel_ready[MEL_CORES + 1][MEL_READY_WORDS * 32];
uint32_t mel_ready_map[MEL_CORES + 1][MEL_READY_WORDS];

void mel_run_queue_init(void)
{
    for (uint32_t affinity = 0; affinity <= MEL_CORES; affinity++) {
        for (uint32_t priority = 0; priority < MEL_READY_WORDS * 32; priority++) {
            mel_link_t *list = &mel_ready[affinity][priority];
            list->next = list->previous = list;
        }
    }
}

/* The first of the most urgent of an affinity; NULL: there is none. */
static inline mel_task_t *first_of(uint32_t affinity)
{
    for (uint32_t word = 0; word < MEL_READY_WORDS; word++) {
        const uint32_t map = mel_ready_map[affinity][word];
        if (map != 0) {
            return MEL_TASK_OF(mel_ready[affinity][word * 32 + (uint32_t)__builtin_ctz(map)].next, queue);
        }
    }
    return NULL;
}

/* Core for the first task of affinity `any`: the one on which it still runs, else the one with the
 * least urgent work. NULL: there is no such task, or no core may dispatch. */
static inline mel_core_t *goal_of(const mel_task_t *task)
{
    if (task == NULL) {
        return NULL;
    }
    if (!mel_run_queue_left(task)) {
        return mel_run_queue_core(task);
    }
    mel_core_t *goal = NULL;
    uint32_t most = 0;
    for (mel_core_t *core = mel_cores; core != mel_cores + MEL_CORES; core++) {
        if (core->rank > most && (core->hold & MEL_HOLD_DISPATCH) == 0) {
            most = core->rank;
            goal = core;
        }
    }
    return goal;
}

/* Task that a core must change to, its own running task included if that has lost its turn; NULL:
 * no change. `any`: the first of that affinity, `goal`: its core. */
static inline mel_task_t *comer_of(const mel_core_t *core, mel_task_t *any, const mel_core_t *goal)
{
    mel_task_t *comer = first_of(1 + (uint32_t)(core - mel_cores));
    if (core == goal && (comer == NULL || any->priority < comer->priority)) {
        comer = any;
    }
    if (comer != NULL && mel_run_queue_rank(comer) < core->rank) {
        return comer;
    }
    return core->turn == NULL && core->running != core->idle ? TASK_OF(core->idle) : NULL;
}

/* This core leaves what it runs for `comer`. */
static inline void change(mel_core_t *self, mel_task_t *comer)
{
    mel_task_t *leaver = TASK_OF(self->running);
    if (&leaver->context != self->idle) {
        leaver->runs_on = 0;
        if (self->turn != NULL) {
            leaver->slice = 0; /* judged at its next tick */
            mel_run_queue_insert_first(leaver);
        }
    }
    mel_run_queue_turn_ends(self);
    if (&comer->context != self->idle) {
        mel_run_queue_unlink(comer);
        comer->runs_on = (uint8_t)(1 + (self - mel_cores));
        self->turn = &comer->context;
        self->rank = mel_run_queue_rank(comer);
    }
    self->ended = 0;
    self->nested = 0; /* a section of several calls ends with the call that runs another task */
    self->moved = 1;
}

/* The other cores that must change hear of it; `goal`: the core of `any`. */
static inline void notify(const mel_core_t *self, mel_task_t *any, const mel_core_t *goal)
{
    for (mel_core_t *core = mel_cores; core != mel_cores + MEL_CORES; core++) {
        if (core != self && comer_of(core, any, goal) != NULL && core->due == 0 && (core->hold & MEL_HOLD_DISPATCH) == 0) {
            core->due = 1;
            mel_ipi_ring((uint32_t)(core - mel_cores));
        }
    }
}

/* Whatever is to be notified of, it is not this core's business any more: it chooses now, or may not dispatch. */
static inline void not_due(mel_core_t *self)
{
    self->moved = 0;
    if (self->due != 0) {
        self->due = 0;
        mel_ipi_silence((uint32_t)(self - mel_cores));
    }
}

mel_task_t *mel_run_queue_first(uint32_t hold)
{
    mel_core_t *self = mel_self;
    mel_task_t *any = first_of(0);
    const mel_core_t *goal = goal_of(any);
    mel_task_t *comer = NULL;
    self->moved = 0;
    if (hold == 0) {
        not_due(self);
        comer = comer_of(self, any, goal);
        if (comer != NULL) {
            change(self, comer);
            any = first_of(0);
            goal = goal_of(any);
        }
    }
    notify(self, any, goal);
    return comer != NULL ? comer : TASK_OF(self->running);
}

void mel_run_queue_settle(void)
{
    mel_core_t *self = mel_self;
    self->moved = 0;
    if (self->hold & MEL_HOLD_DISPATCH) {
        not_due(self);
    }
    mel_task_t *any = first_of(0);
    notify(self, any, goal_of(any));
}

void mel_run_queue_rotate(uint32_t priority)
{
    mel_context_t *turn = mel_self->turn;
    if (turn != NULL && TASK_OF(turn)->priority == priority) {
        mel_run_queue_turn_ends(mel_self);
        TASK_OF(turn)->state = 0;
        mel_run_queue_insert(TASK_OF(turn));
        return;
    }
    const mel_link_t *list = &mel_ready[0][priority];
    if (list->next != list) {
        mel_task_t *first = MEL_TASK_OF(list->next, queue);
        mel_run_queue_unlink(first);
        mel_run_queue_insert(first);
    }
}

bool mel_run_queue_tick(void)
{
    uint32_t states = 0;
    for (mel_core_t *core = mel_cores; core != mel_cores + MEL_CORES; core++) {
        if (core->turn != NULL) {
            states |= mel_slice_count(TASK_OF(core->turn));
        }
    }
    return (states & MEL_SLICE_STATE(MEL_SLICE_OVER)) != 0;
}

/* The task that has its turn on a core has used its quantum, and another could take it. */
static inline bool slice_ends(const mel_core_t *core)
{
    if (core->turn == NULL || (TASK_OF(core->turn)->slice & MEL_SLICE_OVER) == 0) {
        return false;
    }
    const uint32_t priority = TASK_OF(core->turn)->priority;
    const mel_task_t *free = first_of(0);
    const mel_task_t *own = first_of(1 + (uint32_t)(core - mel_cores));
    return (free != NULL && free->priority == priority) || (own != NULL && own->priority == priority);
}

/* Each core ends its own slices, also with dispatch disabled: the others are told. */
mel_task_t *mel_run_queue_slice(void)
{
    mel_core_t *self = mel_self;
    if (slice_ends(self)) {
        mel_task_t *task = TASK_OF(self->turn);
        mel_run_queue_turn_ends(self);
        mel_run_queue_insert(task);
        MEL_TRACE_STORE(MEL_TRACE_SLICE, task->context.number, 0, 0, 0, task->state, 0);
    }
    for (mel_core_t *core = mel_cores; core != mel_cores + MEL_CORES; core++) {
        if (core != self && core->due == 0 && slice_ends(core)) {
            core->due = 1;
            mel_ipi_ring((uint32_t)(core - mel_cores));
        }
    }
    return NULL;
}

/* Slices that are over and do not end now go on till their next tick: a bell that rings meanwhile finds no other task for them. */
void mel_run_queue_judged(void)
{
    for (mel_core_t *core = mel_cores; core != mel_cores + MEL_CORES; core++) {
        if (core->turn != NULL && !slice_ends(core)) {
            TASK_OF(core->turn)->slice = 0;
        }
    }
}
