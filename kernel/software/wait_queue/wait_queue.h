/* SPDX-License-Identifier: Apache-2.0 */
/* wait_queue.h: the interface `wait_queue`: the tasks that wait for an object, the most urgent first, equal priorities in order of arrival.
 * Verbs on a mel_wait_list_t: mel_wait_init; mel_wait_insert, or its parts: mel_wait_begin is where the search for a place begins, while mel_wait_passes(list, at, priority) it goes on at
 * mel_wait_further(at), and mel_wait_insert_at(list, task, at) writes; mel_wait_first (NULL: nobody); mel_wait_next (the one behind a
 * task; NULL: nobody); and mel_wait_remove (from whatever list the task waits in), or its two halves: mel_wait_gap reads, mel_wait_close(&gap) writes.
 * Needs mel_task_t, with queue, group, list and priority, declared before (software/state.h, booster/booster.h). */
#ifndef MEL_SOFTWARE_WAIT_QUEUE_WAIT_QUEUE_H
#define MEL_SOFTWARE_WAIT_QUEUE_WAIT_QUEUE_H

#include "common/interface.h"
#include MEL_TEXT(MEL_INTERFACE_WAIT_QUEUE)

static inline void mel_wait_insert(mel_wait_list_t *list, mel_task_t *task)
{
    mel_link_t *at = mel_wait_begin(list);
    while (mel_wait_passes(list, at, task->priority)) {
        at = mel_wait_further(at);
    }
    mel_wait_insert_at(list, task, at);
}

static inline void mel_wait_remove(mel_task_t *task)
{
    const mel_wait_gap_t gap = mel_wait_gap(task);
    mel_wait_close(&gap);
}

#endif
