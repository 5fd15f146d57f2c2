/* SPDX-License-Identifier: Apache-2.0 */
/* bitmap.h: one list per priority and a bitmap of the lists that hold something (implementation `bitmap` of the interface `run_queue`).
 * Timing: every verb is constant: insert 9 instructions, remove 4 to 8, rotate 13, first 4 (ctz of Zbb); with more than 32
 * priorities a summary word is above the bitmap, 4 to 6 instructions more. */
#ifndef MEL_SOFTWARE_RUN_QUEUE_BITMAP_H
#define MEL_SOFTWARE_RUN_QUEUE_BITMAP_H

#include "software/quantum.h"

#define MEL_READY_WORDS ((MEL_PRIORITIES + 31) / 32)

/* Enough lists for every priority of the bitmap; the last one is idle's and is found when the bitmap is empty. */
extern mel_link_t mel_ready[MEL_READY_WORDS * 32 + 1];
extern uint32_t mel_ready_map[MEL_READY_WORDS];
extern uint32_t mel_ready_summary;

void mel_run_queue_init(void);

/* Position of the lowest set bit; 32 when there is none (what ctz does). */
static inline uint32_t mel_lowest_bit(uint32_t word)
{
    return word != 0 ? (uint32_t)__builtin_ctz(word) : 32;
}

/* Between two neighbours of the list of its priority. */
static inline void mel_run_queue_link(mel_task_t *task, mel_link_t *before, mel_link_t *after)
{
    const uint32_t priority = task->priority;
    task->queue.next = after;
    task->queue.previous = before;
    before->next = &task->queue;
    after->previous = &task->queue;
    mel_ready_map[MEL_READY_WORDS == 1 ? 0 : priority / 32] |= UINT32_C(1) << priority % 32;
    if (MEL_READY_WORDS > 1) {
        mel_ready_summary |= UINT32_C(1) << priority / 32;
    }
}

/* Place of a task in its list, and the words of the bitmap with its bit. */
typedef struct {
    mel_link_t *last, *list;
    uint32_t map, summary;
} mel_run_queue_place_t;

static inline mel_run_queue_place_t mel_run_queue_place(const mel_task_t *task)
{
    const uint32_t priority = task->priority;
    mel_link_t *list = &mel_ready[priority];
    mel_run_queue_place_t place = {
        .last = list->previous,
        .list = list,
        .map = mel_ready_map[MEL_READY_WORDS == 1 ? 0 : priority / 32] | UINT32_C(1) << priority % 32,
        .summary = MEL_READY_WORDS == 1 ? 0 : mel_ready_summary | UINT32_C(1) << priority / 32,
    };
    __asm__ volatile("" : "+r"(place.list), "+r"(place.map)); /* computed here, not where it is used */
    return place;
}

static inline void mel_run_queue_insert_at(mel_task_t *task, const mel_run_queue_place_t *place)
{
    task->queue.next = place->list;
    task->queue.previous = place->last;
    place->last->next = &task->queue;
    place->list->previous = &task->queue;
    mel_ready_map[MEL_READY_WORDS == 1 ? 0 : task->priority / 32] = place->map;
    if (MEL_READY_WORDS > 1) {
        mel_ready_summary = place->summary;
    }
}

static inline void mel_run_queue_insert(mel_task_t *task)
{
    mel_link_t *list = &mel_ready[task->priority];
    mel_run_queue_link(task, list->previous, list);
}

static inline void mel_run_queue_insert_first(mel_task_t *task)
{
    mel_link_t *list = &mel_ready[task->priority];
    mel_run_queue_link(task, list, list->next);
}

static inline void mel_run_queue_remove(mel_task_t *task)
{
    mel_link_t *next = task->queue.next;
    mel_link_t *previous = task->queue.previous;
    previous->next = next;
    next->previous = previous;
    if (next == previous) { /* both are the list: it was the last one */
        const uint32_t priority = task->priority;
        uint32_t *word = &mel_ready_map[MEL_READY_WORDS == 1 ? 0 : priority / 32];
        *word &= ~(UINT32_C(1) << priority % 32);
        if (MEL_READY_WORDS > 1 && *word == 0) {
            mel_ready_summary &= ~(UINT32_C(1) << priority / 32);
        }
    }
}

static inline void mel_run_queue_rotate(uint32_t priority)
{
    mel_link_t *list = &mel_ready[priority];
    mel_link_t *first = list->next;
    mel_link_t *second = first->next;
    mel_link_t *last = list->previous;
    if (first != last) {
        list->next = second;
        second->previous = list;
        last->next = first;
        first->previous = last;
        first->next = list;
        list->previous = first;
    }
}

static inline bool mel_run_queue_tick(void)
{
    return (mel_slice_count(mel_running_task()) & MEL_SLICE_STATE(MEL_SLICE_OVER)) != 0;
}

/* Macros, because the compiler makes more of them than of functions. */
#define mel_run_queue_requeue(task_, priority_, first_)                                                              \
    do {                                                                                                          \
        mel_run_queue_remove(task_);                                                                                  \
        (task_)->priority = (uint8_t)(priority_);                                                                 \
        if (first_) {                                                                                             \
            mel_run_queue_insert_first(task_);                                                                        \
        } else {                                                                                                  \
            (task_)->state = 0; /* another slice */                                                                   \
            mel_run_queue_insert(task_);                                                                              \
        }                                                                                                         \
    } while (0)
#define mel_run_queue_first(hold) mel_run_queue_top() /* the caller looks at mel_hold itself */
#define mel_run_queue_kept(task) ((task) == mel_running_task() && (mel_hold & MEL_HOLD_DISPATCH))
#define mel_run_queue_stays(next, running) ((next) == (running))

static inline bool mel_run_queue_runs(const mel_task_t *task)
{
    return task == mel_running_task();
}

static inline bool mel_run_queue_left(const mel_task_t *task)
{
    (void)task;
    return true;
}

static inline void mel_run_queue_affine(mel_task_t *task, uint32_t affinity)
{
    (void)task;
    (void)affinity;
}

static inline void mel_run_queue_settle(void)
{
}

static inline mel_task_t *mel_run_queue_top(void)
{
    uint32_t priority;
    if (MEL_READY_WORDS == 1) {
        priority = mel_lowest_bit(mel_ready_map[0]);
    } else if (mel_ready_summary != 0) {
        const uint32_t word = mel_lowest_bit(mel_ready_summary);
        priority = word * 32 + mel_lowest_bit(mel_ready_map[word]);
    } else {
        priority = MEL_READY_WORDS * 32;
    }
    return MEL_TASK_OF(mel_ready[priority].next, queue);
}

/* Only ticks look at slices. */
static inline void mel_run_queue_judged(void)
{
}

/* The running task is the first of its list, unless it has lost its turn; idle is in none. The slice goes on behind a task that is more urgent. */
static inline mel_task_t *mel_run_queue_slice(void)
{
    mel_task_t *running = mel_running_task();
    mel_link_t *second = running->queue.next;
    mel_link_t *list = running->queue.previous;
    if (running->slice != MEL_SLICE_OVER || second == list || mel_run_queue_top() != running) {
        return NULL;
    }
    mel_link_t *last = list->previous;
    list->next = second;
    second->previous = list;
    last->next = &running->queue;
    running->queue.previous = last;
    running->queue.next = list;
    list->previous = &running->queue;
    if (mel_hold != 0) {
        MEL_TRACE_STORE(MEL_TRACE_SLICE, running->context.number, 0, 0, 0, running->state, mel_slice_lost());
        return NULL;
    }
    MEL_TRACE_STORE(MEL_TRACE_SLICE, running->context.number, 0, 0, 0, running->state, 0);
    return MEL_TASK_OF(second, queue);
}

#endif
