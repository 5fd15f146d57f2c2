/* SPDX-License-Identifier: Apache-2.0 */
/* priority_list.h: a sorted list with one entry per priority (implementation `priority_list` of the interface `wait_queue`). The first waiting
 * task of a priority is the entry; those that came later with the same priority form a ring behind it.
 * Timing: first, next and remove are constant; insert passes the *priorities* that wait and are less urgent, never the single
 * tasks: 5 instructions each, none when the task is the least urgent, or equal to it. */
#ifndef MEL_SOFTWARE_WAIT_QUEUE_PRIORITY_LIST_H
#define MEL_SOFTWARE_WAIT_QUEUE_PRIORITY_LIST_H

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
    return first != list ? MEL_TASK_OF(first, group) : NULL;
}

static inline mel_task_t *mel_wait_next(mel_wait_list_t *list, mel_task_t *task)
{
    mel_task_t *later = MEL_TASK_OF(task->queue.next, queue);
    if (later->group.next == NULL) {
        return later;
    }
    mel_link_t *after = later->group.next; /* `later` is the entry: the ring has come round */
    return after != list ? MEL_TASK_OF(after, group) : NULL;
}

static inline mel_link_t *mel_wait_begin(mel_wait_list_t *list)
{
    return list->previous;
}

static inline bool mel_wait_passes(const mel_wait_list_t *list, const mel_link_t *at, uint32_t priority)
{
    return at != list && MEL_TASK_OF(at, group)->priority > priority;
}

static inline mel_link_t *mel_wait_further(const mel_link_t *at)
{
    return at->previous;
}

static inline void mel_wait_insert_at(mel_wait_list_t *list, mel_task_t *task, mel_link_t *at)
{
    task->list = list;
    if (at != list && MEL_TASK_OF(at, group)->priority == task->priority) {
        mel_link_t *entry = &MEL_TASK_OF(at, group)->queue;
        mel_link_t *last = entry->previous;
        task->queue.next = entry;
        task->queue.previous = last;
        last->next = &task->queue;
        entry->previous = &task->queue;
        task->group.next = NULL;
    } else {
        mel_link_t *after = at->next;
        task->group.next = after;
        task->group.previous = at;
        at->next = &task->group;
        after->previous = &task->group;
        task->queue.next = task->queue.previous = &task->queue;
    }
}

/* Entries that a task leaves open: the two beside it; and, of the first of several of its priority, the entry that the next one becomes. */
typedef struct {
    mel_link_t *before, *after;
    mel_link_t *entry, *more_urgent, *less_urgent; /* entry NULL: none changes */
} mel_wait_gap_t;

static inline mel_wait_gap_t mel_wait_gap(const mel_task_t *task)
{
    mel_link_t *before = task->group.previous;
    mel_link_t *after = task->group.next;
    mel_link_t *next = task->queue.next;
    if (next == &task->queue) { /* alone in its priority: the entry goes */
        return (mel_wait_gap_t){before, after, NULL, NULL, NULL};
    }
    return (mel_wait_gap_t){task->queue.previous, next, after != NULL ? &MEL_TASK_OF(next, queue)->group : NULL, before, after};
}

static inline void mel_wait_close(const mel_wait_gap_t *gap)
{
    mel_link_join(gap->before, gap->after);
    if (gap->entry != NULL) {
        mel_link_join(gap->more_urgent, gap->entry);
        mel_link_join(gap->entry, gap->less_urgent);
    }
}

#endif
