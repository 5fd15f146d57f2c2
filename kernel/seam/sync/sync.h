/* SPDX-License-Identifier: Apache-2.0 */
/* sync.h: the seam `sync`: the tasks that wait for an object, the most urgent first, equal priorities in order of arrival.
 * Verbs on a mel_wait_list_t: mel_wait_init; mel_wait_insert; mel_wait_first (NULL: nobody); mel_wait_next (the one behind a
 * task; NULL: nobody); and mel_wait_remove (from whatever list the task waits in).
 * Needs mel_task_t, with queue, group, list and priority, declared before (src/state.h, seam/objects/c.h). */
#ifndef MEL_SEAM_SYNC_H
#define MEL_SEAM_SYNC_H

#include "seam/seam.h"
#include MEL_PART(sync, MEL_SEAM_SYNC)

#endif
