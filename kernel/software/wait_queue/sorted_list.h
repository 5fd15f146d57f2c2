/* SPDX-License-Identifier: Apache-2.0 */
/* sorted_list.h: one list per object, sorted by priority, equals in order of arrival (implementation `sorted_list` of the interface `wait_queue`): the
 * structure that the white paper measured (its Fig. 3-5), in which the last task of a priority leads to the first of the next.
 * Timing: first, next and remove are constant; insert searches from the head and passes every *task* that is as urgent or more
 * urgent, 5 instructions each: it grows with the tasks that wait, most for the least urgent. */
#ifndef MEL_SOFTWARE_WAIT_QUEUE_SORTED_LIST_H
#define MEL_SOFTWARE_WAIT_QUEUE_SORTED_LIST_H

#include <stdbool.h>

#include "common/link.h"

typedef mel_link_t mel_wait_list_t;

static inline void mel_wait_init(mel_wait_list_t *list)
{
    list->next = list->previous = list;
}

static inline mel_task_t *mel_wait_first(mel_wait_list_t *list)
{
    mel_link_t *first = list->next;
    return first != list ? MEL_TASK_OF(first, queue) : NULL;
}

static inline mel_task_t *mel_wait_next(mel_wait_list_t *list, mel_task_t *task)
{
    mel_link_t *after = task->queue.next;
    return after != list ? MEL_TASK_OF(after, queue) : NULL;
}

static inline mel_link_t *mel_wait_begin(mel_wait_list_t *list)
{
    return list->next;
}

static inline bool mel_wait_passes(const mel_wait_list_t *list, const mel_link_t *at, uint32_t priority)
{
    return at != list && MEL_TASK_OF(at, queue)->priority <= priority;
}

static inline mel_link_t *mel_wait_further(const mel_link_t *at)
{
    return at->next;
}

static inline void mel_wait_insert_at(mel_wait_list_t *list, mel_task_t *task, mel_link_t *at)
{
    task->list = list;
    mel_link_t *before = at->previous;
    task->queue.next = at;
    task->queue.previous = before;
    before->next = &task->queue;
    at->previous = &task->queue;
}

/* Entries that a task leaves open: the two beside it. */
typedef struct {
    mel_link_t *before, *after;
} mel_wait_gap_t;

static inline mel_wait_gap_t mel_wait_gap(const mel_task_t *task)
{
    return (mel_wait_gap_t){task->queue.previous, task->queue.next};
}

static inline void mel_wait_close(const mel_wait_gap_t *gap)
{
    mel_link_join(gap->before, gap->after);
}

#endif
