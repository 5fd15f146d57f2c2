/* SPDX-License-Identifier: Apache-2.0 */
/* mutex.h: mutexes with priority inheritance. The owner of a mutex is at least as urgent as every task that waits for it, and
 * as the tasks that wait for those, through any chain of owners that wait themselves; always exactly as urgent as it must
 * be: a waiter that times out, is released or changes its priority counts at once (docs/explanation/priority-inheritance.md).
 * Tasks wait in order of priority, equal priorities in order of arrival; the mutex goes to the first of them when it is
 * unlocked, so no later caller can take it away. A task may own many, and unlock them in any order.
 * When a task ends, each mutex that it owns goes to its first waiter, or is free, and counts as *abandoned* until it is
 * unlocked: what it protects may be half-changed (mel_mutex_query).
 * Each call may also return MEL_E_CTX, MEL_E_ID and MEL_E_NOEXS as melanion.h says. */
#ifndef MELANION_MUTEX_H
#define MELANION_MUTEX_H

#include <melanion/types.h>

/* Ceiling of a mutex that has none, for mel_mutex_create: its owner inherits priorities alone. No priority has this value. */
#define MEL_NO_CEILING UINT32_C(0xFFFFFFFF)

/* Make mutex `mutex`, owned by nobody. With a `ceiling` (a priority, or MEL_NO_CEILING) its owner is also at least that urgent, from the lock
 * on: then no other user of it can preempt its owner (priority ceiling protocol). Callers: task, handler, idle.
 * E_OK; E_PAR: ceiling out of range; E_OBJ: it exists. µITRON: cre_mtx (TA_INHERIT, TA_CEILING).
 * FreeRTOS: xSemaphoreCreateRecursiveMutexStatic. */
mel_status_t mel_mutex_create(mel_id_t mutex, mel_priority_t ceiling);

/* Remove a mutex. Its owner no longer owns it, the locks of its waiting tasks return E_DLT, the most urgent first.
 * Callers: task, idle. E_OK. µITRON: del_mtx. FreeRTOS: vSemaphoreDelete. */
mel_status_t mel_mutex_delete(mel_id_t mutex);

/* Become the owner, waiting at most `timeout` ticks (MEL_POLL: not at all, MEL_FOREVER: no limit); as the owner, count one
 * lock more. Callers: task.
 * E_OK; E_ILUSE: the caller's base priority is more urgent than the ceiling, or the wait would close a cycle of owners and
 * waiters (deadlock); E_QOVR: locked MEL_LOCKS_LIMIT times; E_TMOUT; E_DLT when it is deleted meanwhile; E_RLWAI when
 * released. µITRON: loc_mtx, ploc_mtx, tloc_mtx. FreeRTOS: xSemaphoreTakeRecursive. */
mel_status_t mel_mutex_lock(mel_id_t mutex, mel_ticks_t timeout);

/* Take back one lock; the last one makes the first of the most urgent waiting tasks the owner. Callers: task.
 * E_OK; E_OBJ: nobody owns it; E_ILUSE: another task does. µITRON: unl_mtx. FreeRTOS: xSemaphoreGiveRecursive. */
mel_status_t mel_mutex_unlock(mel_id_t mutex);

/* State of a mutex (mel_mutex_query). */
typedef struct {
    mel_id_t owner; /* MEL_TASKS: nobody */
    uint32_t locks; /* that the owner has counted */
    bool abandoned; /* an owner ended while it held it, and it has not been unlocked since */
} mel_mutex_info_t;

/* Read the state of a mutex into `info`, which is written only with E_OK. Callers: any. E_OK. µITRON: ref_mtx.
 * FreeRTOS: xSemaphoreGetMutexHolder. */
mel_status_t mel_mutex_query(mel_id_t mutex, mel_mutex_info_t *info);

#endif
