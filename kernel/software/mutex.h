/* SPDX-License-Identifier: Apache-2.0 */
/* mutex.h: what the other calls owe to mutexes: a task that leaves or moves in the wait list of one changes what its owner
 * inherits, and a task that ends leaves its own behind. For mutex.c, which keeps every task's priority exact. */
#ifndef MEL_SOFTWARE_MUTEX_H
#define MEL_SOFTWARE_MUTEX_H

#include "software/state.h"

/* The task owns a mutex. */
static inline bool mel_mutex_owner(const mel_task_t *task)
{
    return task->owned.next != &task->owned;
}

/* The priority of a task: its base priority or what it inherits. Passes the mutexes that it owns. */
uint32_t mel_mutex_effective(const mel_task_t *task);

/* A task held by MEL_HELD_MUTEX has left the wait list. */
void mel_mutex_left(mel_task_t *task);

/* A task held by MEL_HELD_MUTEX has moved in the wait list; its priority was `before`. */
void mel_mutex_moved(mel_task_t *task, uint32_t before);

/* The task, which is dormant now, has ended: its mutexes go to their first waiters, each with an `orphan` event. */
void mel_mutex_orphan(mel_task_t *ended);

#endif
